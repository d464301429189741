import re
from itertools import pairwise
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.report.alignment import align
from generator.report.colour import Colour
from generator.report.difference import Side, unified_difference


def difference(old: str, new: str, colour: Colour = Colour.PLAIN, lines_maximum: int = 200) -> str:
    return unified_difference(
        Side(label="committed", text=old), Side(label="rendered", text=new), colour, lines_maximum
    )


HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@")


def patched(old: str, diff: str) -> str:
    """The old text with the diff applied, as `patch` would."""
    source = re.findall(r"[^\n]*\n|[^\n]+", old)
    result: list[str] = []
    at = 0
    in_new = True
    for line in diff.split("\n")[2:-1]:
        if match := HUNK.fullmatch(line):
            start = int(match[1]) - (match[2] != "0")
            result += source[at:start]
            at = start
        elif line.startswith("\\"):
            result[-1:] = [line.removesuffix("\n") if in_new else line for line in result[-1:]]
        else:
            in_new = line[0] != "-"
            at += line[0] != "+"
            if in_new:
                result.append(f"{line[1:]}\n")
    return "".join(result + source[at:])


LINES = st.lists(st.sampled_from(["a", "b", "c", "steps:"]), max_size=40)


def test_the_same_text_has_no_difference() -> None:
    assert difference("a\n", "a\n") == ""


def test_a_changed_line_is_shown_with_three_lines_around_it() -> None:
    old = "".join(f"{number}\n" for number in range(1, 10))
    assert difference(old, old.replace("5", "five")) == (
        "--- committed\n+++ rendered\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"
    )


def test_far_differences_have_hunks_of_their_own_and_close_ones_share_one() -> None:
    old = [str(number) for number in range(30)]
    far = "\n".join("x" if line in {"3", "25"} else line for line in old)
    close = "\n".join("x" if line in {"3", "9"} else line for line in old)
    assert difference("\n".join(old), far).count("@@ -") == 2
    assert difference("\n".join(old), close).count("@@ -") == 1


def test_a_missing_last_newline_is_said() -> None:
    assert difference("a\n", "a") == (
        "--- committed\n+++ rendered\n@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n"
    )


def test_a_carriage_return_shows() -> None:
    assert "-a\\r\n+a\n" in difference("a\r\n", "a\n")


def test_a_text_that_was_empty_starts_at_line_zero() -> None:
    assert "@@ -0,0 +1,2 @@\n+a\n+b\n" in difference("", "a\nb\n")


def test_colour_follows_the_first_character() -> None:
    coloured = difference("a\nb\n", "a\nc\n", Colour.ANSI)
    assert "\x1b[31m-b\x1b[0m\n\x1b[32m+c\x1b[0m\n" in coloured
    assert "\n a\n" in coloured


def test_a_long_difference_is_cut_and_says_so() -> None:
    diff = difference("a\n" * 50, "b\n" * 50, lines_maximum=10)
    assert len(diff.splitlines()) == 13
    assert diff.endswith("(cut after 10 lines; there is more)\n")


def test_a_difference_that_just_fits_is_not_cut() -> None:
    assert "cut" not in difference("a\n", "b\n", lines_maximum=3)
    assert "cut after 2 lines" in difference("a\n", "b\n", lines_maximum=2)


def test_a_long_line_is_cut_to_where_it_differs() -> None:
    old = "needs: [" + ", ".join(f"job-{number}" for number in range(2_000)) + "]\n"
    removed, added = difference(old, old.replace("job-1500", "job-x")).splitlines()[3:]
    assert "job-1500" in removed
    assert "job-x" in added
    assert len(removed) < 310
    assert removed.startswith("-…")
    assert removed.endswith("…")


def test_differences_at_both_ends_of_a_long_file_are_both_found() -> None:
    lines = [f"  line {number}" for number in range(9_000)]
    new = ["first", *lines, "last"]
    diff = difference("\n".join(lines), "\n".join(new))
    assert "+first" in diff
    assert "+last" in diff
    assert diff.count("@@ -") == 2
    assert diff.count("\n+") == 4  # the head, both lines, and the old last line, which now has a newline


def test_a_window_that_ends_amid_equal_lines_makes_no_difference_of_it() -> None:
    old = [f"line {number}" for number in range(5_000)]
    new = [f"line {number}" for number in range(1, 5_000)]
    assert [stretch.old for stretch in align(old, new) if not stretch.same] == [range(1)]


@pytest.mark.parametrize("kinds", [1, 2, 11, 199, 5_000])
def test_bad_input_of_many_megabytes_is_quick(kinds: int) -> None:
    old = "".join(f"{number % kinds} {'x' * 60}\n" for number in range(500_000))
    new = "".join(f"{number * 7 % (kinds + 1)} {'x' * 60}\n" for number in range(500_000))
    start_s = perf_counter()
    assert len(difference(old, new)) < 100_000
    assert perf_counter() - start_s < 30  # seconds, not the hours of a quadratic algorithm


@given(LINES, LINES, st.sampled_from(["", "\n"]), st.sampled_from(["", "\n"]))
def test_the_difference_leads_from_the_old_text_to_the_new(
    old: list[str], new: list[str], old_end: str, new_end: str
) -> None:
    old_text, new_text = "\n".join(old) + old_end, "\n".join(new) + new_end
    diff = difference(old_text, new_text)
    assert (patched(old_text, diff) if diff else old_text) == new_text


@given(LINES, LINES, st.integers(1, 700))
def test_stretches_cover_both_texts_in_turn(old: list[str], new: list[str], times: int) -> None:
    long_old, long_new = old * (times // 10 + 1), new * (times // 10 + 1)
    stretches = list(align(long_old, long_new))
    at_old = at_new = 0
    for stretch in stretches:
        assert (stretch.old.start, stretch.new.start) == (at_old, at_new)
        if stretch.same:
            assert long_old[at_old : stretch.old.stop] == long_new[at_new : stretch.new.stop]
        at_old, at_new = stretch.old.stop, stretch.new.stop
    assert (at_old, at_new) == (len(long_old), len(long_new))
    assert all(not (one.same and two.same) for one, two in pairwise(stretches))
