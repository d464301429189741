"""nightgrid check: hold the committed workflows to the matrix, and look for what would cost a night."""

from generator.checks import registry
from generator.cli.build import Build, build, prove
from generator.cli.inspect import Clock, gather, today_utc
from generator.cli.options import MATRIX
from generator.cli.session import Session, Voice
from generator.domain.exit_code import ExitCode
from generator.domain.facts import Facts
from generator.domain.finding import Finding, by_place

_DIFF_LINES = 24
_ALL_LINES = 1_000_000


def check(session: Session, clock: Clock = today_utc) -> ExitCode:
    """Say everything that is wrong with the matrix and with the committed workflows."""
    result = build(session)
    if not isinstance(result, Build):
        session.show(result)
        return ExitCode.INVALID
    facts, unreadable = gather(result, session.root, clock())
    prove(result, [path for path, data in facts.expected.items() if facts.committed.get(path) != data])
    every_run = registry.run(registry.OF_MATRIX | registry.OF_FILES, facts)
    found = by_place((*unreadable, *every_run, *_of_edited(facts)))
    code = session.show(_detailed(session, facts, found))
    _advise(session, facts, found)
    return code


def _of_edited(facts: Facts) -> tuple[Finding, ...]:
    if not facts.ours():
        return ()
    from generator.checks.edited import OF_EDITED

    return registry.run(OF_EDITED, facts)


def _detailed(session: Session, facts: Facts, found: tuple[Finding, ...]) -> tuple[Finding, ...]:
    if not found:
        return ()
    from generator.cli.differences import with_differences

    lines = _ALL_LINES if session.voice is Voice.VERBOSE else _DIFF_LINES
    return with_differences(facts, found, lines)


def _advise(session: Session, facts: Facts, found: tuple[Finding, ...]) -> None:
    if any(finding.id in registry.MENDED_BY_RENDER for finding in found):
        option = "" if session.matrix == MATRIX else f" --matrix {session.matrix}"
        session.say(f"\nTo bring the workflows in step with {session.matrix.name}: nightgrid render{option}")
    elif not found:
        count = len(facts.expected)
        jobs = len(facts.measuring())
        session.say(f"{count} workflows with {jobs} jobs are what {session.matrix.name} says")
