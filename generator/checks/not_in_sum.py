"""A job that the sum of the night does not wait for (sglang pull request 28611)."""

from collections.abc import Iterator

from generator.checks.night import sum_of
from generator.domain.facts import Facts
from generator.domain.finding import Finding, error

ID = "not-in-sum"


def check(facts: Facts) -> Iterator[Finding]:
    """A finding for each job that could fail every night with the night green."""
    for workflow in facts.ours():
        total = sum_of(workflow)
        if total is None:
            yield error(ID, workflow.location, "no job sums the night up", "A night needs `check-all-jobs`.")
            continue
        awaited = {need.text for need in total.needs} | {total.id}
        for job in workflow.jobs:
            if job.id not in awaited:
                yield error(
                    ID,
                    job.location,
                    f"`{total.id}` does not wait for `{job.id}`: it can fail every night and nobody sees it",
                )
