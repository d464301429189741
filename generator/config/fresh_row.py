"""A row for a model that has none yet, written from what the model's own defaults say that it must reach."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from generator.config.tree import JsonValue, Tree, to_data
from generator.domain.cell import Cell
from generator.domain.check import CheckKind, Weight
from generator.domain.setting import Level


@dataclass(frozen=True, slots=True, kw_only=True)
class FreshRow:
    """A row as lines of YAML without indentation, and the same as data."""

    key: str
    lines: tuple[str, ...]
    data: JsonValue


def fresh_row(tree: Tree, model: str, cells: Sequence[Cell]) -> FreshRow | None:
    """A row that takes the place of these cells; nothing where the model's defaults hold no gate for it.

    Only accuracy is measured by the bundled harness; for anything else a person must name a suite.
    """
    kinds = gated(cells)
    if kinds != (CheckKind.ACCURACY,) or not _has_gate(tree, model):
        return None
    key = _free_key(tree, model, cells[0].hardware.key)
    fields = row_fields(model, _title(tree, model), cells)
    fields["checks"] = {"accuracy": {}}
    lines = (f"{key}:", *(f"  {name}: {on_one_line(value)}" for name, value in fields.items()))
    return FreshRow(key=key, lines=lines, data=fields)


def gated(cells: Sequence[Cell]) -> tuple[CheckKind, ...]:
    """What the cells hold with a gate."""
    return tuple(
        dict.fromkeys(
            check.kind
            for cell in cells
            for check in cell.checks
            if check.kind is not CheckKind.SUITE and check.weight is Weight.GATING
        )
    )


def row_fields(model: str, title: str, cells: Sequence[Cell]) -> dict[str, JsonValue]:
    """Where such a row is tested, and under which heading it stands."""
    places = tuple(dict.fromkeys((cell.hardware.key, cell.lane.key) for cell in cells))
    hardware = tuple(dict.fromkeys(where for where, _ in places))
    lanes = tuple(dict.fromkeys(lane for _, lane in places))
    titles = dict.fromkeys(cell.hardware.title for cell in cells)
    fields: dict[str, JsonValue] = {
        "model": model,
        "section": f"{cells[0].gpus}-GPU {title} ({' + '.join(titles)})",
        "hardware": list(hardware),
        "lanes": list(lanes),
    }
    left_out = [pair for pair in product(hardware, lanes) if pair not in places]
    if left_out:
        fields["except"] = [{"hardware": where, "lane": lane} for where, lane in left_out]
    gpus = cells[0].settings.get("gpus")
    if gpus is not None and gpus.level in (Level.CELL, Level.OVERRIDE):
        fields["gpus"] = cells[0].gpus
    if cells[0].options:
        fields["options"] = list[JsonValue](sorted(cells[0].options))
    return fields


def _has_gate(tree: Tree, model: str) -> bool:
    try:
        tree.find(("models", model, "defaults", "checks", "accuracy", "gate"))
    except LookupError:
        return False
    return True


def _title(tree: Tree, model: str) -> str:
    match to_data(tree.find(("models", model))):
        case {"title": str(title)}:
            return title
        case _:
            return model


def _free_key(tree: Tree, model: str, hardware: str) -> str:
    match to_data(tree.find(("cells",))):
        case dict(rows) if model in rows:
            return f"{model}-{hardware}"
        case _:
            return model


def on_one_line(value: JsonValue) -> str:
    """A value as YAML in brackets, quoted where it must be."""
    match value:
        case dict():
            return "{" + ", ".join(f"{name}: {on_one_line(item)}" for name, item in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(on_one_line, value)) + "]"
        case str() if all(sign.isalnum() or sign in "-_." for sign in value) and not value[:1].isdigit():
            return value
        case str():
            return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
        case _:
            return str(value)
