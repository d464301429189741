"""Two jobs that GitHub shows under one name: a required check is matched by that name alone."""

from collections.abc import Iterator

from generator.domain.facts import Facts
from generator.domain.finding import Finding, error
from generator.domain.location import Location
from generator.render.text import carries_mark

ID = "duplicate-name"


def check(facts: Facts) -> Iterator[Finding]:
    """A finding for each job whose name a job of ours has, in any workflow of the repository.

    What hand-written workflows have in common among themselves is no business of the matrix.
    """
    taken: dict[str, tuple[str, str]] = {}
    for path, id_, name, location in _ours(facts):
        if taken.setdefault(name, (path, id_)) != (path, id_):
            yield _finding(taken[name], (path, id_), name, location)
    for path, id_, name, location in _others(facts):
        if name in taken:
            yield _finding(taken[name], (path, id_), name, location)


def _finding(first: tuple[str, str], second: tuple[str, str], name: str, location: Location) -> Finding:
    (path, id_), (other_path, other_id) = second, first
    where = "this workflow" if path == other_path else other_path
    return error(
        ID,
        location,
        f"the job `{id_}` is shown as `{name}`, and so is `{other_id}` in {where}",
        "A required check goes by the name alone. Give one of them another: in the matrix by `job_id`, or by "
        "the `id_suffix` of its lane.",
    )


def _ours(facts: Facts) -> Iterator[tuple[str, str, str, Location]]:
    for workflow in facts.workflows:
        if workflow.path in facts.read:
            continue
        for job in workflow.jobs:
            place = Location(workflow.path) if job.cell is None else job.cell.location
            yield workflow.path, job.id, job.name, place
    yield from _read(facts, {path for path in facts.read if path in facts.expected})


def _others(facts: Facts) -> Iterator[tuple[str, str, str, Location]]:
    # A file that we wrote and that nothing asks for is to go, and its names with it.
    kept = {path for path in facts.read if not carries_mark(facts.committed[path])}
    yield from _read(facts, kept - facts.expected.keys())


def _read(facts: Facts, paths: set[str]) -> Iterator[tuple[str, str, str, Location]]:
    for path in sorted(paths):
        for job in facts.read[path].jobs:
            # GitHub puts the values of a strategy matrix behind the name, and an expression shows its value.
            if job.matrix_jobs == 1 and "${{" not in job.name.text:
                place = job.location if job.name.text == job.id else job.name.location
                yield path, job.id, job.name.text, place
