"""A strategy matrix of more jobs than GitHub makes."""

from collections.abc import Iterator

from generator.domain.facts import Facts
from generator.domain.finding import Finding, error

ID = "matrix-too-large"

# GitHub's limit for the jobs of one strategy.matrix.
LIMIT = 256


def check(facts: Facts) -> Iterator[Finding]:
    """A finding for each strategy matrix over the limit, in any workflow that is not as it should be."""
    for workflow in facts.read.values():
        for job in workflow.jobs:
            if job.matrix_jobs > LIMIT:
                yield error(
                    ID,
                    job.location,
                    f"the strategy matrix of `{job.id}` makes {job.matrix_jobs} jobs; GitHub takes {LIMIT}",
                    "Split the job in two, each with a part of the values.",
                )
