"""Whatever stands where a workflow should: it is named as drift, and no check falls over it."""

from pathlib import Path

import pytest

from checks.case import HERE, WORKFLOW, checked, lay_out
from generator.domain.exit_code import ExitCode

ODD = {
    "empty": b"",
    "a list": b"- on: push\n",
    "a text": b"on\n",
    "no jobs": b"on: push\n",
    "jobs are a list": b"jobs: [preflight, check-all-jobs]\n",
    "a job is a text": b"jobs: {preflight: x, check-all-jobs: [], other:}\n",
    "everything is of another type": b"on: [workflow_dispatch]\n"
    b"jobs: {check-all-jobs: {needs: {a: b}, if: [x], runs-on: {group: g}, timeout-minutes: x, steps: 7,"
    b" strategy: {matrix: '${{ x }}'}, name: 3, continue-on-error: {a: b}}}\n",
    "options are no texts": b"on: {workflow_dispatch: {inputs: {job_select:"
    b" {options: [1, {a: b}, [c], null]}}}}\n",
    "a list of other rows": b"jobs: {preflight: {steps: [{run: "
    b"""'{"jobs": {}} {"jobs": [1, {"id": 2, "groups": 3}, {"groups": [4]}]} {'}]}}\n""",
    "a list without end": b"jobs: {preflight: {steps: [{run: '" + b'{"jobs":[' * 60_000 + b"'}]}}\n",
    "no YAML": b"jobs: {\n",
    "one key twice": b"jobs: {}\njobs: {}\n",
    "NUL": b"jobs: \x00\n",
    "not UTF-8": b"jobs: \xff\n",
    "UTF-16": "jobs: {}\n".encode("utf-16"),
    "deep": b"[" * 5000,
    "only carriage returns": b"on: push\rjobs: {}\r",
    "larger than is read": b"# " + b"x" * 11_000_000 + b"\n",
}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    lay_out(HERE / "generator-version" / "ok-same-version", tmp_path)
    return tmp_path


@pytest.mark.parametrize("data", ODD.values(), ids=ODD.keys())
def test_an_odd_file_in_our_place_is_drift(data: bytes, repository: Path) -> None:
    (repository / WORKFLOW).write_bytes(data)

    code, text = checked(repository)

    assert code is ExitCode.FINDINGS
    assert f"{WORKFLOW}: error[hand-edited]: " in text


@pytest.mark.parametrize("data", ODD.values(), ids=ODD.keys())
def test_an_odd_file_beside_ours_is_nobodys_business(data: bytes, repository: Path) -> None:
    (repository / WORKFLOW).with_name("other.yml").write_bytes(data)

    code, text = checked(repository)

    allowed = "file-too-large" if len(data) > 512_000 else ""
    assert (code is ExitCode.FINE) == (not allowed)
    assert "error[" not in text.replace(f"error[{allowed}]", "")


def test_a_folder_and_a_broken_link_are_no_workflows(repository: Path) -> None:
    (repository / WORKFLOW).with_name("folder.yml").mkdir()
    (repository / WORKFLOW).with_name("link.yml").symlink_to("nowhere.yml")

    code, _ = checked(repository)

    assert code is ExitCode.FINE
