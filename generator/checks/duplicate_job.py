"""Two jobs of one workflow with one id: the second would replace the first, or GitHub rejects the file."""

from collections.abc import Iterator

from generator.domain.facts import Facts
from generator.domain.finding import Finding, error

ID = "duplicate-job"


def check(facts: Facts) -> Iterator[Finding]:
    """A finding for each job whose id, whatever its case, another job of its workflow has."""
    for workflow in facts.workflows:
        taken: dict[str, str] = {}
        for job in workflow.jobs:
            key = job.id.lower()
            if key in taken and job.cell is not None:
                yield error(
                    ID,
                    job.cell.location,
                    f"`{job.cell.key}` on {job.cell.hardware.key} in lane `{job.cell.lane.key}` makes a job "
                    f"`{job.id}`, and {workflow.path} has one already",
                    "Put what tells them apart into `job_id`: {cell}, {hardware}, {gpus} or {lane}.",
                )
            taken[key] = job.id
