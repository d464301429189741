"""Runs the programs of others that judge what is made here."""

import os
import subprocess
import sysconfig
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PEERS = Path(__file__).parent
TIMEOUT_S = 300


class PeerFailedError(Exception):
    """A tool did not judge: it is missing, broke down or took too long. Never the same as no finding."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One thing that a tool finds wrong; line and column count from 1, 0 where the tool names none."""

    path: str
    line: int
    column: int
    rule: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a tool said."""

    exit_code: int
    output: str
    errors: str


def installed(name: str) -> str:
    """The path of a program that was installed with the tests' own packages."""
    return str(Path(sysconfig.get_path("scripts")) / name)


def run_tool(command: Sequence[str], accepted: Collection[int], text: str = "", cwd: Path = ROOT) -> Answer:
    """Runs a tool with a text as its input.

    Raises:
        PeerFailedError: it ended with another exit code than those accepted, or did not end in five minutes.
    """
    try:
        done = subprocess.run(
            command,
            input=text,
            capture_output=True,
            check=False,
            cwd=cwd,
            encoding="utf-8",
            env={**os.environ, "LC_ALL": "C.UTF-8", "NO_COLOR": "1"},
            timeout=TIMEOUT_S,
        )
    except (OSError, subprocess.TimeoutExpired) as failure:
        raise PeerFailedError(f"{command[0]}: {failure}; `make setup` installs it") from failure
    if done.returncode not in accepted:
        raise PeerFailedError(f"{command[0]} ended with {done.returncode}: {done.stderr[-2000:]}")
    return Answer(exit_code=done.returncode, output=done.stdout, errors=done.stderr)
