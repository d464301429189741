import pytest

from generator.harness.night.table import markdown_table, plain_table
from generator.harness.night.text import annotation, cell, one_line, printable


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("two\nlines", "two lines"),
        ("carriage\r\nreturn", "carriage return"),
        ("form\x0cfeed\x0bvertical", "form feed vertical"),
        ("next\x85line\u2028separator", "next line separator"),
        ("\x1b[31mred\x1b[0m", "[31mred [0m"),
        ("half \ud800 surrogate", "half surrogate"),
        ("right\u202eto left", "rightto left"),
        ("##[add-mask]secret", "# #[add-mask]secret"),
        ("  many   blanks  ", "many blanks"),
        ("日本語 ✓", "日本語 ✓"),
        ("", ""),
    ],
)
def test_outside_text_becomes_one_harmless_line(text: str, line: str) -> None:
    assert one_line(text) == line


def test_long_text_is_cut_and_says_so() -> None:
    assert one_line("x" * 1000, 20) == "x" * 17 + "..."
    assert one_line("x" * 20, 20) == "x" * 20


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a|b", "a&#124;b"),
        ("<img src=x>", "&lt;img src=x&gt;"),
        ("`code`", "&#96;code&#96;"),
        ("[link](http://x)", "&#91;link&#93;(http://x)"),
        ("*bold* _it_ ~no~", "&#42;bold&#42; &#95;it&#95; &#126;no&#126;"),
        ("\\|", "&#92;&#124;"),
        ("&amp;", "&amp;amp;"),
    ],
)
def test_a_cell_holds_no_markup(text: str, shown: str) -> None:
    assert cell(text) == shown


def test_a_row_keeps_its_columns_whatever_stands_in_it() -> None:
    table = markdown_table(("a", "b"), [("x|y\nz", "<b>|`")])
    assert [line.count("|") for line in table.splitlines()] == [3, 3, 3]


def test_the_plain_table_is_aligned_and_its_last_column_may_be_long() -> None:
    lines = plain_table(("job", "why"), [("a", "w" * 300), ("longer", "x")])
    assert [line.index(mark) for line, mark in zip(lines, ("why", "w", "x"), strict=True)] == [8, 8, 8]
    assert lines[1].endswith("w" * 300)


def test_a_long_text_in_a_middle_column_is_cut() -> None:
    lines = plain_table(("job", "why"), [("j" * 500, "x")])
    assert lines[1] == "j" * 97 + "...  x"


def test_a_table_row_can_be_no_workflow_command() -> None:
    rows = plain_table(("job", "why"), [("x\n::stop-commands::t", "y\n::error::z")])
    assert not any(line.startswith("::") for line in rows)


def test_an_annotation_is_escaped_as_github_wants_it() -> None:
    line = annotation("error", "a: b, c 5%", "100%\n::error::second")
    assert line == "::error title=a%3A b%2C c 5%25::100%25 ::error::second"


def test_a_console_without_unicode_is_no_reason_to_fail() -> None:
    assert printable("Größe ✓", "ascii") == "Gr??e ?"
