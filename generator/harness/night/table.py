"""A table for the step summary (Markdown) and the same for the log (columns of plain text)."""

from collections.abc import Sequence

from generator.harness.night.text import cell, one_line

COLUMN_LIMIT = 100


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A GitHub table; every cell is escaped here, so hand in raw text."""
    lines = [" | ".join(head), " | ".join("---" for _ in head)]
    lines += [" | ".join(cell(text) for text in row) for row in rows]
    return "".join(f"| {line} |\n" for line in lines)


def plain_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines with aligned columns; the last column may be long, the others are cut."""
    last = len(head) - 1
    table = [list(head)] + [
        [one_line(text) if index == last else one_line(text, COLUMN_LIMIT) for index, text in enumerate(row)]
        for row in rows
    ]
    widths = [max(len(row[index]) for row in table) for index in range(last)]
    return [
        "  ".join(
            [*(text.ljust(width) for text, width in zip(row, widths, strict=False)), row[last]]
        ).rstrip()
        for row in table
    ]
