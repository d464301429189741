"""Everything that can be wrong with the names and values of a matrix: its exact words, and its place.

Single mistakes stand in errors.yaml; here is what several of them come to.
"""

import re
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from generator.domain.matrix import Matrix
from unit.matrix.small import BASE, changed, location, read, said

WRONG: dict[str, dict[str, str]] = YAML(typ="safe").load(Path(__file__).with_name("errors.yaml"))


def test_the_base_is_right() -> None:
    assert isinstance(read(BASE), Matrix)


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG.keys())
def test_it_is_named_with_its_place_and_nothing_else_is(wrong: dict[str, str]) -> None:
    text = changed((wrong["old"], wrong["new"]))
    at = text.find(wrong["at"], text.index(wrong["new"]))

    lines = said(text)

    place = location(text, at if at >= 0 else text.index(wrong["at"]))
    assert f"{place}: {wrong['says']} | {wrong['help']}" in lines
    # What several lanes share is said of each of them, in the same words.
    assert len({re.sub(r"^m.yaml:[0-9:]+|rocm700|rocm720", "", line) for line in lines}) == 1


def test_all_is_said_in_one_go_and_in_the_order_of_the_file() -> None:
    text = changed(
        ("model: old", "model: odl"),
        ("native: [gfx950]", "native: [gfx951]"),
        ("site: bare", "site: beer"),
        ('"30 17 * * *"', '"30 25 * * *"'),
    ) + (
        "  other: {hardware: [mi35x], after: [accuracy, othr], gpus: 9, checks: "
        "{tests: {suite: it, per_file_timeout_s: 60}, begin: {suite: it, per_file_timeout_s: 60}}}\n"
    )

    lines = said(text)

    assert [line.split(": ")[1] for line in lines] == [
        "unknown-name",  # the ISA
        "wrong-value",  # the schedule
        "unknown-name",  # the site
        "unknown-name",  # the model
        "unknown-name",  # the row to wait for
        "no-pool",  # in rocm700
        "no-pool",  # in rocm720
    ]


def test_who_names_something_that_is_wrong_itself_is_not_told_that_it_is_not_there() -> None:
    text = changed(("title: MI30x, isa: gfx942", "title: MI30x, isa: gfx924"))

    # Pools, lanes and rows name this hardware.
    assert [line.split(": ")[2].split(" |")[0] for line in said(text)] == ["there is no ISA `gfx924`"]


def test_two_problems_of_the_schema_come_before_any_name_is_looked_up() -> None:
    text = changed(("model: old", "model: odl"), ("gpus: 2", "gpus: two"), ("family: line", "famly: line"))

    ids = [line.split(": ")[1] for line in said(text)]

    assert sorted(ids) == ["missing-key", "unknown-key", "wrong-type"]


def test_an_error_in_a_row_with_two_lanes_is_said_once_where_it_reads_the_same() -> None:
    text = changed(("gate: 0.9,", 'gate: 0.9, env: {FAT: "1"},'))

    assert len(said(text)) == 1


@pytest.mark.parametrize(
    "line",
    [
        "30 17 * * *",
        "*/15 0-6 1,15 jan-mar MON-FRI",
        "0 0 31 12 6",
        "5 4 * * sun",
        "0/15 1 * * *",
        "0 0 * DEC 0",
    ],
)
def test_a_cron_line_that_github_takes(line: str) -> None:
    assert isinstance(read(changed(("30 17 * * *", line))), Matrix)


@pytest.mark.parametrize(
    "line",
    ["0 24 * * *", "0 0 0 * *", "0 0 * 13 *", "0 0 * * 7", "0 9-5 * * *", "*/0 * * * *", "0 0 * * funday",
     "0 0 * jan,foo *", "- 0 * * *", "1-2-3 0 * * *", "*/99 0 * * *"],
)  # fmt: skip
def test_a_cron_line_that_github_rejects(line: str) -> None:
    assert "this is no cron line" in said(changed(("30 17 * * *", line)))[0]


SECOND = "  second: {{hardware: [{hardware}], after: [accuracy], checks: {checks}}}\n"
TESTS = "{tests: {suite: it, per_file_timeout_s: 60}}"


def test_who_waits_for_a_row_that_is_wrong_itself_is_not_told_that_it_is_not_there() -> None:
    text = changed(("model: old", "model: odl")) + SECOND.format(hardware="mi30x", checks=TESTS)

    assert [line.split(": ")[2].split(" |")[0] for line in said(text)] == ["there is no model `odl`"]


def test_a_row_that_waits_where_the_other_is_not_tested() -> None:
    text = BASE + SECOND.format(hardware="mi35x", checks=TESTS)

    place = location(text, text.index("accuracy], checks"))
    assert said(text) == [
        f"{place}: chain-without-partner: `second` waits for `accuracy`, which is not tested on mi35x in "
        f"lane `{lane}` | Add that cell, or leave the wait out."
        for lane in ("rocm700", "rocm720")
    ]


def test_rows_that_wait_for_each_other_by_way_of_a_third() -> None:
    third = "  third: {hardware: [mi30x], after: [second], checks: " + TESTS + "}\n"
    waiting = ("    model: old\n", "    model: old\n    after: [third]\n")
    text = changed(waiting) + SECOND.format(hardware="mi30x", checks=TESTS) + third

    circles = [line.split(": ", 1)[1].split(" |")[0] for line in said(text)]

    assert circles == [
        "chain-circle: `accuracy` waits for `third`, which waits for `accuracy`",
        "chain-circle: `second` waits for `accuracy`, which waits for `second`",
        "chain-circle: `third` waits for `second`, which waits for `third`",
    ]


def test_lanes_that_are_like_each_other() -> None:
    text = changed(
        ("[small, new, large]}", "[small, new, large], like: rocm720}"),
        ("[small, large, new]}", "[small, large, new], like: rocm700}"),
    )

    assert [line.split(": ", 1)[1].split(" |")[0] for line in said(text)] == [
        "lane-circle: lane `rocm720` is like itself, by way of rocm720 → rocm700 → rocm720",
        "lane-circle: lane `rocm700` is like itself, by way of rocm700 → rocm720 → rocm700",
    ]


@pytest.mark.parametrize("name", ["PYTHONPATH", "Continue_On_Error", "RUNNER_TEMP", "github_sha"])
def test_a_variable_that_a_job_has_already(name: str) -> None:
    harness = ("pins:\n", f"harness: {{repository: owner/nightgrid, commit: {'a' * 40}}}\npins:\n")

    (line,) = said(changed(harness, ("  FAST: {read", f"  {name}: {{read")))

    assert f"wrong-value: the variable `{name}` is set by " in line


def test_where_the_harness_lies_in_the_tree_its_path_is_free() -> None:
    assert isinstance(read(changed(("  FAST: {read", "  PYTHONPATH: {read"))), Matrix)


def test_a_step_that_a_cell_does_not_ask_for_takes_no_name() -> None:
    text = changed(("      accuracy: {suite", "      cache: {suite"), ("gate: 0.9, ", ""))

    assert isinstance(read(text), Matrix)


def test_checks_that_differ_in_case_alone_are_one_step_to_github() -> None:
    more = ", per_file_timeout_s: 600}\n      Accuracy: {suite: it, per_file_timeout_s: 600}"
    text = changed((", per_file_timeout_s: 600}", more))

    (line,) = said(text)

    assert "duplicate-step: the check `Accuracy` becomes a step, and its id is taken" in line


def test_a_row_that_is_wrong_itself_may_still_be_the_one_that_was_meant() -> None:
    text = changed(("title: MI30x, isa: gfx942", "title: MI30x, isa: gfx924"), ("[mi30x]\n", "[mi30]\n"))

    assert "there is no hardware `mi30` | did you mean `mi30x`? valid: mi35x, mi30x" in said(text)[-1]


def test_an_expression_that_aliases_repeat_is_said_where_it_is_written() -> None:
    text = changed(
        ("title: MI30x,", 'title: &shared "${{ github.token }}",'),
        ("title: MI35x,", "title: *shared,"),
    )

    assert [line.split(": ")[0] for line in said(text)] == [location(text, text.index("&shared"))]
