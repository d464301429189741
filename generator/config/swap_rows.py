"""A swap as edits of the matrix: the old model leaves places, the new one takes them."""

from collections.abc import Iterator
from dataclasses import dataclass

from generator.config.edit_collections import add_items, line_end
from generator.config.edit_lines import delete_item
from generator.config.fresh_row import fresh_row
from generator.config.matrix_file import matrix_of
from generator.config.places import Place, excepted, leave_out, row_of, take_in
from generator.config.rest import put_to_rest, resting, wake
from generator.config.splice import Edit, SpliceError, apply_edits
from generator.config.tree import JsonValue, MappingNode, ScalarNode, SequenceNode, Tree, to_data
from generator.domain.cell import Cell
from generator.domain.finding import Finding
from generator.domain.matrix import Matrix


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapEdit:
    """What changes hands: keys of two models, and the places in the order of the matrix."""

    old: str
    new: str
    places: tuple[Place, ...]

    @property
    def back(self) -> "SwapEdit":
        """The swap the other way."""
        return SwapEdit(old=self.new, new=self.old, places=self.places)


class NoRowError(Exception):
    """The new model has no row for these places, and nothing says what it must reach there."""

    def __init__(self, places: tuple[Place, ...]) -> None:
        super().__init__(", ".join(f"{hardware} in {lane}" for hardware, lane in places))
        self.places = places


class BrokenSwapError(Exception):
    """The matrix would not be right after the edit; the findings say why."""

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        super().__init__("; ".join(f"{finding.location}: {finding.message}" for finding in findings))
        self.findings = findings


def swapped(tree: Tree, edit: SwapEdit) -> Tree:
    """The matrix after the swap; an earlier swap the other way is undone byte for byte.

    Raises:
        NoRowError: the new model needs a row that a person must write.
        BrokenSwapError: names or chains would be wrong afterwards.
        SpliceError: the file is written in a way that cannot be edited.
    """
    try:
        before = _before_the_way_back(tree, edit)
        if before is not None and _forward(before, edit.back).source.data == tree.source.data:
            return before
    except (NoRowError, BrokenSwapError, SpliceError):
        pass  # no earlier swap led here; it is made as a new one
    return _forward(tree, edit)


def leads_back(before: Tree, after: Tree, edit: SwapEdit) -> bool:
    """Whether the swap the other way leads back to the very bytes."""
    try:
        return swapped(after, edit.back).source.data == before.source.data
    except (NoRowError, BrokenSwapError, SpliceError):
        return False


def _forward(tree: Tree, edit: SwapEdit) -> Tree:
    before = _matrix(tree)
    changed = _woken(tree, edit)
    missing = _missing(_matrix(changed), edit)
    if missing:
        changed = _extended(changed, edit, missing)
        missing = _missing(_matrix(changed), edit)
    if missing:
        changed = _with_fresh_row(changed, edit, missing)
    for key, cells in _rows(before, edit.old).items():
        leaving = [_place(cell) for cell in cells if _place(cell) in edit.places]
        if len(leaving) == len(cells):
            changed = put_to_rest(changed, key)
        elif leaving:
            changed = leave_out(changed, key, leaving)
    _expect_only(edit, before, _matrix(changed))
    return changed


def _before_the_way_back(tree: Tree, edit: SwapEdit) -> Tree | None:
    """The file as it was before a swap the other way wrote a row, or a lane into a row."""
    now = _matrix(tree)
    before = _woken(tree, edit)
    if _missing(_matrix(before), edit):
        return None
    for key, cells in reversed(_rows(now, edit.old).items()):
        leaving = [_place(cell) for cell in cells if _place(cell) in edit.places]
        if len(leaving) == len(cells):
            before = _without_row(before, key)
        elif leaving:
            longer = before
            before = _shortened(longer, key, {lane for _, lane in leaving})
            if before is longer:
                return None  # the row was there with these places, so it did not come by a swap
    return before


def _woken(tree: Tree, edit: SwapEdit) -> Tree:
    """The new model's rows that wait for these places take them."""
    there = {_place(cell) for cell in _matrix(tree).cells if _model(cell) == edit.new}
    tried = _wake_all(tree, edit, None)
    if tried is tree:
        return tree
    rows = _rows(_matrix(tried), edit.new)
    fitting = frozenset(
        key for key, cells in rows.items() if all(_place(cell) in {*edit.places, *there} for cell in cells)
    )
    return _wake_all(tree, edit, fitting)


def _wake_all(tree: Tree, edit: SwapEdit, fitting: frozenset[str] | None) -> Tree:
    waiting = [
        row for row in resting(tree) if row.model == edit.new and (fitting is None or row.key in fitting)
    ]
    woken = tree
    for row in reversed(waiting):  # from the end, so that the places of the others stay right
        woken = wake(woken, row)
    for key, model in _row_models(tree).items():
        places = [place for place in excepted(tree, key) if place in edit.places]
        if model == edit.new and places:
            woken = take_in(woken, key, places)
    return woken


def _extended(tree: Tree, edit: SwapEdit, missing: tuple[Place, ...]) -> Tree:
    """Rows of the new model on this hardware run in further lanes, where that adds nothing else."""
    for key in [key for key, model in _row_models(tree).items() if model == edit.new]:
        row = row_of(tree, key)
        hardware, lanes = row.values.get("hardware"), row.values.get("lanes")
        if not isinstance(hardware, SequenceNode) or not isinstance(lanes, SequenceNode):
            continue
        on = _texts(hardware)
        more = tuple(
            dict.fromkeys(lane for where, lane in missing if where in on and lane not in _texts(lanes))
        )
        if not more:
            continue
        meant = to_data(tree.root)
        _list_of(meant, key).extend(more)
        longer = apply_edits(tree, add_items(tree, lanes, more), meant)
        had = {_place(cell) for cell in _cells(_matrix(tree), key)}
        has = {_place(cell) for cell in _cells(_matrix(longer), key)}
        if has - had <= set(missing):
            tree = longer
    return tree


def _shortened(tree: Tree, key: str, lanes: set[str]) -> Tree:
    node, meant = row_of(tree, key).values.get("lanes"), to_data(tree.root)
    while isinstance(node, SequenceNode) and len(node.items) > 1 and _texts(node)[-1] in lanes:
        _list_of(meant, key).pop()
        tree = apply_edits(tree, [delete_item(tree, node, len(node.items) - 1)], meant)
        node, meant = row_of(tree, key).values.get("lanes"), to_data(tree.root)
    return tree


def _with_fresh_row(tree: Tree, edit: SwapEdit, missing: tuple[Place, ...]) -> Tree:
    matrix = _matrix(tree)
    cells = [cell for cell in matrix.cells if _model(cell) == edit.old and _place(cell) in missing]
    row = fresh_row(tree, edit.new, cells)
    if row is None:
        raise NoRowError(missing)
    meant = to_data(tree.root)
    match meant:
        case {"cells": dict(rows)}:
            rows[row.key] = row.data
        case _:
            raise NoRowError(missing)
    source = tree.source
    column = source.location(_cells_key_start(tree, cells[0].key)).column - 1
    start = line_end(source.text, row_of(tree, cells[0].key).end)
    lines = [source.newline, *(source.newline + " " * column + line for line in row.lines)]
    return apply_edits(tree, [Edit(start=start, end=start, text="".join(lines))], meant)


def _without_row(tree: Tree, key: str) -> Tree:
    """The file without a row that stands behind another one, and without the line between them."""
    keys = list(_row_models(tree))
    if keys.index(key) == 0:
        raise SpliceError(f"`{key}` is the first row")
    above = row_of(tree, keys[keys.index(key) - 1])
    text, meant = tree.source.text, to_data(tree.root)
    match meant:
        case {"cells": dict(rows)}:
            del rows[key]
        case _:
            raise SpliceError(f"{tree.source.path} has no `cells`")
    start, end = line_end(text, above.end), line_end(text, row_of(tree, key).end)
    return apply_edits(tree, [Edit(start=start, end=end, text="")], meant)


def _expect_only(edit: SwapEdit, before: Matrix, after: Matrix) -> None:
    """Exactly the cells of the swap have changed hands."""
    had, has = (
        {(_model(cell), cell.key, *_place(cell)) for cell in matrix.cells} for matrix in (before, after)
    )
    beside = [
        entry
        for entry in sorted(had ^ has)
        if entry[0] not in (edit.old, edit.new) or (entry[2], entry[3]) not in edit.places
    ]
    if beside:
        _, row, hardware, lane = beside[0]
        raise SpliceError(
            f"the swap would also change `{row}` on {hardware} in {lane}, a lane that is like another one;"
            " swap in both lanes at once, or edit the file by hand"
        )
    if _missing(after, edit):
        raise NoRowError(_missing(after, edit))


def _missing(matrix: Matrix, edit: SwapEdit) -> tuple[Place, ...]:
    there = {_place(cell) for cell in matrix.cells if _model(cell) == edit.new}
    return tuple(place for place in edit.places if place not in there)


def _matrix(tree: Tree) -> Matrix:
    matrix = matrix_of(tree)
    if isinstance(matrix, tuple):
        raise BrokenSwapError(matrix)
    return matrix


def _rows(matrix: Matrix, model: str) -> dict[str, list[Cell]]:
    rows: dict[str, list[Cell]] = {}
    for cell in matrix.cells:
        if _model(cell) == model:
            rows.setdefault(cell.key, []).append(cell)
    return rows


def _cells(matrix: Matrix, key: str) -> Iterator[Cell]:
    return (cell for cell in matrix.cells if cell.key == key)


def _row_models(tree: Tree) -> dict[str, str]:
    """The rows in the order of the file, and the model of each; empty for none."""
    cells = tree.find(("cells",))
    found = {}
    for key in cells.keys if isinstance(cells, MappingNode) else ():
        model = row_of(tree, key.text).values.get("model")
        found[key.text] = model.text if isinstance(model, ScalarNode) else ""
    return found


def _cells_key_start(tree: Tree, key: str) -> int:
    match tree.find(("cells",)):
        case MappingNode() as cells:
            return cells.key(key).start
        case _:
            raise LookupError(key)


def _list_of(data: JsonValue, key: str) -> list[JsonValue]:
    match data:
        case {"cells": dict(rows)}:
            row = rows[key]
            if isinstance(row, dict) and isinstance(row["lanes"], list):
                return row["lanes"]
    raise LookupError(key)


def _texts(node: SequenceNode) -> tuple[str, ...]:
    return tuple(item.text for item in node.items if isinstance(item, ScalarNode))


def _place(cell: Cell) -> Place:
    return cell.hardware.key, cell.lane.key


def _model(cell: Cell) -> str:
    return "" if cell.model is None else cell.model.key
