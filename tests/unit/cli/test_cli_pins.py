"""`pins`: what a bot bumped in a generated workflow comes back into the matrix, and nothing else changes."""

import re
from pathlib import Path

from unit.cli.conftest import Run

WORKFLOW = Path(".github/workflows/nightly.yml")
OLD = "8e8c483db84b4bee98b60c0593521ed34d9990e8"
NEW = "a" * 40
OTHER = "b" * 40


def bump(file: Path, *, commit: str = NEW, version: str = " # v7.0.0", count: int = 0) -> None:
    """Does to a workflow what a bot does."""
    text = file.read_bytes().decode()
    pinned = rf"actions/checkout@{OLD} # v6\.0\.1"
    changed = re.sub(pinned, f"actions/checkout@{commit}{version}", text, count=count)
    assert changed != text
    file.write_bytes(changed.encode())


def second_workflow(repository: Path, run: Run) -> None:
    """A lane more, in a workflow of its own."""
    matrix = repository / "matrix.yaml"
    text = matrix.read_text()
    text = text.replace("workflows:\n", "workflows:\n  second: {name: Second}\n")
    text = text.replace(
        "lanes:\n", "lanes:\n  more: {title: More, workflow: second, pools: [mi300-8gpu]}\n", 1
    )
    matrix.write_text(text)
    assert run("render").code == 0


def test_nothing_bumped_changes_nothing(repository: Path, run: Run) -> None:
    before = (repository / "matrix.yaml").read_bytes()

    done = run("pins")

    assert (done.code, done.out) == (0, "no workflow holds another commit of an action than the matrix\n")
    assert (repository / "matrix.yaml").read_bytes() == before


def test_a_bump_comes_back_and_check_is_green_again(repository: Path, run: Run) -> None:
    before = (repository / "matrix.yaml").read_text()
    bump(repository / WORKFLOW)
    assert run("check").code == 1

    done = run("pins")

    assert done.code == 0
    assert done.out.startswith("matrix.yaml: actions/checkout v6.0.1 → v7.0.0 (aaaaaaaaaaaa)\n")
    after = (repository / "matrix.yaml").read_text()
    assert after == before.replace("version: v6.0.1, commit: " + OLD, "version: v7.0.0, commit: " + NEW)
    assert run("check").code == 0


def test_a_bump_in_one_place_of_many_is_enough(repository: Path, run: Run) -> None:
    bump(repository / WORKFLOW, count=1)

    assert run("pins").code == 0
    assert (repository / WORKFLOW).read_text().count(NEW) > 1
    assert run("check").code == 0


def test_a_bump_without_a_version_keeps_the_one_that_is_known(repository: Path, run: Run) -> None:
    bump(repository / WORKFLOW, version="")

    assert run("pins").code == 0
    assert f"{{version: v6.0.1, commit: {NEW}}}" in (repository / "matrix.yaml").read_text()


def test_two_workflows_that_disagree_are_a_finding_and_nothing_is_written(repository: Path, run: Run) -> None:
    second_workflow(repository, run)
    bump(repository / WORKFLOW)
    bump(repository / WORKFLOW.with_name("second.yml"), commit=OTHER)
    before = (repository / "matrix.yaml").read_bytes()

    done = run("pins")

    assert done.code == 1
    assert (
        ".github/workflows/second.yml: error[pins-disagree]: the workflows hold two new commits of "
        "actions/checkout: aaaaaaaaaaaa and bbbbbbbbbbbb" in done.out
    )
    assert (repository / "matrix.yaml").read_bytes() == before


def test_one_workflow_of_two_is_bumped_and_both_follow(repository: Path, run: Run) -> None:
    second_workflow(repository, run)
    bump(repository / WORKFLOW)

    assert run("pins").code == 0
    assert NEW in (repository / WORKFLOW.with_name("second.yml")).read_text()
    assert run("check").code == 0


def test_carriage_returns_of_a_bot_or_an_editor_do_not_hide_a_bump(repository: Path, run: Run) -> None:
    bump(repository / WORKFLOW)
    for file in (repository / WORKFLOW, repository / "matrix.yaml"):
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))

    assert run("pins").code == 0
    matrix = (repository / "matrix.yaml").read_bytes()
    assert NEW.encode() in matrix
    assert matrix.count(b"\r\n") == matrix.count(b"\n")  # the matrix stays as its people write it
    assert b"\r" not in (repository / WORKFLOW).read_bytes()
    assert run("check").code == 0


def test_an_action_that_no_pin_knows_and_a_workflow_of_others_say_nothing(repository: Path, run: Run) -> None:
    (repository / ".github/workflows/theirs.yml").write_text(
        f"on: push\njobs:\n  a:\n    runs-on: x\n    steps:\n      - uses: actions/checkout@{OTHER} # v9\n"
    )
    file = repository / WORKFLOW
    text = file.read_text().replace("actions/upload-artifact@", "actions/upload-artefact@")
    file.write_text(text)

    done = run("pins")

    assert (done.code, done.out) == (0, "no workflow holds another commit of an action than the matrix\n")


def test_a_commit_in_a_script_is_no_pin(repository: Path, run: Run) -> None:
    matrix = repository / "matrix.yaml"
    step = f'{{id: note, name: Note, timeout_minutes: 1, run: "echo\\n  uses: actions/checkout@{OTHER}\\n"}}'
    matrix.write_text(
        matrix.read_text().replace("container: none\n", f"container: none\n    after: [{step}]\n")
    )
    assert run("render").code == 0

    done = run("pins")

    assert (done.code, done.out) == (0, "no workflow holds another commit of an action than the matrix\n")
