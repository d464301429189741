"""Whole matrices and the workflows that must come out, byte for byte.

To take over a change that is meant, run in each folder: nightgrid render
"""

from pathlib import Path

import pytest

from generator.cli.build import Build, build
from generator.cli.session import Session

CASES = sorted(path.parent for path in Path(__file__).parent.glob("*/matrix.yaml"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_matrix_renders_to_the_committed_workflows(case: Path) -> None:
    result = build(Session(matrix=case / "matrix.yaml"))

    assert isinstance(result, Build), result
    folder = case / ".github" / "workflows"
    committed = {f".github/workflows/{path.name}": path.read_bytes() for path in folder.iterdir()}
    assert committed == dict(result.expected)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_rendering_twice_changes_nothing(case: Path) -> None:
    first, second = (build(Session(matrix=case / "matrix.yaml")) for _ in range(2))

    assert isinstance(first, Build)
    assert isinstance(second, Build)
    assert first.expected == second.expected
