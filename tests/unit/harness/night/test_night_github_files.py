from pathlib import Path

import pytest

from generator.harness.night.github_files import (
    SUMMARY_LIMIT_BYTES,
    append_summary,
    fit,
    output_lines,
    write_outputs,
)
from generator.harness.outcome import HarnessError, Outcome
from unit.harness.night.night_fakes import bench, outputs_as_github_reads_them


@pytest.mark.parametrize(
    "value",
    [
        "plain",
        "",
        "a=b<<c",
        "one\nwhy=injected",
        "one\nEOF\nwhy=injected",
        "x\r\nwhy=injected",
        "ends\n",
        "<<",
        'json ["a"]',
        "日本",
        "\u2028why=1",
    ],
)
def test_no_value_smuggles_in_another_output(value: str) -> None:
    text = output_lines("first", value) + output_lines("second", "2")
    assert outputs_as_github_reads_them(text) == {"first": value, "second": "2"}


def test_the_delimiter_is_never_the_same() -> None:
    assert output_lines("a", "x\ny") != output_lines("a", "x\ny")


def test_outputs_are_added_to_those_of_other_commands(tmp_path: Path) -> None:
    here = bench(tmp_path, {})
    write_outputs(here.world, {"a": "1"})
    write_outputs(here.world, {"b": "x\ny"})
    assert here.outputs == {"a": "1", "b": "x\ny"}


def test_without_github_outputs_are_shown(tmp_path: Path) -> None:
    here = bench(tmp_path, {"GITHUB_OUTPUT": ""})
    write_outputs(here.world, {"a": "1"})
    assert here.log == "output a=1\n"


def test_outputs_that_cannot_be_written_end_the_command(tmp_path: Path) -> None:
    here = bench(tmp_path, {"GITHUB_OUTPUT": "/dev/full"})
    with pytest.raises(HarnessError) as caught:
        write_outputs(here.world, {"a": "1"})
    assert caught.value.outcome is Outcome.OUTSIDE
    assert "No space left" in caught.value.message


def test_half_a_surrogate_does_not_stop_the_outputs(tmp_path: Path) -> None:
    here = bench(tmp_path, {})
    write_outputs(here.world, {"a": "x\ud800y"})
    assert here.outputs == {"a": "x?y"}


def test_a_summary_that_cannot_be_written_costs_only_the_summary(tmp_path: Path) -> None:
    here = bench(tmp_path, {"GITHUB_STEP_SUMMARY": "/dev/full"})
    append_summary(here.world, "text")
    assert "warning: the step summary cannot be written" in here.log


def test_the_same_summary_is_not_published_twice(tmp_path: Path) -> None:
    here = bench(tmp_path, {})
    append_summary(here.world, "# once\n")
    append_summary(here.world, "# other\n")
    append_summary(here.world, "# once\n")
    assert here.summary == "# once\n# other\n"


def test_a_summary_never_grows_over_githubs_limit(tmp_path: Path) -> None:
    here = bench(tmp_path, {})
    for number in range(5):
        append_summary(here.world, f"{number} é line\n" * 40_000)
    assert SUMMARY_LIMIT_BYTES - 2000 < len(here.summary.encode()) <= SUMMARY_LIMIT_BYTES
    assert "Cut here" in here.summary


def test_a_cut_is_at_a_line_and_closes_the_code_block() -> None:
    cut = fit("```\n" + "word\n" * 1000, 2000)
    assert len(cut.encode()) <= 2000
    assert cut.count("```") == 2
    assert "\nwor\n" not in cut
    assert fit("short", 5) == "short"
    assert fit("x" * 5000, 100) == ""
