"""Faults seeded into the shipped matrix and workflows: the program itself names each by its own id."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = Path(sys.executable).with_name("nightgrid")
ROCM720 = ".github/workflows/nightly-test-amd-rocm720.yml"
HAND_WRITTEN = ".github/workflows/lint.yml"

K3 = "nightly-8-gpu-mi35x-kimi-k3-rocm720"
K3_PERFORMANCE = "nightly-perf-8-gpu-mi35x-kimi-k3-rocm720"
GROK2 = "nightly-8-gpu-mi35x-grok2-rocm720"

# A changed workflow is not what the matrix says, nor is any workflow what a changed matrix says: one of these
# is found beside each fault.
DRIFT = {"hand-edited", "stale"}


@dataclass(frozen=True, slots=True)
class Repository:
    """A copy of the shipped matrix and its workflows."""

    root: Path

    def add(self, path: str, text: str) -> None:
        (self.root / path).write_text(text, encoding="utf-8", newline="")

    def change(self, path: str, old: str, new: str, *, within: str = "") -> None:
        """Replace the only occurrence of a text, or the only one within a job or a row."""
        text = (self.root / path).read_text(encoding="utf-8")
        before, block, after = self._split(text, within)
        assert block.count(old) == 1, f"{block.count(old)} times in {within or path}: {old}"
        self.add(path, before + block.replace(old, new) + after)

    def change_line(self, path: str, start: str, new: str, *, within: str = "") -> None:
        """Replace the only line that begins so, or the only one within a job or a row."""
        text = (self.root / path).read_text(encoding="utf-8")
        before, block, after = self._split(text, within)
        block, count = re.subn(rf"^{re.escape(start)}.*\n", lambda _: new, block, flags=re.MULTILINE)
        assert count == 1, f"{count} lines of {within or path} begin so: {start}"
        self.add(path, before + block + after)

    def check(self) -> tuple[int, list[dict[str, str]]]:
        """Exit code and findings of the real command line."""
        command = [str(PROGRAM), "check", "--format", "json"]
        done = subprocess.run(command, cwd=self.root, capture_output=True, text=True, check=False)
        assert not done.stderr.count("Traceback"), done.stderr
        return done.returncode, json.loads(done.stdout)["findings"]

    @staticmethod
    def _split(text: str, within: str) -> tuple[str, str, str]:
        if not within:
            return "", text, ""
        found = re.search(rf"^  {re.escape(within)}:\n(?:    .*\n|\n)*", text, re.MULTILINE)
        assert found is not None, within
        return text[: found.start()], found.group(), text[found.end() :]


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    shutil.copy(ROOT / "matrix.yaml", tmp_path)
    shutil.copytree(ROOT / ".github" / "workflows", tmp_path / ".github" / "workflows")
    return Repository(tmp_path)


def a_job_missing_from_the_sum(repository: Repository) -> None:
    repository.change(ROCM720, f"      - {GROK2}\n", "", within="check-all-jobs")


def an_option_without_a_job(repository: Repository) -> None:
    repository.change(ROCM720, f"          - {GROK2}\n", f"          - {GROK2}\n          - {GROK2}-old\n")


def a_job_without_an_option(repository: Repository) -> None:
    repository.change(ROCM720, f"          - {GROK2}\n", "")


def a_foreign_id_in_a_condition(repository: Repository) -> None:
    repository.change(ROCM720, f"outputs.jobs), '{GROK2}')", f"outputs.jobs), '{K3}')", within=GROK2)


def continue_on_error_at_a_job(repository: Repository) -> None:
    by_hand = "${{ inputs.continue_on_error == true }}"
    repository.change(
        ROCM720, "    runs-on:", f"    continue-on-error: {by_hand}\n    runs-on:", within=GROK2
    )


def a_sum_that_is_skipped_after_a_cancellation(repository: Repository) -> None:
    repository.change_line(ROCM720, "    if:", "    if: ${{ !cancelled() }}\n", within="check-all-jobs")


def a_sum_that_looks_for_failures_only(repository: Repository) -> None:
    script = "        run: \"! grep -q failure <<< '${{ join(needs.*.result) }}'\"\n"
    repository.change_line(ROCM720, "        run:", script, within="check-all-jobs")


def one_name_in_two_workflows(repository: Repository) -> None:
    repository.change("matrix.yaml", "    title: ROCm 7.2\n", '    title: ROCm 7.2\n    id_suffix: ""\n')


def one_name_in_a_hand_written_workflow(repository: Repository) -> None:
    job = f"{{name: {GROK2}, runs-on: ubuntu-24.04, steps: [{{run: ./lint}}]}}"
    repository.add(HAND_WRITTEN, f"on: pull_request\njobs:\n  lint: {job}\n")


def a_chain_without_a_cancellation_test(repository: Repository) -> None:
    repository.change(ROCM720, "!cancelled() && needs.", "needs.", within=K3_PERFORMANCE)


def a_chain_that_runs_always(repository: Repository) -> None:
    repository.change(ROCM720, "!cancelled() && needs.", "always() && needs.", within=K3_PERFORMANCE)


def a_file_over_512_000_bytes(repository: Repository) -> None:
    size = (repository.root / ROCM720).stat().st_size
    repository.change(ROCM720, "permissions: {}\n", "# more\n" * (512_000 // 7) + "permissions: {}\n")
    assert (repository.root / ROCM720).stat().st_size > max(512_000, size)


def steps_longer_than_their_job(repository: Repository) -> None:
    repository.change_line(ROCM720, "    timeout-minutes:", "    timeout-minutes: 60\n", within=GROK2)


def steps_longer_than_githubs_default(repository: Repository) -> None:
    repository.change_line(ROCM720, "    timeout-minutes:", "", within=K3_PERFORMANCE)


def steps_longer_than_their_job_in_the_matrix(repository: Repository) -> None:
    row = "    after: [kimi-k3]\n"
    repository.change("matrix.yaml", row, f"{row}    job_timeout_minutes: 60\n", within="kimi-k3-performance")


def the_generator_as_a_float(repository: Repository) -> None:
    repository.change_line("matrix.yaml", "nightgrid:", "nightgrid: 0.10\n")


def the_software_as_a_float(repository: Repository) -> None:
    repository.change("matrix.yaml", 'rocm: "7.2"', "rocm: 7.20")


def a_version_as_a_float_in_a_workflow(repository: Repository) -> None:
    step = "    steps:\n      - {run: ./x, timeout-minutes: 1, env: {ROCM: 7.20}}\n"
    repository.change(ROCM720, "    steps:\n", step, within=GROK2)


def more_than_256_matrix_jobs(repository: Repository) -> None:
    parts = ", ".join(str(part) for part in range(257))
    strategy = f"    strategy: {{matrix: {{part: [{parts}]}}}}\n    runs-on:"
    repository.change(ROCM720, "    runs-on:", strategy, within=GROK2)


def a_job_of_mi35x_on_mi325(repository: Repository) -> None:
    label = "    runs-on: linux-mi325-8gpu-sglang\n"
    repository.change_line(ROCM720, "    runs-on:", label, within=GROK2)


def a_pool_of_mi35x_behind_a_label_of_mi300(repository: Repository) -> None:
    repository.change("matrix.yaml", "label: linux-mi35x-gpu-8,", "label: linux-mi300-gpu-8,")


def a_step_as_long_as_the_file_in_it(repository: Repository) -> None:
    text = (repository.root / ROCM720).read_text(encoding="utf-8")
    per_file_s = re.search(r"kimi-k3 --nightly --timeout-per-file (\d+)", text)
    assert per_file_s is not None
    minutes = int(per_file_s[1]) // 60
    new = f"        timeout-minutes: {minutes}\n"
    repository.change(ROCM720, f"        timeout-minutes: {minutes + 10}\n", new, within=K3_PERFORMANCE)


def a_step_as_long_as_the_file_in_the_matrix(repository: Repository) -> None:
    old = "per_file_timeout_s: 900, timeout_minutes: 60}"
    repository.change("matrix.yaml", old, "per_file_timeout_s: 3600, timeout_minutes: 60}")


UNREADABLE = {the_generator_as_a_float, the_software_as_a_float}
FAULTS: list[tuple[Callable[[Repository], None], str]] = [
    (a_job_missing_from_the_sum, "not-in-sum"),
    (an_option_without_a_job, "option-without-job"),
    (a_job_without_an_option, "job-without-option"),
    (a_foreign_id_in_a_condition, "foreign-condition"),
    (continue_on_error_at_a_job, "job-continue-on-error"),
    (a_sum_that_is_skipped_after_a_cancellation, "sum-ignores-cancelled"),
    (a_sum_that_looks_for_failures_only, "sum-ignores-cancelled"),
    (one_name_in_two_workflows, "duplicate-name"),
    (one_name_in_a_hand_written_workflow, "duplicate-name"),
    (a_chain_without_a_cancellation_test, "unguarded-chain"),
    (a_chain_that_runs_always, "unguarded-chain"),
    (a_file_over_512_000_bytes, "file-too-large"),
    (steps_longer_than_their_job, "step-over-job"),
    (steps_longer_than_githubs_default, "step-over-job"),
    (steps_longer_than_their_job_in_the_matrix, "step-over-job"),
    (the_generator_as_a_float, "float-version"),
    (the_software_as_a_float, "float-version"),
    (a_version_as_a_float_in_a_workflow, "float-version"),
    (more_than_256_matrix_jobs, "matrix-too-large"),
    (a_job_of_mi35x_on_mi325, "isa-label"),
    (a_pool_of_mi35x_behind_a_label_of_mi300, "isa-label"),
    (a_step_as_long_as_the_file_in_it, "outer-not-above-inner"),
    (a_step_as_long_as_the_file_in_the_matrix, "outer-not-above-inner"),
]


def test_the_shipped_repository_is_without_a_fault(repository: Repository) -> None:
    assert repository.check() == (0, [])


@pytest.mark.parametrize(("seed", "id_"), FAULTS, ids=lambda value: getattr(value, "__name__", value))
def test_a_seeded_fault_is_caught_by_its_own_id(
    seed: Callable[[Repository], None], id_: str, repository: Repository
) -> None:
    seed(repository)

    code, found = repository.check()

    assert code == (2 if seed in UNREADABLE else 1)
    assert {finding["id"] for finding in found} - DRIFT == {id_}
    assert all(finding["severity"] == "error" for finding in found)
