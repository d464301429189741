"""A chain of jobs whose condition does not say what happens after a cancellation or a skipped ancestor."""

from collections.abc import Iterator

from generator.checks.night import measuring
from generator.domain.facts import Facts
from generator.domain.finding import Finding, error
from generator.plan.workflows import PREFLIGHT

ID = "unguarded-chain"


def check(facts: Facts) -> Iterator[Finding]:
    """A finding for each job that waits for another job and has no test for cancellation."""
    for workflow in facts.ours():
        for job in measuring(workflow):
            chained = any(need.text != PREFLIGHT for need in job.needs)
            condition = job.condition.text.replace(" ", "")
            if chained and "!cancelled()" not in condition:
                yield error(
                    ID,
                    job.condition.location,
                    f"`{job.id}` waits for another job without a test for cancellation: one skipped job "
                    "skips it too, or it goes on waiting for a machine after a person pressed cancel",
                    "Begin the condition with `!cancelled() &&`.",
                )
