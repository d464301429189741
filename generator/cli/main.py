"""The program `nightgrid`: its commands and their options; each command is imported when it is asked for."""

import gc
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from generator.cli import change_app
from generator.cli.options import (
    MATRIX,
    FilterOptions,
    Format,
    FormatOption,
    Kind,
    ListFormat,
    MatrixOption,
    QuietOption,
    VerboseOption,
)
from generator.cli.session import Session, guarded, voice_of
from generator.cli.version import __version__
from generator.domain.exit_code import ExitCode

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="One matrix of models and hardware; from it, tonight's GPU workflows.",
    epilog="Exit codes: 0 fine, 1 findings or drift, 2 wrong usage or input, 4 the world outside failed.",
)


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_show_version, help="Print the version.")
    ] = False,
) -> None:
    """Hold the options that come before a command."""


@app.command(epilog="Example: nightgrid init && nightgrid render && nightgrid check")
@guarded
def init(
    folder: Annotated[Path, typer.Argument(help="The root of the repository.")] = Path(),
) -> ExitCode:
    """Write a small commented matrix that renders and checks at once; nothing is overwritten."""
    from generator.cli import init_command

    return init_command.init(Session(matrix=folder / MATRIX))


@app.command(epilog="Example: nightgrid render --dry-run")
@guarded
def render(
    matrix: MatrixOption = MATRIX,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show a diff and write nothing.")] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="Write over workflows that nightgrid did not write.")
    ] = False,
    format_: FormatOption = Format.TEXT,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
) -> ExitCode:
    """Write the workflows that the matrix asks for, and remove those that it no longer asks for."""
    from generator.cli import render_command

    session = Session(matrix=matrix, format=format_, voice=voice_of(quiet=quiet, verbose=verbose))
    foreign = render_command.Foreign.REPLACE if replace else render_command.Foreign.KEEP
    return render_command.render(session, dry_run=dry_run, foreign=foreign)


@app.command(epilog="Example: nightgrid check --format github")
@guarded
def check(
    matrix: MatrixOption = MATRIX,
    format_: FormatOption = Format.TEXT,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
) -> ExitCode:
    """Compare the committed workflows with the matrix, and look for what would cost a night."""
    from generator.cli import check_command

    return check_command.check(
        Session(matrix=matrix, format=format_, voice=voice_of(quiet=quiet, verbose=verbose))
    )


def _complete_job(ctx: typer.Context, incomplete: str) -> list[str]:
    from generator.cli import complete

    return complete.job_ids(Path(ctx.params.get("matrix") or MATRIX), incomplete)


@app.command(epilog="Example: nightgrid explain nightly-8-gpu-mi35x-kimi-k3-rocm720")
@guarded
def explain(
    job: Annotated[str, typer.Argument(help="Id of a job.", autocompletion=_complete_job)],
    matrix: MatrixOption = MATRIX,
    format_: Annotated[ListFormat, typer.Option("--format", "-f", help="Form.")] = ListFormat.TABLE,
) -> ExitCode:
    """Show each value of a job and the line that it comes from, and how its limits add up."""
    from generator.cli import explain_command

    return explain_command.explain(Session(matrix=matrix), job, format_)


@app.command("try", epilog="Example: nightgrid try demo-tiny-target")
@guarded
def try_(
    job: Annotated[str, typer.Argument(help="Id of a job.", autocompletion=_complete_job)],
    matrix: MatrixOption = MATRIX,
    image: Annotated[str, typer.Option(help="Image that preflight would have found.")] = "",
) -> ExitCode:
    """Run the steps of one job on this machine, in their order, as the night would run them."""
    from generator.cli import try_command

    return try_command.try_(Session(matrix=matrix), job, image)


@app.command("list", epilog="Example: nightgrid list jobs --family kimi --format json")
@guarded
def list_(
    kind: Annotated[Kind, typer.Argument(help="What to list.")] = Kind.JOBS,
    matrix: MatrixOption = MATRIX,
    hardware: Annotated[str, typer.Option(help="Only this hardware.")] = "",
    lane: Annotated[str, typer.Option(help="Only this lane.")] = "",
    family: Annotated[str, typer.Option(help="Only this family of models.")] = "",
    check_kind: Annotated[str, typer.Option("--check", help="Only where this is measured.")] = "",
    format_: Annotated[ListFormat, typer.Option("--format", "-f", help="Form.")] = ListFormat.TABLE,
) -> ExitCode:
    """List jobs, or cells, with where they run and what they measure."""
    from generator.cli import list_command

    wanted = FilterOptions(hardware=hardware, lane=lane, family=family, check=check_kind)
    return list_command.list_(Session(matrix=matrix), kind, wanted, format_)


@app.command(epilog="Example: nightgrid pins    (on the branch of a bot that bumped an action)")
@guarded
def pins(matrix: MatrixOption = MATRIX) -> ExitCode:
    """Take a bumped action from a generated workflow back into the matrix, and render."""
    from generator.cli import pins_command

    return pins_command.pins(Session(matrix=matrix))


@app.command(epilog="Example: nightgrid schema > matrix.schema.json")
@guarded
def schema() -> ExitCode:
    """Print the JSON Schema of matrix.yaml (draft 2020-12), for editors and other tools."""
    from generator.config.matrix_file import schema_text

    typer.echo(schema_text(), nl=False)
    return ExitCode.FINE


change_app.add_to(app)


def run() -> None:
    """Run the program and end the process."""
    # A run is short and makes many small objects that all live to its end: collecting them, and taking them
    # apart one by one at the end, is time that a person waits for.
    gc.disable()
    try:
        app()
    except SystemExit as end:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(end.code if isinstance(end.code, int) else 1)
