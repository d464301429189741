"""Rows that wait for other rows: every wait has an end, and something to wait for."""

from generator.config.entry import Entry
from generator.config.names import Problems
from generator.config.tree import ScalarNode
from generator.domain.cell import Cell


def look_at_chains(root: Entry, cells: tuple[Cell, ...], problems: Problems) -> None:
    """Note an unknown row, a row that waits for itself, and a wait for a cell that is not there."""
    rows = dict(root.entries("cells"))
    there = {(cell.key, cell.hardware.key, cell.lane.key) for cell in cells}
    places = {(cell.key, cell.hardware.key, cell.lane.key) for cell in cells if cell.after}
    for key, entry in rows.items():
        for node in entry.scalars("after"):
            if problems.look_up("row", node, rows) is None:
                continue
            if problems.is_broken("row", key) or problems.is_broken("row", str(node.value)):
                continue
            if _leads_to(str(node.value), key, rows):
                problems.add(
                    "chain-circle",
                    problems.tree.at(node),
                    f"`{key}` waits for `{node.value}`, which waits for `{key}`",
                    "Leave `after` out of one of them.",
                )
            _look_at_partners(key, node, there, places, problems)


def _leads_to(start: str, goal: str, rows: dict[str, Entry]) -> bool:
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        key = waiting.pop()
        if key == goal:
            return True
        if key not in seen and key in rows:
            seen.add(key)
            waiting.extend(rows[key].texts("after"))
    return False


def _look_at_partners(
    key: str,
    node: ScalarNode,
    there: set[tuple[str, str, str]],
    places: set[tuple[str, str, str]],
    problems: Problems,
) -> None:
    name = str(node.value)
    for row, hardware, lane in sorted(places):
        if row == key and (name, hardware, lane) not in there:
            problems.add(
                "chain-without-partner",
                problems.tree.at(node),
                f"`{key}` waits for `{name}`, which is not tested on {hardware} in lane `{lane}`",
                "Add that cell, or leave the wait out.",
            )
