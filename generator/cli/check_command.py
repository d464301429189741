"""nightgrid check: hold the committed workflows to the matrix, and look for what would cost a night."""

from collections.abc import Iterable
from dataclasses import replace

from generator.checks import registry, stale
from generator.cli.build import Build, build, prove
from generator.cli.inspect import Clock, gather, today_utc
from generator.cli.options import MATRIX
from generator.cli.session import Session, Voice
from generator.domain.exit_code import ExitCode
from generator.domain.facts import Facts
from generator.domain.finding import Finding, by_place
from generator.report.colour import Colour
from generator.report.difference import Side, unified_difference

_DIFF_LINES = 24
_SHOWN_AS_DIFF = frozenset({stale.ID, "hand-edited"})


def check(session: Session, clock: Clock = today_utc) -> ExitCode:
    """Say everything that is wrong with the matrix and with the committed workflows."""
    result = build(session)
    if not isinstance(result, Build):
        session.show(result)
        return ExitCode.INVALID
    facts, unreadable = gather(result, session.root, clock())
    prove(result, [path for path, data in facts.expected.items() if facts.committed.get(path) != data])
    found = by_place(
        (*unreadable, *registry.run(registry.OF_MATRIX, facts), *registry.run(registry.OF_FILES, facts))
    )
    code = session.show(_with_differences(session, facts, found))
    _advise(session, facts, found)
    return code


def _with_differences(session: Session, facts: Facts, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    lines = 1_000_000 if session.voice is Voice.VERBOSE else _DIFF_LINES
    return tuple(
        replace(finding, detail=_difference(facts, finding.location.path, lines))
        if finding.id in _SHOWN_AS_DIFF
        else finding
        for finding in findings
    )


def _difference(facts: Facts, path: str, lines: int) -> str:
    return unified_difference(
        Side(label=f"{path} (committed)", text=facts.committed[path].decode(errors="replace")),
        Side(label=f"{path} (from the matrix)", text=facts.expected[path].decode(errors="replace")),
        Colour.PLAIN,
        lines_maximum=lines,
    )


def _advise(session: Session, facts: Facts, found: tuple[Finding, ...]) -> None:
    if any(finding.id in registry.MENDED_BY_RENDER for finding in found):
        option = "" if session.matrix == MATRIX else f" --matrix {session.matrix}"
        session.say(f"\nTo bring the workflows in step with {session.matrix.name}: nightgrid render{option}")
    elif not found:
        count = len(facts.expected)
        jobs = len(facts.measuring())
        session.say(f"{count} workflows with {jobs} jobs are what {session.matrix.name} says")
