"""What holds for a while, written into the matrix: points that are let off, jobs and pools that are off."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from generator.config.edit_collections import add_entry, add_items
from generator.config.edit_scalar import replace_scalar
from generator.config.places import Place, row_of
from generator.config.splice import Edit, SpliceError, apply_edits
from generator.config.tree import JsonValue, MappingNode, ScalarNode, SequenceNode, Tree, to_data
from generator.domain.coverage import Point

_NEVER_IN_YAML = str.maketrans({sign: f"\\u{ord(sign):04x}" for sign in "\x7f\x85\u2028\u2029\ufeff"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """Why, and until which day (ISO 8601, that day included)."""

    because: str
    until: str

    @property
    def data(self) -> dict[str, JsonValue]:
        """The two as they stand in the matrix."""
        return {"because": self.because, "until": self.until}

    @property
    def yaml(self) -> str:
        """The same on one line, without brackets."""
        return f"because: {_quoted(self.because)}, until: {_quoted(self.until)}"


def let_off(tree: Tree, points: Sequence[Point], period: Period) -> Tree:
    """A waiver for each point; one that is there gets the new reason and day.

    Raises:
        SpliceError: `coverage` is written in a way that cannot be edited.
    """
    for point in points:
        tree = _let_off(tree, point, period)
    return tree


def switch_pool_off(tree: Tree, pool: str, period: Period) -> Tree:
    """A pool that is off; one that is off already gets the new reason and day.

    Raises:
        SpliceError: the pool is written in a way that cannot be edited.
    """
    node = tree.find(("pools", pool))
    if not isinstance(node, MappingNode):
        raise SpliceError(f"{tree.at(node)}: `{pool}` is no pool")
    return _switched_off(tree, ("pools", pool), node, period)


def switch_row_off(tree: Tree, key: str, period: Period) -> Tree:
    """A row that makes one job, off as a whole.

    Raises:
        SpliceError: the row is written in a way that cannot be edited.
    """
    return _switched_off(tree, ("cells", key), row_of(tree, key), period)


def has_override_off(tree: Tree, key: str) -> bool:
    """Whether an override of the row switches something off; it wins against what the row says."""
    overrides = row_of(tree, key).values.get("overrides")
    items = overrides.items if isinstance(overrides, SequenceNode) else ()
    return any(_has_disabled(to_data(item)) for item in items)


def switch_place_off(tree: Tree, key: str, place: Place, period: Period) -> Tree:
    """One of several jobs of a row, off by an override of its own.

    Raises:
        SpliceError: the row is written in a way that cannot be edited.
    """
    row, meant = row_of(tree, key), to_data(tree.root)
    overrides = row.values.get("overrides")
    where: dict[str, JsonValue] = {"hardware": place[0], "lane": place[1]}
    item = f"{{for: {{hardware: {place[0]}, lane: {place[1]}}}, disabled: {{{period.yaml}}}}}"
    data = _mapping_at(meant, ("cells", key))
    items = data.setdefault("overrides", [])
    if not isinstance(items, list):
        raise SpliceError(f"{tree.at(row)}: `overrides` of `{key}` is no list")
    for number, override in enumerate(items):
        last = all(not _has_disabled(later) for later in items[number + 1 :])
        if isinstance(override, dict) and override.get("for") == where and "disabled" in override and last:
            path = ("cells", key, "overrides", number)
            return _switched_off(tree, path, _mapping_node(tree, path), period)
    items.append({"for": where, "disabled": dict(period.data)})
    if isinstance(overrides, SequenceNode):
        return apply_edits(tree, add_items(tree, overrides, (item,)), meant)
    return apply_edits(tree, [add_entry(tree, row, _one_item(tree, row, item))], meant)


def _switched_off(tree: Tree, path: tuple[str | int, ...], node: MappingNode, period: Period) -> Tree:
    meant = to_data(tree.root)
    _mapping_at(meant, path)["disabled"] = dict(period.data)
    old = node.values.get("disabled")
    if isinstance(old, MappingNode):
        return apply_edits(tree, _replaced(tree, old, period), meant)
    entry = f"disabled: {{{period.yaml}}}"
    return apply_edits(tree, [add_entry(tree, node, (entry,))], meant)


def _let_off(tree: Tree, point: Point, period: Period) -> Tree:
    root, meant = tree.root, to_data(tree.root)
    if not isinstance(root, MappingNode) or not isinstance(meant, dict):
        raise SpliceError(f"{tree.source.path} is no mapping")
    names = {"family": point.family, "isa": point.isa, "lane": point.lane, "check": point.check}
    item = "{" + ", ".join(f"{name}: {_plain(text)}" for name, text in names.items()) + f", {period.yaml}}}"
    if "coverage" not in root.values:
        meant["coverage"] = {"waivers": [{**names, **period.data}]}
        return apply_edits(tree, [add_entry(tree, root, ("coverage:", "  waivers:", f"    - {item}"))], meant)
    coverage, data = _mapping_node(tree, ("coverage",)), _mapping_at(meant, ("coverage",))
    waivers, items = coverage.values.get("waivers"), data.setdefault("waivers", [])
    if not isinstance(items, list):
        raise SpliceError(f"{tree.at(coverage)}: `waivers` is no list")
    for number, waiver in enumerate(items):
        if isinstance(waiver, dict) and all(waiver.get(name) == text for name, text in names.items()):
            waiver.update(period.data)
            node = _mapping_node(tree, ("coverage", "waivers", number))
            return apply_edits(tree, _replaced(tree, node, period), meant)
    items.append({**names, **period.data})
    if isinstance(waivers, SequenceNode):
        return apply_edits(tree, add_items(tree, waivers, (item,)), meant)
    lines = ("waivers:", f"  - {item}")
    return apply_edits(tree, [add_entry(tree, coverage, lines)], meant)


def _replaced(tree: Tree, node: MappingNode, period: Period) -> tuple[Edit, ...]:
    edits = []
    for name, text in (("because", period.because), ("until", period.until)):
        value = node.values[name]
        if not isinstance(value, ScalarNode):
            raise SpliceError(f"{tree.at(value)}: `{name}` is no text")
        if value.value != text:
            edits.append(replace_scalar(tree, value, text))
    return tuple(edits)


def _one_item(tree: Tree, row: MappingNode, item: str) -> tuple[str, ...]:
    # In brackets an entry is one line; over several lines a list is easier to read and to add to.
    is_flow = tree.source.text[row.start : row.start + 1] == "{"
    return (f"overrides: [{item}]",) if is_flow else ("overrides:", f"  - {item}")


def _mapping_node(tree: Tree, path: tuple[str | int, ...]) -> MappingNode:
    node = tree.find(path)
    if not isinstance(node, MappingNode):
        raise SpliceError(f"{tree.at(node)}: a mapping belongs here")
    return node


def _mapping_at(data: JsonValue, path: tuple[str | int, ...]) -> dict[str, JsonValue]:
    for step in path:
        match data, step:
            case dict(), str():
                data = data[step]
            case list(), int():
                data = data[step]
            case _:
                raise LookupError(step)
    match data:
        case dict():
            return data
        case _:
            raise LookupError(path)


def _has_disabled(item: JsonValue) -> bool:
    return isinstance(item, dict) and "disabled" in item


def _plain(text: str) -> str:
    return (
        text
        if text[:1].isalpha() and all(sign.isalnum() or sign in "-_." for sign in text)
        else _quoted(text)
    )


def _quoted(text: str) -> str:
    # JSON's escapes are YAML's too; what YAML alone forbids comes on top.
    return json.dumps(text, ensure_ascii=False).translate(_NEVER_IN_YAML)
