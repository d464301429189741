"""Places and rows as they are written: what one edit adds, the other takes away."""

import json

import pytest

from generator.config.document import document_of
from generator.config.edit_periods import Period, let_off, switch_place_off
from generator.config.matrix_file import schema_text
from generator.config.places import excepted, leave_out, take_in
from generator.config.rest import put_to_rest, resting, wake
from generator.config.source import Source, source_of
from generator.config.splice import SpliceError
from generator.config.swap_rows import NoRowError, SwapEdit, swapped
from generator.config.tree import Tree
from generator.domain.coverage import Point
from unit.swap.small import TEXT

PLACE = ("mi35x", "r72")
ITEM = "{hardware: mi35x, lane: r72}"
HARDWARE = "    hardware: [mi30x, mi35x] # both\n"


def read(text: str) -> Tree:
    source = source_of(text.encode(), "matrix.yaml")
    assert isinstance(source, Source)
    tree = document_of(source, json.loads(schema_text()))
    assert isinstance(tree, Tree), tree
    return tree


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (HARDWARE, f"{HARDWARE}    except: [{ITEM}]\n"),
        (f"{HARDWARE}    except: [] # why\n", f"{HARDWARE}    except: [{ITEM}] # why\n"),
        (
            f"{HARDWARE}    except: [{{lane: r70}}] # why\n",
            f"{HARDWARE}    except: [{{lane: r70}}, {ITEM}] # why\n",
        ),
        (
            f"{HARDWARE}    except:\n      - lane: r70 # why\n",
            f"{HARDWARE}    except:\n      - lane: r70 # why\n      - {ITEM}\n",
        ),
        (f"{HARDWARE}    lanes: [r70, r72]\n", f"{HARDWARE}    lanes: [r70, r72]\n    except: [{ITEM}]\n"),
        (
            "    hardware:\n    - mi30x\n    - mi35x # two\n",
            f"    hardware:\n    - mi30x\n    - mi35x # two\n    except: [{ITEM}]\n",
        ),
    ],
)
def test_leaving_out_and_taking_in_undo_each_other(before: str, after: str) -> None:
    text, longer = TEXT.replace(HARDWARE, before), TEXT.replace(HARDWARE, after)

    left = leave_out(read(text), "old", [PLACE])

    assert left.source.text == longer
    assert excepted(left, "old") == (PLACE,)
    assert take_in(left, "old", [PLACE]).source.text == text


def test_a_comment_behind_an_exception_stays_when_the_place_is_taken_in() -> None:
    tree = read(TEXT.replace(HARDWARE, f"{HARDWARE}    except: [{ITEM}] # the newer one is there\n"))

    assert "    except: [] # the newer one is there\n" in take_in(tree, "old", [PLACE]).source.text


def test_a_place_that_is_not_left_out_cannot_be_taken_in() -> None:
    with pytest.raises(LookupError):
        take_in(read(TEXT), "old", [PLACE])


def test_a_row_whose_hardware_comes_by_a_merge_is_refused() -> None:
    text = TEXT.replace(
        "cells:\n", "cells:\n  base: &base\n    hardware: [mi30x]\n    lanes: [r70]\n    checks: {}\n"
    )
    text = text.replace(HARDWARE, "    <<: *base\n")

    with pytest.raises(SpliceError, match="not by a merge"):
        leave_out(read(text), "old", [PLACE])


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_row_rests_in_its_place_and_wakes_unchanged(newline: str) -> None:
    tree = read(TEXT.replace("\n", newline))

    asleep = put_to_rest(tree, "old")
    (row,) = resting(asleep)

    assert (row.key, row.model) == ("old", "old")
    assert f"#:  old:{newline}#:    model: old{newline}" in asleep.source.text
    assert wake(asleep, row).source.data == tree.source.data


def test_two_rows_that_rest_side_by_side_wake_one_by_one() -> None:
    text = TEXT.replace("\n\n  # The last one.\n  tests:", "\n  tests:")
    tree = read(
        text + "  third:\n    hardware: [mi30x]\n    checks: {tests: {suite: t, per_file_timeout_s: 60}}\n"
    )
    asleep = put_to_rest(put_to_rest(tree, "old"), "tests")

    first, second = resting(asleep)

    assert (first.key, second.key) == ("old", "tests")
    assert resting(wake(asleep, second))[0].key == "old"
    assert wake(wake(asleep, second), first).source.text == tree.source.text


def test_a_row_that_others_refer_to_cannot_rest() -> None:
    text = TEXT.replace("    checks:\n      accuracy: {", "    checks: &shared\n      accuracy: {")
    text += "  third:\n    hardware: [mi30x]\n    checks: *shared\n"

    with pytest.raises(SpliceError, match="would break the file"):
        put_to_rest(read(text), "old")


@pytest.mark.parametrize(
    "comment", ["#: a sentence", "#:", "#:  - a list", "#:  old: {hardware: [mi30x]}", "#:  x: ["]
)
def test_comments_that_are_no_row_do_not_rest(comment: str) -> None:
    assert resting(read(TEXT + comment + "\n")) == ()


def test_a_waiver_that_is_there_gets_the_new_reason_and_day() -> None:
    point = Point("line", "gfx950", "r72", "accuracy")
    once = let_off(read(TEXT), [point], Period(because="first", until="2030-01-01"))

    twice = let_off(once, [point], Period(because="second", until="2030-02-01"))

    assert twice.source.text == once.source.text.replace("first", "second").replace(
        "2030-01-01", "2030-02-01"
    )


def test_without_coverage_a_waiver_makes_the_entry() -> None:
    text = TEXT[: TEXT.index("coverage:")] + TEXT[TEXT.index("cells:") :]

    changed = let_off(
        read(text), [Point("line", "gfx950", "r72", "accuracy")], Period(because="a", until="2030-01-01")
    )

    assert changed.source.text.startswith(text)
    assert "\ncoverage:\n  waivers:\n    - {family: line, isa: gfx950" in changed.source.text


def test_a_resting_row_of_more_places_than_are_asked_for_sleeps_on() -> None:
    bare = "  bare:\n    model: bare\n    hardware: [mi30x, mi35x]\n    lanes: [r72]\n"
    tree = read(TEXT + bare + "    checks: {accuracy: {suite: b, per_file_timeout_s: 60}}\n")
    asleep = put_to_rest(tree, "bare")

    with pytest.raises(NoRowError):
        swapped(asleep, SwapEdit(old="old", new="bare", places=(PLACE,)))

    both = (("mi30x", "r72"), PLACE)
    assert "  bare:\n    model: bare\n" in swapped(
        asleep, SwapEdit(old="old", new="bare", places=both)
    ).source.text.replace("#:  bare", "asleep")


def test_an_override_that_a_later_one_wins_against_is_not_the_one_to_change() -> None:
    where = "for: {hardware: mi35x, lane: r72}"
    first = f'      - {{{where}, disabled: {{because: "first", until: "2030-01-01"}}}}\n'
    later = '      - {for: {lane: r72}, disabled: {because: "later", until: "2030-02-01"}}\n'
    tree = read(TEXT.replace(HARDWARE, f"{HARDWARE}    overrides:\n{first}{later}"))

    changed = switch_place_off(tree, "old", PLACE, Period(because="now", until="2030-03-01"))

    item = f'      - {{{where}, disabled: {{because: "now", until: "2030-03-01"}}}}\n'
    assert f"{first}{later}{item}" in changed.source.text
