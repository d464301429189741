"""Why a job failed: the step, and the verdict line that its check left."""

from dataclasses import dataclass
from pathlib import Path

from generator.harness.night.check_results import (
    PASSED,
    NoResults,
    Unreadable,
    Verdict,
    check_folders,
    read_verdict,
)
from generator.harness.night.steps import CANCELLED, Step
from generator.harness.night.text import one_line

# The last job of the night takes the outputs of all jobs in one environment variable of 128 KiB.
OUTPUT_LIMIT = 240

# A step leaves its results in the folder of its own name; the start of a server leaves them beside its state.
FOLDERS = {"serve": "server"}


@dataclass(frozen=True, kw_only=True)
class Reasons:
    """One line for each thing that went wrong; the advisory ones leave the job green."""

    blocking: tuple[str, ...]
    advisory: tuple[str, ...]

    def why(self) -> str:
        """What made the job red, in one line; empty when it is green."""
        return one_line("; ".join(self.blocking), OUTPUT_LIMIT)

    def notes(self) -> str:
        """What went wrong without making the job red, in one line."""
        return one_line("; ".join(self.advisory), OUTPUT_LIMIT)


def reasons_of(steps: tuple[Step, ...], results: Path, advisory: frozenset[str], minutes: str) -> Reasons:
    """All reasons, in the order of the steps; then checks that say failure below a step that said success."""
    wrong = [(step, line_of(step, results, minutes)) for step in steps if step.went_wrong()]
    excused = [line for step, line in wrong if step.is_excused(advisory)]
    blocking = [line for step, line in wrong if not step.is_excused(advisory)]
    explained = {FOLDERS.get(step.id, step.id) for step, _ in wrong}
    named = {step.id for step in steps}
    for folder in check_folders(results):
        if folder.name in explained:
            continue
        claim = "its step says success, " if folder.name in named else ""
        for line in contradiction(folder, claim):
            (excused if folder.name in advisory else blocking).append(line)
    return Reasons(blocking=tuple(blocking), advisory=tuple(excused))


def line_of(step: Step, results: Path, minutes: str) -> str:
    """One step that went wrong, in a line."""
    handed_on = step.outputs.get("why", "")
    verdict = read_verdict(results / FOLDERS.get(step.id, step.id))
    if step.outcome == CANCELLED:
        when = f" {minutes} minutes into the job" if minutes else ""
        return one_line(f"{step.id}: cut off{when}, by a time limit or a person{words_of(verdict)}")
    if handed_on:
        return one_line(f"{step.id}: {handed_on}")
    match verdict:
        case Verdict(verdict=found, line=line) if found == PASSED:
            return one_line(
                f"{step.id}: it failed although its verdict is passed ({line}): see the end of its log"
            )
        case Verdict(verdict=found, line=line):
            return one_line(f"{step.id}: {line or found}")
        case Unreadable(why=why):
            return one_line(f"{step.id}: it failed, and its {why}: see the end of its log")
        case NoResults():
            return f"{step.id}: it failed and left no results: see the end of its log"


def words_of(verdict: Verdict | Unreadable | NoResults) -> str:
    """What is known of a check that was cut off."""
    match verdict:
        case Verdict(line=line) if line:
            return f"; so far: {line}"
        case Unreadable(why=why):
            return f"; its {why}"
        case Verdict() | NoResults():
            return ""


def contradiction(folder: Path, claim: str) -> tuple[str, ...]:
    """A check that did not pass although no step of its name failed: its exit code was lost on the way."""
    match read_verdict(folder):
        case Verdict(verdict=found, line=line) if found != PASSED:
            return (one_line(f"{folder.name}: {claim}its verdict says {found}: {line}"),)
        case Unreadable(why=why):
            return (one_line(f"{folder.name}: {claim}its {why}"),)
        case Verdict() | NoResults():
            return ()
