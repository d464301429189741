"""Programs that tell about the machine, run with an end to the waiting: a hung driver hangs its tools."""

import os
import shutil
import signal
import subprocess
import tempfile
from dataclasses import dataclass
from typing import IO

from generator.harness.night.text import one_line
from generator.harness.world import World

OUTPUT_LIMIT_BYTES = 8 * 1024 * 1024
KILL_WAIT_S = 5.0

# Where ROCm installs its tools when nobody has put them on PATH.
ROCM_TOOLS = "/opt/rocm/bin"


@dataclass(frozen=True, kw_only=True)
class Said:
    """What a tool printed before it ended well."""

    text: str


@dataclass(frozen=True, kw_only=True)
class Absent:
    """The tool is not installed."""

    why: str


@dataclass(frozen=True, kw_only=True)
class Failed:
    """The tool is there, and it failed or did not come back."""

    why: str


@dataclass(frozen=True, kw_only=True)
class Toolbox:
    """Runs tools; `timeout_s` is how long one may take."""

    world: World
    timeout_s: float

    def run(self, name: str, *arguments: str) -> Said | Absent | Failed:
        """Run a tool and return what it printed on its standard output."""
        path = f"{self.world.environment.get('PATH', '')}{os.pathsep}{ROCM_TOOLS}"
        program = shutil.which(name, path=path)
        if program is None:
            return Absent(why=f"{name} is not installed")
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
            try:
                process = subprocess.Popen(
                    [program, *arguments],
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=errors,
                    env=dict(self.world.environment),
                    cwd=self.world.folder,
                    start_new_session=True,
                )
            except OSError as problem:
                return Failed(why=f"{name} cannot be started: {problem.strerror or problem}")
            try:
                code = process.wait(self.timeout_s)
            except subprocess.TimeoutExpired:
                end(process)
                return Failed(why=f"{name} did not come back within {self.timeout_s:g} s: its driver hangs")
            if code != 0:
                return Failed(
                    why=f"{name} ended with {code}: {last_words(errors) or last_words(out)}".rstrip(": ")
                )
            out.seek(0)
            return Said(text=out.read(OUTPUT_LIMIT_BYTES).decode(errors="replace"))


def end(process: "subprocess.Popen[bytes]") -> None:
    """Kill a tool and all that it started; one that sleeps in the kernel cannot be waited for."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(KILL_WAIT_S)
    except (ProcessLookupError, PermissionError, subprocess.TimeoutExpired):
        return


def last_words(stream: IO[bytes]) -> str:
    """The last line with something in it."""
    stream.seek(0)
    lines = stream.read(OUTPUT_LIMIT_BYTES).decode(errors="replace").splitlines()
    return one_line(next((line for line in reversed(lines) if line.strip()), ""), 160)
