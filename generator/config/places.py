"""Cells that a row leaves out, and takes in again: each undoes what the other wrote, byte for byte."""

from collections.abc import Sequence
from typing import TypeAlias

from generator.config.edit_collections import add_items, line_end, own_entry_end
from generator.config.edit_lines import delete_entry, delete_item
from generator.config.edit_scalar import in_brackets
from generator.config.splice import Edit, SpliceError, apply_edits
from generator.config.tree import JsonValue, MappingNode, SequenceNode, Tree, to_data

Place: TypeAlias = tuple[str, str]
"""Keys of a hardware and of a lane."""

_EXCEPT = "except"


def row_of(tree: Tree, key: str) -> MappingNode:
    """A row of `cells`.

    Raises:
        LookupError: there is no such row.
    """
    match tree.find(("cells", key)):
        case MappingNode() as row:
            return row
        case _:
            raise LookupError(key)


def excepted(tree: Tree, key: str) -> tuple[Place, ...]:
    """The places that the row leaves out one by one; wider exceptions are not among them."""
    node = row_of(tree, key).values.get(_EXCEPT)
    items = node.items if isinstance(node, SequenceNode) else ()
    return tuple(place for item in items if (place := _place(to_data(item))) is not None)


def leave_out(tree: Tree, key: str, places: Sequence[Place]) -> Tree:
    """The row without these places, each as an entry of its `except`.

    Raises:
        SpliceError: the row is written in a way that cannot be edited.
    """
    row, meant = row_of(tree, key), to_data(tree.root)
    of_row = _row_data(meant, key)
    said = of_row.get(_EXCEPT)
    items = list(said) if isinstance(said, list) else []
    for hardware, lane in places:
        items.append({"hardware": hardware, "lane": lane})
    of_row[_EXCEPT] = items
    node = row.values.get(_EXCEPT)
    if isinstance(node, SequenceNode):
        return apply_edits(tree, add_items(tree, node, [_written(place) for place in places]), meant)
    start, text = _new_line(tree, row, places)
    return apply_edits(tree, [Edit(start=start, end=start, text=text)], meant)


def take_in(tree: Tree, key: str, places: Sequence[Place]) -> Tree:
    """The row with these places, which its `except` leaves out one by one.

    Raises:
        SpliceError: the row is written in a way that cannot be edited.
        LookupError: the row does not leave such a place out.
    """
    for place in places:
        tree = _take_in_one(tree, key, place)
    return tree


def _take_in_one(tree: Tree, key: str, place: Place) -> Tree:
    row, meant = row_of(tree, key), to_data(tree.root)
    node, of_row = row.values.get(_EXCEPT), _row_data(meant, key)
    said = of_row.get(_EXCEPT)
    items = said if isinstance(said, list) else []
    index = next((number for number, item in enumerate(items) if _place(item) == place), -1)
    if index < 0 or not isinstance(node, SequenceNode):
        raise LookupError(place)
    del items[index]
    if items:
        return apply_edits(tree, [delete_item(tree, node, index)], meant)
    start, text = _new_line(tree, row, [place])
    if tree.source.text.startswith(text, start) and _ends_there(tree, row, start + len(text)):
        del of_row[_EXCEPT]
        return apply_edits(tree, [Edit(start=start, end=start + len(text), text="")], meant)
    if in_brackets(tree, node):
        item = node.items[0]
        return apply_edits(tree, [Edit(start=item.start, end=item.end, text="")], meant)
    del of_row[_EXCEPT]
    return apply_edits(tree, [delete_entry(tree, row, _EXCEPT)], meant)


def _new_line(tree: Tree, row: MappingNode, places: Sequence[Place]) -> tuple[int, str]:
    """Where a row that leaves nothing out yet says so, and in which words."""
    after = next((name for name in ("lanes", "hardware") if _is_own(row, name)), None)
    if after is None:
        raise SpliceError(f"{tree.at(row)}: write `hardware` in the row itself first, not by a merge")
    entry = f"{_EXCEPT}: [{', '.join(map(_written, places))}]"
    end = own_entry_end(tree, row, after)
    if in_brackets(tree, row):
        return end, f", {entry}"
    source = tree.source
    indent = " " * (source.location(row.key(after).start).column - 1)
    return line_end(source.text, end), f"{source.newline}{indent}{entry}"


def _ends_there(tree: Tree, row: MappingNode, end: int) -> bool:
    return in_brackets(tree, row) or end == line_end(tree.source.text, end)


def _is_own(row: MappingNode, name: str) -> bool:
    return name in row.values and row.start <= row.key(name).start < row.end


def _written(place: Place) -> str:
    hardware, lane = place
    return f"{{hardware: {hardware}, lane: {lane}}}"


def _place(item: JsonValue) -> Place | None:
    match item:
        case {"hardware": str(hardware), "lane": str(lane)}:
            return hardware, lane
        case _:
            return None


def _row_data(data: JsonValue, key: str) -> dict[str, JsonValue]:
    match data:
        case {"cells": {**cells}}:
            row = cells[key]
            if isinstance(row, dict):
                return row
    raise LookupError(key)
