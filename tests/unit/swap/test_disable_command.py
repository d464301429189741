"""nightgrid disable: off with a reason and a last day, written where it belongs, and back by itself."""

from dataclasses import replace
from pathlib import Path

import pytest

from generator.cli.disable_command import Asked, Doing, Required
from generator.domain.exit_code import ExitCode
from unit.swap.small import TEXT, Place

OFF = 'disabled: {because: "the rack moves", until: "2030-07-01"}'
JOB = Asked(
    name="nightly-8-gpu-mi35x-old-r72",
    because="the rack moves",
    until="2030-07-01",
    required=Required.LET_OFF,
)
WAIVER = (
    "  waivers:\n    - {family: line, isa: gfx950, lane: r72, check: accuracy, "
    'because: "the rack moves", until: "2030-07-01"}\n'
)
REQUIRED = "lanes: [r70, r72], checks: [accuracy]}\n"


def test_one_job_of_a_row_is_off_by_an_override(tmp_path: Path) -> None:
    place = Place.of(tmp_path)

    told = place.disable(JOB)

    row = "      accuracy: {suite: accuracy-old, gate: 0.9, per_file_timeout_s: 3600}\n"
    item = f"    overrides:\n      - {{for: {{hardware: mi35x, lane: r72}}, {OFF}}}\n"
    assert told.code is ExitCode.FINE, told
    assert place.text == TEXT.replace(row, row + item).replace(REQUIRED, REQUIRED + WAIVER)
    assert '"off": {"because": "the rack moves", "until": "2030-07-01"}' in place.workflow


def test_the_only_job_of_a_row_is_off_in_the_row(tmp_path: Path) -> None:
    place = Place.of(tmp_path)

    told = place.disable(replace(JOB, name="nightly-8-gpu-mi30x-tests-r72", required=Required.KEEP))

    row = "      tests: {suite: tests, per_file_timeout_s: 600}\n"
    assert told.code is ExitCode.FINE
    assert place.text == TEXT.replace(row, f"{row}    {OFF}\n")


@pytest.mark.parametrize(
    ("pool", "before", "after"),
    [
        ("mi30x", "gpus: 8} # the", f"gpus: 8, {OFF}}} # the"),
        ("mi35x", "    gpus: 8\nquant", f"    gpus: 8\n    {OFF}\nquant"),
    ],
)
def test_a_pool_is_off_in_its_own_entry(tmp_path: Path, pool: str, before: str, after: str) -> None:
    place = Place.of(tmp_path)

    told = place.disable(replace(JOB, name=pool))

    assert told.code is ExitCode.FINE
    assert place.text.replace(after, before).split("coverage:")[0] == TEXT.split("coverage:")[0]
    assert after in place.text
    assert place.workflow.count('"off"') >= 2


def test_what_is_off_already_gets_the_new_reason_and_day(tmp_path: Path) -> None:
    place = Place.of(tmp_path)
    place.disable(JOB)
    first = place.text

    told = place.disable(replace(JOB, because="it's late: still #1", until="2030-08-01"))

    later = first.replace('"the rack moves"', '"it\'s late: still #1"').replace("2030-07-01", "2030-08-01")
    assert told.code is ExitCode.FINE
    assert place.text == later


def test_a_required_point_needs_the_word_of_a_person(tmp_path: Path) -> None:
    place = Place.of(tmp_path)

    told = place.disable(replace(JOB, required=Required.KEEP))

    assert told.code is ExitCode.FINDINGS
    assert (
        "until 2030-07-01 nothing would test line on gfx950 in r72: accuracy, which is required" in told.err
    )
    assert place.text == TEXT


def test_a_dry_run_shows_and_writes_nothing(tmp_path: Path) -> None:
    place = Place.of(tmp_path)

    told = place.disable(replace(JOB, doing=Doing.SHOW))

    assert told.code is ExitCode.FINE
    assert f"+      - {{for: {{hardware: mi35x, lane: r72}}, {OFF}}}" in told.out
    assert place.text == TEXT


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (replace(JOB, name="mi35"), "there is no job and no pool `mi35`\nhelp: did you mean `mi35x`?"),
        (replace(JOB, name="nightly-8-gpu-mi35x-odl-r72"), "did you mean `nightly-8-gpu-mi35x-old-r72`?"),
        (replace(JOB, until="2030-06-14"), "2030-06-14 is over; today is 2030-06-15"),
        (replace(JOB, until="tomorrow"), "there is no day 'tomorrow'"),
        (replace(JOB, until="2030-13-01"), "there is no day '2030-13-01'"),
        (replace(JOB, because="  "), "say why"),
        (replace(JOB, because="a\rb"), "one line of text"),
    ],
)
def test_wrong_usage_is_said(tmp_path: Path, asked: Asked, words: str) -> None:
    place = Place.of(tmp_path)

    told = place.disable(asked)

    assert told.code is ExitCode.INVALID
    assert words in told.err
    assert place.text == TEXT


def test_today_is_a_day_too(tmp_path: Path) -> None:
    assert Place.of(tmp_path).disable(replace(JOB, until="2030-06-15")).code is ExitCode.FINE


def test_line_ends_stay_what_they_are(tmp_path: Path) -> None:
    place = Place.of(tmp_path, TEXT.replace("\n", "\r\n"))

    place.disable(JOB)

    assert place.text.count("\n") == place.text.count("\r\n")
    assert f"{OFF}}}\r\n" in place.text


def test_a_row_in_brackets_is_edited_in_its_brackets(tmp_path: Path) -> None:
    block = TEXT[TEXT.index("  tests:\n") :]
    line = (
        "  tests: {hardware: [mi30x], lanes: [r72], checks: {tests: {suite: t, per_file_timeout_s: 9}}} # x\n"
    )
    place = Place.of(tmp_path, TEXT.replace(block, line))

    told = place.disable(replace(JOB, name="nightly-8-gpu-mi30x-tests-r72"))

    assert told.code is ExitCode.FINE
    assert place.text == TEXT.replace(block, line.replace("}}} # x", f"}}}}, {OFF}}} # x"))
