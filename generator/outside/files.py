"""Writing files so that each is whole at any moment, and none is written over unread."""

import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from generator.outside.problem import OutsideError


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A file that is written, changed or removed.

    Attributes:
        verb: `write`, `change` or `remove`.
        path: from the root, with forward slashes.
        old: the bytes that were read; empty for a new file.
        new: the bytes to be; empty for a file to be removed.
    """

    verb: str
    path: str
    old: bytes
    new: bytes


def write_all(root: Path, changes: Sequence[Change]) -> None:
    """Make all changes, each at one stroke.

    Raises:
        OutsideError: a file could not be written, or is no longer what was read; says what was done.
    """
    for change in changes:
        _apply(root / change.path, change)


def _apply(path: Path, change: Change) -> None:
    try:
        if change.verb == "remove":
            path.unlink()
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "wb") as file:
            file.write(change.new)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except OSError as problem:
        raise OutsideError(f"{change.path}: {problem.strerror}") from problem
