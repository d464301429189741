"""A matrix that a command has edited, written together with the workflows that follow from it."""

import datetime as dt

import typer

from generator.checks.registry import OF_MATRIX, run
from generator.cli.build import Build, prove
from generator.cli.inspect import gather
from generator.cli.render_command import not_ours, steps_of
from generator.cli.session import Session
from generator.domain.exit_code import ExitCode
from generator.domain.finding import Severity
from generator.outside.files import Change, write_all
from generator.report.difference import Side, unified_difference

_DIFF_LINES = 400


def write_edited(session: Session, before: Build, after: Build, today: dt.date) -> ExitCode:
    """Write the matrix and its workflows at one stroke, unless the edited matrix is faulty.

    Raises:
        OutsideError: a file could not be written, or somebody else has changed it meanwhile.
    """
    facts, _ = gather(after, session.root, today)
    found = (*run(OF_MATRIX, facts), *not_ours(facts))
    session.show(found)
    if any(finding.severity is Severity.ERROR for finding in found):
        session.say("nothing was written")
        return ExitCode.FINDINGS
    steps = steps_of(facts)
    prove(after, {step.path for step in steps})
    matrix = Change(
        verb="change",
        path=session.matrix.name,
        old=before.tree.source.data,
        new=after.tree.source.data,
    )
    changes = [Change(path=step.path, old=step.old, new=step.new, verb=step.verb) for step in steps]
    write_all(session.root, [matrix, *changes] if matrix.old != matrix.new else changes)
    past = {"write": "wrote", "change": "changed", "remove": "removed"}
    session.say(f"changed {session.matrix.name}")
    for step in steps:
        session.say(f"{past[step.verb]} {step.path}")
    return ExitCode.FINE


def show_edit(session: Session, before: Build, after: Build) -> None:
    """Print what changes in the matrix, as a diff."""
    name = session.matrix.name
    typer.echo(
        unified_difference(
            Side(label=name, text=before.tree.source.text),
            Side(label=name, text=after.tree.source.text),
            session.colour,
            lines_maximum=_DIFF_LINES,
        ),
        nl=False,
    )


def refuse(message: str, help_: str = "") -> ExitCode:
    """Say on standard error why nothing was done, and what to do."""
    typer.echo(f"error: {message}" + (f"\nhelp: {help_}" if help_ else ""), err=True)
    return ExitCode.INVALID
