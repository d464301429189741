"""`end`: the last step of a job, which always runs. Says why the job failed, and publishes the summaries.

It works from the environment variable STEPS, GitHub's `toJSON(steps)`. It fails only when it is called
wrongly: the step that failed stays the reason that people see.
"""

import argparse
from pathlib import Path

from generator.harness.night.check_results import check_folders, read_summary
from generator.harness.night.console import annotate, say
from generator.harness.night.github_files import SUMMARY_LIMIT_BYTES, append_summary, fit, write_outputs
from generator.harness.night.reasons import Reasons, reasons_of
from generator.harness.night.steps import Step, read_steps
from generator.harness.night.text import cell
from generator.harness.outcome import HarnessError, Outcome
from generator.harness.world import World

# Room for what stands beside the summaries of the checks.
HEAD_ROOM_BYTES = 64 * 1024
BEGIN = "begin"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("--results", required=True, metavar="FOLDER", help="the folder that begin emptied")
    parser.add_argument(
        "--advisory",
        action="extend",
        nargs="*",
        default=[],
        metavar="STEP",
        help="a step whose failure leaves the job green; may be given several times",
    )


def run(arguments: argparse.Namespace, world: World) -> Outcome:
    """Say what happened; whatever goes wrong here is said, and fails nothing."""
    results = world.folder / arguments.results
    try:
        steps = read_steps(world.environment.get("STEPS", ""))
    except HarnessError as problem:
        steps = ()
        reasons = Reasons(blocking=(f"nobody knows how the steps went: {problem.message}",), advisory=())
    else:
        reasons = reasons_of(steps, results, frozenset(arguments.advisory), minutes_since_start(steps, world))
    minutes = minutes_since_start(steps, world)
    publish(world, results, reasons, minutes)
    try:
        write_outputs(world, {"minutes": minutes, "why": reasons.why(), "advisory": reasons.notes()})
    except HarnessError as problem:
        say(world, f"warning: {problem.message}")
    return Outcome.FINE


def minutes_since_start(steps: tuple[Step, ...], world: World) -> str:
    """The minutes since `begin` noted the time; empty where it did not."""
    for step in steps:
        started = step.outputs.get("started", "")
        if step.id == BEGIN and started.isascii() and started.isdigit() and int(started) <= world.now():
            return f"{(world.now() - int(started)) / 60:.1f}"
    return ""


def publish(world: World, results: Path, reasons: Reasons, minutes: str) -> None:
    """The reasons first, then the summary of each check, each with a fair part of the room."""
    took = f" after {minutes} minutes" if minutes else ""
    state = "failed" if reasons.blocking else "passed"
    lines = [f"## This job {state}{took}\n\n"]
    lines += [f"- **{cell(reason)}**\n" for reason in reasons.blocking]
    lines += [f"- advisory: {cell(reason)}\n" for reason in reasons.advisory]
    append_summary(world, "".join(lines) + "\n")
    summaries = {
        folder.name: read_summary(folder, SUMMARY_LIMIT_BYTES + 1) for folder in check_folders(results)
    }
    summaries = {name: text for name, text in summaries.items() if text.strip()}
    share = (SUMMARY_LIMIT_BYTES - HEAD_ROOM_BYTES) // max(1, len(summaries))
    crowded = sum(len(text.encode()) for text in summaries.values()) > SUMMARY_LIMIT_BYTES - HEAD_ROOM_BYTES
    for name, text in summaries.items():
        shown = fit(text, share) if crowded else text
        append_summary(world, f"<!-- {cell(name, 100)} -->\n{shown.rstrip()}\n\n")
    for reason in reasons.blocking:
        say(world, f"failed: {reason}")
        annotate(world, "error", "This job failed", reason)
    for reason in reasons.advisory:
        say(world, f"advisory: {reason}")
        annotate(world, "warning", "Advisory", reason)
    say(world, f"end: the job {state}{took}")
