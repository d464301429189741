"""What a command may ask of the world, as one argument, so that a test can hand in another."""

import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO


@dataclass(frozen=True, kw_only=True)
class World:
    """Clock, environment, folder and console of one run of a command.

    Attributes:
        environment: the process environment.
        folder: the folder that relative paths start from.
        now: seconds since the epoch.
        monotonic: seconds on a clock that is never set back.
        sleep: waits for so many seconds.
        out: where a person reads.
    """

    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    folder: Path = field(default_factory=Path.cwd)
    now: Callable[[], float] = time.time
    monotonic: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    out: TextIO = field(default_factory=lambda: sys.stdout)

    def say(self, line: str) -> None:
        """Write one line for a person, at once."""
        self.out.write(f"{line}\n")
        self.out.flush()
