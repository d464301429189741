"""Two jobs of one workflow with one id: GitHub rejects the whole file, and no job runs."""

from collections.abc import Iterable, Iterator

from generator.domain.finding import Finding, error
from generator.domain.job import Workflow
from generator.plan.workflows import PREFLIGHT, SUM

ID = "duplicate-job"


def check(workflows: Iterable[Workflow]) -> Iterator[Finding]:
    """A finding for each job whose id, whatever its case, another job of its workflow has.

    Nothing can be written before each job has an id of its own.
    """
    for workflow in workflows:
        taken = {PREFLIGHT, SUM}
        for job in workflow.jobs:
            if job.cell is None:
                continue
            if job.id.lower() in taken:
                cell = job.cell
                yield error(
                    ID,
                    cell.location,
                    f"`{cell.key}` on {cell.hardware.key} in lane `{cell.lane.key}` makes a job `{job.id}`, "
                    f"and {workflow.path} has one already",
                    "Put what tells them apart into `job_id`: {cell}, {hardware}, {gpus} or {lane}.",
                )
            taken.add(job.id.lower())
