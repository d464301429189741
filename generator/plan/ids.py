"""How jobs are called: a pattern of parts, of which the empty ones vanish with their dash."""

from generator.domain.cell import Cell


def job_id(cell: Cell) -> str:
    """The id of a cell's job, after the cell's pattern."""
    values = {
        "{gpus}": str(cell.gpus),
        "{hardware}": cell.hardware.id_part,
        "{cell}": cell.key,
        "{lane}": cell.lane.id_suffix,
    }
    parts = []
    for part in cell.id_pattern.split("-"):
        text = part
        if "{" in part:
            for placeholder, value in values.items():
                text = text.replace(placeholder, value)
        if text:
            parts.append(text)
    return "-".join(parts)


def image_key(cell: Cell) -> str:
    """What tonight's image of a cell is called between preflight and the jobs."""
    return f"{cell.lane.key}/{cell.hardware.key}"
