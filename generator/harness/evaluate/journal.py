"""`samples.jsonl` and `run.json`: answers kept as they come, so that nothing is asked twice."""

import contextlib
import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.harness.evaluate.protocol import differences
from generator.harness.evaluate.samples import Sample, Status, parse_line
from generator.harness.outcome import HarnessError, Outcome
from generator.harness.serve.state import write_atomically

RUN_NAME = "run.json"
SAMPLES_NAME = "samples.jsonl"
_SCHEMA = 1


class CannotWriteError(Exception):
    """An answer could not be kept; the text says why."""


@dataclass(frozen=True, kw_only=True)
class Header:
    """What a run may only go on with: the same protocol and the same server."""

    protocol: Mapping[str, Any]
    server: Mapping[str, Any]

    def as_record(self) -> dict[str, Any]:
        """For JSON."""
        return {"schema": _SCHEMA, "protocol": dict(self.protocol), "server": dict(self.server)}


@dataclass(kw_only=True)
class Journal:
    """Appends samples; each is on its way to the disk before the next is taken."""

    descriptor: int
    path: Path

    def append(self, sample: Sample) -> None:
        """Keep a sample.

        Raises:
            CannotWriteError: most often a full disk. No half line stays behind, as far as that can be had.
        """
        data = sample.as_line().encode()
        end = os.lseek(self.descriptor, 0, os.SEEK_END)
        written = 0
        try:
            while written < len(data):
                written += os.write(self.descriptor, data[written:])
        except OSError as problem:
            with contextlib.suppress(OSError):
                os.ftruncate(self.descriptor, end)
            raise CannotWriteError(f"{self.path}: {problem.strerror}") from problem


@contextlib.contextmanager
def lock(folder: Path) -> Iterator[None]:
    """Hold a results folder for one run alone.

    Raises:
        HarnessError: another run writes into this folder.
    """
    with (folder / ".lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise HarnessError(
                Outcome.INVALID, f"another run writes into {folder}", "Wait for it, or give another --output."
            ) from None
        yield


@contextlib.contextmanager
def open_journal(folder: Path) -> Iterator[Journal]:
    """The journal of a results folder, at its end."""
    path = folder / SAMPLES_NAME
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        yield Journal(descriptor=descriptor, path=path)
    finally:
        os.close(descriptor)


def set_aside(folder: Path) -> str:
    """Move the samples of an earlier run out of the way; returns their new name, empty without any."""
    path = folder / SAMPLES_NAME
    if not path.exists() or not path.stat().st_size:
        return ""
    number = 1
    while (folder / f"samples.earlier-{number}.jsonl").exists():
        number += 1
    aside = folder / f"samples.earlier-{number}.jsonl"
    path.rename(aside)
    return aside.name


def begin(folder: Path, header: Header) -> None:
    """Write down what this run is, before its first answer."""
    write_atomically(folder / RUN_NAME, json.dumps(header.as_record(), indent=1) + "\n")


def check_same_run(folder: Path, header: Header) -> None:
    """Refuse to go on with a run of another kind.

    Raises:
        HarnessError: protocol, model or server differ, or it cannot be told.
    """
    path = folder / RUN_NAME
    try:
        before = json.loads(path.read_text(encoding="utf-8"))
        old_protocol, old_server = dict(before["protocol"]), dict(before["server"])
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise HarnessError(
            Outcome.INVALID,
            f"{path} does not say what the samples beside it belong to: {problem}",
            "Without it the run cannot be gone on with: leave out --resume to start again.",
        ) from None
    now = header.as_record()
    changed = differences(old_protocol, now["protocol"]) + differences(old_server, now["server"])
    if changed:
        raise HarnessError(
            Outcome.INVALID,
            "this run cannot be gone on with, it is another one: " + "; ".join(changed),
            "Give the same options and the same server, or leave out --resume to start again.",
        )


def read_samples(folder: Path) -> tuple[dict[int, Sample], int]:
    """The last sample of each question, and how many lines were unreadable (a crash leaves a half)."""
    path = folder / SAMPLES_NAME
    samples: dict[int, Sample] = {}
    damaged = 0
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    except FileNotFoundError:
        return samples, damaged
    for line in lines:
        if not line.strip():
            continue
        try:
            sample = parse_line(line)
        except ValueError:
            damaged += 1
            continue
        samples[sample.index] = sample
    return samples, damaged


def rewrite(folder: Path, samples: Mapping[int, Sample]) -> None:
    """Keep these samples and nothing else: drops half lines and requests that failed."""
    kept = [sample for _, sample in sorted(samples.items()) if sample.status is Status.ANSWERED]
    write_atomically(folder / SAMPLES_NAME, "".join(sample.as_line() for sample in kept))
