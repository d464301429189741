import ast
import sys
from pathlib import Path

import pytest

import generator.harness

HARNESS = Path(generator.harness.__file__ or "").parent
MODULES = sorted([*(HARNESS / "night").glob("*.py"), *HARNESS.glob("*.py")])


def imported(module: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return names


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.stem)
def test_the_night_needs_nothing_but_python_itself(module: Path) -> None:
    for name in imported(module):
        assert name.startswith("generator.harness") or name.split(".")[0] in sys.stdlib_module_names, name
    inner = {name for name in imported(module) if name.startswith("generator.harness.")}
    allowed = (
        "generator.harness.night",
        "generator.harness.cli",
        "generator.harness.outcome",
        "generator.harness.world",
    )
    assert all(name.startswith(allowed) for name in inner)
