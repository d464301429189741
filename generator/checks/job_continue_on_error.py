"""A job whose failure is shown to the sum as success (sglang pull request 13096)."""

from collections.abc import Iterator

from generator.domain.facts import Facts
from generator.domain.finding import Finding, error

ID = "job-continue-on-error"


def check(facts: Facts) -> Iterator[Finding]:
    """A finding for each job that carries continue-on-error."""
    for workflow in facts.ours():
        for job in workflow.jobs:
            if job.continue_on_error.text.lower() not in ("", "false"):
                yield error(
                    ID,
                    job.continue_on_error.location,
                    f"`{job.id}` carries continue-on-error, which makes its failure a success for the sum",
                    "Write `advisory: true` at the check that may fail; the table then shows it.",
                )
