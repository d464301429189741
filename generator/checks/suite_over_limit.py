"""Tests that their own authors expect to take longer than the night gives them."""

from collections.abc import Iterator

from generator.domain.facts import Facts
from generator.domain.finding import Finding, error
from generator.domain.suite import AskedSuite, Registration
from generator.plan.suites import asked_suites, run_by

ID = "suite-over-limit"


def check(facts: Facts) -> Iterator[Finding]:
    """A finding where a suite is over its step's limit, or a test file over the limit of a file."""
    for asked in asked_suites(facts.matrix):
        tests = run_by(asked, facts.suites)
        if tests:
            yield from _look_at(asked, tests)


def _look_at(asked: AskedSuite, tests: tuple[Registration, ...]) -> Iterator[Finding]:
    total_s = sum(test.estimate_s for test in tests)
    if total_s > asked.step_s:
        yield error(
            ID,
            asked.location,
            f"suite `{asked.suite}` is estimated at {total_s:g} s in all, "
            f"and the step is cut after {asked.step_s} s",
            "Raise `timeout_minutes`, or divide the suite.",
        )
    longest = max(tests, key=lambda test: test.estimate_s)
    if longest.estimate_s > asked.per_file_s:
        yield error(
            ID,
            asked.location,
            f"{longest.location} in suite `{asked.suite}` is estimated at {longest.estimate_s:g} s, "
            f"and a file is cut after {asked.per_file_s} s",
            "Raise `per_file_timeout_s`, or correct the estimate.",
        )
