"""The two files through which a step speaks to GitHub: its outputs and its summary."""

import os
import secrets
from collections.abc import Mapping
from pathlib import Path

from generator.harness.night.console import say
from generator.harness.outcome import HarnessError, Outcome
from generator.harness.world import World

# A step's summary above 1,024 KiB is not shown at all; some room is left for the note on the cut.
SUMMARY_LIMIT_BYTES = 1024 * 1024
CUT_NOTE_BYTES = 512


def write_outputs(world: World, outputs: Mapping[str, str]) -> None:
    """Append step outputs to $GITHUB_OUTPUT; without that variable they are printed.

    A value with a line break is written with a delimiter that nobody outside can guess, so that no value can
    smuggle in another output.

    Raises:
        HarnessError: OUTSIDE, when the file cannot be written: later jobs would decide on nothing.
    """
    target = world.environment.get("GITHUB_OUTPUT", "")
    if not target:
        for name, value in outputs.items():
            say(world, f"output {name}={value}")
        return
    text = "".join(output_lines(name, value) for name, value in outputs.items())
    try:
        append(world.folder / target, text)
    except OSError as problem:
        raise HarnessError(
            Outcome.OUTSIDE,
            f"the step's outputs cannot be written to {target}: {problem.strerror or problem}",
            "Look at the runner's disk: it is full, or the file is not this user's. Then start again.",
        ) from problem


def output_lines(name: str, value: str) -> str:
    """One output as GitHub reads it."""
    if len(value.splitlines()) <= 1 and not value.endswith(("\n", "\r")):
        return f"{name}={value}\n"
    delimiter = f"end_{secrets.token_hex(16)}"
    return f"{name}<<{delimiter}\n{value}\n{delimiter}\n"


def append_summary(world: World, markdown: str) -> None:
    """Append to $GITHUB_STEP_SUMMARY, cut so that the file stays below GitHub's limit.

    A text that is in the file already is not written again. A file that cannot be written costs the summary,
    never the job: it is said in the log.
    """
    target = world.environment.get("GITHUB_STEP_SUMMARY", "")
    if not target:
        return
    path = world.folder / target
    try:
        written = read_at_most(path, SUMMARY_LIMIT_BYTES)
        text = clean(markdown)
        if text.encode() in written:
            return
        append(path, fit(text, SUMMARY_LIMIT_BYTES - len(written)))
    except OSError as problem:
        say(world, f"warning: the step summary cannot be written to {target}: {problem.strerror or problem}")


def read_at_most(path: Path, limit_bytes: int) -> bytes:
    """What stands in a file, up to a limit; nothing for what is no file, which might never end."""
    if not path.is_file():
        return b""
    with path.open("rb") as file:
        return file.read(limit_bytes)


def append(path: Path, text: str) -> None:
    """Add the text at the end of the file, and know that it has arrived."""
    with path.open("ab") as file:
        file.write(clean(text).encode())
        file.flush()
        os.fsync(file.fileno())


def clean(text: str) -> str:
    """The text without half surrogates, which no UTF-8 file can hold."""
    return text.encode(errors="replace").decode()


def fit(markdown: str, room_bytes: int) -> str:
    """The Markdown cut at a line so that it takes at most `room_bytes`, with a word on the cut."""
    data = markdown.encode()
    if len(data) <= room_bytes:
        return markdown
    if room_bytes < CUT_NOTE_BYTES:
        return ""
    kept = data[: room_bytes - CUT_NOTE_BYTES].decode(errors="ignore")
    kept = kept[: kept.rfind("\n") + 1]
    fences = sum(line.lstrip().startswith("```") for line in kept.splitlines())
    closing = "```\n" if fences % 2 else ""
    return f"{kept}{closing}\nCut here: GitHub shows at most 1,024 KiB a step. The rest is in the artifact.\n"
