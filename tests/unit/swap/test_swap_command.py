"""nightgrid swap on a small matrix: what it says, what it writes, and when it refuses."""

import json
import multiprocessing
import os
from dataclasses import replace
from pathlib import Path

import pytest

from generator.cli.options import ListFormat
from generator.cli.swap_command import Asked, Doing
from generator.domain.exit_code import ExitCode
from generator.outside.problem import OutsideError
from unit.swap.small import TEXT, Place

ASKED = Asked(old="old", new="new")
WRITE = replace(ASKED, doing=Doing.WRITE)
REFUSED = "new is mxfp4, which does not run on gfx942: the server registers it on gfx95x alone"
BARE = "    checks: {accuracy: {suite: b, per_file_timeout_s: 60}}\n"
MOVED = TEXT.replace(
    "    hardware: [mi30x, mi35x] # both\n",
    "    hardware: [mi30x, mi35x] # both\n    except: [{hardware: mi35x, lane: r72}]\n",
).replace(
    "per_file_timeout_s: 3600}\n\n  # The last",
    'per_file_timeout_s: 3600}\n\n  new:\n    model: new\n    section: "8-GPU New (MI35x)"\n'
    "    hardware: [mi35x]\n    lanes: [r72]\n    checks: {accuracy: {}}\n\n  # The last",
)


def test_each_cell_moves_or_stays_for_a_reason(tmp_path: Path) -> None:
    told = Place.of(tmp_path).swap(ASKED)

    rows = [" ".join(line.split()) for line in told.out.splitlines()[:5]]
    assert told.code is ExitCode.FINE
    assert rows == [
        "ROW HARDWARE LANE IT BECAUSE",
        f"old mi30x r70 stays {REFUSED}",
        f"old mi30x r72 stays {REFUSED}",
        "old mi35x r70 stays new needs rocm 7.2, and r70 has 7.0",
        "old mi35x r72 moves",
    ]


def test_coverage_limits_and_hours_are_shown_before_and_after(tmp_path: Path) -> None:
    told = Place.of(tmp_path).swap(replace(ASKED, format=ListFormat.JSON))

    data = json.loads(told.out)
    assert data["coverage"][-1] == {
        "point": "line on gfx950 in r72: accuracy",
        "before": ["old"],
        "after": ["new"],
    }
    jobs = {each["job"]: (each["minutes_before"], each["minutes_after"]) for each in data["limits"]}
    assert jobs["nightly-8-gpu-mi35x-old-r72"][1] == 0
    assert jobs["nightly-8-gpu-mi35x-new-r72"][0] == 0
    assert data["lost"] == data["uncovered"] == []
    difference = sum(after - before for before, after in jobs.values()) * 8 / 60
    assert data["gpu_hours_after"] - data["gpu_hours_before"] == pytest.approx(difference, abs=0.11)


def test_looking_writes_nothing(tmp_path: Path) -> None:
    place = Place.of(tmp_path)

    place.swap(ASKED)

    assert place.text == TEXT
    assert [path.name for path in tmp_path.iterdir()] == ["matrix.yaml"]


def test_writing_changes_those_lines_alone_and_renders(tmp_path: Path) -> None:
    place = Place.of(tmp_path)

    told = place.swap(WRITE)

    assert told.code is ExitCode.FINE
    assert place.text == MOVED
    assert "nightly-8-gpu-mi35x-new-r72" in place.workflow
    assert "nightly-8-gpu-mi35x-old-r72" not in place.workflow


def test_the_way_back_restores_matrix_and_workflow(tmp_path: Path) -> None:
    place = Place.of(tmp_path)
    place.swap(WRITE)

    told = place.swap(Asked(old="new", new="old", doing=Doing.WRITE))

    assert told.code is ExitCode.FINE
    assert place.text == TEXT
    assert "nightly-8-gpu-mi35x-old-r72" in place.workflow


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_line_ends_stay_what_they_are(tmp_path: Path, newline: str) -> None:
    place = Place.of(tmp_path, TEXT.replace("\n", newline))

    place.swap(WRITE)

    assert place.text == MOVED.replace("\n", newline)


def test_a_model_without_gate_of_its_own_needs_a_row(tmp_path: Path) -> None:
    place = Place.of(tmp_path)

    told = place.swap(replace(WRITE, new="bare", hardware="mi35x"))

    assert told.code is ExitCode.INVALID
    assert "no row tests `bare` on mi35x in r70, mi35x in r72, and its defaults hold no gate" in told.err
    assert '  bare:\n    model: bare\n    section: "8-GPU Bare (MI35x)"\n    hardware: [mi35x]\n' in told.err
    assert "gate: …" in told.err
    assert place.text == TEXT


def test_the_block_can_be_pasted_and_the_swap_made(tmp_path: Path) -> None:
    place = Place.of(tmp_path)
    asked = replace(WRITE, new="bare", hardware="mi35x")
    block = place.swap(asked).err.split("\n\n")[1]
    for value in ("0.7", "10", "5", "20"):
        block = block.replace("…", value, 1)
    place.matrix.write_text(TEXT + block.rstrip("\n") + "\n")

    told = place.swap(asked)

    assert told.code is ExitCode.FINE
    assert "except: [{hardware: mi35x, lane: r70}, {hardware: mi35x, lane: r72}]" in place.text
    assert "nightly-8-gpu-mi35x-bare-r70" in place.workflow


def test_a_row_on_that_hardware_is_given_the_lane(tmp_path: Path) -> None:
    row = f"  bare:\n    model: bare\n    hardware: [mi35x]\n    lanes: [r70] # so far\n{BARE}"
    old = "    except: [{hardware: mi35x, lane: r70}]\n    checks:\n      accuracy: {suite: accuracy-old"
    text = TEXT.replace("    checks:\n      accuracy: {suite: accuracy-old", old) + row
    place = Place.of(tmp_path, text)

    told = place.swap(replace(WRITE, new="bare", hardware="mi35x", lane="r72"))

    assert told.code is ExitCode.FINE
    assert "    lanes: [r70, r72] # so far\n" in place.text
    assert place.swap(Asked(old="bare", new="old", lane="r72", doing=Doing.WRITE)).code is ExitCode.FINE
    assert place.text == text


def test_a_row_without_places_rests_and_wakes(tmp_path: Path) -> None:
    place = Place.of(tmp_path)
    bare = f"  bare:\n    model: bare\n    hardware: [mi35x]\n    lanes: [r72]\n{BARE}"
    place.matrix.write_text(TEXT + bare)
    place.swap(replace(WRITE, new="bare", hardware="mi35x", lane="r72"))
    middle = place.text

    place.swap(Asked(old="bare", new="old", doing=Doing.WRITE))
    resting = place.text
    place.swap(replace(WRITE, new="bare", hardware="mi35x", lane="r72"))

    assert "#:  bare:\n#:    model: bare\n" in resting
    assert "except" not in resting
    assert place.text == middle


def test_weights_that_do_not_fit_stay_out(tmp_path: Path) -> None:
    told = Place.of(tmp_path).swap(replace(ASKED, new="huge"))

    assert told.code is ExitCode.NOTHING
    assert "huge has 2304 GB of weights, and 8 GPUs of MI355X have 2304 GB" in told.out
    assert told.err == "nothing can move\n"


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (replace(ASKED, old="odl"), "there is no model `odl`\nhelp: did you mean `old`?"),
        (replace(ASKED, new="newer"), "there is no model `newer`\nhelp: did you mean `new`?"),
        (replace(ASKED, hardware="mi3"), "there is no hardware `mi3`"),
        (replace(ASKED, lane="r7"), "there is no lane `r7`"),
        (replace(ASKED, new="old"), "`old` is on both sides"),
        (replace(ASKED, old="bare"), "no cell tests `bare`"),
        (replace(ASKED, until="2030-07-01"), "--because and --until belong to --waive"),
        (replace(ASKED, waive=("line/gfx950/r72",)), "`line/gfx950/r72` is no point"),
        (
            replace(ASKED, waive=("line/gfx950/r72/accuracy",)),
            "the swap does not lose `line/gfx950/r72/accuracy`",
        ),
    ],
)
def test_wrong_usage_is_said(tmp_path: Path, asked: Asked, words: str) -> None:
    told = Place.of(tmp_path).swap(asked)

    assert told.code is ExitCode.INVALID
    assert words in told.err


LOSING = TEXT.replace(
    "      accuracy: {suite: accuracy-old, gate: 0.9, per_file_timeout_s: 3600}\n",
    "      accuracy: {suite: accuracy-old, gate: 0.9, per_file_timeout_s: 3600}\n"
    "      performance: {suite: performance-old, per_file_timeout_s: 3600}\n",
) + ("  new:\n    model: new\n    hardware: [mi35x]\n    lanes: [r72]\n    checks: {accuracy: {}}\n")
POINT = "line/gfx950/r72/performance"
WAIVED = replace(WRITE, waive=(POINT,), because="measured by hand", until="2030-07-01")


def test_a_swap_that_loses_a_gate_is_not_written(tmp_path: Path) -> None:
    place = Place.of(tmp_path, LOSING)

    told = place.swap(WRITE)

    assert told.code is ExitCode.FINDINGS
    assert "error: nothing would test line on gfx950 in r72: performance\n" in told.err
    assert f"--waive {POINT}" in told.err
    assert place.text == LOSING


def test_a_waiver_with_reason_and_day_lets_it_through(tmp_path: Path) -> None:
    place = Place.of(tmp_path, LOSING.replace("checks: [accuracy]}", "checks: [accuracy, performance]}"))

    told = place.swap(WAIVED)

    point = "family: line, isa: gfx950, lane: r72, check: performance"
    waiver = f'    - {{{point}, because: "measured by hand", until: "2030-07-01"}}\n'
    assert told.code is ExitCode.FINE, told
    assert f"  waivers:\n{waiver}" in place.text
    assert "except: [{hardware: mi35x, lane: r72}]" in place.text


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (replace(WAIVED, because=""), "say why"),
        (replace(WAIVED, because="a\nb"), "one line of text"),
        (replace(WAIVED, until=""), "write --until YYYY-MM-DD"),
        (replace(WAIVED, until="2030-02-30"), "there is no day '2030-02-30'"),
        (replace(WAIVED, until="20300701"), "there is no day '20300701'"),
        (replace(WAIVED, until="2030-06-14"), "2030-06-14 is over"),
    ],
)
def test_a_waiver_without_reason_or_day_does_not(tmp_path: Path, asked: Asked, words: str) -> None:
    place = Place.of(tmp_path, LOSING)

    told = place.swap(asked)

    assert told.code is ExitCode.INVALID
    assert words in told.err
    assert place.text == LOSING


def test_a_lane_that_is_like_another_is_not_swapped_in_passing(tmp_path: Path) -> None:
    more = (
        "  r73: {title: Next, software: {rocm: '7.3'}, workflow: nightly, like: r72, pools: [mi30x, mi35x]}\n"
    )
    place = Place.of(tmp_path, TEXT.replace("models:\n", more + "models:\n", 1))

    told = place.swap(replace(WRITE, lane="r72"))

    assert told.code is ExitCode.INVALID
    assert "swap in both lanes at once" in told.err
    assert "old" in place.text


def _swap_in(root: str) -> int:
    try:
        return int(Place(root=Path(root)).swap(WRITE).code)
    except OutsideError:
        return int(ExitCode.OUTSIDE)


def test_two_writers_leave_one_whole_swap(tmp_path: Path) -> None:
    place = Place.of(tmp_path)
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        codes = pool.map(_swap_in, [str(tmp_path)] * 2)

    assert int(ExitCode.FINE) in codes
    assert place.text == MOVED
    assert "nightly-8-gpu-mi35x-new-r72" in place.workflow


def test_a_disk_that_is_full_leaves_everything_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = Place.of(tmp_path)

    def full(_handle: int) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "fsync", full)

    with pytest.raises(OutsideError, match="make room and run it again"):
        place.swap(WRITE)
    monkeypatch.undo()

    assert place.text == TEXT
    assert not list((tmp_path / ".github/workflows").glob("*.yml"))


def test_a_workflow_of_others_is_not_written_over(tmp_path: Path) -> None:
    place = Place.of(tmp_path)
    theirs = tmp_path / ".github/workflows/nightly.yml"
    theirs.parent.mkdir(parents=True)
    theirs.write_text("on: push\njobs: {a: {runs-on: x, steps: [{run: a}]}}\n")

    told = place.swap(WRITE)

    assert told.code is ExitCode.FINDINGS
    assert "foreign-file" in told.out
    assert place.text == TEXT
