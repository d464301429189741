"""The one sentence at the end of the night: what to do now."""

from collections.abc import Sequence

from generator.harness.night.needs import Result
from generator.harness.night.standing import RED, Row, Standing
from generator.harness.night.text import count, one_line

# More names than this do not fit a sentence.
NAMES = 10

FIRST_STEP = {
    Standing.FAILED: "open the log of {id} first",
    Standing.CUT_OFF: "see in the log of {id} where its time went before raising a limit",
    Standing.NOT_RUN: "find out why {id} did not start",
    Standing.ASTRAY: "render the workflow again, for {id} is not as the matrix says",
    Standing.BLOCKED: "have what {id} lacks put in place (an image, a model)",
}


def advice_on(rows: Sequence[Row]) -> str:
    """What to do about a night with these rows, worst first."""
    red = [row for row in rows if row.standing in RED]
    passed = sum(row.standing in {Standing.PASSED, Standing.ADVISORY} for row in rows)
    if not red:
        advisory = sum(row.standing is Standing.ADVISORY for row in rows)
        rest = (
            f"look at {count(advisory, 'failed advisory step')} when there is time"
            if advisory
            else "all passed"
        )
        return f"Nothing to do: {count(passed, 'job')} asked for, {rest}."
    worst = red[0]
    first = FIRST_STEP[worst.standing].format(id=worst.id)
    return f"{count(len(red), 'job')} of {len(red) + passed} red: {first}, then {again(red)}."


def again(red: Sequence[Row]) -> str:
    """How to repeat the red jobs alone."""
    if len(red) > NAMES:
        return "press 'Re-run failed jobs'"
    return (
        f"start the workflow with job_filter '{','.join(row.id for row in red)}' to repeat only what is red"
    )


def advice_without_preflight(result: Result, problem: str) -> str:
    """What it means that preflight did not succeed, and what to do."""
    reasons = {
        Result.FAILURE: f"preflight failed ({one_line(problem)})" if problem else "preflight failed",
        Result.CANCELLED: "preflight was cancelled, by a person or because no hosted runner came",
        Result.SKIPPED: "preflight was skipped, so its condition in the workflow is wrong",
        Result.SUCCESS: "preflight handed no jobs on",
    }
    return f"Nothing was tested tonight: {reasons[result]}; read the end of its log, mend that, start again."
