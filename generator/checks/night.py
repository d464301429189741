"""Parts that every night has: the jobs that measure, the list of the first job, and the sum of the last."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from generator.domain.workflow_facts import JobFacts, WorkflowFacts
from generator.plan.workflows import PREFLIGHT, SUM

# What a check of a workflow says where only the file is wrong, and the matrix right.
RENDER = "`nightgrid render` writes it as the matrix says."


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """What the first job of a night can choose from: ids of jobs, and the groups that they belong to."""

    ids: frozenset[str]
    groups: frozenset[str]


def sum_of(workflow: WorkflowFacts) -> JobFacts | None:
    """The job that sums the night up; None where there is none."""
    return next((job for job in workflow.jobs if job.id == SUM), None)


def measuring(workflow: WorkflowFacts) -> tuple[JobFacts, ...]:
    """The jobs between the first and the last."""
    return tuple(job for job in workflow.jobs if job.id not in (PREFLIGHT, SUM))


def listed_in(workflow: WorkflowFacts) -> Listed:
    """The list in the first job; an empty one where there is none."""
    rows = [
        row
        for job in workflow.jobs
        if job.id == PREFLIGHT
        for step in job.steps
        for row in _rows(step.run)
        if isinstance(row, dict)
    ]
    groups = [row["groups"] for row in rows if isinstance(row.get("groups"), list)]
    return Listed(
        ids=frozenset(str(row["id"]) for row in rows if "id" in row),
        groups=frozenset(str(group) for some in groups for group in some),
    )


def _rows(text: str) -> Iterator[object]:
    decoder = json.JSONDecoder()
    start = text.find("{")
    while start >= 0:
        try:
            document, end = decoder.raw_decode(text, start)
        except ValueError:
            document, end = None, start + 1
        except RecursionError:
            return  # no list of ours is that deep
        if isinstance(document, dict) and isinstance(document.get("jobs"), list):
            yield from document["jobs"]
        start = text.find("{", end)
