"""The demo night, run for real on this machine: preflight, two model jobs in a chain, and the sum."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from peers.act import JobResult, Night, NightEnd, run_night

ROOT = Path(__file__).parents[2]
WORKFLOW = ".github/workflows/nightly-test-demo.yml"
SUCCESS, FAILURE, SKIPPED = JobResult.SUCCESS, JobResult.FAILURE, JobResult.SKIPPED
JOBS = ("preflight", "demo-tiny-target", "demo-tiny-draft", "check-all-jobs")

Play = Callable[..., NightEnd]


def repository_with(folder: Path, *changes: tuple[str, str]) -> Path:
    """A repository with the harness, the models, and the workflows of a changed matrix."""
    for part in ("generator", "models"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    text = (ROOT / "matrix.yaml").read_text()
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    (folder / "matrix.yaml").write_text(text)
    program = Path(sys.executable).with_name("nightgrid")
    subprocess.run([program, "render", "--quiet"], cwd=folder, check=True)
    identity = ("-c", "user.name=a", "-c", "user.email=a@b")
    for command in (["init", "-q", "-b", "main"], ["add", "-A"], [*identity, "commit", "-qm", "all"]):
        subprocess.run(["git", *command], cwd=folder, check=True)
    return folder


@pytest.fixture
def play(tmp_path: Path) -> Play:
    def run(*changes: tuple[str, str], slug: str = "sgl-project/sglang", **inputs: str) -> NightEnd:
        repository = tmp_path / "repository"
        repository.mkdir()
        scratch = tmp_path / "scratch"
        scratch.mkdir()
        night = Night(
            workflow=repository_with(repository, *changes) / WORKFLOW,
            repository=repository,
            scratch=scratch,
            inputs=inputs,
            environment={"PATH": f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin"},
            slug=slug,
        )
        return run_night(night)

    return run


def results(end: NightEnd) -> dict[str, JobResult]:
    return {id_: job.result for id_, job in end.jobs.items()}


def test_green(play: Play) -> None:
    end = play()

    assert results(end) == dict.fromkeys(JOBS, SUCCESS), end.jobs
    assert "300 of 300" in end.jobs["demo-tiny-target"].summary
    assert "demo-tiny-draft" in end.jobs["check-all-jobs"].summary
    assert (end.artifacts / "results-demo-tiny-target" / "accuracy" / "results.json").is_file()


def test_red_because_the_accuracy_is_below_its_gate(play: Play) -> None:
    end = play(("models/tiny-target.gguf", "models/tiny-draft.gguf"))

    assert results(end) == dict(zip(JOBS, (SUCCESS, FAILURE, SKIPPED, FAILURE), strict=True))
    assert "0.98" in end.jobs["check-all-jobs"].summary


def test_red_because_the_server_does_not_start(play: Play) -> None:
    end = play(("models/tiny-target.gguf", "models/gone.gguf"))

    assert results(end) == dict(zip(JOBS, (SUCCESS, FAILURE, SKIPPED, FAILURE), strict=True))


def test_red_because_of_a_typo(play: Play) -> None:
    end = play(job_filter="demo-tiny-traget")

    assert results(end) == dict(zip(JOBS, (FAILURE, SKIPPED, SKIPPED, FAILURE), strict=True))
    assert "demo-tiny-target" in end.jobs["preflight"].log


def test_red_on_a_fork(play: Play) -> None:
    end = play(slug="someone/sglang")

    assert results(end) == dict(zip(JOBS, (FAILURE, SKIPPED, SKIPPED, FAILURE), strict=True))


def test_one_job_of_the_chain_alone(play: Play) -> None:
    end = play(job_select="demo-tiny-draft")

    assert results(end) == dict(zip(JOBS, (SUCCESS, SKIPPED, SUCCESS, SUCCESS), strict=True))
