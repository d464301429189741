"""Whatever a text holds, a reader of YAML 1.1 and one of YAML 1.2 get that very text back."""

import json
from importlib import import_module

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from generator.config.compose import compose
from generator.config.source import Source
from generator.config.tree import MappingNode, Tree, to_data
from generator.render.quoting import block, value

yaml = import_module("yaml")  # PyYAML, which comes with yamllint, reads YAML 1.1

HOSTILE = [
    "", " ", "\n", "\t", "a ", " a", "a\n", "a\n\n", "\na", "a\nb", "a\n b", " a\nb", "a \nb", "a\nb ",
    "a\n\n\nb", "a\tb\n\tc", "- a", "? a", ": a", "a: b", "a:", "a #b", "#a", "a#b", "&a", "*a", "!a",
    "!!str a", "|", ">", "%a", "@a", "`a", "'", '"', "''", '"a"', "it's", "it's \"so\"", "{a: b}",
    "[a, b]", "a, b", "---", "...", "--- a", "<<", "=", "~", "null", "Null", "NULL", "true", "True",
    "yes", "Yes", "no", "NO", "on", "On", "off", "y", "Y", "n", "N", "1", "-1", "+1", "0", "00", "010",
    "0o10", "0x1F", "0b1", "1_000", "1.0", "7.20", "1e3", "1.e+3", ".5", "-.5", ".inf", "-.INF", ".nan",
    "NaN", "inf", "12:30", "12:30:45", "190:20:30.15", "2001-12-14", "2001-12-14t21:59:43Z", "\\",
    "\\n", "\\x41", "a\\", "\x00", "\x07", "\x1b[31m", "\x7f", "\x85", "\u00a0", "\u2028", "\u2029",
    "\ufeff", "a\ufeffb", "\ufffe", "\r", "a\rb", "a\r\nb", "\u200b", "🚀", "測試", "e\u0301", "$x", "$",
    "/a", "a=b", "<a>", "a\\\nb", "key: |\n  text", "x" * 5000, "\U0010ffff", "\ud7ff", "\ue000",
]  # fmt: skip
TEXTS = st.text(st.characters(exclude_categories=["Cs"])) | st.lists(
    st.sampled_from([*HOSTILE, "a", " ", "\n", "  ", "b c", "#", ":", "- "]), max_size=6
).map("".join)


def readings(document: str) -> list[object]:
    """The document as ruamel's YAML 1.2, as PyYAML's YAML 1.1, and as this project's own reader has it."""
    tree = compose(Source(path="x", text=document))
    assert isinstance(tree, Tree), tree
    assert isinstance(tree.root, MappingNode)
    return [YAML(typ="safe").load(document), yaml.safe_load(document), to_data(tree.root)]


def as_value(text: str) -> str:
    return f"k: {value(text)}\nlast: 1\n"


def as_list(text: str) -> str:
    return f"k:\n  - {value(text)}\nlast: 1\n"


def as_block(text: str, indent: int) -> str:
    return f"{' ' * (indent - 2)}k: {block(text, indent)}\n{' ' * (indent - 2)}last: 1\n"


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_text_comes_back(text: str) -> None:
    assert readings(as_value(text)) == [{"k": text, "last": 1}] * 3
    assert readings(as_list(text)) == [{"k": [text], "last": 1}] * 3
    assert readings(as_block(text, 2)) == [{"k": text, "last": 1}] * 3
    assert readings(as_block(text, 10)) == [{"k": text, "last": 1}] * 3


@given(TEXTS)
@example("0\n\n")
def test_any_text_comes_back(text: str) -> None:
    assert readings(as_value(text)) == [{"k": text, "last": 1}] * 3
    assert readings(as_block(text, 6)) == [{"k": text, "last": 1}] * 3


@given(TEXTS)
@example("a\u2028b")
@example('\u2029"')
def test_a_value_stands_on_one_line_and_hides_nothing(text: str) -> None:
    written = value(text)

    assert written.splitlines() == [written]
    assert all(character >= " " and character != "\x7f" for character in written.replace("\t", " "))


@given(TEXTS)
def test_a_block_keeps_its_indent_and_leaves_no_blank_at_an_end(text: str) -> None:
    lines = block(text, 8).split("\n")

    assert all(line.startswith(" " * 8) or not line for line in lines[1:])
    assert len(lines) == 1 or not any(line.endswith((" ", "\t")) for line in lines)


@pytest.mark.parametrize("text", ["docker.io/rocm/sgl-dev", "Run the tests", "results-a_b", "$HOME", "/m"])
def test_a_plain_text_stays_plain(text: str) -> None:
    assert value(text) == text


def test_a_text_with_double_quotes_stays_readable() -> None:
    assert value('{"a": 1}') == "'{\"a\": 1}'"


def test_a_script_stays_a_script() -> None:
    assert block("one\ntwo\n", 4) == "|\n    one\n    two"
    assert block("one\ntwo", 4) == "|-\n    one\n    two"


@pytest.mark.parametrize(
    "mark", ["\u2028", "\u2029", "\u200b", "\u200d", "\u202e", "\u2066", "\u2069", "\ufeff"]
)
def test_what_nobody_can_see_is_written_by_its_number(mark: str) -> None:
    number = f"\\u{ord(mark):04x}"

    assert value(f"a{mark}b") == f'"a{number}b"'
    assert block(f"a{mark}\nb", 4) == f'"a{number}\\nb"'
    assert value(f'"{mark}') == f'"\\"{number}"'


def test_what_is_escaped_is_what_json_escapes() -> None:
    assert value("a\nb") == json.dumps("a\nb")
    assert value("\U000e0001") == '"\\U000e0001"' or value("\U000e0001") == '"\U000e0001"'
