"""One writer at a time, without a lock file: the folder itself is locked, and the kernel lets go of it.

Where a file system cannot lock a folder (some network file systems), nobody is kept out; each file is still
replaced at one stroke, and a file that changed since it was read is still refused.
"""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path

from generator.outside.problem import OutsideError, failed

if sys.platform != "win32":
    import fcntl

_PAUSE_S = 0.02


class Hold(Enum):
    """Whether others are kept out; nobody is ever given a folder that is taken."""

    ALONE = "alone"
    TAKEN = "taken"
    NOT_LOCKABLE = "not lockable"


@contextmanager
def only_writer(folder: Path, wait_s: float) -> Iterator[Hold]:
    """Keeps other writers of the folder out; also when this process is killed, they are let in again.

    Raises:
        OutsideError: another one did not finish in the time given, or there is no such folder.
    """
    if sys.platform == "win32":
        yield Hold.NOT_LOCKABLE
        return
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as problem:
        raise failed(str(folder), problem) from problem
    try:
        yield _lock(handle, folder, wait_s)
    finally:
        os.close(handle)


def _lock(handle: int, folder: Path, wait_s: float) -> Hold:
    deadline_s = time.monotonic() + wait_s
    while (hold := _attempt(handle)) is Hold.TAKEN:
        if time.monotonic() >= deadline_s:
            raise OutsideError(
                f"{folder}: another nightgrid still writes there after {wait_s:g} s; wait for it, or end it"
            )
        time.sleep(_PAUSE_S)
    return hold


def _attempt(handle: int) -> Hold:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return Hold.TAKEN
    except OSError:
        return Hold.NOT_LOCKABLE
    return Hold.ALONE
