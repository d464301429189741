"""All steps of a cell's job: get ready, measure, leave nothing behind."""

from collections.abc import Iterator

from generator.domain.cell import Cell
from generator.domain.check import Weight
from generator.domain.job import RunStep, Step, UsesStep
from generator.domain.matrix import HarnessSource, Matrix
from generator.domain.site import SiteStep, Where
from generator.plan import conditions, limits
from generator.plan.check_steps import RESULTS, CheckSteps
from generator.plan.commands import HARNESS, entered_script, folded

HARNESS_FOLDER = ".nightgrid"
_MIN_FREE_MEMORY = "0.9"


def steps_of(cell: Cell, id_: str, matrix: Matrix, variables: tuple[str, ...]) -> tuple[Step, ...]:
    """The steps of a cell's job, in order.

    Args:
        cell: what is measured.
        id_: id of the job.
        matrix: for pins and margins.
        variables: names of the job's environment variables.
    """
    return (
        checkout(matrix, "${{ inputs.commit || github.sha }}"),
        *harness_checkout(matrix),
        *_site_steps(cell, cell.site.clean, variables, condition=""),
        _begin(cell),
        *_site_steps(cell, cell.site.before, variables, condition=""),
        *CheckSteps(cell=cell, margins=matrix.margins, setup=_setup(cell), variables=variables).steps(),
        _upload(matrix, id_),
        *_site_steps(cell, cell.site.after, variables, condition=conditions.ALWAYS),
        _end(cell),
    )


def checkout(matrix: Matrix, ref: str) -> UsesStep:
    """Check out the repository without leaving its token in the work tree."""
    pin = matrix.pin("actions/checkout")
    return UsesStep(
        id="checkout",
        name="Check out",
        uses=f"{pin.action}@{pin.commit}",
        version=pin.version,
        timeout_minutes=limits.CHECKOUT_MINUTES,
        inputs=(("ref", ref), ("persist-credentials", "false")),
    )


def harness_checkout(matrix: Matrix) -> tuple[UsesStep, ...]:
    """Fetch the harness where the project does not carry it; nothing where it does."""
    source = matrix.harness
    if not source.repository:
        return ()
    pin = matrix.pin("actions/checkout")
    step = UsesStep(
        id="harness",
        name="Check out the harness",
        uses=f"{pin.action}@{pin.commit}",
        version=pin.version,
        timeout_minutes=limits.CHECKOUT_MINUTES,
        inputs=(
            ("repository", source.repository),
            ("ref", source.commit),
            ("path", HARNESS_FOLDER),
            ("persist-credentials", "false"),
        ),
    )
    return (step,)


def harness_env(source: HarnessSource) -> tuple[tuple[str, str], ...]:
    """What lets Python find the harness, where it lies in a folder of its own."""
    return (("PYTHONPATH", HARNESS_FOLDER),) if source.repository else ()


def _begin(cell: Cell) -> RunStep:
    isa = cell.hardware.isa
    words = (
        *HARNESS, "begin",
        "--isa", "none" if isa.vendor == "none" else isa.key,
        "--gpus", str(cell.pool.gpus),
        "--hardware", cell.hardware.key,
        "--min-free-memory", _MIN_FREE_MEMORY,
        "--results", RESULTS,
    )  # fmt: skip
    return RunStep(
        id="begin",
        name=f"Make sure that this is {cell.hardware.title}, {cell.pool.gpus} free GPUs",
        run=folded(words),
        timeout_minutes=limits.BEGIN_MINUTES,
    )


def _site_steps(
    cell: Cell, steps: tuple[SiteStep, ...], variables: tuple[str, ...], condition: str
) -> Iterator[RunStep]:
    for step in steps:
        if step.option and step.option not in cell.options:
            continue
        inside = step.where is Where.CONTAINER
        yield RunStep(
            id=step.id,
            name=step.name,
            run=entered_script(cell.site.entry, step.run, variables) if inside else step.run,
            timeout_minutes=step.timeout_minutes,
            condition=condition,
        )


def _setup(cell: Cell) -> str:
    asked = [step.id for step in cell.site.before if not step.option or step.option in cell.options]
    return asked[-1] if asked else "begin"


def _upload(matrix: Matrix, id_: str) -> UsesStep:
    pin = matrix.pin("actions/upload-artifact")
    return UsesStep(
        id="upload",
        name="Keep the results",
        uses=f"{pin.action}@{pin.commit}",
        version=pin.version,
        timeout_minutes=limits.UPLOAD_MINUTES,
        condition=conditions.ALWAYS,
        inputs=(
            ("name", f"results-{id_}"),
            ("path", RESULTS),
            ("if-no-files-found", "ignore"),
            ("retention-days", "30"),
        ),
    )


def _end(cell: Cell) -> RunStep:
    advisory = [check.key for check in cell.checks if check.weight is Weight.ADVISORY]
    words = (*HARNESS, "end", "--results", RESULTS, *(w for key in advisory for w in ("--advisory", key)))
    return RunStep(
        id="end",
        name="Say what happened",
        run=folded(words),
        timeout_minutes=limits.END_MINUTES,
        condition=conditions.ALWAYS,
        env=(("STEPS", "${{ toJSON(steps) }}"),),
    )
