"""`verdict`: merges the results of a night into one table and one exit code."""

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from generator.harness.evaluate.gates import Verdict
from generator.harness.outcome import HarnessError, Outcome
from generator.harness.reports.summary import cell, clip
from generator.harness.world import World

RESULTS_NAME = "results.json"
_SUMMARY_LIMIT_BYTES = 1024 * 1024
_ORDER = (Verdict.REGRESSED, Verdict.NOT_MEASURED, Verdict.PASSED)
_OUTCOME = {
    Verdict.REGRESSED: Outcome.REGRESSED,
    Verdict.NOT_MEASURED: Outcome.NOT_MEASURED,
    Verdict.PASSED: Outcome.FINE,
}


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One results folder; what a file cannot say is empty."""

    place: str
    check: str
    verdict: Verdict
    summary: str
    model: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "folders", nargs="+", metavar="DIR", help="looked through for results.json, to any depth"
    )
    parser.add_argument("--summary", default="", help="file that the table is appended to, as Markdown")


def read_entry(path: Path, place: str) -> Entry:
    """One result.

    Raises:
        HarnessError: the file cannot be read, or is no result.
    """
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        server = record.get("server")
        return Entry(
            place=place,
            check=str(record["check"]),
            verdict=Verdict(record["verdict"]),
            summary=str(record["summary"]),
            model=str(server.get("model", "")) if isinstance(server, dict) else "",
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as problem:
        raise HarnessError(
            Outcome.INVALID,
            f"{path} is no result of this harness: {problem!r}",
            "Remove it, or name other folders.",
        ) from None


def find_entries(folders: Sequence[Path]) -> tuple[Entry, ...]:
    """All results in and below the folders, each once, in the order of their places.

    Raises:
        HarnessError: a folder is missing.
    """
    found: dict[Path, Entry] = {}
    for folder in folders:
        if not folder.is_dir():
            raise HarnessError(
                Outcome.INVALID, f"{folder} is no folder", "Name folders with results in them."
            )
        for path in sorted(folder.rglob(RESULTS_NAME)):
            place = str(path.parent.relative_to(folder.parent))
            found.setdefault(path.resolve(), read_entry(path, place))
    return tuple(found.values())


def merged(entries: Sequence[Entry]) -> Outcome:
    """The worst of all: a regression outweighs what was not measured; nothing at all is not measured."""
    for verdict in _ORDER:
        if any(entry.verdict is verdict for entry in entries):
            return _OUTCOME[verdict]
    return Outcome.NOT_MEASURED


def table(entries: Sequence[Entry]) -> str:
    """A Markdown table, the worst first."""
    rows = ["| verdict | check | where | model | |", "|---|---|---|---|---|"]
    for entry in sorted(entries, key=lambda entry: (_ORDER.index(entry.verdict), entry.place)):
        texts = (entry.verdict.value, entry.check, entry.place, entry.model, entry.summary)
        rows.append(f"| {' | '.join(cell(text) for text in texts)} |")
    return clip("\n".join(rows) + "\n", _SUMMARY_LIMIT_BYTES)


def run(arguments: argparse.Namespace, world: World) -> Outcome:
    """Print the table and return the outcome of the whole."""
    entries = find_entries([world.folder / folder for folder in arguments.folders])
    if not entries:
        raise HarnessError(
            Outcome.NOT_MEASURED,
            f"no {RESULTS_NAME} below {', '.join(arguments.folders)}",
            "Did any check run?",
        )
    text = table(entries)
    world.out.write(text)
    counts = ", ".join(
        f"{number} {verdict.value}"
        for verdict in _ORDER
        if (number := sum(e.verdict is verdict for e in entries))
    )
    world.say(f"{len(entries)} results: {counts}")
    if arguments.summary:
        with (world.folder / arguments.summary).open("a", encoding="utf-8") as file:
            file.write(f"{text}\n")
    return merged(entries)
