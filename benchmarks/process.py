"""One whole process, measured: interpreter start to exit."""

import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What a process took.

    Attributes:
        cpu_s: user and system time.
        peak_mb: largest resident memory, in units of 10^6 bytes.
        said: all that it printed.
    """

    wall_s: float
    cpu_s: float
    peak_mb: float
    said: str


class SlowError(Exception):
    """A process was ended at its limit."""


class BrokenError(Exception):
    """A process failed; the message holds the end of what it said."""


def measured(command: Sequence[str], folder: Path, limit_s: float) -> Run:
    """Run a command in a folder.

    The peak of a child counts from this process's own size on, since a child is a copy of it until it becomes
    another program. So the measuring program stays small: whatever is large is done by other processes.

    Raises:
        SlowError: it took longer than the limit.
        BrokenError: its exit code is not 0.
    """
    with tempfile.TemporaryFile() as output:
        began = time.perf_counter()
        process = subprocess.Popen(command, cwd=folder, stdout=output, stderr=output)
        timer = threading.Timer(limit_s, process.kill)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        wall_s = time.perf_counter() - began
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        said = output.read().decode(errors="replace")
    if wall_s >= limit_s:
        raise SlowError(f"more than {limit_s:.0f} s")
    if process.returncode:
        raise BrokenError(f"{' '.join(command)}: exit code {process.returncode}\n{said[-2000:]}")
    return Run(
        wall_s=wall_s,
        cpu_s=usage.ru_utime + usage.ru_stime,
        peak_mb=usage.ru_maxrss * 1024 / 1e6,
        said=said,
    )
