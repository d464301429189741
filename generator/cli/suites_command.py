"""nightgrid suites: what jobs ask for, against what the project's tests register."""

from dataclasses import replace
from pathlib import Path

from generator.checks import suite_never_asked, suite_over_limit, suite_unknown
from generator.checks.registry import run
from generator.cli.build import Build, build
from generator.cli.edited import refuse
from generator.cli.inspect import Clock, gather, today_utc
from generator.cli.read_suites import suites_below
from generator.cli.session import Session
from generator.domain.exit_code import ExitCode
from generator.domain.finding import by_place
from generator.plan.suites import asked_suites

_CHECKS = {module.ID: module.check for module in (suite_unknown, suite_never_asked, suite_over_limit)}


def suites(session: Session, registry: Path | None, clock: Clock = today_utc) -> ExitCode:
    """Say both ways what does not fit.

    Args:
        session: where the matrix is.
        registry: folder of the project's tests, from here; None for the one that the matrix names.
        clock: today.
    """
    result = build(session)
    if not isinstance(result, Build):
        session.show(result)
        return ExitCode.INVALID
    named = result.matrix.project.suites
    if registry is None and not named:
        return refuse(
            "nothing says where the project's tests are",
            "Name their folder with --registry, or as `suites` of `project` in the matrix.",
        )
    read = suites_below(session.root, named) if registry is None else suites_below(Path(), str(registry))
    facts, _ = gather(result, session.root, clock())
    found = by_place((*read.unreadable, *run(_CHECKS, replace(facts, suites=read))))
    code = session.show(found)
    asked = {each.suite for each in asked_suites(result.matrix)}
    session.say(
        f"{len(asked)} suites are asked for; below {read.path} {len(read.registrations)} tests are registered"
    )
    if not read.registrations:
        session.say("nothing was compared: is this the folder of the tests?")
        return ExitCode.NOTHING
    return code
