"""A job that the sum of the night does not wait for (sglang pull request 28611)."""

from collections.abc import Iterator

from generator.checks.night import RENDER, sum_of
from generator.domain.facts import Facts
from generator.domain.finding import Finding, error
from generator.plan.workflows import SUM

ID = "not-in-sum"


def check(facts: Facts) -> Iterator[Finding]:
    """A finding for each job that could fail every night with the night green."""
    for workflow in facts.ours():
        total = sum_of(workflow)
        if total is None:
            yield error(ID, workflow.location, f"no job sums the night up: a night needs `{SUM}`", RENDER)
            continue
        awaited = {need.text.lower() for need in total.needs} | {total.id}
        for job in workflow.jobs:
            if job.id.lower() not in awaited:
                yield error(
                    ID,
                    job.location,
                    f"`{total.id}` does not wait for `{job.id}`: it can fail every night and nobody sees it",
                    RENDER,
                )
