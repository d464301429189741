"""The file that says which server runs: written by `serve start`, read by all that come later."""

import json
import os
from dataclasses import asdict, dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any

from generator.harness.serve.engines import EngineName
from generator.harness.serve.processes import NOBODY, Identity

SCHEMA = 1
FILE_NAME = "server.json"
LOG_NAME = "server.log"
TAIL_NAME = "server.tail.log"
MARKER_NAME = "NIGHTGRID_SERVER"


class Phase(str, Enum):
    """How far a server is."""

    STARTING = "starting"
    READY = "ready"
    STOPPED = "stopped"


@dataclass(frozen=True, kw_only=True)
class ServerState:
    """One server.

    Attributes:
        phase: how far it is.
        engine: its kind.
        model: as given to `serve start`.
        url: where it answers.
        command: the whole command line.
        arguments: those of the caller.
        process: the leader of its process group.
        version: as the server says; empty when it does not.
        served_model: the name that requests must use; empty when the server does not say.
        healthy_after_s: seconds from launch to the first good answer.
        gpu_memory_used_mib: used memory of each GPU before the launch; empty when no tool tells.
    """

    phase: Phase
    engine: EngineName
    model: str
    url: str
    command: tuple[str, ...]
    arguments: tuple[str, ...]
    process: Identity = NOBODY
    version: str = ""
    served_model: str = ""
    healthy_after_s: float = 0.0
    gpu_memory_used_mib: tuple[int, ...] = ()


class UnreadableStateError(Exception):
    """The state file is there and cannot be used; the text says why."""


class NoStateError(Exception):
    """There is no state file."""


def marker(folder: Path) -> str:
    """The `NAME=value` in the environment of each process of the server that belongs to this folder."""
    return f"{MARKER_NAME}={folder.resolve()}"


def write_atomically(path: Path, text: str) -> None:
    """Write a text as UTF-8 so that a reader sees the old or the new one, never half of one."""
    write_bytes_atomically(path, text.encode("utf-8", errors="replace"))


def write_bytes_atomically(path: Path, data: bytes) -> None:
    """Write a file so that a reader sees the old or the new bytes, never half of them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with draft.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def save(folder: Path, state: ServerState) -> None:
    """Write the state of the server of this folder."""
    record = {"schema": SCHEMA, **asdict(state)}
    write_atomically(folder / FILE_NAME, json.dumps(record, indent=1) + "\n")


def load(folder: Path) -> ServerState:
    """Read the state of the server of this folder.

    Raises:
        NoStateError: nothing was started here.
        UnreadableStateError: the file is half written, of another program or of another version.
    """
    path = folder / FILE_NAME
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise NoStateError(f"{path} does not exist") from None
    except (OSError, ValueError) as problem:
        raise UnreadableStateError(f"{path} cannot be read: {problem}") from problem
    try:
        return _parse(record)
    except (KeyError, TypeError, ValueError) as problem:
        raise UnreadableStateError(f"{path} is not the state of a server: {problem!r}") from problem


def _parse(record: dict[str, Any]) -> ServerState:
    if record["schema"] != SCHEMA:
        raise ValueError(f"schema {record['schema']}")
    return ServerState(
        phase=Phase(record["phase"]),
        engine=EngineName(record["engine"]),
        model=str(record["model"]),
        url=str(record["url"]),
        command=tuple(map(str, record["command"])),
        arguments=tuple(map(str, record["arguments"])),
        process=Identity(pid=int(record["process"]["pid"]), started=str(record["process"]["started"])),
        version=str(record["version"]),
        served_model=str(record["served_model"]),
        healthy_after_s=float(record["healthy_after_s"]),
        gpu_memory_used_mib=tuple(map(int, record["gpu_memory_used_mib"])),
    )


def stopped(state: ServerState) -> ServerState:
    """The same server after its end."""
    return replace(state, phase=Phase.STOPPED)
