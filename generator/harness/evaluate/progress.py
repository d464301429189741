"""How far a run is: a bar on a terminal, one line a minute in a job's log."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TextIO

from generator.harness.evaluate.tally import Tally

_BAR_EVERY_S = 0.2
_LINE_EVERY_S = 60.0
_BAR_WIDTH = 24


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def describe(tally: Tally, done_before: int, elapsed_s: float) -> str:
    """Counts, rate, time left and accuracy so far; rate and time by what this run has done."""
    done = tally.answered + tally.failed
    rate = (done - done_before) / elapsed_s if elapsed_s > 0 else 0.0
    left = f"{_duration(tally.pending / rate)} left" if rate > 0 else "no rate yet"
    failures = f", {tally.failed} failed" if tally.failed else ""
    return f"{done}/{tally.planned} · {rate:.1f}/s · {left} · accuracy so far {tally.accuracy:.3f}{failures}"


@dataclass(kw_only=True)
class Progress:
    """Shows counts, seldom enough to cost nothing."""

    out: TextIO
    monotonic: Callable[[], float]
    began: float
    done_before: int
    is_terminal: bool
    _last: float = 0.0

    def __call__(self, tally: Tally) -> None:
        """Take note of the counts."""
        now = self.monotonic()
        every_s = _BAR_EVERY_S if self.is_terminal else _LINE_EVERY_S
        last = self._last or self.began
        if now - last < every_s:
            return
        self._last = now
        text = describe(tally, self.done_before, now - self.began)
        if self.is_terminal:
            filled = _BAR_WIDTH * (tally.planned - tally.pending) // max(1, tally.planned)
            self.out.write(f"\r\x1b[K[{'█' * filled}{'░' * (_BAR_WIDTH - filled)}] {text}")
        else:
            self.out.write(f"{text}\n")
        self.out.flush()

    def finish(self) -> None:
        """Leave the bar's line."""
        if self.is_terminal and self._last:
            self.out.write("\r\x1b[K")
            self.out.flush()
