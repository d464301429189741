"""A sum that is skipped, or green, when jobs were cancelled: a job over its limit ends that way."""

from collections.abc import Iterator

from generator.checks.night import RENDER, sum_of
from generator.domain.facts import Facts
from generator.domain.finding import Finding, error
from generator.domain.workflow_facts import JobFacts
from generator.plan.workflows import SUM

ID = "sum-ignores-cancelled"


def check(facts: Facts) -> Iterator[Finding]:
    """A finding for each sum that does not run always, or does not look at every result."""
    for workflow in facts.ours():
        total = sum_of(workflow)
        if total is None:
            continue
        if not _runs_always(total):
            yield error(
                ID,
                total.condition.location,
                f"`{total.id}` does not always run, after a cancellation say, and a skipped check counts as "
                "success",
                "Its condition is `always()` and nothing else.",
            )
        script = "\n".join(_commands(total))
        if f"generator.harness {SUM}" not in script and "cancelled" not in script:
            yield error(
                ID,
                total.location,
                f"`{total.id}` does not look for cancelled jobs; one that hits its limit ends `cancelled`",
                RENDER,
            )


def _runs_always(job: JobFacts) -> bool:
    condition = "".join(job.condition.text.split()).lower()
    return condition.removeprefix("${{").removesuffix("}}") == "always()"


def _commands(job: JobFacts) -> Iterator[str]:
    for step in job.steps:
        for line in step.run.splitlines():
            if not line.lstrip().startswith("#"):
                yield line
