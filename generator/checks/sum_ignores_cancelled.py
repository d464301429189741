"""A sum that is skipped, or green, when jobs were cancelled: a job over its limit ends that way."""

from collections.abc import Iterator

from generator.checks.night import sum_of
from generator.domain.facts import Facts
from generator.domain.finding import Finding, error
from generator.plan.workflows import SUM

ID = "sum-ignores-cancelled"


def check(facts: Facts) -> Iterator[Finding]:
    """A finding for each sum that does not run always, or does not look at every result."""
    for workflow in facts.ours():
        total = sum_of(workflow)
        if total is None:
            continue
        if "always()" not in total.condition.text:
            yield error(
                ID,
                total.condition.location,
                f"`{total.id}` does not run when a job was cancelled, and a skipped check counts as success",
                "Its condition is `always()`.",
            )
        script = "\n".join(step.run for step in total.steps)
        if f"generator.harness {SUM}" not in script and "cancelled" not in script:
            yield error(
                ID,
                total.location,
                f"`{total.id}` does not look for cancelled jobs; one that hits its limit ends `cancelled`",
            )
