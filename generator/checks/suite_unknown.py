"""A job asks for a suite that runs no test: the exit code is 0, and the night is green."""

from collections.abc import Iterator

from generator.domain.facts import Facts
from generator.domain.finding import Finding, error
from generator.domain.suite import AskedSuite, SuiteRegistry
from generator.plan.suites import asked_suites, run_by

ID = "suite-unknown"


def check(facts: Facts) -> Iterator[Finding]:
    """A finding for each suite of which not a single test would run."""
    if not facts.suites.path:
        return
    for asked in asked_suites(facts.matrix):
        if not run_by(asked, facts.suites):
            yield error(
                ID,
                asked.location,
                f"no test runs in suite `{asked.suite}`: {_why(asked, facts.suites)}",
                "Ask for a suite that tests register, or register one: a run without tests succeeds.",
            )


def _why(asked: AskedSuite, registry: SuiteRegistry) -> str:
    named = [each for each in registry.registrations if each.suite == asked.suite]
    there = [each for each in named if each.backend == asked.backend]
    if not named:
        listed = ", and the runner only lists it" if asked.suite in registry.known else ""
        return f"nothing below {registry.path} registers it{listed}"
    if not there:
        backends = ", ".join(dict.fromkeys(each.backend for each in named))
        return f"it is registered for {backends}, not for {asked.backend} ({named[0].location})"
    if all(each.disabled for each in there):
        return f"its tests are switched off: {there[0].disabled} ({there[0].location})"
    asks, registered = ("the night", "each change") if asked.nightly else ("each change", "the night")
    return f"the job asks for tests of {asks}, and it is registered for {registered} ({there[0].location})"
