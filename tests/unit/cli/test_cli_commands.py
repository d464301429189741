"""The commands that write and check: what they do to a repository, what they say, and their exit codes."""

import json
from pathlib import Path

import pytest

from generator.cli import complete
from unit.cli.conftest import Run

WORKFLOW = Path(".github/workflows/nightly.yml")


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text, old
    file.write_text(text.replace(old, new), encoding="utf-8")


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_init_then_render_then_check_is_fine(repository: Path, run: Run) -> None:
    assert sorted(path.name for path in repository.iterdir()) == [
        ".gitattributes",
        ".github",
        "matrix.schema.json",
        "matrix.yaml",
    ]
    done = run("check")
    assert (done.code, done.out) == (0, "1 workflows with 2 jobs are what matrix.yaml says\n")


@pytest.mark.parametrize("name", ["matrix.yaml", "matrix.schema.json"])
def test_init_overwrites_nothing(tmp_path: Path, run: Run, name: str) -> None:
    (tmp_path / name).write_text("mine")
    before = snapshot(tmp_path)

    done = run("init")

    assert done.code == 2
    assert f"{name}: error[file-exists]: the file is there already, and is left as it is" in done.out
    assert snapshot(tmp_path) == before


def test_init_leaves_attributes_alone_and_makes_a_folder(tmp_path: Path, run: Run) -> None:
    (tmp_path / ".gitattributes").write_text("mine")

    assert run("init").code == 0
    assert run("init", "deep/er").code == 0
    assert (tmp_path / ".gitattributes").read_text() == "mine"
    assert (tmp_path / "deep/er/matrix.yaml").is_file()


def test_render_says_what_it_wrote_changed_and_left(repository: Path, run: Run) -> None:
    assert run("render").out == "all 1 workflows are in step with matrix.yaml\n"
    assert run("render", "--quiet").out == ""
    assert run("render", "--verbose").out.startswith("unchanged .github/workflows/nightly.yml\n")
    edit(repository / "matrix.yaml", "name: Nightly", "name: Every night")
    assert run("render").out == "changed .github/workflows/nightly.yml\n"
    (repository / WORKFLOW).unlink()
    assert run("render").out == "wrote .github/workflows/nightly.yml\n"


def test_render_removes_orphans_that_carry_the_header_and_nothing_else(repository: Path, run: Run) -> None:
    folder = repository / WORKFLOW.parent
    mine = {
        "by-hand.yml": "name: mine\n",
        "note.txt": "# Written by nightgrid\n",
        "empty.yml": "",
    }
    for name, text in mine.items():
        (folder / name).write_text(text)
    (folder / "deep").mkdir()
    (folder / "deep" / "nightly.yml").write_bytes((repository / WORKFLOW).read_bytes())
    (folder / "old.yml").write_bytes((repository / WORKFLOW).read_bytes())
    (folder / "older.yaml").write_bytes((repository / WORKFLOW).read_bytes())

    done = run("render")

    assert done.out == "removed .github/workflows/old.yml\nremoved .github/workflows/older.yaml\n"
    assert sorted(path.name for path in folder.iterdir()) == sorted([*mine, "deep", "nightly.yml"])


def test_a_dry_run_shows_a_difference_and_writes_nothing(repository: Path, run: Run) -> None:
    edit(repository / "matrix.yaml", "name: Nightly", "name: Every night")
    (repository / ".github/workflows/old.yml").write_bytes((repository / WORKFLOW).read_bytes())
    before = snapshot(repository)

    done = run("render", "--dry-run")

    assert done.code == 0
    assert {"-name: Nightly", "+name: Every night"} <= set(done.out.split("\n"))
    assert "+++ /dev/null" in done.out
    assert "would change .github/workflows/nightly.yml\nwould remove .github/workflows/old.yml\n" in done.out
    assert snapshot(repository) == before


def test_render_writes_nothing_where_the_matrix_is_faulty(repository: Path, run: Run) -> None:
    edit(repository / "matrix.yaml", "accuracy: {gate: 0.90,", "accuracy: {gate: 0.90, advisory: true,")
    before = snapshot(repository)

    done = run("render")

    assert done.code == 1
    assert "error[coverage-missing]" in done.out
    assert done.out.endswith("nothing was written\n")
    assert snapshot(repository) == before


def test_check_tells_drift_from_invalid_input(repository: Path, run: Run) -> None:
    edit(repository / "matrix.yaml", "name: Nightly", "name: Every night")
    drift = run("check")
    edit(repository / "matrix.yaml", "isa: gfx942", "isa: gfx950")
    invalid = run("check")

    assert drift.code == 1
    assert drift.out.endswith("\nTo bring the workflows in step with matrix.yaml: nightgrid render\n")
    assert invalid.code == 2
    assert "error[unknown-name]: there is no ISA `gfx950`" in invalid.out


def test_the_advice_names_the_matrix_that_was_asked_for(repository: Path, run: Run) -> None:
    (repository / WORKFLOW).unlink()

    done = run("check", "--matrix", str(repository / "matrix.yaml"))

    assert done.out.endswith(f"nightgrid render --matrix {repository / 'matrix.yaml'}\n")


def test_check_shows_a_whole_difference_to_who_asks_for_it(repository: Path, run: Run) -> None:
    edit(repository / "matrix.yaml", "name: Nightly", "name: Every night")
    edit(repository / "matrix.yaml", "title: MI30x", "title: MI300X of ours")
    edit(repository / WORKFLOW, "timeout-minutes: ", "timeout-minutes:  ")

    short, long = run("check"), run("check", "--verbose")

    assert len(long.out.splitlines()) > len(short.out.splitlines())


def test_findings_in_the_forms_that_machines_read(repository: Path, run: Run) -> None:
    (repository / WORKFLOW).unlink()

    as_json = run("check", "--format", "json")
    as_github = run("check", "--format", "github")
    as_sarif = run("check", "--format", "sarif")

    assert {done.code for done in (as_json, as_github, as_sarif)} == {1}
    (found,) = json.loads(as_json.out)["findings"]
    assert (found["id"], found["path"]) == ("missing", str(WORKFLOW))
    assert as_github.out.startswith("::error file=.github/workflows/nightly.yml,")
    (result,) = json.loads(as_sarif.out)["runs"][0]["results"]
    assert result["ruleId"] == "missing"
    # What is said to a person does not disturb what a machine reads.
    assert all("nightgrid render" in done.err for done in (as_json, as_github, as_sarif))


def test_a_machine_gets_an_empty_form_where_all_is_well(repository: Path, run: Run) -> None:
    done = run("check", "--format", "json", "--quiet")

    assert (repository / WORKFLOW).is_file()
    assert (done.code, json.loads(done.out)["findings"], done.err) == (0, [], "")


@pytest.mark.parametrize("command", ["render", "check", "list", "pins"])
def test_every_command_ends_with_2_on_a_matrix_that_cannot_be_read(run: Run, command: str) -> None:
    done = run(command)

    assert done.code == 2
    assert "error[file-unreadable]: there is no such file" in done.out


@pytest.mark.parametrize("command", ["explain", "try"])
def test_an_unknown_job_gets_a_hint(repository: Path, run: Run, command: str) -> None:
    near, far = run(command, "nightly-8-gpu-mi30-unit"), run(command, "x")

    assert repository.is_dir()
    assert (near.code, far.code) == (2, 2)
    assert "did you mean `nightly-8-gpu-mi30x-unit`" in near.err
    assert "see nightgrid list" in far.err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["frob"], "No such command"),
        (["list", "lanes"], "'lanes' is not one of 'jobs', 'cells'"),
        (["check", "--format", "xml"], "'xml' is not one of"),
        (["explain"], "Missing argument"),
        (["render", "--nope"], "No such option"),
    ],
)
def test_wrong_usage_is_2(run: Run, arguments: list[str], says: str) -> None:
    done = run(*arguments)

    assert done.code == 2
    assert says in done.err


@pytest.mark.parametrize("name", ["init", "render", "check", "explain", "list", "schema", "pins", "try"])
def test_every_command_has_a_help_with_an_example(run: Run, name: str) -> None:
    done = run(name, "--help")

    assert done.code == 0
    assert "Example: nightgrid" in done.out


def test_the_schema_is_printed_as_it_is_published(run: Run) -> None:
    assert json.loads(run("schema").out)["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_a_shell_is_offered_the_ids_that_begin_as_typed(repository: Path) -> None:
    matrix = repository / "matrix.yaml"

    assert complete.job_ids(matrix, "nightly-8-gpu-mi30x-u") == ["nightly-8-gpu-mi30x-unit"]
    assert len(complete.job_ids(matrix, "")) == 2
    assert complete.job_ids(matrix, "x") == []
    assert complete.job_ids(repository / "nope.yaml", "") == []
