"""`try`: the steps of a job here, in the order and under the conditions of a night."""

from pathlib import Path

import pytest

from generator.cli import try_command
from generator.outside.scripts import TIMED_OUT
from unit.cli.conftest import Run

JOB = "nightly-8-gpu-mi30x-unit"

# The step that looks at the machine cannot pass here, so the harness is another one in these nights.
HARNESS = "import sys\nprint('harness', *sys.argv[1:2])\n"


@pytest.fixture
def site(repository: Path) -> Path:
    """A repository whose job has three checks, and a step before and one after them."""
    package = repository / "generator" / "harness"
    package.mkdir(parents=True)
    (repository / "generator" / "__init__.py").touch()
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(HARNESS)
    matrix = repository / "matrix.yaml"
    text = matrix.read_text()
    text = text.replace(
        "    container: none\n",
        "    container: none\n"
        '    before: [{id: ready, name: Get ready, timeout_minutes: 1, run: "echo ready; test ! -e off"}]\n'
        "    after: [{id: tidy, name: Tidy up, timeout_minutes: 1, run: echo tidy}]\n",
    )
    text = text.replace(
        "python3 test/run_suite.py --suite {suite} --timeout-per-file {per_file_timeout_s}",
        '"bash ./{suite} {per_file_timeout_s}"',
    )
    text = text.replace(
        "      tests: {suite: nightly, per_file_timeout_s: 1800}\n",
        "      first: {suite: first, per_file_timeout_s: 60}\n"
        "      second: {suite: second, per_file_timeout_s: 60}\n"
        "      third: {suite: third, per_file_timeout_s: 60, even_after_failure: true}\n",
    )
    matrix.write_text(text)
    for name in ("first", "second", "third"):
        (repository / name).write_text("exit 0\n")
    return repository


def story(out: str) -> list[str]:
    """What became of each step, in order: its name, and what is said behind it."""
    lines = [line[2:] for line in out.splitlines() if line.startswith("— ")]
    return [line for line in lines if not line.startswith(("Check out", "Keep the results"))]


def test_a_good_job_runs_through(site: Path, run: Run, capfd: pytest.CaptureFixture[str]) -> None:
    done = run("try", JOB)

    assert site.is_dir()
    assert done.code == 0
    assert story(done.out) == [
        "Make sure that this is MI30x, 8 free GPUs",
        "Get ready",
        "Run first",
        "Run second",
        "Run third",
        "Tidy up",
        "Say what happened",
    ]
    assert capfd.readouterr().out.split() == ["harness", "begin", "ready", "tidy", "harness", "end"]


def test_a_failing_check_holds_the_next_one_back_and_not_the_one_that_runs_anyway(
    site: Path, run: Run
) -> None:
    (site / "first").write_text("exit 3\n")

    done = run("try", JOB)

    assert done.code == 1
    assert story(done.out)[2:] == [
        "Run first",
        "Run first: failed (exit code 3)",
        "Run second: skipped",
        "Run third",
        "Tidy up",
        "Say what happened",
    ]


def test_where_the_machine_is_not_ready_nothing_is_measured(site: Path, run: Run) -> None:
    (site / "off").touch()

    done = run("try", JOB)

    assert done.code == 1
    assert story(done.out)[1:] == [
        "Get ready",
        "Get ready: failed (exit code 1)",
        "Run first: skipped",
        "Run second: skipped",
        "Run third: skipped",
        "Tidy up",
        "Say what happened",
    ]


def test_an_advisory_check_fails_alone(site: Path, run: Run) -> None:
    matrix = site / "matrix.yaml"
    matrix.write_text(matrix.read_text().replace("suite: first,", "suite: first, advisory: true,"))
    (site / "first").write_text("exit 1\n")

    done = run("try", JOB)

    assert done.code == 0
    assert "Run first: failed (exit code 1)" in story(done.out)
    assert "Run second" in story(done.out)


def test_a_step_that_is_over_its_limit_has_failed(
    site: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits: list[int] = []

    def script(script: str, _environment: object, _folder: Path, limit_s: int) -> int:
        limits.append(limit_s)
        return TIMED_OUT if "./second" in script else 0

    monkeypatch.setattr(try_command, "run_script", script)

    done = run("try", JOB)

    assert site.is_dir()
    assert done.code == 1
    assert "Run second: failed (limit of 11 minutes)" in story(done.out)
    assert limits[:3] == [5 * 60, 60, 11 * 60]


def test_the_last_step_is_told_the_outcomes(site: Path, run: Run, capfd: pytest.CaptureFixture[str]) -> None:
    (site / "first").write_text("exit 1\n")
    (site / "generator/harness/__main__.py").write_text(
        "import json, os, sys\n"
        "if sys.argv[1] == 'end':\n"
        "    steps = json.loads(os.environ['STEPS'])\n"
        "    print({name: step['outcome'] for name, step in steps.items()})\n"
    )

    run("try", JOB)

    told = capfd.readouterr().out.splitlines()[-1]
    assert told == str(
        {"begin": "success", "ready": "success", "first": "failure", "second": "skipped", "third": "success",
         "tidy": "success"}
    )  # fmt: skip


def test_a_summary_is_printed_at_the_end(site: Path, run: Run) -> None:
    (site / "third").write_text('echo "# all well" >> "$GITHUB_STEP_SUMMARY"\n')

    assert run("try", JOB).out.endswith("\n# all well\n\n")
