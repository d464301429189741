"""Tests that are registered for the night and that no job runs (sglang pull requests 36391, 34147, 40060)."""

from collections.abc import Iterator

from generator.domain.facts import Facts
from generator.domain.finding import Finding, warning
from generator.plan.suites import asked_files, asked_suites, never_asked

ID = "suite-never-asked"


def check(facts: Facts) -> Iterator[Finding]:
    """A finding for each nightly suite without a job, at the first test that waits in it."""
    if not facts.suites.path:
        return
    asked = asked_suites(facts.matrix)
    for suite, waiting in never_asked(asked, asked_files(facts.matrix), facts.suites).items():
        count = "a test waits" if len(waiting) == 1 else f"{len(waiting)} tests wait"
        yield warning(
            ID,
            waiting[0].location,
            f"{count} in suite `{suite}`, which no job asks for",
            "Write a row that runs it, or take the registration out: tests that never run test nothing.",
        )
