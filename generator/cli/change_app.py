"""Commands that change the matrix, and those that hold it against other people's sources."""
# ruff: noqa: PLC0415, PLR0913, PLR0917 - a command is imported when it is asked for; its options are its own number

from pathlib import Path
from typing import Annotated

import typer

from generator.cli.options import (
    MATRIX,
    Format,
    FormatOption,
    ListFormat,
    MatrixOption,
)
from generator.cli.session import Session, guarded
from generator.domain.exit_code import ExitCode

UntilOption = Annotated[str, typer.Option(help="Last day, that day included: YYYY-MM-DD.")]
BecauseOption = Annotated[str, typer.Option(help="Why, for the person who meets it.")]


def add_to(app: typer.Typer) -> None:
    """Add the commands to a program."""
    app.command(epilog="Example: nightgrid swap kimi-k26 kimi-k3 --lane rocm720")(guarded(swap))
    app.command(
        epilog="Example: nightgrid disable mi35x-8gpu --until 2026-12-24 --because 'the rack is moved'"
    )(guarded(disable))
    app.command(epilog="Example: nightgrid suites --registry ../sglang/test")(guarded(suites))
    app.command(epilog="Example: nightgrid env --source sglang=../sglang/python --source aiter=../aiter")(
        guarded(env)
    )


def swap(
    old: Annotated[str, typer.Argument(help="Key of the model that leaves.")],
    new: Annotated[str, typer.Argument(help="Key of the model that takes its places.")],
    matrix: MatrixOption = MATRIX,
    hardware: Annotated[str, typer.Option(help="Only on this hardware.")] = "",
    lane: Annotated[str, typer.Option(help="Only in this lane.")] = "",
    write: Annotated[bool, typer.Option("--write", help="Change the matrix, and render.")] = False,
    waive: Annotated[
        list[str], typer.Option(help="A point that may be lost: FAMILY/ISA/LANE/CHECK. May be repeated.")
    ] = [],  # noqa: B006 - typer takes a list, and nobody changes it
    because: BecauseOption = "",
    until: UntilOption = "",
    format_: Annotated[ListFormat, typer.Option("--format", "-f", help="Form.")] = ListFormat.TABLE,
) -> ExitCode:
    """Put one model in the place of another: what moves, what must stay and why, and what it costs."""
    from generator.cli import swap_command as command

    asked = command.Asked(
        old=old,
        new=new,
        hardware=hardware,
        lane=lane,
        waive=tuple(waive),
        because=because,
        until=until,
        doing=command.Doing.WRITE if write else command.Doing.SHOW,
        format=format_,
    )
    return command.swap(Session(matrix=matrix), asked)


def disable(
    name: Annotated[str, typer.Argument(help="Id of a job, or key of a pool.")],
    until: UntilOption,
    because: BecauseOption,
    matrix: MatrixOption = MATRIX,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show a diff and write nothing.")] = False,
    waive: Annotated[
        bool, typer.Option("--waive", help="Let off what is required there, for the same reason and time.")
    ] = False,
) -> ExitCode:
    """Switch a job or a pool off for a while, with a reason; it comes back by itself."""
    from generator.cli import disable_command as command

    asked = command.Asked(
        name=name,
        because=because,
        until=until,
        doing=command.Doing.SHOW if dry_run else command.Doing.WRITE,
        required=command.Required.LET_OFF if waive else command.Required.KEEP,
    )
    return command.disable(Session(matrix=matrix), asked)


def suites(
    registry: Annotated[
        Path | None, typer.Option(help="Folder of the project's tests; else what the matrix names.")
    ] = None,
    matrix: MatrixOption = MATRIX,
    format_: FormatOption = Format.TEXT,
) -> ExitCode:
    """Compare the suites that jobs ask for with those that the project's tests register."""
    from generator.cli import suites_command

    return suites_command.suites(Session(matrix=matrix, format=format_), registry)


def env(
    source: Annotated[
        list[str], typer.Option(help="A tree to search, as NAME=PATH or PATH. May be repeated.")
    ] = [],  # noqa: B006 - typer takes a list, and nobody changes it
    matrix: MatrixOption = MATRIX,
    format_: Annotated[ListFormat, typer.Option("--format", "-f", help="Form.")] = ListFormat.TABLE,
) -> ExitCode:
    """Show each environment variable, where it is set, who reads it, and whether anybody really does."""
    from generator.cli import env_command

    return env_command.env(Session(matrix=matrix), tuple(source), format_)
