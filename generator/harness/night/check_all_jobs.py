"""`check-all-jobs`: the last job of the night. Compares what came with what preflight expected.

It works from the environment variable NEEDS, GitHub's `toJSON(needs)`.
"""

import argparse
from collections.abc import Sequence

from generator.harness.night.advice import advice_on, advice_without_preflight
from generator.harness.night.console import annotate, say
from generator.harness.night.github_files import append_summary
from generator.harness.night.needs import Needs, Result, read_needs
from generator.harness.night.sources import read_source
from generator.harness.night.standing import RED, Row, Standing, rows_of
from generator.harness.night.table import markdown_table, plain_table
from generator.harness.night.text import cell, count
from generator.harness.night.tonight import Tonight, read_tonight
from generator.harness.outcome import HarnessError, Outcome
from generator.harness.world import World

HEAD = ("job", "hardware", "expected", "result", "why", "minutes")
PLAIN_HEAD = ("job", "hardware", "expected", "result", "minutes", "why")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument(
        "--needs",
        default="",
        metavar="FILE",
        help="read the results from a file, not from the variable NEEDS",
    )


def run(arguments: argparse.Namespace, world: World) -> Outcome:
    """Judge the night."""
    try:
        needs = read_needs(read_source(world, "NEEDS", arguments.needs))
        tonight = night_of(needs)
    except HarnessError as problem:
        append_summary(
            world, f"## The night cannot be judged\n\n{cell(problem.message)}\n\n{cell(problem.help)}\n"
        )
        annotate(world, "error", "The night cannot be judged", problem.message)
        raise
    rows = rows_of(tonight.jobs, needs.jobs)
    outcome = outcome_of(needs, rows)
    advice = advice_for(needs, tonight, rows)
    report(world, rows, outcome, advice)
    return outcome


def night_of(needs: Needs) -> Tonight:
    """What preflight expected; where preflight failed, as much of it as was handed on."""
    if needs.preflight is Result.SUCCESS:
        return read_tonight(needs.night)
    try:
        return read_tonight(needs.night)
    except HarnessError:
        return Tonight(jobs=())


def outcome_of(needs: Needs, rows: Sequence[Row]) -> Outcome:
    """Red where anything is red, and red, too, where nothing was there to be green."""
    if needs.preflight is not Result.SUCCESS:
        return Outcome.NOT_MEASURED
    if any(row.standing in RED for row in rows):
        return Outcome.REGRESSED
    if not any(
        row.standing in {Standing.PASSED, Standing.ADVISORY} and row.expected == "run" for row in rows
    ):
        return Outcome.NOT_MEASURED
    return Outcome.FINE


def advice_for(needs: Needs, tonight: Tonight, rows: Sequence[Row]) -> str:
    """The last sentence."""
    outcome = outcome_of(needs, rows)
    if outcome is Outcome.NOT_MEASURED:
        return advice_without_preflight(needs.preflight, tonight.problem)
    return advice_on(rows)


def report(world: World, rows: Sequence[Row], outcome: Outcome, advice: str) -> None:
    """The table in the summary and in the log, an annotation for each red job, and the sentence last."""
    shown = [row for row in rows if row.standing is not Standing.NOT_SELECTED]
    left_out = len(rows) - len(shown)
    more = f"{count(left_out, 'job')} not selected." if left_out else ""
    title = "The night is green" if outcome is Outcome.FINE else "The night is red"
    table = markdown_table(HEAD, [summary_cells(row) for row in shown]) if shown else ""
    append_summary(world, f"## {title}\n\n{table}\n{more}\n\n**{cell(advice, 1200)}**\n\n")
    for line in plain_table(PLAIN_HEAD, [log_cells(row) for row in shown]) if shown else ():
        say(world, line)
    for line in filter(None, [more]):
        say(world, line)
    for row in shown:
        if row.standing in RED:
            annotate(world, "error", f"{row.id}: {row.standing.value}", row.why)
        elif row.standing is Standing.ADVISORY:
            annotate(world, "warning", f"{row.id}: {row.standing.value}", row.why)
    if outcome is Outcome.NOT_MEASURED:
        annotate(world, "error", title, advice)
    say(world, f"{title}. {advice}")


def summary_cells(row: Row) -> tuple[str, ...]:
    """A row of the summary's table."""
    return (row.id, row.hardware, row.expected, row.result, row.why, row.minutes)


def log_cells(row: Row) -> tuple[str, ...]:
    """A row of the log's table: the longest text comes last."""
    return (row.id, row.hardware, row.expected, row.result, row.minutes, row.why)
