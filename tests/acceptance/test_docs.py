"""What the pages promise: their examples build, their links lead somewhere, their commands are there."""

import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
import typer

from acceptance.pages import Block, anchors, blocks, links, said_commands, spans, with_sections
from generator.cli.main import app
from generator.cli.version import __version__
from generator.config.matrix_file import matrix_from, schema_text
from generator.config.source import Source
from generator.domain.exit_code import ExitCode
from generator.domain.matrix import Matrix
from generator.render.text import starting_matrix
from peers.github import github_workflows

ROOT = Path(__file__).parents[2]
README, ADOPTING = ROOT / "README.md", ROOT / "docs/adopting.md"
DOCS = sorted((ROOT / "docs").glob("*.md"))
PAGES = [README, ROOT / "CHANGELOG.md", *DOCS]
PROGRAM = Path(sys.executable).with_name("nightgrid")

YAML = [block for page in (README, ADOPTING) for block in blocks(page) if block.language == "yaml"]
WHOLE = [block for block in YAML if "nightgrid" in block.keys]
WORKFLOWS = [block for block in YAML if "jobs" in block.keys]
HOOKS = [block for block in YAML if "repos" in block.keys]
PARTS = [block for block in YAML if block not in (*WHOLE, *WORKFLOWS, *HOOKS)]


def matrix_around(page: Path, part: str) -> str:
    """A part of a matrix in the one that its page speaks of: the shipped one, or that of `init`."""
    base = (ROOT / "matrix.yaml").read_text() if page == README else starting_matrix(__version__)
    return with_sections(base, part)


def nightgrid(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([PROGRAM, *arguments], cwd=folder, capture_output=True, text=True, check=False)


def rendered_and_checked(folder: Path, matrix: str) -> str:
    """What check says of a matrix after it was rendered; both must be content."""
    (folder / "matrix.yaml").write_text(matrix)
    (folder / "matrix.schema.json").write_text(schema_text())
    rendered, checked = nightgrid(folder, "render"), nightgrid(folder, "check")
    assert rendered.returncode == 0, rendered.stdout + rendered.stderr
    assert checked.returncode == 0, checked.stdout + checked.stderr
    return checked.stdout


def test_the_pages_hold_the_examples_that_they_are_to_hold() -> None:
    assert (len(WHOLE), len(WORKFLOWS), len(HOOKS), len(PARTS)) == (3, 1, 1, 4)


@pytest.mark.parametrize("block", WHOLE, ids=str)
def test_a_whole_matrix_builds_and_checks_without_a_finding(block: Block, tmp_path: Path) -> None:
    matrix = matrix_from(Source(path="matrix.yaml", text=block.text))
    assert isinstance(matrix, Matrix), matrix

    assert "are what matrix.yaml says" in rendered_and_checked(tmp_path, block.text)


def test_the_whole_matrices_are_the_three_ways_into_a_container() -> None:
    matrices = [matrix_from(Source(path="matrix.yaml", text=block.text)) for block in WHOLE]

    ways = [type(matrix.cells[0].site.entry).__name__ for matrix in matrices if isinstance(matrix, Matrix)]
    assert ways == ["Prefix", "GithubContainer", "OnHost"]


@pytest.mark.parametrize("block", PARTS, ids=str)
def test_a_part_of_a_matrix_builds_in_the_matrix_that_it_belongs_to(block: Block, tmp_path: Path) -> None:
    assert "are what matrix.yaml says" in rendered_and_checked(
        tmp_path, matrix_around(block.page, block.text)
    )


STEADY_ROW = """\
  steady:
    model: steady
    hardware: [mi30x] # where the newest one does not load
    checks:
      accuracy: {gate: 0.90, questions: 1319, shots: 5}
"""


@pytest.mark.parametrize(
    ("page", "old", "new", "id_"),
    [
        (README, "hardware: [mi35x]", "hardware: [mi30x, mi35x]", "isa-refuses"),
        (README, "hardware: [mi30x, mi35x]", "hardware: [mi35x]", "coverage-missing"),
        (ADOPTING, "hardware: [mi35x]", "hardware: [mi30x, mi35x]", "isa-refuses"),
        (ADOPTING, STEADY_ROW, "", "coverage-missing"),
    ],
)
def test_what_a_page_says_of_a_mistake_is_what_check_says(
    page: Path, old: str, new: str, id_: str, tmp_path: Path
) -> None:
    block = next(block for block in PARTS if block.page == page and "cells" in block.keys)
    assert block.text.count(old) == 1
    (tmp_path / "matrix.yaml").write_text(matrix_around(page, block.text.replace(old, new)))

    done = nightgrid(tmp_path, "check")

    assert done.returncode == 1
    assert re.search(rf"^matrix\.yaml:\d+:\d+: error\[{id_}\]", done.stdout, re.MULTILINE), done.stdout


def test_the_ten_minutes(tmp_path: Path) -> None:
    """The steps of docs/adopting.md in an empty folder, with the program itself."""
    part = next(block for block in PARTS if block.page == ADOPTING and "cells" in block.keys)
    asked = [block for block in blocks(ADOPTING) if block.language == "sh"]
    commands = [line for block in asked for line in block.text.splitlines() if line.startswith("nightgrid")]
    assert [command.split()[1] for command in commands] == ["init", "render", "list", "explain"]

    for number, command in enumerate(commands):
        script = f'PATH="{PROGRAM.parent}:$PATH"; set -e; {command}'
        done = subprocess.run(
            ["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        if number == 1:
            (tmp_path / "matrix.yaml").write_text(matrix_around(ADOPTING, part.text))

    assert {path.name for path in tmp_path.iterdir()} == {
        "matrix.yaml", "matrix.schema.json", ".gitattributes", ".github",
    }  # fmt: skip
    first_attribute = next(block.text for block in blocks(ADOPTING) if not block.language).splitlines()[0]
    assert first_attribute in (tmp_path / ".gitattributes").read_text()


def test_two_paths_are_all_of_the_harness(tmp_path: Path) -> None:
    """What a project copies: preflight decides with them, and without a library."""
    (tmp_path / "generator").mkdir()
    shutil.copy(ROOT / "generator/__init__.py", tmp_path / "generator")
    shutil.copytree(ROOT / "generator/harness", tmp_path / "generator/harness")
    night = {
        "workflow": "nightly",
        "repository": "owner/name",
        "continue_on_error": False,
        "lookup": {"timeout_s": 1, "attempts": 1},
        "images": {},
        "jobs": [{"id": "a", "hardware": "mi30x", "groups": ["hardware: mi30x"], "limit_minutes": 9}],
    }
    start = {"EVENT": "schedule", "REPOSITORY": "owner/name", "NIGHT": json.dumps(night)}
    done = subprocess.run(
        [sys.executable, "-S", "-m", "generator.harness", "preflight"],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], **start},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 job will run" in done.stdout


@pytest.mark.parametrize("block", WORKFLOWS, ids=str)
def test_a_workflow_to_copy_is_one_to_github(block: Block, tmp_path: Path) -> None:
    (tmp_path / "check.yml").write_text(block.text)

    (parsed,) = github_workflows([tmp_path / "check.yml"])

    assert parsed.diagnostics == ()
    assert [use.split("@")[0] for use in parsed.jobs[0].uses] == ["actions/checkout", "OWNER/nightgrid"]
    assert (ROOT / "action.yml").is_file()


def test_the_hooks_to_name_are_there() -> None:
    there = re.findall(r"^- id: (\S+)", (ROOT / ".pre-commit-hooks.yaml").read_text(), re.MULTILINE)
    named = [id_ for block in HOOKS for id_ in re.findall(r"- id: (\S+)", block.text)]

    assert sorted(named) == sorted(there)
    assert all(id_ in README.read_text() for id_ in there)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    broken = []
    for link in links(page):
        path, _, anchor = link.partition("#")
        target = page if not path else page.parent / path
        if "://" in link or (target.exists() and (not anchor or anchor in anchors(target))):
            continue
        broken.append(link)

    assert broken == []


def test_every_page_can_be_reached_from_the_readme() -> None:
    assert {f"docs/{page.name}" for page in DOCS} - {
        link.partition("#")[0] for link in links(README)
    } == set()


def test_every_command_is_in_the_readme_or_the_docs() -> None:
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined] # a group has them

    assert set(commands) - {name for page in (README, *DOCS) for name, _ in said_commands(page)} == set()


@pytest.mark.parametrize("page", [README, *DOCS], ids=lambda page: page.name)
def test_every_command_and_option_that_a_page_names_is_there(page: Path) -> None:
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined] # a group has them
    for name, rest in said_commands(page):
        assert name in commands, f"{page.name}: nightgrid {name}"
        known = {option for parameter in commands[name].params for option in parameter.opts}
        assert set(re.findall(r"(?<= )--[a-z-]+", rest)) <= known | {"--help"}, (
            f"{page.name}: nightgrid {name}{rest}"
        )


def test_the_readme_names_targets_that_make_has() -> None:
    targets = set(re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {match for text in spans(README) for match in re.findall(r"^make ([a-z-]+)$", text)}

    assert {"demo", "test"} <= named <= targets


def test_the_readme_names_the_exit_codes_that_there_are() -> None:
    table = README.read_text().split("## Exit codes")[1].split("\n## ")[0]

    assert [int(code) for code in re.findall(r"^\| (\d+) \|", table, re.MULTILINE)] == sorted(ExitCode)


def test_every_incident_is_numbered_and_says_whether_it_is_held() -> None:
    parts = re.split(r"^### (\d+)\. ", (ROOT / "docs/incidents.md").read_text(), flags=re.MULTILINE)[1:]
    numbers, texts = parts[::2], parts[1::2]

    assert [int(number) for number in numbers] == list(range(1, 35))
    for number, text in zip(numbers, texts, strict=True):
        said = re.findall(r"^\*\*(Cannot happen|Is named|In part|Not held)\b", text, re.MULTILINE)
        assert len(said) == 1, number


def test_the_picture_stands_by_itself_in_a_light_and_a_dark_page() -> None:
    picture = (ROOT / "docs/path.svg").read_text()
    root = ET.fromstring(picture)  # noqa: S314 - our own file

    assert "prefers-color-scheme: dark" in picture
    assert re.findall(r"https?://[^\"']+", picture) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"@import|@font-face|<script|<image|href=", picture)
    assert [child.tag.split("}")[1] for child in root][:2] == ["title", "desc"]
