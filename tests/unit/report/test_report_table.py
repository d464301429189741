import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.report.colour import Colour
from generator.report.table import Align, Column, render_table
from generator.report.visible import display_width

JOB = Column(heading="job")
MINUTES = Column(heading="minutes", align=Align.RIGHT)


def test_columns_are_as_wide_as_their_widest_text() -> None:
    assert render_table((JOB, MINUTES), [("kimi", "90"), ("deepseek-v3", "1300")], Colour.PLAIN) == (
        "job          minutes\nkimi              90\ndeepseek-v3     1300\n"
    )


def test_no_line_ends_in_blanks() -> None:
    table = render_table((JOB, Column(heading="why")), [("a", ""), ("b", "because")], Colour.PLAIN)
    assert table == "job  why\na\nb    because\n"


def test_wide_characters_and_marks_keep_the_columns_straight() -> None:
    rows = [("模型", "1"), ("cafe\u0301", "2"), ("\u26a0\ufe0f", "3"), ("\U0001f468\u200d\U0001f4bb", "4")]
    table = render_table((Column(heading="name"), Column(heading="n")), rows, Colour.PLAIN)
    assert table == "name  n\n模型  1\ncafe\u0301  2\n\u26a0\ufe0f    3\n\U0001f468\u200d\U0001f4bb    4\n"


def test_a_cell_cannot_break_its_line() -> None:
    assert render_table((JOB,), [("a\nb\x1b[31m\t",)], Colour.PLAIN) == "job\na\\nb\\x1b[31m\\t\n"


def test_only_the_headings_are_coloured() -> None:
    assert render_table((JOB, MINUTES), [("a", "1")], Colour.ANSI) == (
        "\x1b[1mjob  minutes\x1b[0m\na          1\n"
    )


def test_a_table_of_nothing() -> None:
    assert render_table((JOB, MINUTES), [], Colour.PLAIN) == "job  minutes\n"
    assert render_table((), [], Colour.PLAIN) == ""


@pytest.mark.parametrize("row", [(), ("a",), ("a", "b", "c")])
def test_a_row_of_another_length_is_the_callers_mistake(row: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=f"row 2 has {len(row)} cells, the table has 2 columns"):
        render_table((JOB, MINUTES), [("a", "1"), row], Colour.PLAIN)


@given(st.lists(st.tuples(st.text(), st.text(alphabet="0123456789", min_size=1)), max_size=8))
def test_a_right_column_always_ends_at_the_same_place(rows: list[tuple[str, str]]) -> None:
    lines = render_table((JOB, MINUTES), rows, Colour.PLAIN).split("\n")[:-1]
    assert len(lines) == len(rows) + 1
    assert len({display_width(line) for line in lines}) == 1
