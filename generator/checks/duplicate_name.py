"""Two jobs that GitHub shows under one name: a required check is matched by that name alone."""

from collections.abc import Iterator

from generator.domain.facts import Facts
from generator.domain.finding import Finding, error
from generator.domain.location import Location

ID = "duplicate-name"


def check(facts: Facts) -> Iterator[Finding]:
    """A finding for each job whose name another job has, in any workflow of the repository."""
    taken: dict[str, tuple[str, str]] = {}
    for path, id_, name, location in _names(facts):
        if name not in taken:
            taken[name] = (path, id_)
        elif taken[name] != (path, id_):
            other, other_id = taken[name]
            where = "this workflow" if other == path else other
            yield error(
                ID,
                location,
                f"the job `{id_}` is shown as `{name}`, and so is `{other_id}` in {where}",
                "A required check goes by the name alone. Give the lane an `id_suffix` of its own.",
            )


def _names(facts: Facts) -> Iterator[tuple[str, str, str, Location]]:
    for workflow in facts.workflows:
        if workflow.path in facts.read:
            continue
        for job in workflow.jobs:
            place = Location(workflow.path) if job.cell is None else job.cell.location
            yield workflow.path, job.id, job.name, place
    for path, read in facts.read.items():
        for each in read.jobs:
            if "${{" not in each.name.text:
                yield path, each.id, each.name.text, each.name.location
