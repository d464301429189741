"""Two jobs that GitHub shows under one name: a required check is matched by that name alone."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from generator.domain.facts import Facts
from generator.domain.finding import Finding, error
from generator.domain.job import Workflow
from generator.domain.location import Location
from generator.domain.workflow_facts import WorkflowFacts
from generator.render.text import carries_mark

ID = "duplicate-name"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A job as GitHub shows it."""

    path: str
    id: str
    name: str
    location: Location


def check(facts: Facts) -> Iterator[Finding]:
    """A finding for each job whose name a job of ours has, in any workflow of the repository.

    Looked at are the workflows as they are and as they will be. What hand-written ones have in common among
    themselves is no business of the matrix.
    """
    planned = [shown for workflow in facts.workflows for shown in _planned(workflow)]
    committed = [
        *(shown for shown in planned if shown.path in facts.committed and shown.path not in facts.read),
        *(shown for workflow in facts.ours() for shown in _read(workflow)),
    ]
    # A file that we wrote and that nothing asks for is to go, and its names with it.
    others = [
        shown
        for path, workflow in facts.read.items()
        if path not in facts.expected and not carries_mark(facts.committed[path])
        for shown in _read(workflow)
    ]
    for ours in (planned, committed):
        yield from _twice(ours, others)


def _twice(ours: Iterable[Shown], others: Iterable[Shown]) -> Iterator[Finding]:
    taken: dict[str, Shown] = {}
    for shown in ours:
        first = taken.setdefault(shown.name, shown)
        if first is not shown:
            yield _finding(first, shown)
    for shown in others:
        if shown.name in taken:
            yield _finding(taken[shown.name], shown)


def _finding(first: Shown, second: Shown) -> Finding:
    where = "this workflow" if first.path == second.path else first.path
    return error(
        ID,
        second.location,
        f"the job `{second.id}` is shown as `{second.name}`, and so is `{first.id}` in {where}",
        "A required check goes by the name alone. Give one of them another: in the matrix by `job_id`, or by "
        "the `id_suffix` of its lane.",
    )


def _planned(workflow: Workflow) -> Iterator[Shown]:
    for job in workflow.jobs:
        place = Location(workflow.path) if job.cell is None else job.cell.location
        yield Shown(path=workflow.path, id=job.id, name=job.name, location=place)


def _read(workflow: WorkflowFacts) -> Iterator[Shown]:
    for job in workflow.jobs:
        # GitHub puts the values of a strategy matrix behind the name, and an expression shows its value.
        if job.matrix_jobs == 1 and "${{" not in job.name.text:
            place = job.location if job.name.text == job.id else job.name.location
            yield Shown(path=workflow.path, id=job.id, name=job.name.text, location=place)
