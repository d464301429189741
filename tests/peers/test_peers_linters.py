from pathlib import Path

import pytest

from peers.linters import actionlint, check_jsonschema, yamllint, zizmor
from peers.tools import PEERS, Diagnostic, PeerFailedError, run_tool

NIGHT = PEERS / "workflows/night.yml"
CONCURRENCY = "concurrency:\n  group: night-${{ github.event_name }}\n  cancel-in-progress: false\n"
LABELS = ("linux-mi300-8", "linux-mi350-8")


def night_with(folder: Path, sound: str, faulty: str) -> list[Path]:
    """A folder's copy of the small night with a fault in it, behind the sound one."""
    text = NIGHT.read_text("utf-8")
    assert sound in text
    (folder / "night.yml").write_bytes(text.replace(sound, faulty, 1).encode())
    return [NIGHT, folder / "night.yml"]


def only_in_the_second(found: list[Diagnostic], paths: list[Path], rule: str) -> list[Diagnostic]:
    matching = [diagnostic for diagnostic in found if diagnostic.rule == rule]
    assert {diagnostic.path for diagnostic in matching} == {str(paths[1])}, found
    return matching


@pytest.mark.parametrize(
    ("sound", "faulty", "rule"),
    [
        ("persist-credentials: false", "persist-credentials: true", "artipacked"),
        ("permissions: {}", "permissions: write-all", "excessive-permissions"),
        ("@11bd71901bbe5b1630ceea73d27597364c9af683", "@v4", "unpinned-uses"),
        (": ${JOB_SELECT:-nothing}", ": ${{ inputs.job_select }}", "template-injection"),
        (CONCURRENCY, "", "concurrency-limits"),
    ],
)
def test_zizmor_finds_a_fault(tmp_path: Path, sound: str, faulty: str, rule: str) -> None:
    paths = night_with(tmp_path, sound, faulty)
    (found,) = only_in_the_second(zizmor(paths), paths, rule)
    assert found.line > 1


def test_zizmor_never_leaves_a_file_out(tmp_path: Path) -> None:
    with pytest.raises(PeerFailedError, match="zizmor"):
        zizmor(night_with(tmp_path, "jobs:", "jbos:"))


@pytest.mark.parametrize(
    ("sound", "faulty", "rule"),
    [
        ("runs-on: linux-mi300-8", "runs-on: linux-mi301-8", "runner-label"),
        ("steps.select.outputs", "steps.selct.outputs", "expression"),
        ("needs: [preflight, accuracy]\n", "needs: [preflight, acuracy]\n", "job-needs"),
        ("    timeout-minutes: 5\n", "    timeout-minutes: five\n", "syntax-check"),
    ],
)
def test_actionlint_finds_a_fault(tmp_path: Path, sound: str, faulty: str, rule: str) -> None:
    paths = night_with(tmp_path, sound, faulty)
    assert actionlint([NIGHT], LABELS) == []
    assert all(found.line > 1 for found in only_in_the_second(actionlint(paths, LABELS), paths, rule))


def test_the_schema_finds_a_fault(tmp_path: Path) -> None:
    paths = night_with(tmp_path, "permissions: {}", "permissions: wriet-all")
    assert check_jsonschema([NIGHT]) == []
    (found,) = only_in_the_second(check_jsonschema(paths), paths, "schema")
    assert "permissions" in found.message


def test_the_schema_finds_a_file_that_is_no_yaml(tmp_path: Path) -> None:
    paths = night_with(tmp_path, "jobs:", "jobs: [")
    assert only_in_the_second(check_jsonschema(paths), paths, "schema")


@pytest.mark.parametrize(
    ("sound", "faulty", "rule"),
    [
        ("name: Night\n", "name: Night \n", "trailing-spaces"),
        ("name: Night\n", "name: Night\nname: Night\n", "key-duplicates"),
        ("persist-credentials: false", "persist-credentials: off", "truthy"),
        ("name: Night\n", "name: [Night\n", "syntax"),
        ("    timeout-minutes: 5\n", "     timeout-minutes: 5\n", "syntax"),
        ("jobs:\n", "\n\n\n\njobs:\n", "empty-lines"),
    ],
)
def test_yamllint_finds_a_fault(tmp_path: Path, sound: str, faulty: str, rule: str) -> None:
    paths = night_with(tmp_path, sound, faulty)
    assert yamllint([NIGHT]) == []
    found = yamllint(paths)
    assert {diagnostic.path for diagnostic in found} == {str(paths[1])}
    assert rule in {diagnostic.rule for diagnostic in found}


def test_yamllint_finds_line_ends_of_another_system(tmp_path: Path) -> None:
    (tmp_path / "night.yml").write_bytes(NIGHT.read_bytes().replace(b"\n", b"\r\n"))
    assert [found.rule for found in yamllint([tmp_path / "night.yml"])] == ["new-lines"]


@pytest.mark.parametrize("linter", [zizmor, actionlint, check_jsonschema, yamllint])
def test_nothing_to_judge_and_a_missing_file_are_no_clean_bill(linter: object, tmp_path: Path) -> None:
    assert callable(linter)
    with pytest.raises(PeerFailedError, match="no file to judge"):
        linter([])
    with pytest.raises(PeerFailedError):
        linter([tmp_path / "missing.yml"])


def test_a_missing_tool_says_how_to_get_it() -> None:
    with pytest.raises(PeerFailedError, match=r"no-such-tool: .*make setup"):
        run_tool(["no-such-tool"], {0})
