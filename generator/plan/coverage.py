"""Which points of coverage have a gate tonight, and by which cells."""

from collections.abc import Iterable

from generator.domain.cell import Cell
from generator.domain.check import CheckKind, Weight
from generator.domain.coverage import Point
from generator.domain.quantization import Support
from generator.domain.version import version_order


def covered(cells: Iterable[Cell]) -> dict[Point, tuple[Cell, ...]]:
    """The points that are covered, and the cells that cover each."""
    found: dict[Point, tuple[Cell, ...]] = {}
    for cell in cells:
        if cell.model is None or cell.disabled is not None or not _carried(cell):
            continue
        for check in cell.checks:
            if check.kind is CheckKind.SUITE or check.weight is Weight.ADVISORY:
                continue
            point = Point(cell.model.family, cell.hardware.isa.key, cell.lane.key, check.kind.value)
            found[point] = (*found.get(point, ()), cell)
    return found


def _carried(cell: Cell) -> bool:
    if cell.model is None:
        return False
    format_ = cell.model.quantization
    if format_ is not None and format_.support(cell.hardware.isa.key) is Support.REFUSED:
        return False
    return all(
        cell.lane.version(software) and version_order(cell.lane.version(software)) >= version_order(lowest)
        for software, lowest in cell.model.requires
    )
