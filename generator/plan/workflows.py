"""From the matrix to whole workflows: preflight, the jobs, and the job that sums them up."""

from collections.abc import Iterable
from dataclasses import replace

from generator.domain.cell import Cell
from generator.domain.job import Container, Job, Pairs, RunStep, Step, Workflow
from generator.domain.lane import WorkflowFile
from generator.domain.matrix import Matrix
from generator.domain.site import GithubContainer, OnHost
from generator.plan import conditions, limits
from generator.plan.commands import HARNESS, folded
from generator.plan.ids import image_key, job_id
from generator.plan.job_steps import checkout, harness_checkout, harness_env, steps_of
from generator.plan.night import night_text, options_of

PREFLIGHT = "preflight"
SUM = "check-all-jobs"
_READ: Pairs = (("contents", "read"),)
_OWN_COMMIT = "${{ github.sha }}"
# Nights wait for each other; what a person or a push starts has a group of its own, and cancels nothing.
_NIGHT = "${{ github.event_name == 'schedule' && 'schedule' || github.run_id }}"


def plan(matrix: Matrix) -> tuple[Workflow, ...]:
    """The workflows of a matrix, in its order; a workflow without cells is not written."""
    lanes = {lane.key: lane.workflow for lane in matrix.lanes}
    cells: dict[str, list[Cell]] = {}
    for cell in matrix.cells:
        cells.setdefault(lanes[cell.lane.key], []).append(cell)
    return tuple(
        _workflow(file, matrix, tuple(cells[file.key])) for file in matrix.workflows if file.key in cells
    )


def _workflow(file: WorkflowFile, matrix: Matrix, cells: tuple[Cell, ...]) -> Workflow:
    ids = {(cell.key, cell.hardware.key, cell.lane.key): job_id(cell) for cell in cells}
    jobs = tuple(_job(cell, ids, matrix) for cell in cells)
    return Workflow(
        path=file.path,
        name=file.name,
        group=f"{file.key}-{_NIGHT}",
        schedule=file.schedule,
        push_branches=file.push_branches,
        push_paths=file.push_paths,
        continue_on_error=file.continue_on_error,
        options=options_of((job.id, job.cell) for job in jobs if job.cell is not None),
        jobs=(_preflight(file, matrix, jobs), *jobs, _sum(file, matrix, jobs)),
    )


def _job(cell: Cell, ids: dict[tuple[str, str, str], str], matrix: Matrix) -> Job:
    id_ = ids[cell.key, cell.hardware.key, cell.lane.key]
    after = tuple(ids[row, cell.hardware.key, cell.lane.key] for row in cell.after)
    inside = (*harness_env(matrix.harness), *cell.env.items())
    steps = steps_of(cell, id_, matrix, tuple(name for name, _ in inside))
    return Job(
        id=id_,
        name=id_,
        needs=(PREFLIGHT, *after),
        condition=conditions.of_job(id_, after),
        runs_on=cell.pool.label,
        timeout_minutes=limits.job_minutes(cell, steps, matrix.margins),
        permissions=_READ,
        outputs=tuple(
            (name, f"${{{{ steps.end.outputs.{name} }}}}") for name in ("minutes", "why", "advisory")
        ),
        env=(*_image_env(cell), *inside),
        container=_container(cell),
        steps=steps,
        cell=cell,
    )


def _image(cell: Cell) -> str:
    return f"${{{{ fromJSON(needs.preflight.outputs.images)['{image_key(cell)}'] }}}}"


def _image_env(cell: Cell) -> Pairs:
    wants_image = cell.hardware.key in dict(cell.lane.images) and not isinstance(cell.site.entry, OnHost)
    return (("NIGHTGRID_IMAGE", _image(cell)),) if wants_image else ()


def _container(cell: Cell) -> Container | None:
    match cell.site.entry:
        case GithubContainer(options=options, volumes=volumes):
            return Container(image=_image(cell), options=options, volumes=volumes)
        case _:
            return None


def _preflight(file: WorkflowFile, matrix: Matrix, jobs: tuple[Job, ...]) -> Job:
    carry_on = "true" if file.continue_on_error else "false"
    night = RunStep(
        id="night",
        name="Decide who runs tonight",
        run=folded((*HARNESS, "preflight")),
        timeout_minutes=limits.HOSTED_MINUTES,
        env=(
            ("EVENT", "${{ github.event_name }}"),
            ("REPOSITORY", "${{ github.repository }}"),
            ("JOB_SELECT", "${{ inputs.job_select }}"),
            ("JOB_FILTER", "${{ inputs.job_filter }}"),
            ("CONTINUE_ON_ERROR", "${{ inputs.continue_on_error }}"),
            ("NIGHT", night_text(file.key, matrix, jobs, carry_on)),
        ),
    )
    outputs = ("jobs", "checks", "images", "continue_on_error", "night")
    job = _hosted(file, matrix, PREFLIGHT, night)
    return replace(job, outputs=tuple((name, f"${{{{ steps.night.outputs.{name} }}}}") for name in outputs))


def _sum(file: WorkflowFile, matrix: Matrix, jobs: Iterable[Job]) -> Job:
    step = RunStep(
        id="sum",
        name="Compare what ran with what was expected",
        run=folded((*HARNESS, SUM)),
        timeout_minutes=limits.HOSTED_MINUTES,
        env=(("NEEDS", "${{ toJSON(needs) }}"),),
    )
    job = _hosted(file, matrix, SUM, step)
    return replace(job, needs=(PREFLIGHT, *(job.id for job in jobs)), condition=conditions.ALWAYS)


def _hosted(file: WorkflowFile, matrix: Matrix, id_: str, step: RunStep) -> Job:
    steps: tuple[Step, ...] = (checkout(matrix, _OWN_COMMIT), *harness_checkout(matrix), step)
    return Job(
        id=id_,
        name=f"{id_} ({file.key})",
        needs=(),
        condition="",
        runs_on=matrix.project.hosted_runner,
        timeout_minutes=sum(each.timeout_minutes for each in steps) + matrix.margins.job,
        permissions=_READ,
        env=harness_env(matrix.harness),
        steps=steps,
    )
