"""A check is a file, a heading in the docs, an ok case and an err case; an input error is a heading."""

import ast
import importlib
import re
from pathlib import Path

import pytest

from checks.case import HERE
from generator.checks.edited import OF_EDITED
from generator.checks.registry import BEFORE_RENDERING, OF_FILES, OF_MATRIX
from generator.config.ids import InputId

ROOT = Path(__file__).parents[2]
CHECKS = ROOT / "generator" / "checks"
IDS = sorted({*BEFORE_RENDERING, *OF_MATRIX, *OF_FILES, *OF_EDITED})


def headings() -> list[str]:
    text = (ROOT / "docs" / "checks.md").read_text(encoding="utf-8")
    return re.findall(r"^##+ ([a-z0-9]+(?:-[a-z0-9]+)*)$", text, re.MULTILINE)


def ids_in_modules() -> dict[str, str]:
    modules = {
        path.stem: importlib.import_module(f"generator.checks.{path.stem}") for path in CHECKS.glob("*.py")
    }
    return {stem: module.ID for stem, module in modules.items() if hasattr(module, "ID")}


def ids_given_elsewhere() -> set[str]:
    """The ids that the reader of the matrix and the commands write out where they use them."""
    found = set()
    for path in (*ROOT.glob("generator/config/*.py"), *ROOT.glob("generator/cli/*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and _called(node.func) in {"add", "error", "warning"} and node.args:
                match node.args[0]:
                    case ast.Constant(value=str(id_)):
                        found.add(id_)
                    case _:
                        pass
    return found


def _called(function: ast.expr) -> str:
    match function:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
        case _:
            return ""


def test_the_registry_holds_every_module_that_has_an_id() -> None:
    assert sorted(ids_in_modules().values()) == IDS


def test_a_check_is_called_like_its_file() -> None:
    assert ids_in_modules() == {id_.replace("-", "_"): id_ for id_ in IDS}


def test_no_check_is_in_two_places_of_the_registry() -> None:
    assert len(IDS) == sum(map(len, (BEFORE_RENDERING, OF_MATRIX, OF_FILES, OF_EDITED)))


@pytest.mark.parametrize("kind", ["ok", "err"])
@pytest.mark.parametrize("id_", IDS)
def test_each_check_has_a_case_of_both_kinds(id_: str, kind: str) -> None:
    assert list(HERE.glob(f"{id_}/{kind}-*/case.yaml"))


def test_every_folder_of_cases_belongs_to_a_check() -> None:
    folders = {path.parent.parent.name for path in HERE.glob("*/*/case.yaml")}

    assert sorted(folders) == IDS


def test_the_ids_that_others_write_out_are_found() -> None:
    assert {"unknown-name", "chain-circle", "file-exists", "pins-disagree"} <= ids_given_elsewhere()


def test_the_docs_have_a_heading_for_each_id_and_for_nothing_else() -> None:
    ids = {*IDS, *ids_given_elsewhere(), *(id_.value for id_ in InputId)}

    assert sorted(headings()) == sorted(ids)
