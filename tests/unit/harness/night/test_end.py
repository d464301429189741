import json
import os
from pathlib import Path

import pytest

from unit.harness.night.night_fakes import NOW, Bench, bench

BEGAN = {"outcome": "success", "conclusion": "success", "outputs": {"started": str(int(NOW) - 750)}}


def step(outcome: str, conclusion: str = "", **outputs: str) -> dict[str, object]:
    return {"outcome": outcome, "conclusion": conclusion or outcome, "outputs": outputs}


def leave(folder: Path, check: str, verdict: str = "passed", line: str = "fine", summary: str = "") -> None:
    place = folder / "results" / check
    place.mkdir(parents=True, exist_ok=True)
    (place / "results.json").write_text(json.dumps({"verdict": verdict, "summary": line}), encoding="utf-8")
    if summary:
        (place / "summary.md").write_text(summary, encoding="utf-8")


def end(folder: Path, steps: object, *argv: str, **environment: str) -> Bench:
    text = steps if isinstance(steps, str) else json.dumps(steps)
    here = bench(folder, {"STEPS": text, **environment})
    assert here.run("end", "--results", "results", *argv) == 0
    return here


def test_a_good_job(tmp_path: Path) -> None:
    leave(tmp_path, "accuracy", summary="# Accuracy\n0.95\n")
    here = end(tmp_path, {"begin": BEGAN, "accuracy": step("success"), "performance": step("skipped")})
    assert here.outputs == {"minutes": "12.5", "why": "", "advisory": ""}
    assert here.summary.startswith("## This job passed after 12.5 minutes\n")
    assert "# Accuracy\n0.95\n" in here.summary


def test_a_regression_says_its_verdict_line(tmp_path: Path) -> None:
    leave(tmp_path, "accuracy", "regressed", "gsm8k 0.91 ± 0.008, gate 0.92", "| table |\n")
    here = end(tmp_path, {"begin": BEGAN, "accuracy": step("failure"), "performance": step("skipped")})
    assert here.outputs["why"] == "accuracy: gsm8k 0.91 ± 0.008, gate 0.92"
    assert "failed: accuracy: gsm8k 0.91" in here.log
    assert "::error title=This job failed::accuracy: gsm8k" in here.log
    assert "| table |" in here.summary


def test_the_machines_own_reason_is_handed_on(tmp_path: Path) -> None:
    here = end(tmp_path, {"begin": step("failure", started=str(int(NOW)), why="the runner label lies")})
    assert here.outputs["why"] == "begin: the runner label lies"
    assert here.outputs["minutes"] == "0.0"


def test_the_first_failure_comes_first(tmp_path: Path) -> None:
    leave(tmp_path, "speculative", "regressed", "acceptance 3.1, gate 3.5")
    here = end(tmp_path, {"server": step("failure"), "speculative": step("failure")})
    assert here.outputs["why"] == (
        "server: it failed and left no results: see the end of its log; speculative: acceptance 3.1, gate 3.5"
    )


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "it failed, and its results.json breaks off or is no JSON (0 bytes)"),
        (b'{"verdict": "pas', "it failed, and its results.json breaks off or is no JSON (16 bytes)"),
        (b"\xff\xfe", "it failed, and its results.json breaks off or is no JSON (2 bytes)"),
        (b"[" * 100_000, "it failed, and its results.json breaks off or is no JSON (100,000 bytes)"),
        (b"[]", "it failed, and its results.json holds no verdict"),
        (b'{"verdict": 1}', "it failed, and its results.json holds no verdict"),
        (b'{"verdict": "not measured"}', "accuracy: not measured"),
        (b'{"verdict": "passed", "summary": "0.95"}', "it failed although its verdict is passed (0.95)"),
    ],
)
def test_results_that_say_little_are_said_to(tmp_path: Path, content: bytes, words: str) -> None:
    leave(tmp_path, "accuracy")
    (tmp_path / "results" / "accuracy" / "results.json").write_bytes(content)
    assert words in end(tmp_path, {"accuracy": step("failure")}).outputs["why"]


@pytest.mark.parametrize("verdict", ["regressed", "not measured"])
def test_a_verdict_that_its_step_swallowed_is_no_pass(tmp_path: Path, verdict: str) -> None:
    leave(tmp_path, "accuracy", verdict, "no questions")
    here = end(tmp_path, {"begin": BEGAN, "accuracy": step("success")})
    assert here.outputs["why"] == f"accuracy: its step says success, its verdict says {verdict}: no questions"


def test_half_written_results_below_a_good_step_are_no_pass(tmp_path: Path) -> None:
    leave(tmp_path, "accuracy")
    (tmp_path / "results" / "accuracy" / "results.json").write_text("{")
    why = end(tmp_path, {"accuracy": step("success")}).outputs["why"]
    assert why == "accuracy: its step says success, its results.json breaks off or is no JSON (1 byte)"


def test_a_step_that_was_cut_off(tmp_path: Path) -> None:
    leave(tmp_path, "accuracy", "not measured", "412 of 1319 questions")
    here = end(tmp_path, {"begin": BEGAN, "accuracy": step("cancelled"), "performance": step("cancelled")})
    assert here.outputs["why"] == (
        "accuracy: cut off 12.5 minutes into the job, by a time limit or a person; "
        "so far: 412 of 1319 questions; "
        "performance: cut off 12.5 minutes into the job, by a time limit or a person"
    )


@pytest.mark.parametrize(
    ("conclusion", "argv", "why", "advisory"),
    [
        ("success", (), "", "performance: 3 % slower"),
        ("success", ("--advisory", "performance"), "", "performance: 3 % slower"),
        ("failure", ("--advisory", "performance"), "performance: 3 % slower", ""),
        ("failure", ("--advisory", "other"), "performance: 3 % slower", ""),
    ],
)
def test_advisory_is_what_github_let_pass(
    tmp_path: Path, conclusion: str, argv: tuple[str, ...], why: str, advisory: str
) -> None:
    leave(tmp_path, "performance", "regressed", "3 % slower")
    here = end(tmp_path, {"performance": step("failure", conclusion)}, *argv)
    assert (here.outputs["why"], here.outputs["advisory"]) == (why, advisory)


def test_without_a_conclusion_the_list_decides(tmp_path: Path) -> None:
    leave(tmp_path, "performance", "regressed", "3 % slower")
    steps = {"performance": {"outcome": "failure"}}
    assert end(tmp_path, steps, "--advisory", "performance").outputs["why"] == ""


def test_an_advisory_check_may_swallow_its_verdict(tmp_path: Path) -> None:
    leave(tmp_path, "performance", "regressed", "3 % slower")
    here = end(tmp_path, {"performance": step("success")}, "--advisory", "performance")
    assert here.outputs["why"] == ""
    assert "its verdict says regressed" in here.outputs["advisory"]


@pytest.mark.parametrize("steps", ["", "{", "null", "[]", '{"begin": 5}', '{"a":{"outputs":[]}}'])
def test_steps_that_cannot_be_read_fail_nothing_and_pass_nothing(tmp_path: Path, steps: str) -> None:
    leave(tmp_path, "accuracy", summary="# table\n")
    here = end(tmp_path, steps)
    assert here.outputs["why"].startswith("nobody knows how the steps went: STEPS")
    assert here.outputs["minutes"] == ""
    assert "# table" in here.summary


@pytest.mark.parametrize("started", ["", "soon", "-5", "1e9", "99999999999", "٣"])
def test_a_start_that_is_no_time_gives_no_minutes(tmp_path: Path, started: str) -> None:
    assert end(tmp_path, {"begin": step("success", started=started)}).outputs["minutes"] == ""


def test_no_steps_and_no_results(tmp_path: Path) -> None:
    assert end(tmp_path, {}).outputs == {"minutes": "", "why": "", "advisory": ""}


def test_an_outcome_that_nobody_knows_is_no_pass(tmp_path: Path) -> None:
    assert "accuracy: it failed" in end(tmp_path, {"accuracy": {}}).outputs["why"]


def test_ending_twice_publishes_once(tmp_path: Path) -> None:
    leave(tmp_path, "accuracy", summary="# Accuracy\n")
    steps = {"begin": BEGAN, "accuracy": step("success")}
    end(tmp_path, steps)
    assert end(tmp_path, steps).summary.count("# Accuracy") == 1


def test_two_checks_with_the_same_words_are_both_published(tmp_path: Path) -> None:
    leave(tmp_path, "a", summary="same\n")
    leave(tmp_path, "b", summary="same\n")
    assert end(tmp_path, {}).summary.count("same") == 2


def test_a_huge_summary_leaves_room_for_the_others(tmp_path: Path) -> None:
    leave(tmp_path, "a-long-one", summary="ä line of samples\n" * 400_000)
    leave(tmp_path, "the-last", summary="some words\n" * 500 + "# the last\n")
    summary = end(tmp_path, {}).summary
    assert len(summary.encode()) <= 1024 * 1024
    assert "# the last" in summary
    assert "Cut here" in summary


def test_what_is_no_file_is_not_read(tmp_path: Path) -> None:
    leave(tmp_path, "accuracy")
    os.mkfifo(tmp_path / "results" / "accuracy" / "summary.md")
    (tmp_path / "results" / "elsewhere").symlink_to("/")
    (tmp_path / "results" / "server.json").write_text("{}")
    assert end(tmp_path, {"accuracy": step("success")}).outputs["why"] == ""


def test_a_full_disk_fails_nothing(tmp_path: Path) -> None:
    here = end(
        tmp_path, {"accuracy": step("failure")}, GITHUB_OUTPUT="/dev/full", GITHUB_STEP_SUMMARY="/dev/full"
    )
    assert "failed: accuracy: it failed and left no results" in here.log
    assert "warning: the step's outputs cannot be written" in here.log


def test_no_line_of_a_check_injects_an_output_or_a_command(tmp_path: Path) -> None:
    leave(tmp_path, "accuracy", "regressed", "x\nminutes=0\n::stop-commands::t\n<b>|")
    here = end(tmp_path, {"begin": BEGAN, "accuracy": step("failure")})
    assert here.outputs["minutes"] == "12.5"
    assert here.outputs["why"] == "accuracy: x minutes=0 ::stop-commands::t <b>|"
    assert not any(line.startswith("::stop") for line in here.log.splitlines())
    assert "<b>" not in here.summary


def test_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        bench(tmp_path, {}).run("end")
    assert caught.value.code == 2
    assert "--results" in capsys.readouterr().err


def test_results_and_summaries_that_cannot_be_read(tmp_path: Path) -> None:
    place = tmp_path / "results" / "accuracy"
    place.mkdir(parents=True)
    (place / "results.json").symlink_to("/proc/self/mem")
    (place / "summary.md").symlink_to("/proc/self/mem")
    here = end(tmp_path, {"accuracy": step("failure")})
    assert (
        "accuracy: it failed, and its results.json cannot be read: Input/output error" in here.outputs["why"]
    )


def test_a_step_that_was_cut_off_while_it_wrote(tmp_path: Path) -> None:
    leave(tmp_path, "accuracy")
    (tmp_path / "results" / "accuracy" / "results.json").write_text("{")
    why = end(tmp_path, {"accuracy": step("cancelled")}).outputs["why"]
    assert why.endswith("or a person; its results.json breaks off or is no JSON (1 byte)")


def test_advisory_may_be_given_several_times(tmp_path: Path) -> None:
    steps = {"a": {"outcome": "failure"}, "b": {"outcome": "failure"}, "c": {"outcome": "failure"}}
    here = end(tmp_path, steps, "--advisory", "a", "--advisory", "b", "c")
    assert here.outputs["why"] == ""
    assert here.outputs["advisory"].count("it failed") == 3


def test_a_server_that_did_not_start_says_why_once(tmp_path: Path) -> None:
    leave(tmp_path, "server", "not measured", "sglang ended with 1: out of memory")
    here = end(tmp_path, {"serve": step("failure"), "accuracy": step("skipped")})
    assert here.outputs["why"] == "serve: sglang ended with 1: out of memory"
