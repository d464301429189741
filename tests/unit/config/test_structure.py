import json
from pathlib import Path
from typing import Any

import pytest

from generator.config import structure
from generator.config.compose import compose
from generator.config.document import document_of, read_document
from generator.config.ids import InputId
from generator.config.source import Source
from generator.config.structure import check_structure
from generator.config.suggest import did_you_mean, one_of
from generator.config.tree import Tree, to_data
from generator.domain.finding import Finding

HERE = Path(__file__).parent / "cases"
SCHEMA: dict[str, Any] = json.loads((HERE / "garden.schema.json").read_text(encoding="utf-8"))


def cases(name: str) -> list[tuple[str, str]]:
    """Pairs from a file: a line of YAML, and below it the exact text of its findings."""
    blocks = (HERE / name).read_text(encoding="utf-8").strip().split("\n\n")
    return [(line, said) for line, _, said in (block.partition("\n") for block in blocks)]


def tree_of(text: str) -> Tree:
    tree = compose(Source(path="m.yaml", text=text))
    assert isinstance(tree, Tree), tree
    return tree


def findings_of(text: str) -> tuple[Finding, ...]:
    return check_structure(tree_of(text), SCHEMA)


def said_of(text: str) -> str:
    lines: list[str] = []
    for finding in findings_of(text):
        lines.append(f"{finding.location}: {finding.id}: {finding.message}")
        lines += [f"  help: {finding.help}"] if finding.help else []
    return "\n".join(lines)


def test_a_valid_tree_has_no_findings() -> None:
    text = (
        "version: '7.20'\nbeds:\n- plant: rose\n  rows: 3\n  tools: [rake, hoe]\nsoils: {loam: {mix: none}}\n"
    )
    assert findings_of(text) == ()
    outcome = document_of(Source(path="m.yaml", text=text), SCHEMA)
    assert isinstance(outcome, Tree)
    assert to_data(outcome.find(["beds", 0, "rows"])) == 3


@pytest.mark.parametrize(("line", "said"), cases("bed.txt"))
def test_what_can_be_wrong_with_a_value(line: str, said: str) -> None:
    assert said_of(f"beds:\n- plant: rose\n  {line}\n") == said


@pytest.mark.parametrize(("line", "said"), cases("soil.txt"))
def test_choices_tell_of_the_form_that_was_meant(line: str, said: str) -> None:
    assert said_of(f"beds: [{{plant: rose}}]\nsoils:\n  loam:\n    {line}\n") == said


@pytest.mark.parametrize(
    ("version", "message"),
    [
        ("7.20", "`version` needs a text, and 7.20 without quotes is the number 7.2"),
        ("7.2", "`version` needs a text, and 7.2 without quotes is a number"),
    ],
)
def test_a_version_without_quotes(version: str, message: str) -> None:
    (finding,) = findings_of(f"version: {version}\nbeds: [{{plant: rose}}]\n")
    assert finding.id == "float-version"
    assert str(finding.location) == "m.yaml:1:10"
    assert finding.message == message
    assert finding.help == f'write "{version}"; The version that digs'


def test_a_number_that_is_no_version() -> None:
    (finding,) = findings_of("version: 1e3\nbeds: [{plant: rose}]\n")
    assert finding.id == "wrong-type"
    assert finding.message == "`version` needs a text, and 1e3 without quotes is the number 1000.0"


def test_a_missing_key_says_what_it_is_for() -> None:
    (finding,) = findings_of("beds:\n  - rows: 3\n")
    assert (str(finding.location), finding.id) == ("m.yaml:2:5", "missing-key")
    assert finding.message == "a bed needs the key `plant`"
    assert finding.help == "add `plant`: What grows in it"


def test_a_wrong_root() -> None:
    (finding,) = findings_of("- plant: rose\n")
    assert finding.message == "the file needs a mapping (`key: value`), and this is a list"
    assert finding.help == "write `key: value` lines without the `- `"


def test_an_empty_list() -> None:
    (finding,) = findings_of("beds: []\n")
    assert finding.message == "`beds` is wrong here: it needs 1 or more entries"


def test_a_schema_that_takes_nothing() -> None:
    (finding,) = check_structure(tree_of("a: 1\n"), {"not": {}})
    assert finding.id == "wrong-value"
    (refused,) = check_structure(tree_of("a: 1\n"), {"allOf": [False]})
    assert refused.message == "the file is one too many"


def test_a_value_that_fits_two_forms() -> None:
    schema = {"properties": {"a": {"oneOf": [{"type": "integer"}, {"minimum": 1}], "x-message": "choose"}}}
    (finding,) = check_structure(tree_of("a: 1\n"), schema)
    assert (finding.id, finding.help) == ("wrong-value", "choose")
    assert finding.message == "`a` can be read in more than one way"


def test_a_wrong_key_name_is_told_at_the_key() -> None:
    (finding,) = findings_of("beds: [{plant: rose}]\nsoils:\n  loam: {}\n  L1: {}\n")
    assert (str(finding.location), finding.id) == ("m.yaml:4:3", "wrong-value")
    assert finding.message == "the key `L1` is wrong here: lower case letters only"


def test_everything_is_told_in_one_go_sorted_and_once() -> None:
    text = (
        "beds:\n- &bad {plnt: x, rows: 0}\n- *bad\n- *bad\n"
        "- plant: a\n  plant: b\n  rows: x\n- word\nversion: 7.20\nextra: 1\n"
    )
    outcome = document_of(Source(path="m.yaml", text=text), SCHEMA)
    assert isinstance(outcome, tuple)
    assert [(str(each.location).removeprefix("m.yaml:"), str(each.id)) for each in outcome] == [
        ("2:3", "missing-key"),
        ("2:9", "unknown-key"),
        ("2:24", "wrong-value"),
        ("6:3", "duplicate-key"),
        ("7:9", "wrong-type"),
        ("8:3", "wrong-type"),
        ("9:10", "float-version"),
        ("10:1", "unknown-key"),
    ]


def test_a_merged_value_is_told_where_it_is_written() -> None:
    (finding,) = findings_of("beds:\n- &base\n  plant: a\n  rows: 1\n- <<: {plant: b, rows: 0}\n")
    assert str(finding.location) == "m.yaml:5:24"


@pytest.mark.parametrize("key", ["10", "0", "010", "+10", "7.0", "-1", "a/b", "~0"])
def test_keys_that_look_like_numbers_are_found(key: str) -> None:
    schema = {
        "additionalProperties": {"type": "object", "properties": {key: {"type": "string", "title": "t"}}}
    }
    (finding,) = check_structure(tree_of(f"x: {{}}\n{key}:\n  {key}: [1]\n"), schema)
    assert str(finding.location).startswith("m.yaml:3:")
    assert finding.message == f"`{key}` needs a text, and this is a list"


def test_a_refusal_without_a_reason_is_never_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    class Mute:
        def is_valid(self, _: object) -> bool:
            return False

        def iter_errors(self, _: object) -> list[object]:
            return []

    monkeypatch.setattr(structure, "validator_for", lambda _: Mute())
    (finding,) = findings_of("beds: []\n")
    assert finding.id == "schema-mismatch"


def test_a_document_from_disk(tmp_path: Path) -> None:
    file = tmp_path / "m.yaml"
    file.write_text("beds:\n- plant: 1\n")
    outcome = read_document(file, "shown", SCHEMA)
    assert isinstance(outcome, tuple)
    assert [str(each.location) for each in outcome] == ["shown:2:10"]
    missing = read_document(tmp_path / "none", "none", SCHEMA)
    assert isinstance(missing, tuple)
    assert [each.id for each in missing] == ["file-unreadable"]
    file.write_text("a: b: c")
    broken = read_document(file, "shown", SCHEMA)
    assert isinstance(broken, tuple)
    assert [each.id for each in broken] == ["yaml-syntax"]


def test_suggestions() -> None:
    valid = ("mi30x", "mi35x", "b300")
    assert did_you_mean("MI-30X", valid) == "did you mean `mi30x`?"
    assert did_you_mean("zebra", valid) == ""
    assert one_of("zebra", valid) == "valid: mi30x, mi35x, b300"
    assert one_of("x", ()) == ""
    many = one_of("n7", [f"n{number}" for number in range(100)])
    assert many.startswith("did you mean `n7`? valid: n0, n1, ")
    assert many.endswith("n29 and 70 more")


def test_ids_are_told_apart_and_fit_for_headings() -> None:
    assert all(id_.value == id_.value.lower().replace("_", "-") for id_ in InputId)
    assert json.dumps(list(InputId)).count("-") >= len(InputId)
