"""Rows that wait for other rows: every wait has an end, and something to wait for."""

from generator.config.entry import Entry
from generator.config.names import Problems
from generator.config.tree import ScalarNode
from generator.domain.cell import Cell


def look_at_chains(root: Entry, cells: tuple[Cell, ...], problems: Problems) -> None:
    """Note an unknown row, a row that waits for itself, and a wait for a cell that is not there."""
    rows = dict(root.entries("cells"))
    there = {(cell.key, cell.hardware.key, cell.lane.key) for cell in cells}
    waiting: dict[str, list[tuple[str, str]]] = {}
    for cell in cells:
        if cell.after:
            waiting.setdefault(cell.key, []).append((cell.hardware.key, cell.lane.key))
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
            missing = [place for place in waiting.get(key, ()) if (str(node.value), *place) not in there]
            _note_partners(key, node, missing, problems)


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


def _note_partners(key: str, node: ScalarNode, missing: list[tuple[str, str]], problems: Problems) -> None:
    for hardware, lane in sorted(missing):
        problems.add(
            "chain-without-partner",
            problems.tree.at(node),
            f"`{key}` waits for `{node.value}`, which is not tested on {hardware} in lane `{lane}`",
            "Add that cell, or leave the wait out.",
        )
