"""What a person must write before a model can take a place, as a block to paste."""

from collections.abc import Sequence

from generator.config.fresh_row import gated, on_one_line, row_fields
from generator.config.suggest import did_you_mean
from generator.config.tree import Tree, to_data
from generator.domain.cell import Cell
from generator.domain.check import CheckKind
from generator.domain.model import Model

_HOLE = "…"


def missing_model(key: str, old: Model, known: Sequence[str]) -> tuple[str, str]:
    """What is wrong and what to do, where the new model is not declared."""
    question = did_you_mean(key, known)
    lines = (
        f"Is it a new one? Write it below `models`, each {_HOLE} filled in:",
        "",
        f"  {key}:",
        f"    title: {_HOLE}",
        f"    family: {old.family}",
        f"    repository: {_HOLE}  # owner/name of the weights",
        f"    quantization: {_HOLE}  # one of `quantizations`",
        f"    checkpoint_gb: {_HOLE}",
    )
    return f"there is no model `{key}`", "\n".join((*((question,) if question else ()), *lines))


def missing_row(tree: Tree, new: Model, cells: Sequence[Cell]) -> tuple[str, str]:
    """What is wrong and what to do, where the new model has no row that could take these places."""
    where = ", ".join(dict.fromkeys(f"{cell.hardware.key} in {cell.lane.key}" for cell in cells))
    kinds = gated(cells)
    lines = [
        f"The gate and the protocol of {cells[0].key} are another model's, so they are not carried over.",
        f"Write this row below `cells`, each {_HOLE} filled in, and swap again:",
        "",
        f"  {new.key}:",
        *(
            f"    {name}: {on_one_line(value)}"
            for name, value in row_fields(new.key, new.title, cells).items()
        ),
        "    checks:",
    ]
    for kind in kinds:
        lines.append(f"      {kind.value}:")
        lines += [f"        {line}" for line in _check_lines(kind)]
    known = _known_gates(tree, new.key)
    if known:
        lines += ["", "Elsewhere in the matrix this model has:", *(f"  {line}" for line in known)]
    return f"no row tests `{new.key}` on {where}, and its defaults hold no gate", "\n".join(lines)


def _check_lines(kind: CheckKind) -> tuple[str, ...]:
    match kind:
        case CheckKind.ACCURACY:
            return (
                f"gate: {_HOLE}  # lowest accuracy that passes, of this model",
                f"questions: {_HOLE}  # the gate belongs to this protocol",
                f"shots: {_HOLE}",
                f"deadline_minutes: {_HOLE}",
            )
        case CheckKind.SPECULATIVE | CheckKind.PERFORMANCE | CheckKind.SUITE:
            return (
                f"suite: {_HOLE}  # of the project under test",
                f"per_file_timeout_s: {_HOLE}",
            )


def _known_gates(tree: Tree, model: str) -> tuple[str, ...]:
    match to_data(tree.find(("cells",))):
        case dict(rows):
            pass
        case _:
            return ()
    found = []
    for key, row in rows.items():
        match row:
            case {"model": name, "checks": {"accuracy": dict(check)}} if name == model and "gate" in check:
                found.append(f"{key}: {on_one_line({'accuracy': check})}")
            case _:
                pass
    return tuple(found)
