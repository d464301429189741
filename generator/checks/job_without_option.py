"""A job that nobody can pick."""

from collections.abc import Iterator

from generator.checks.night import measuring
from generator.domain.facts import Facts
from generator.domain.finding import Finding, error

ID = "job-without-option"


def check(facts: Facts) -> Iterator[Finding]:
    """A finding for each job that the dropdown does not offer."""
    for workflow in facts.ours():
        offered = {option.text for option in workflow.options}
        for job in measuring(workflow):
            if job.id not in offered:
                yield error(ID, job.location, f"the dropdown does not offer `{job.id}`")
