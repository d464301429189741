import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from peers.act import JobResult, Night, NightEnd, run_night
from peers.tools import PEERS, PeerFailedError

NIGHT = PEERS / "workflows/night.yml"
RunNight = Callable[..., NightEnd]
SUCCESS, FAILURE, SKIPPED = JobResult.SUCCESS, JobResult.FAILURE, JobResult.SKIPPED


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    (folder / "committed.txt").write_text("1\n", "utf-8")
    identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
    for command in (
        ["init", "-q", "-b", "main"],
        ["add", "-A"],
        [*identity, "commit", "-qm", "first commit"],
    ):
        subprocess.run(["git", *command], cwd=folder, check=True)
    (folder / "not-committed.txt").write_text("1\n", "utf-8")
    return folder


@pytest.fixture
def night(repository: Path, tmp_path: Path) -> RunNight:
    def run(
        event: str = "workflow_dispatch",
        inputs: Mapping[str, str] | None = None,
        environment: Mapping[str, str] | None = None,
        text: str | None = None,
    ) -> NightEnd:
        workflow = tmp_path / "night.yml"
        workflow.write_text(NIGHT.read_text("utf-8") if text is None else text, "utf-8")
        scratch = tmp_path / "scratch"
        scratch.mkdir()
        return run_night(
            Night(
                workflow=workflow,
                repository=repository,
                scratch=scratch,
                event=event,
                inputs=inputs or {},
                environment=environment or {},
            )
        )

    return run


def results(end: NightEnd) -> list[JobResult]:
    return [job.result for job in end.jobs.values()]


@pytest.mark.parametrize("event", ["schedule", "workflow_dispatch"])
def test_a_green_night(night: RunNight, event: str) -> None:
    end = night(event)
    assert end.exit_code == 0
    assert list(end.jobs) == ["preflight", "accuracy", "performance", "check-all-jobs"]
    assert results(end) == [SUCCESS] * 4
    assert end.jobs["accuracy"].step_outputs == {"score": "0.95"}
    assert end.jobs["accuracy"].summary == "| accuracy | 0.95 |\n"
    assert [step.name for step in end.jobs["accuracy"].steps] == ["Measure", "Upload", "Tear down"]
    assert end.jobs["performance"].log == "after a score of 0.95\n"
    assert "downloaded: results-accuracy/score.txt\n" in end.jobs["check-all-jobs"].log
    assert (end.artifacts / "results-accuracy/score.txt").read_text("utf-8") == "0.95\n"


def test_a_job_gets_the_commit_and_not_the_working_tree(night: RunNight) -> None:
    assert (
        night("schedule").jobs["preflight"].log
        == "asked for: nothing, commit: first commit, files: committed.txt\n"
    )


def test_a_dispatch_runs_what_it_asks_for(night: RunNight) -> None:
    end = night(inputs={"job_select": "accuracy"})
    assert (end.exit_code, results(end)) == (0, [SUCCESS, SUCCESS, SKIPPED, SUCCESS])


def test_a_failure_fails_the_night_and_skips_what_waits_for_it(night: RunNight) -> None:
    end = night(environment={"ACCURACY_EXIT_CODE": "1"})
    assert (end.exit_code, results(end)) == (1, [SUCCESS, FAILURE, SKIPPED, FAILURE])
    steps = [(step.name, step.result) for step in end.jobs["accuracy"].steps]
    assert steps == [("Measure", "failure"), ("Upload", "success"), ("Tear down", "success")]
    assert (end.artifacts / "results-accuracy/score.txt").is_file()


def test_an_artifact_of_a_name_that_exists_fails_its_job(night: RunNight) -> None:
    upload = "      - name: Upload\n"
    start, end_ = NIGHT.read_text("utf-8").split("      - name: Tear down", 1)
    again = upload + start.split(upload, 1)[1]
    end = night(text=f"{start}{again}      - name: Tear down{end_}")
    assert end.jobs["accuracy"].result is FAILURE
    assert [step.result for step in end.jobs["accuracy"].steps] == [
        "success",
        "success",
        "failure",
        "success",
    ]


@pytest.mark.parametrize(("level", "result"), [("error", FAILURE), ("warn", SUCCESS), ("ignore", SUCCESS)])
def test_nothing_to_upload_is_what_the_step_says_it_is(
    night: RunNight, level: str, result: JobResult
) -> None:
    text = NIGHT.read_text("utf-8")
    text = text.replace("path: results/", f"path: nothing/\n          if-no-files-found: {level}")
    assert night(text=text).jobs["accuracy"].result is result


def test_the_hosts_environment_stays_outside(night: RunNight, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCURACY_EXIT_CODE", "1")
    assert night().exit_code == 0


def test_an_action_without_a_stand_in_is_refused(night: RunNight) -> None:
    with pytest.raises(PeerFailedError, match="actions/cache@v4 has no stand-in"):
        night(text=NIGHT.read_text("utf-8").replace('run: echo "torn down"', "uses: actions/cache@v4"))


def test_a_workflow_that_github_would_not_read_is_refused(night: RunNight) -> None:
    with pytest.raises(PeerFailedError, match="GitHub would not read it"):
        night(text="on: push\njobs: {}\n")


def test_a_run_that_breaks_down_is_no_red_night(night: RunNight) -> None:
    with pytest.raises(PeerFailedError, match="act broke down"):
        night(
            text=NIGHT.read_text("utf-8").replace(
                "if: ${{ always() }}\n    runs", "if: fromJSON('')\n    runs"
            )
        )
