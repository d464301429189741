"""A small repository, made by the program itself, and a way to run the program in it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner

from generator.cli.main import app


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What a run came to."""

    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs `nightgrid` in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def program(*arguments: str) -> Ran:
        done = CliRunner().invoke(app, list(arguments))
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        return Ran(code=done.exit_code, out=done.stdout, err=done.stderr)

    return program


@pytest.fixture
def repository(run: Run, tmp_path: Path) -> Path:
    """A repository with a matrix and its workflow."""
    assert run("init").code == 0
    assert run("render").code == 0
    return tmp_path
