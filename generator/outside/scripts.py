"""Scripts of steps, run on this machine as GitHub's runner runs them."""

import os
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path

from generator.outside.problem import OutsideError

TIMED_OUT = 124
_SHELL = ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c")
_GRACE_S = 10


def run_script(script: str, environment: Mapping[str, str], folder: Path, limit_s: int) -> int:
    """The exit code of a script; its output goes where this process's goes. 124 where it ran too long.

    Args:
        script: for bash, with -e and -o pipefail.
        environment: all that it sees.
        folder: where it runs.
        limit_s: seconds after which it and all that it started is ended.

    Raises:
        OutsideError: there is no bash here.
    """
    try:
        process = subprocess.Popen([*_SHELL, script], cwd=folder, env=environment, start_new_session=True)
    except OSError as problem:
        raise OutsideError(f"bash: {problem.strerror}") from problem
    try:
        return process.wait(timeout=limit_s)
    except subprocess.TimeoutExpired:
        _end(process)
        return TIMED_OUT
    except KeyboardInterrupt:
        _end(process)
        raise


def _end(process: "subprocess.Popen[bytes]") -> None:
    os.killpg(process.pid, signal.SIGTERM)
    try:
        process.wait(timeout=_GRACE_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
