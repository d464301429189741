"""nightgrid render: write what the matrix asks for, and take away what it no longer asks for."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

import typer

from generator.checks.registry import OF_MATRIX, run
from generator.cli.build import Build, build, prove
from generator.cli.inspect import gather
from generator.cli.session import Session, Voice
from generator.domain.exit_code import ExitCode
from generator.domain.facts import Facts
from generator.domain.finding import Finding, Severity, error
from generator.domain.location import Location
from generator.outside.files import Change, write_all
from generator.render.text import carries_mark
from generator.report.difference import Side, unified_difference


class Foreign(Enum):
    """What becomes of a file that stands where one of ours belongs, and that nightgrid did not write."""

    KEEP = "keep"
    REPLACE = "replace"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One file that changes: what happens to it, and its bytes before and after."""

    verb: str
    path: str
    old: bytes
    new: bytes


def render(session: Session, *, dry_run: bool, foreign: Foreign) -> ExitCode:
    """Write the workflows that the matrix asks for, or show what that would change."""
    result = build(session)
    if not isinstance(result, Build):
        session.show(result)
        return ExitCode.INVALID
    return write(session, result, dry_run=dry_run, foreign=foreign)


def write(session: Session, result: Build, *, dry_run: bool, foreign: Foreign = Foreign.KEEP) -> ExitCode:
    """Bring the folder in step with a build, unless that is faulty or would cost a file of others."""
    facts, _ = gather(result, session.root, dt.datetime.now(dt.UTC).date())
    found = run(OF_MATRIX, facts)
    if foreign is Foreign.KEEP and not dry_run:
        found = (*found, *not_ours(facts))
    if any(finding.severity is Severity.ERROR for finding in found):
        session.show(found)
        session.say("nothing was written")
        return ExitCode.FINDINGS
    session.show(found)
    steps = steps_of(facts)
    prove(result, {step.path for step in steps})
    if dry_run:
        for step in steps:
            typer.echo(_difference(session, step), nl=False)
    else:
        write_all(
            session.root,
            [Change(path=step.path, old=step.old, new=step.new, verb=step.verb) for step in steps],
        )
    _tell(session, facts, steps, dry_run=dry_run)
    return ExitCode.FINE


def not_ours(facts: Facts) -> Iterator[Finding]:
    """A finding for each file of others where one of ours belongs."""
    for path in facts.expected:
        if path in facts.committed and not carries_mark(facts.committed[path]):
            yield error(
                "foreign-file",
                Location(path),
                "nightgrid did not write the workflow that stands here, and does not overwrite it",
                "Look at the difference with --dry-run; --replace writes over it.",
            )


def steps_of(facts: Facts) -> list[Step]:
    """What brings the workflows folder in step with the matrix."""
    steps = []
    for path, data in facts.expected.items():
        old = facts.committed.get(path)
        if old != data:
            steps.append(Step(verb="write" if old is None else "change", path=path, old=old or b"", new=data))
    for path, data in facts.committed.items():
        if path not in facts.expected and carries_mark(data):
            steps.append(Step(verb="remove", path=path, old=data, new=b""))
    return steps


def _tell(session: Session, facts: Facts, steps: list[Step], *, dry_run: bool) -> None:
    past = {"write": "wrote", "change": "changed", "remove": "removed"}
    for step in steps:
        session.say(f"{'would ' + step.verb if dry_run else past[step.verb]} {step.path}")
    same = [path for path in facts.expected if path not in {step.path for step in steps}]
    for path in same:
        session.say(f"unchanged {path}", Voice.VERBOSE)
    if not steps:
        session.say(f"all {len(same)} workflows are in step with {session.matrix.name}")


def _difference(session: Session, step: Step) -> str:
    return unified_difference(
        Side(label=step.path if step.old else "/dev/null", text=step.old.decode(errors="replace")),
        Side(label=step.path if step.new else "/dev/null", text=step.new.decode(errors="replace")),
        session.colour,
        lines_maximum=1_000_000 if session.voice is Voice.VERBOSE else 200,
    )
