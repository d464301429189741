"""The server's log: read on as it grows, milestones picked out, the end shown."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_LONGEST_LINE = 2000
_PERCENT_STEP = 10

# sglang and vLLM print progress bars of tqdm; llama.cpp prints plain lines.
_STEPS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"[Ll]oad weight begin|Starting to load model|load_model: loading model"), "loading weights"),
    (re.compile(r"shards:.*?(?P<percent>\d+)%"), "loading weights"),
    (re.compile(r"[Ll]oad weight end|Model loading took|model loaded"), "weights loaded"),
    (re.compile(r"KV Cache is allocated|GPU KV cache size"), "cache for keys and values allocated"),
    (re.compile(r"Captur\w+ (?:CUDA|cuda|HIP|hip)? ?graphs?.*?(?P<percent>\d+)%"), "capturing graphs"),
    (re.compile(r"Capturing batches.*?(?P<percent>\d+)%"), "capturing graphs"),
    (re.compile(r"Capture \w+ graph begin"), "capturing graphs"),
    (re.compile(r"Capture \w+ graph end|Graph capturing finished"), "graphs captured"),
    (re.compile(r"torch\.compile takes|Dynamo bytecode transform"), "compiling"),
    (re.compile(r"The server is fired up|Application startup complete|listening on http"), "listening"),
)


@dataclass(frozen=True, kw_only=True)
class Milestone:
    """A step of a start; `percent` is -1 where the step has no measure."""

    text: str
    percent: int

    def __str__(self) -> str:
        """As shown on the console."""
        return self.text if self.percent < 0 else f"{self.text}: {self.percent}%"


def milestones(line: str) -> Iterator[Milestone]:
    """The milestone that a line of the log tells of, if any."""
    for pattern, text in _STEPS:
        if found := pattern.search(line):
            percent = found.groupdict().get("percent")
            yield Milestone(text=text, percent=-1 if percent is None else int(percent))
            return


@dataclass(kw_only=True)
class MilestoneFilter:
    """Lets a milestone through once, and a percentage each time that it has grown by ten."""

    _shown: dict[str, int] = field(default_factory=dict)

    def is_news(self, milestone: Milestone) -> bool:
        """Whether a person should see it."""
        before = self._shown.get(milestone.text)
        is_news = (
            before is None
            or milestone.percent >= before + _PERCENT_STEP
            or (milestone.percent == 100 > before)
        )
        if is_news:
            self._shown[milestone.text] = milestone.percent
        return is_news


@dataclass(kw_only=True)
class LogFollower:
    """Hands out the lines that were added since it was last asked; a line still being written waits."""

    path: Path
    _offset: int = 0
    _rest: str = ""

    def new_lines(self) -> tuple[str, ...]:
        """Complete lines, without colours; a carriage return ends a line, as progress bars use it."""
        try:
            with self.path.open("rb") as file:
                file.seek(self._offset)
                added = file.read()
        except OSError:
            return ()
        self._offset += len(added)
        text = self._rest + added.decode("utf-8", errors="replace")
        *lines, self._rest = re.split(r"[\r\n]+", text)
        self._rest = self._rest[-_LONGEST_LINE:]
        return tuple(_ESCAPES.sub("", line)[:_LONGEST_LINE] for line in lines)


def tail(path: Path, lines: int, bytes_: int = 200_000) -> tuple[str, ...]:
    """The last lines of a log, without colours; empty when there is no log."""
    try:
        with path.open("rb") as file:
            file.seek(0, 2)
            file.seek(max(0, file.tell() - bytes_))
            text = file.read().decode("utf-8", errors="replace")
    except OSError:
        return ()
    kept = [_ESCAPES.sub("", line)[:_LONGEST_LINE] for line in re.split(r"[\r\n]+", text) if line.strip()]
    return tuple(kept[-lines:])
