"""Everybody's runs at one size, in turns, so that a busy machine hits all of them alike."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Protocol

from benchmarks.peers import Peer
from benchmarks.process import BrokenError, Run, SlowError, measured

LIMIT_S = 120.0
NIGHTGRID = Path(sys.executable).with_name("nightgrid")
REPOSITORY = Path(__file__).parents[1]
SHIPPED = REPOSITORY / "matrix.yaml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """A matrix that everybody is measured on.

    Attributes:
        jobs: how many to make; 0 for the shipped matrix.
        rounds: how often each is run.
    """

    name: str
    jobs: int
    rounds: int


@dataclass(slots=True, kw_only=True)
class Series:
    """All runs of one program at one size.

    Attributes:
        given_up: why it was not run to the end; empty where it was.
        output_bytes: size of all workflow files together.
    """

    program: str
    runs: list[Run] = field(default_factory=list)
    given_up: str = ""
    output_bytes: int = 0

    def row(self) -> dict[str, object]:
        """What the runs come to, in the units of the names."""
        if not self.runs:
            return {"program": self.program, "given_up": self.given_up}
        return {
            "program": self.program,
            "wall_median_s": round(median(run.wall_s for run in self.runs), 4),
            "wall_least_s": round(min(run.wall_s for run in self.runs), 4),
            "cpu_least_s": round(min(run.cpu_s for run in self.runs), 4),
            "peak_mb": round(max(run.peak_mb for run in self.runs), 1),
            "output_bytes": self.output_bytes,
            "runs": len(self.runs),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One size, measured.

    Attributes:
        jobs, steps: of the written files, the first and the last job of each night included.
        files: workflow files.
        phases: of `nightgrid render`, with the CPU seconds of each.
    """

    size: Size
    jobs: int
    steps: int
    files: int
    rows: tuple[dict[str, object], ...]
    phases: tuple[tuple[str, float], ...]


def measure(size: Size, peers: Iterable[Peer], scratch: Path) -> Result:
    """Make the matrix, let everybody write it, see that all wrote the same jobs, and measure."""
    root = scratch / size.name
    root.mkdir()
    matrix, jobs_file = root / "matrix.yaml", root / "jobs.json"
    if size.jobs:
        _apart("matrices", str(size.jobs), matrix)
    else:
        shutil.copyfile(SHIPPED, matrix)
    _apart("planned", "dump", matrix, jobs_file)
    turns: list[_Turn] = [
        _Ours("render", root),
        _Ours("check", root),
        *(_Theirs(peer, root, jobs_file) for peer in peers),
    ]
    for number in range(size.rounds):
        print(f"{size.name}: round {number + 1} of {size.rounds}", file=sys.stderr)
        for turn in turns:
            turn.take()
    written = json.loads(_apart("planned", "compare", jobs_file, root))
    return Result(
        size=size,
        jobs=written["jobs"],
        steps=written["steps"],
        files=len(list((root / ".github/workflows").iterdir())),
        rows=tuple(turn.series.row() for turn in turns),
        phases=_phases(root, size.rounds),
    )


class _Turn(Protocol):
    @property
    def series(self) -> Series: ...

    def take(self) -> None: ...


class _Ours:
    """Runs of nightgrid; `render` writes every file anew, `check` finds all in step."""

    def __init__(self, command: str, root: Path) -> None:
        self.series = Series(program=f"nightgrid {command}")
        self._root = root
        self._command = [str(NIGHTGRID), command]

    def take(self) -> None:
        workflows = self._root / ".github"
        if self._command[1] == "render":
            shutil.rmtree(workflows, ignore_errors=True)
        self.series.runs.append(measured(self._command, self._root, LIMIT_S))
        self.series.output_bytes = _bytes_in(workflows)


class _Theirs:
    """Runs of a peer; its first output is held to the planned jobs, and one that takes too long ends it."""

    def __init__(self, peer: Peer, root: Path, jobs_file: Path) -> None:
        self.series = Series(program=peer.name)
        self._peer = peer
        self._jobs_file = jobs_file
        self._root = root / peer.name

    def take(self) -> None:
        if self.series.given_up:
            return
        shutil.rmtree(self._root, ignore_errors=True)
        try:
            run = measured(self._peer.command(self._jobs_file, self._root), self._peer.folder, LIMIT_S)
        except SlowError as slow:
            self.series.given_up = str(slow)
            return
        if not self.series.runs:
            _apart("planned", "compare", self._jobs_file, self._root)
        self.series.runs.append(run)
        self.series.output_bytes = _bytes_in(self._root / ".github/workflows")


def _phases(root: Path, rounds: int) -> tuple[tuple[str, float], ...]:
    """Of the round with the least CPU time."""
    runs = []
    for _ in range(rounds):
        shutil.rmtree(root / ".github")
        runs.append(measured(_module("phases", root / "matrix.yaml"), REPOSITORY, LIMIT_S))
    best = min(runs, key=lambda run: run.cpu_s)
    inside: dict[str, float] = json.loads(best.said)
    return (*inside.items(), ("end of the process", best.cpu_s - sum(inside.values())))


def _bytes_in(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def _module(name: str, *arguments: Path | str) -> list[str]:
    return [sys.executable, "-m", f"benchmarks.{name}", *map(str, arguments)]


def _apart(name: str, *arguments: Path | str) -> str:
    """What a module of this folder prints, run by itself: what is large must not be done in this process."""
    run = subprocess.run(
        _module(name, *arguments), cwd=REPOSITORY, stdout=subprocess.PIPE, text=True, check=False
    )
    if run.returncode:
        raise BrokenError(f"benchmarks.{name} failed")
    return run.stdout
