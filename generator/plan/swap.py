"""One model for another: which cells can change hands, which must stay and why, and what that costs."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from generator.domain.cell import Cell
from generator.domain.coverage import Point
from generator.domain.job import Workflow
from generator.domain.matrix import Matrix
from generator.domain.model import Model
from generator.domain.quantization import Support
from generator.domain.version import version_order
from generator.plan.coverage import covered


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A swap as it was asked for; hardware and lane are keys, empty for all."""

    old: str
    new: Model
    hardware: str = ""
    lane: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A cell of the old model, and why it stays; empty where it moves."""

    cell: Cell
    stays_because: str

    @property
    def place(self) -> tuple[str, str]:
        """Keys of the hardware and the lane."""
        return self.cell.hardware.key, self.cell.lane.key


def decide(cells: Iterable[Cell], wish: Wish) -> tuple[Decision, ...]:
    """What becomes of each cell of the old model."""
    return tuple(
        Decision(cell=cell, stays_because=_asked(cell, wish) or refusal(replace(cell, model=wish.new)))
        for cell in cells
        if cell.model is not None and cell.model.key == wish.old
    )


def places_of(decisions: Iterable[Decision]) -> tuple[tuple[str, str], ...]:
    """Where cells move, each place once."""
    return tuple(dict.fromkeys(each.place for each in decisions if not each.stays_because))


def refusal(cell: Cell) -> str:
    """Why the cell's model cannot run there: format, software, memory; empty where it can."""
    model = cell.model
    if model is None:
        return ""
    return _format(model, cell) or _software(model, cell) or _memory(model, cell)


def lost_points(before: Matrix, after: Matrix) -> tuple[Point, ...]:
    """Points of coverage that have a gate before and none after."""
    there = covered(after.cells)
    return tuple(sorted(point for point in covered(before.cells) if point not in there))


def gpu_minutes(workflows: Iterable[Workflow], models: frozenset[str] = frozenset()) -> int:
    """Limits times GPUs of the machines that are held, of all jobs or of those of some models."""
    return sum(
        job.timeout_minutes * job.cell.pool.gpus
        for workflow in workflows
        for job in workflow.jobs
        if job.cell is not None
        and job.cell.disabled is None
        and (not models or (job.cell.model is not None and job.cell.model.key in models))
    )


def _asked(cell: Cell, wish: Wish) -> str:
    if wish.hardware not in ("", cell.hardware.key):
        return f"only {wish.hardware} was asked for"
    return f"only lane {wish.lane} was asked for" if wish.lane not in ("", cell.lane.key) else ""


def _format(model: Model, cell: Cell) -> str:
    isa = cell.hardware.isa.key
    if model.quantization is None or model.quantization.support(isa) is not Support.REFUSED:
        return ""
    because = f": {model.quantization.because}" if model.quantization.because else ""
    return f"{model.key} is {model.quantization.key}, which does not run on {isa}{because}"


def _software(model: Model, cell: Cell) -> str:
    for software, lowest in model.requires:
        there = cell.lane.version(software)
        if not there:
            return f"{model.key} needs {software} {lowest}, and {cell.lane.key} has none"
        if version_order(there) < version_order(lowest):
            return f"{model.key} needs {software} {lowest}, and {cell.lane.key} has {there}"
    return ""


def _memory(model: Model, cell: Cell) -> str:
    memory_gb = cell.gpus * cell.pool.product.hbm_gb
    if model.checkpoint_gb < memory_gb or model.checkpoint_gb == 0:
        return ""
    return (
        f"{model.key} has {model.checkpoint_gb:g} GB of weights, "
        f"and {cell.gpus} GPUs of {cell.pool.product.key} have {memory_gb} GB"
    )
