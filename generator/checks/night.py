"""Parts that every night has: the jobs that measure, and the one that sums them up."""

from generator.domain.workflow_facts import JobFacts, WorkflowFacts
from generator.plan.workflows import PREFLIGHT, SUM


def sum_of(workflow: WorkflowFacts) -> JobFacts | None:
    """The job that sums the night up; None where there is none."""
    return next((job for job in workflow.jobs if job.id == SUM), None)


def measuring(workflow: WorkflowFacts) -> tuple[JobFacts, ...]:
    """The jobs between the first and the last."""
    return tuple(job for job in workflow.jobs if job.id not in (PREFLIGHT, SUM))
