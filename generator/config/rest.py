"""Rows that rest: kept as comments with every word they had, and woken where they stand."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from generator.config.compose import compose
from generator.config.edit_collections import line_end, line_start
from generator.config.edit_scalar import in_brackets
from generator.config.places import row_of
from generator.config.source import Source, source_of
from generator.config.splice import Edit, SpliceError, apply_edits
from generator.config.tree import MappingNode, ScalarNode, Tree, to_data

SIGN = "#:"
_RESTING = re.compile(r"^#:[^\r\n]*(?:(?:\r\n|\r|\n)#:[^\r\n]*)*", re.MULTILINE)
_SIGNED = re.compile(rf"(^|\r|\n){SIGN}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Resting:
    """A row that rests.

    Attributes:
        start, end: where its lines are in the source.
        model: key of its model; empty for none.
    """

    key: str
    model: str
    start: int
    end: int


def put_to_rest(tree: Tree, key: str) -> Tree:
    """The row's lines become comments that begin with `#:`; the row is there no more.

    Raises:
        SpliceError: something else refers to an anchor in the row, or the row is not on lines of its own.
    """
    source, row = tree.source, row_of(tree, key)
    cells = tree.find(("cells",))
    if not isinstance(cells, MappingNode) or in_brackets(tree, cells):
        raise SpliceError(f"{tree.at(cells)}: write `cells` over several lines first")
    start = line_start(source.text, cells.key(key).start)
    end = line_end(source.text, row.end)
    meant = to_data(tree.root)
    if isinstance(meant, dict) and isinstance(meant["cells"], dict):
        del meant["cells"][key]
    lines = re.sub(r"(^|\r\n|\r|\n)", rf"\1{SIGN}", source.text[start:end])
    return apply_edits(tree, [Edit(start=start, end=end, text=lines)], meant)


def resting(tree: Tree) -> tuple[Resting, ...]:
    """The rows that rest; comments that only look like one are left out."""
    found: list[Resting] = []
    for block in _RESTING.finditer(tree.source.text):
        found += _rows_in(tree, block)
    return tuple(found)


def wake(tree: Tree, row: Resting) -> Tree:
    """The row is there again, as it was.

    Raises:
        SpliceError: a row of that name is there already, or the lines are no row.
    """
    awake = _unsigned(tree.source.text[row.start : row.end])
    composed = _composed_with(tree, row.start, row.end, awake)
    if not isinstance(composed, Tree) or composed.findings:
        raise SpliceError(
            f"the resting row `{row.key}` of {tree.source.path} cannot be woken as it is written"
        )
    meant, woken = to_data(tree.root), to_data(composed.root)
    match meant, woken:
        case {"cells": dict(cells)}, {"cells": dict(with_it)}:
            cells[row.key] = with_it.get(row.key)
        case _:
            raise SpliceError(f"{tree.source.path} has no `cells`")
    return apply_edits(tree, [Edit(start=row.start, end=row.end, text=awake)], meant)


def _rows_in(tree: Tree, block: re.Match[str]) -> Iterator[Resting]:
    # Woken as a whole, a block keeps the lines of the file: so a row is found by its lines.
    awake = _composed_with(tree, block.start(), block.end(), _unsigned(block.group()))
    if not isinstance(awake, Tree) or awake.findings:
        return
    cells, known = awake.find(("cells",)), tree.find(("cells",))
    if not isinstance(cells, MappingNode) or not isinstance(known, MappingNode):
        return
    starts = _line_starts(tree.source.text)
    for key in cells.keys:
        row = cells.values[key.text]
        if key.text in known.values or not isinstance(row, MappingNode):
            continue
        last = awake.source.location(max(row.end - 1, key.end)).line
        model = row.values.get("model")
        yield Resting(
            key=key.text,
            model=model.text if isinstance(model, ScalarNode) else "",
            start=starts[awake.at(key).line - 1],
            end=line_end(tree.source.text, starts[last - 1]),
        )


def _composed_with(tree: Tree, start: int, end: int, text: str) -> Tree | None:
    source = tree.source
    changed = source_of((source.bom + source.text[:start] + text + source.text[end:]).encode(), source.path)
    composed = compose(changed) if isinstance(changed, Source) else None
    return composed if isinstance(composed, Tree) else None


def _unsigned(text: str) -> str:
    return _SIGNED.sub(r"\1", text)


def _line_starts(text: str) -> list[int]:
    return [0, *accumulate(map(len, text.splitlines(keepends=True)))]
