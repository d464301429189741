"""What the checks of a job left in its results folder, read by someone who trusts nothing in it."""

import json
from dataclasses import dataclass
from pathlib import Path

from generator.harness.night.text import count, one_line

FILE = "results.json"
SUMMARY = "summary.md"
LIMIT_BYTES = 64 * 1024 * 1024
PASSED = "passed"


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What a check found; `line` is its one line for a person."""

    verdict: str
    line: str


@dataclass(frozen=True, kw_only=True)
class Unreadable:
    """There is a results file, and it says nothing."""

    why: str


@dataclass(frozen=True, kw_only=True)
class NoResults:
    """There is no results file."""


def read_verdict(folder: Path) -> Verdict | Unreadable | NoResults:
    """The verdict in a check's folder."""
    path = folder / FILE
    try:
        if not path.is_file():
            return NoResults()
        with path.open("rb") as file:
            data = file.read(LIMIT_BYTES)
    except OSError as problem:
        return Unreadable(why=f"{FILE} cannot be read: {problem.strerror or problem}")
    try:
        body = json.loads(data)
    except (ValueError, RecursionError):
        return Unreadable(why=f"{FILE} breaks off or is no JSON ({count(len(data), 'byte')})")
    if not isinstance(body, dict) or not isinstance(body.get("verdict"), str):
        return Unreadable(why=f"{FILE} holds no verdict")
    return Verdict(verdict=body["verdict"], line=one_line(str(body.get("summary") or "")))


def check_folders(results: Path) -> tuple[Path, ...]:
    """The folders below the results folder, by name; links are not followed."""
    try:
        return tuple(
            sorted(entry for entry in results.iterdir() if entry.is_dir() and not entry.is_symlink())
        )
    except OSError:
        return ()


def read_summary(folder: Path, limit_bytes: int) -> str:
    """A check's own summary in Markdown; empty where it left none."""
    path = folder / SUMMARY
    try:
        if not path.is_file():
            return ""
        with path.open("rb") as file:
            return file.read(limit_bytes).decode(errors="replace")
    except OSError:
        return ""
