"""The program as a process: what a terminal, a pipe and an environment make of it."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = str(Path(sys.executable).with_name("nightgrid"))


def on_a_terminal(folder: Path, *arguments: str, **environment: str) -> str:
    """What a terminal shows."""
    ours, theirs = pty.openpty()
    kept = {name: text for name, text in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR", "CI")}
    process = subprocess.Popen(
        [PROGRAM, *arguments], cwd=folder, stdout=theirs, env={**kept, "TERM": "xterm", **environment}
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # Linux says so at the end
            break
        if not part:
            break
        shown += part
    process.wait()
    os.close(ours)
    return shown.decode()


@pytest.fixture
def faulty(repository: Path) -> Path:
    (repository / ".github/workflows/nightly.yml").unlink()
    return repository


def test_there_is_colour_on_a_terminal_and_none_where_it_is_not_wanted(faulty: Path) -> None:
    assert "\x1b[" in on_a_terminal(faulty, "check")
    assert "\x1b" not in on_a_terminal(faulty, "check", NO_COLOR="1")
    assert "\x1b" not in on_a_terminal(faulty, "check", "--format", "json")


def test_there_is_no_colour_in_a_pipe(faulty: Path) -> None:
    done = subprocess.run([PROGRAM, "check"], cwd=faulty, capture_output=True, text=True, check=False)

    assert done.returncode == 1
    assert "\x1b" not in done.stdout


@pytest.mark.parametrize("arguments", [["list", "--format", "json"], ["schema"], ["check"], ["render"]])
def test_a_reader_that_has_gone_ends_it_without_a_trace(faulty: Path, arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)

    done = subprocess.run(
        [PROGRAM, *arguments], cwd=faulty, stdout=writing, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(writing)

    assert done.returncode == 4
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


def test_a_full_disk_is_said_and_leaves_what_was_there(repository: Path) -> None:
    workflows = repository / ".github/workflows"
    before = (workflows / "nightly.yml").read_bytes()
    text = (repository / "matrix.yaml").read_text().replace("name: Nightly", "name: Every night")
    (repository / "matrix.yaml").write_text(text)

    # No file may grow beyond a block: as full as a disk can be.
    command = f"ulimit -f 1; trap '' XFSZ; exec {PROGRAM} render"
    done = subprocess.run(
        ["bash", "-c", command], cwd=repository, capture_output=True, text=True, check=False
    )

    assert done.returncode == 4
    assert done.stderr.startswith("error: ")
    assert (workflows / "nightly.yml").read_bytes() == before
    assert sorted(path.name for path in workflows.iterdir() if not path.name.startswith(".")) == [
        "nightly.yml"
    ]


def test_the_version_is_the_one_that_the_matrix_is_pinned_to(repository: Path) -> None:
    done = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True)

    assert f'nightgrid: "{done.stdout.strip()}"' in (repository / "matrix.yaml").read_text()
