import json
from pathlib import Path

import pytest

from generator.harness.night.reasons import OUTPUT_LIMIT
from generator.harness.night.tonight import read_tonight, write_tonight
from unit.harness.night.night_fakes import Bench, bench, entry, result, tonight


def judge(
    folder: Path, night: str, preflight: str = "success", **jobs: dict[str, object]
) -> tuple[int, Bench, str]:
    needs = {
        "preflight": {"result": preflight, "outputs": {"night": night}},
        **{name.replace("_", "-"): job for name, job in jobs.items()},
    }
    here = bench(folder, {"NEEDS": json.dumps(needs)})
    code = here.run("check-all-jobs")
    return code, here, here.log.splitlines()[-1]


def row(here: Bench, id_: str) -> str:
    return next(line for line in here.log.splitlines() if line.split("  ")[0].strip() == id_)


def test_a_green_night(tmp_path: Path) -> None:
    code, here, last = judge(
        tmp_path,
        tonight(entry("a"), entry("b"), entry("c", "not selected"), entry("d", "off", why="off until x: y")),
        a=result("success", minutes="12.5", why="", advisory=""),
        b=result("success"),
        c=result("skipped"),
        d=result("skipped"),
    )
    assert code == 0
    assert last == "The night is green. Nothing to do: 2 jobs asked for, all passed."
    assert "| a | mi30x | run | success |  | 12.5 |" in here.summary
    assert "| d | mi30x | off | skipped | off until x: y |" in here.summary
    assert "1 job not selected." in here.summary
    assert "| c |" not in here.summary
    assert "::error" not in here.log


@pytest.mark.parametrize(
    ("job", "words"),
    [
        (result("failure", why="accuracy: 0.91 < 0.92"), "accuracy: 0.91 < 0.92"),
        (result("failure"), "it ended before its last step and left no reason: see its log"),
        (result("cancelled", minutes="139.2"), "cut off at its limit of 140 minutes"),
        (
            result("cancelled", minutes="12.0", why="accuracy: cut off"),
            "cancelled after 12.0 of 140 minutes: a person or a lost runner; accuracy: cut off",
        ),
        (result("cancelled"), "its limit of 140 minutes was hit, no machine came in 24 hours, or a person"),
        (result("skipped"), "skipped: nothing that it needs failed, so its condition"),
        (
            result("success", why="accuracy: regressed"),
            "its result says success, but accuracy: regressed (continue-on-error hides it)",
        ),
    ],
)
def test_only_success_passes(tmp_path: Path, job: dict[str, object], words: str) -> None:
    code, here, last = judge(tmp_path, tonight(entry("a"), entry("b")), a=job, b=result("success"))
    assert code == 1
    assert words in row(here, "a")
    assert last.startswith("The night is red. 1 job of 2 red: ")
    assert "job_filter 'a'" in last
    assert sum(line.startswith("::error title=a%3A ") for line in here.log.splitlines()) == 1


def test_a_job_that_the_sum_does_not_wait_for_is_red(tmp_path: Path) -> None:
    code, here, _ = judge(tmp_path, tonight(entry("a"), entry("b")), a=result("success"))
    assert code == 1
    assert "not among the needs of this job" in row(here, "b")


def test_a_skipped_job_names_the_start_of_its_chain(tmp_path: Path) -> None:
    code, here, last = judge(
        tmp_path,
        tonight(entry("c", needs=["b"]), entry("b", needs=["a"]), entry("a")),
        a=result("failure", why="accuracy: gone"),
        b=result("skipped"),
        c=result("skipped"),
    )
    assert code == 1
    assert "skipped: it needs a, which failed" in row(here, "b")
    assert "skipped: it needs a, which failed" in row(here, "c")
    assert "open the log of a first" in last
    assert last.endswith("start the workflow with job_filter 'a,c,b' to repeat only what is red.")


def test_a_cancelled_run_is_told_from_a_wrong_condition(tmp_path: Path) -> None:
    _, here, _ = judge(
        tmp_path, tonight(entry("a"), entry("b")), a=result("cancelled", minutes="3"), b=result("skipped")
    )
    assert "skipped: the run was cancelled before its turn" in row(here, "b")


def test_blocked_is_red_although_nothing_failed(tmp_path: Path) -> None:
    blocked = entry("b", "blocked", why="rocm/sgl-dev: the newest image is 29 days old")
    code, here, last = judge(tmp_path, tonight(entry("a"), blocked), a=result("success"), b=result("skipped"))
    assert code == 1
    assert "::error title=b%3A blocked::rocm/sgl-dev%3A" not in here.log
    assert "::error title=b%3A blocked::rocm/sgl-dev: the newest image is 29 days old" in here.log
    assert "have what b lacks put in place" in last


def test_all_blocked_is_red_as_blocked(tmp_path: Path) -> None:
    assert judge(tmp_path, tonight(entry("b", "blocked", why="x")), b=result("skipped"))[0] == 1


def test_an_advisory_failure_is_shown_and_not_red(tmp_path: Path) -> None:
    code, here, last = judge(
        tmp_path, tonight(entry("a")), a=result("success", advisory="performance: 3 % slower")
    )
    assert code == 0
    assert "advisory only: performance: 3 % slower" in row(here, "a")
    assert "::warning title=a%3A passed with a failed advisory step::" in here.log
    assert last.endswith("1 job asked for, look at 1 failed advisory step when there is time.")


@pytest.mark.parametrize("expected", ["not selected", "off", "blocked"])
@pytest.mark.parametrize("word", ["success", "failure"])
def test_a_job_that_ran_unasked_is_red(tmp_path: Path, expected: str, word: str) -> None:
    code, here, _ = judge(
        tmp_path, tonight(entry("a"), entry("b", expected)), a=result("success"), b=result(word)
    )
    assert code == 1
    assert f"it ran although it was {expected}" in row(here, "b")


def test_a_job_that_was_not_asked_for_may_be_cancelled_with_the_run(tmp_path: Path) -> None:
    night = tonight(entry("a"), entry("b", "not selected"))
    assert judge(tmp_path, night, a=result("success"), b=result("cancelled"))[0] == 0


@pytest.mark.parametrize(("word", "code"), [("success", 0), ("skipped", 0), ("failure", 1), ("cancelled", 1)])
def test_a_job_unknown_to_preflight_may_pass_and_not_fail(tmp_path: Path, word: str, code: int) -> None:
    assert judge(tmp_path, tonight(entry("a")), a=result("success"), build=result(word))[0] == code


@pytest.mark.parametrize(
    ("jobs", "results"),
    [
        ([], {}),
        ([entry("a", "not selected")], {"a": result("skipped")}),
        ([entry("a", "off")], {"a": result("skipped")}),
        ([], {"build": result("success")}),
    ],
)
def test_nothing_expected_is_never_green(
    tmp_path: Path, jobs: list[dict[str, object]], results: dict[str, dict[str, object]]
) -> None:
    code, _, last = judge(tmp_path, tonight(*jobs), "success", **results)
    assert code == 3
    assert last.startswith("The night is red. Nothing was tested tonight: preflight handed no jobs on;")


@pytest.mark.parametrize(
    ("word", "night", "words"),
    [
        (
            "failure",
            tonight(problem="job_filter: no job matches 'x'"),
            "preflight failed (job_filter: no job",
        ),
        ("failure", "", "preflight failed; read the end of its log"),
        ("failure", "{", "preflight failed; read the end of its log"),
        ("cancelled", "", "preflight was cancelled, by a person or because no hosted runner came"),
        ("skipped", "", "preflight was skipped, so its condition in the workflow is wrong"),
    ],
)
def test_without_preflight_the_night_is_red_and_says_why(
    tmp_path: Path, word: str, night: str, words: str
) -> None:
    code, here, last = judge(tmp_path, night, word, a=result("skipped"))
    assert code == 3
    assert words in last
    assert "::error title=The night is red::" in here.log


def test_the_worst_comes_first(tmp_path: Path) -> None:
    _, here, _ = judge(
        tmp_path,
        tonight(
            entry("off", "off"),
            entry("ok"),
            entry("blocked", "blocked"),
            entry("cut"),
            entry("bad"),
            entry("skip"),
        ),
        off=result("skipped"),
        ok=result("success"),
        blocked=result("skipped"),
        cut=result("cancelled"),
        bad=result("failure"),
        skip=result("skipped"),
    )
    ids = [line.split()[1] for line in here.summary.splitlines() if line.startswith("| ")][2:]
    assert ids == ["bad", "cut", "skip", "blocked", "ok", "off"]


def test_three_hundred_red_jobs(tmp_path: Path) -> None:
    ids = [f"nightly-8-gpu-mi35x-model-{number}-rocm720" for number in range(300)]
    why = "x" * 200
    jobs = {id_.replace("-", "_"): result("failure", why=why, minutes="99.9") for id_ in ids}
    code, here, last = judge(tmp_path, tonight(*map(entry, ids)), "success", **jobs)
    assert code == 1
    assert len(here.summary.encode()) < 1024 * 1024
    assert "300 jobs of 300 red: open the log of nightly-8-gpu-mi35x-model-0-rocm720 first" in last
    assert last.endswith("press 'Re-run failed jobs'.")


def test_a_red_night_of_two_hundred_jobs_fits_one_environment_variable() -> None:
    ids = [f"nightly-8-gpu-mi35x-model-{number}-rocm720" for number in range(200)]
    night = write_tonight(read_tonight(tonight(*(entry(id_, needs=[ids[0]]) for id_ in ids))))
    outputs = {"night": night, "jobs": json.dumps(ids), "images": "", "continue_on_error": "false"}
    whole = {
        "preflight": {"result": "success", "outputs": outputs},
        **{id_: result("failure", why="x" * OUTPUT_LIMIT, minutes="99.9", advisory="") for id_ in ids},
    }
    assert len(json.dumps(whole, indent=2)) < 128 * 1024  # Linux takes no more in one variable


def test_nothing_from_a_job_becomes_markup_or_a_command(tmp_path: Path) -> None:
    evil = "x | <img> `a`\n::stop-commands::t\n##[add-mask]y\x1b[2J"
    _, here, _ = judge(tmp_path, tonight(entry("a")), a=result("failure", why=evil, minutes=evil))
    assert "<img>" not in here.summary
    cells = next(line for line in here.summary.splitlines() if line.startswith("| a |"))
    assert cells.count("|") == 7
    assert not any(line.startswith("::stop") for line in here.log.splitlines())
    assert "##[" not in here.log
    assert "\x1b" not in here.log


def test_results_from_a_file(tmp_path: Path) -> None:
    needs = {"preflight": result("success", night=tonight(entry("a"))), "a": result("success")}
    (tmp_path / "needs.json").write_text(json.dumps(needs), encoding="utf-8")
    here = bench(tmp_path, {})
    assert here.run("check-all-jobs", "--needs", "needs.json") == 0


def test_a_full_disk_loses_the_summary_and_not_the_verdict(tmp_path: Path) -> None:
    needs = {"preflight": result("success", night=tonight(entry("a"))), "a": result("failure", why="x")}
    here = bench(tmp_path, {"NEEDS": json.dumps(needs), "GITHUB_STEP_SUMMARY": "/dev/full"})
    assert here.run("check-all-jobs") == 1
    assert "warning: the step summary cannot be written" in here.log


def test_a_preflight_that_failed_after_it_handed_jobs_on_is_no_green_night(tmp_path: Path) -> None:
    assert judge(tmp_path, tonight(entry("a")), "failure", a=result("success"))[0] == 3
