"""How many jobs GitHub makes of a strategy matrix."""

from itertools import product

from generator.config.entry import Entry
from generator.config.tree import JsonValue, SequenceNode, to_data

# Past so many combinations nobody needs the exact number: the limit is far below.
_ENOUGH = 100_000

_Row = dict[str, JsonValue]


def matrix_jobs(matrix: Entry) -> int:
    """The number of jobs: 1 without a matrix, and where an expression makes the lists.

    An `exclude` takes away what it matches. An `include` adds to the combinations that it contradicts in
    nothing, and is a job of its own where there are none.
    """
    lists = {
        name: [to_data(item) for item in node.items]
        for name, node in matrix.node.values.items()
        if isinstance(node, SequenceNode) and name not in ("include", "exclude")
    }
    size = 1
    for values in lists.values():
        size *= len(values)
    if size > _ENOUGH:
        return size
    excluded, included = _rows(matrix, "exclude"), _rows(matrix, "include")
    made = [dict(zip(lists, values, strict=True)) for values in product(*lists.values())] if lists else []
    left = [row for row in made if not any(_within(each, row) for each in excluded)]
    alone = [each for each in included if not any(_adds_to(each, row) for row in left)]
    return max(1, len(left) + len(alone))


def _rows(matrix: Entry, name: str) -> list[_Row]:
    rows = (to_data(entry.node) for entry in matrix.items(name))
    return [row for row in rows if isinstance(row, dict)]


def _within(part: _Row, row: _Row) -> bool:
    return all(name in row and row[name] == value for name, value in part.items())


def _adds_to(include: _Row, row: _Row) -> bool:
    return all(row[name] == value for name, value in include.items() if name in row)
