"""The list of a night: from it come the dropdown, the filter, the run list and what the last job expects."""

import json
from collections.abc import Iterable

from generator.domain.cell import Cell
from generator.domain.job import Job
from generator.domain.matrix import Matrix
from generator.plan.ids import image_key

ALL = "all"


def groups_of(cell: Cell) -> tuple[str, ...]:
    """The names under which people ask for several jobs at once, of which this cell's is one."""
    family = (f"family: {cell.model.family}",) if cell.model is not None else ()
    kinds = dict.fromkeys(check.kind.value for check in cell.checks)
    return (
        f"hardware: {cell.hardware.key}",
        f"lane: {cell.lane.key}",
        *family,
        *(f"check: {kind}" for kind in kinds),
        f"section: {cell.section}",
    )


def options_of(jobs: Iterable[tuple[str, Cell]]) -> tuple[str, ...]:
    """What the dropdown offers: everything, groups, and each job under the section that it belongs to."""
    jobs = tuple(jobs)
    shared: dict[str, None] = {}
    sections: dict[str, list[str]] = {}
    for id_, cell in jobs:
        *groups, section = groups_of(cell)
        shared |= dict.fromkeys(groups)
        sections.setdefault(section, []).append(id_)
    order = ("hardware", "lane", "family", "check")
    sorted_groups = sorted(shared, key=lambda group: (order.index(group.split(":")[0]), group))
    listed = [option for section, ids in sections.items() for option in (section, *ids)]
    return (ALL, *sorted_groups, *listed)


def night_text(workflow: str, matrix: Matrix, jobs: tuple[Job, ...], carry_on: str) -> str:
    """The list as JSON, one job a line.

    Args:
        workflow: key of the workflow.
        matrix: for the repository, the images and how the outside is asked.
        jobs: the jobs that measure.
        carry_on: `true` or `false`: what a night does after a failure where nobody says.
    """
    lookup = matrix.lookup
    head = {
        "workflow": workflow,
        "repository": matrix.project.repository,
        "continue_on_error": carry_on == "true",
        "lookup": {"timeout_s": lookup.timeout_s, "attempts": lookup.attempts},
        "images": _images(jobs),
    }
    lines = [f'"{name}": {_dumped(value)},' for name, value in head.items()]
    rows = ",\n".join(_dumped(_row(job, matrix)) for job in jobs)
    return "\n".join(["{", *lines, '"jobs": [', rows, "]", "}"])


def _dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))


def _images(jobs: Iterable[Job]) -> dict[str, dict[str, str | int]]:
    images: dict[str, dict[str, str | int]] = {}
    for job in jobs:
        if job.cell is None:
            continue
        line = dict(job.cell.lane.images).get(job.cell.hardware.key)
        if line is None:
            continue
        images[image_key(job.cell)] = (
            {"fixed": line.fixed}
            if line.fixed
            else {"repository": line.repository, "tag": line.tag, "max_age_days": line.max_age_days}
        )
    return images


def _row(job: Job, matrix: Matrix) -> dict[str, object]:
    cell = job.cell
    if cell is None:
        raise TypeError(job.id)  # only jobs that measure are on the list
    row: dict[str, object] = {
        "id": job.id,
        "hardware": cell.hardware.key,
        "groups": groups_of(cell),
    }
    if cell.hardware.key in dict(cell.lane.images):
        row["image"] = image_key(cell)
    if matrix.lookup.models and cell.model is not None and cell.model.repository:
        row["models"] = [cell.model.repository]
    after = [need for need in job.needs if need != "preflight"]
    if after:
        row["needs"] = after
    row["limit_minutes"] = job.timeout_minutes
    if cell.disabled is not None:
        row["off"] = {"because": cell.disabled.because, "until": cell.disabled.until}
    return row
