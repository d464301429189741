"""Plain-text tables, aligned by what a terminal shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from generator.report.colour import Colour, Ink, paint
from generator.report.visible import display_width, visible

_GAP = "  "


class Align(Enum):
    """The side on which the texts of a column begin."""

    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column: its heading, and the side its texts stand on (numbers: right)."""

    heading: str
    align: Align = Align.LEFT


def render_table(columns: Sequence[Column], rows: Sequence[Sequence[str]], colour: Colour) -> str:
    """Headings and rows, one a line, each line without trailing blanks and with a newline.

    Raises:
        ValueError: a row has not as many cells as there are columns.
    """
    if not columns:
        return ""
    head = [visible(column.heading) for column in columns]
    body = [[visible(cell) for cell in row] for row in rows]
    for number, row in enumerate(body, start=1):
        if len(row) != len(columns):
            raise ValueError(f"row {number} has {len(row)} cells, the table has {len(columns)} columns")
    widths = [max(map(display_width, cells)) for cells in zip(head, *body, strict=True)]
    lines = [paint(_line(columns, head, widths), Ink.BOLD, colour)]
    lines.extend(_line(columns, row, widths) for row in body)
    return "".join(f"{line}\n" for line in lines)


def _line(columns: Sequence[Column], cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (
        _pad(column.align, cell, width) for column, cell, width in zip(columns, cells, widths, strict=True)
    )
    return _GAP.join(padded).rstrip()


def _pad(align: Align, cell: str, width: int) -> str:
    blanks = " " * (width - display_width(cell))
    match align:
        case Align.LEFT:
            return cell + blanks
        case Align.RIGHT:
            return blanks + cell
