"""A job that nobody can pick."""

from collections.abc import Iterator

from generator.checks.night import RENDER, listed_in, measuring
from generator.domain.facts import Facts
from generator.domain.finding import Finding, error
from generator.plan.workflows import PREFLIGHT

ID = "job-without-option"


def check(facts: Facts) -> Iterator[Finding]:
    """A finding for each job that the dropdown does not offer, or that the first job cannot choose."""
    for workflow in facts.ours():
        offered = {option.text for option in workflow.options}
        chosen_from = listed_in(workflow).ids
        for job in measuring(workflow):
            if job.id not in offered:
                yield error(ID, job.location, f"the dropdown does not offer `{job.id}`", RENDER)
            if job.id not in chosen_from:
                yield error(
                    ID,
                    job.location,
                    f"the list in `{PREFLIGHT}` does not hold `{job.id}`: it never runs, and is not missed",
                    RENDER,
                )
