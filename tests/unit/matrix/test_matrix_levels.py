"""Five levels and the overrides say a value: the narrowest wins, and each knows who said it and where."""

import json
from pathlib import Path

import pytest

from generator.cli.explain_command import explain
from generator.cli.options import ListFormat
from generator.cli.session import Session
from generator.domain.exit_code import ExitCode
from generator.domain.matrix import Matrix
from generator.domain.setting import Level
from unit.matrix.small import cell, changed, location, matrix

ROW = "  accuracy:\n    model: old\n"

# Where each level says how many minutes a job may take, from the widest to the narrowest.
SAYS = {
    Level.MATRIX: ("defaults:\n", "defaults:\n  job_timeout_minutes: 101\n"),
    Level.LANE: ("[small, new, large]}", "[small, new, large], defaults: {job_timeout_minutes: 102}}"),
    Level.HARDWARE: ("MI325X: 256}}", "MI325X: 256}, defaults: {job_timeout_minutes: 103}}"),
    Level.MODEL: ("quantization: bf16}", "quantization: bf16, defaults: {job_timeout_minutes: 104}}"),
    Level.CELL: (ROW, ROW + "    job_timeout_minutes: 105\n"),
    Level.OVERRIDE: (
        "per_file_timeout_s: 600}\n",
        "per_file_timeout_s: 600}\n    overrides: [{for: {lane: rocm700}, job_timeout_minutes: 106}]\n",
    ),
}
LEVELS = list(Level)


@pytest.mark.parametrize("narrowest", LEVELS)
def test_the_narrowest_level_that_speaks_wins(narrowest: Level) -> None:
    speaking = [SAYS[level] for level in LEVELS[: LEVELS.index(narrowest) + 1]]

    found = cell(matrix(*speaking))

    assert found.job_timeout_minutes == 101 + LEVELS.index(narrowest)
    setting = found.settings["job_timeout_minutes"]
    text = changed(*speaking)
    assert setting.level is narrowest
    assert str(setting.location) == location(text, text.index(str(found.job_timeout_minutes)))


def test_a_level_speaks_for_its_own_cells_only() -> None:
    found = matrix(*SAYS.values(), ("hardware: [mi30x]\n", "hardware: [mi30x, mi35x]\n"))

    minutes = {(each.hardware.key, each.lane.key): each.job_timeout_minutes for each in found.cells}
    assert minutes == {
        ("mi30x", "rocm700"): 106,
        ("mi30x", "rocm720"): 105,
        ("mi35x", "rocm700"): 106,
        ("mi35x", "rocm720"): 105,
    }


def test_mappings_are_merged_key_by_key_and_lists_are_replaced() -> None:
    found = cell(
        matrix(
            ("  FAST: {read_by: server}\n", "  FAST: {read_by: server}\n  DEEP: {read_by: server}\n"),
            ("defaults:\n", 'defaults:\n  env: {FAST: "1", DEEP: "1"}\n  options: [cache]\n'),
            (ROW, ROW + '    env: {DEEP: "2"}\n    options: []\n'),
        )
    )

    assert found.env == {"FAST": "1", "DEEP": "2"}
    assert found.options == frozenset()


def test_defaults_of_a_kind_reach_every_check_of_that_kind_whatever_it_is_called() -> None:
    defaults = "  checks: {accuracy: {gate: 0.5, advisory: true}, suite: {launches: 3}}\n"
    two = (
        "slow: {check: accuracy, suite: a, per_file_timeout_s: 600}\n"
        "      unit: {suite: b, per_file_timeout_s: 600}"
    )
    check = "accuracy: {suite: accuracy, gate: 0.9, per_file_timeout_s: 600}"

    found = cell(matrix(("defaults:\n", "defaults:\n" + defaults), (check, two)))

    assert [(each.key, each.kind.value, each.gate) for each in found.checks] == [
        ("slow", "accuracy", 0.5),
        ("unit", "suite", 0.0),
    ]
    assert found.settings["checks.slow.gate"].level is Level.MATRIX
    assert found.settings["checks.unit.launches"].value == 3


def test_the_last_override_that_fits_wins_and_one_that_does_not_fit_says_nothing() -> None:
    found = matrix(
        (
            ROW,
            ROW + "    overrides:\n"
            "      - {for: {hardware: mi30x}, gpus: 1}\n"
            "      - {for: {lane: rocm720}, gpus: 2}\n"
            "      - {for: {hardware: mi35x}, gpus: 4}\n",
        ),
    )

    assert [(each.lane.key, each.gpus, each.pool.key) for each in found.cells] == [
        ("rocm700", 1, "small"),
        ("rocm720", 2, "small"),
    ]


def test_an_override_may_add_a_check() -> None:
    more = "{for: {lane: rocm720}, checks: {performance: {suite: p, per_file_timeout_s: 60}}}"

    found = matrix((ROW, f"{ROW}    overrides: [{more}]\n"))

    assert [[check.key for check in each.checks] for each in found.cells] == [
        ["accuracy"],
        ["accuracy", "performance"],
    ]


def test_false_takes_an_option_of_the_server_back() -> None:
    found = cell(
        matrix(
            ("defaults:\n", "defaults:\n  server: {engine: vllm, arguments: {tp: 8, fast: true, seed: 1}}\n"),
            ("suite: accuracy, gate", "gate"),
            (ROW, ROW + "    server: {arguments: {fast: false, seed: '0x1'}}\n"),
        )
    )

    assert found.server is not None
    assert found.server.arguments == ("--tp", "8", "--seed", "0x1")


def test_except_leaves_out_what_fits_all_that_it_says() -> None:
    found = matrix(
        ("hardware: [mi30x]\n", "hardware: [mi30x, mi35x]\n    except: [{hardware: mi35x, lane: rocm700}]\n")
    )

    assert [(each.hardware.key, each.lane.key) for each in found.cells] == [
        ("mi30x", "rocm700"),
        ("mi30x", "rocm720"),
        ("mi35x", "rocm720"),
    ]


LIKE = (
    "variables:\n",
    "  rocm724: {title: ROCm 7.2.4, workflow: nightly, like: rocm720, pools: [new]}\nvariables:\n",
)


def test_a_lane_that_is_like_another_takes_over_its_rows_defaults_and_overrides() -> None:
    found = matrix(
        LIKE,
        ("nightly, pools: [small, large, new]}", "nightly, pools: [small, large, new], defaults: {gpus: 4}}"),
        (
            ROW,
            ROW + "    lanes: [rocm720]\n    overrides: [{for: {lane: rocm720}, job_timeout_minutes: 99}]\n",
        ),
        ("hardware: [mi30x]\n", "hardware: [mi30x, mi35x]\n"),
    )

    # It has no pool of mi30x, so it takes over what it has the machines for.
    assert [(each.hardware.key, each.lane.key) for each in found.cells] == [
        ("mi30x", "rocm720"),
        ("mi35x", "rocm720"),
        ("mi35x", "rocm724"),
    ]
    assert {(each.gpus, each.job_timeout_minutes) for each in found.cells} == {(4, 99)}


def test_what_the_lane_says_itself_beats_what_it_is_like() -> None:
    found = matrix(
        (LIKE[0], LIKE[1].replace("pools: [new]", "pools: [new], defaults: {gpus: 1}")),
        ("nightly, pools: [small, large, new]}", "nightly, pools: [small, large, new], defaults: {gpus: 4}}"),
        ("hardware: [mi30x]\n", "hardware: [mi35x]\n"),
    )

    assert [(each.lane.key, each.gpus) for each in found.cells] == [
        ("rocm700", 8),
        ("rocm720", 4),
        ("rocm724", 1),
    ]


def test_a_whole_number_may_be_written_with_a_fraction_of_nothing() -> None:
    found = cell(matrix(("MI300X: 192,", "MI300X: 192.0,"), ("gpus: 8\n  site", "gpus: 8.0\n  site")))

    assert found.gpus == 8
    assert found.hardware.hbm_gb == 192


def test_explain_shows_each_value_with_the_place_that_it_came_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = changed(*SAYS.values())
    (tmp_path / "matrix.yaml").write_text(text)

    code = explain(
        Session(matrix=tmp_path / "matrix.yaml"), "nightly-8-gpu-mi30x-accuracy-rocm700", ListFormat.JSON
    )

    told = json.loads(capsys.readouterr().out)
    by_path = {value["path"]: value for value in told["values"]}
    assert code is ExitCode.FINE
    lines = text.split("\n")
    for path, level, line in (
        ("job_timeout_minutes", "override", "overrides: [{for"),
        ("checks.accuracy.gate", "cell", "gate: 0.9"),
        ("suite_command", "matrix", "suite_command"),
        ("gpus", "matrix", "gpus: 8"),
        ("model", "cell", "old: {family"),
        ("runner", "pool", "large: {label"),
        ("lane", "cell", "rocm700: {title"),
    ):
        file, number, _ = by_path[path]["at"].split(":")
        assert by_path[path]["level"] == level
        assert file == "matrix.yaml"
        assert line in lines[int(number) - 1], path
    assert told["limits"][-1] == {"name": "job", "minutes": 106, "because": "as the matrix says"}


def test_two_lanes_go_to_one_file_or_to_two() -> None:
    one = matrix()
    two = matrix(
        ("workflows:\n", "workflows:\n  second: {name: Second}\n"),
        ('"7.2"}, workflow: nightly', '"7.2"}, workflow: second'),
    )

    assert {each.workflow for each in one.lanes} == {"nightly"}
    assert [each.workflow for each in two.lanes] == ["nightly", "second"]


def test_the_narrowest_that_turns_a_cell_off_gives_the_reason() -> None:
    off = "disabled: {{because: {}, until: '2999-12-31'}}".format
    pool = ("product: MI325X, gpus: 8", f"product: MI325X, gpus: 8, {off('the pool')}")
    row = (ROW, f"{ROW}    {off('the row')}\n")
    overrides = f"    overrides: [{{for: {{lane: rocm720}}, {off('the override')}}}]\n"

    by_pool = matrix(pool)
    by_row = matrix(pool, row)
    by_override = matrix(pool, (ROW, row[1] + overrides))

    assert reasons(by_pool) == ["the pool", "the pool"]
    assert reasons(by_row) == ["the row", "the row"]
    assert reasons(by_override) == ["the row", "the override"]
    assert reasons(matrix()) == ["", ""]


def reasons(found: Matrix) -> list[str]:
    return ["" if each.disabled is None else each.disabled.because for each in found.cells]


def test_the_name_of_hardware_stands_for_itself_in_a_tag() -> None:
    image = "image: {repository: o/i, tag: 'v-{hardware}-(?P<date>\\d{8})', max_age_days: 3}"
    found = matrix(
        ("  mi35x: {title", "  mi35.x: {title"),
        ("hardware: mi35x, gpus", "hardware: mi35.x, gpus"),
        ("[small, new, large]}", f"[small, new, large], {image}}}"),
    )

    (lane, _) = found.lanes
    assert {key: line.tag for key, line in lane.images} == {
        "mi30x": "v-mi30x-(?P<date>\\d{8})",
        "mi35.x": "v-mi35\\.x-(?P<date>\\d{8})",
    }
