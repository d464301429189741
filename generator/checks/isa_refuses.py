"""A cell that its ISA or its software cannot carry: the slot would be taken, and loading would fail."""

from collections.abc import Iterator

from generator.domain.cell import Cell
from generator.domain.facts import Facts
from generator.domain.finding import Finding, error
from generator.domain.quantization import Support
from generator.domain.version import version_order

ID = "isa-refuses"


def check(facts: Facts) -> Iterator[Finding]:
    """A finding for each cell whose weights do not load on its ISA, or need newer software."""
    for cell in facts.matrix.cells:
        yield from _format(cell)
        yield from _software(cell)


def _format(cell: Cell) -> Iterator[Finding]:
    if cell.model is None or cell.model.quantization is None:
        return
    format_, isa = cell.model.quantization, cell.hardware.isa.key
    if format_.support(isa) is Support.REFUSED:
        because = f": {format_.because}" if format_.because else ""
        yield error(
            ID,
            cell.location,
            f"`{cell.key}` tests {cell.model.title} on {cell.hardware.key}, and {format_.key} weights do not "
            f"run on {isa}{because}",
            f"They run on {', '.join(sorted(format_.runs_on))}; see {format_.location}.",
        )


def _software(cell: Cell) -> Iterator[Finding]:
    if cell.model is None:
        return
    for software, lowest in cell.model.requires:
        has = cell.lane.version(software)
        if not has or version_order(has) < version_order(lowest):
            yield error(
                ID,
                cell.location,
                f"`{cell.key}` tests {cell.model.title} in lane `{cell.lane.key}`, which has "
                f"{f'{software} {has}' if has else f'no {software}'}; the model needs {software} {lowest}",
                f"Leave lane `{cell.lane.key}` out of the row's `lanes`, or name newer software in the lane.",
            )
