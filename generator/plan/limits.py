"""Time limits from the inside out: file or deadline, step, job; each with room for what comes after."""

from generator.domain.cell import Cell, Server
from generator.domain.check import Check, Harness, Runner
from generator.domain.job import Step
from generator.domain.matrix import Margins

BEGIN_MINUTES = 5
CHECKOUT_MINUTES = 10
STOP_MINUTES = 5
UPLOAD_MINUTES = 5
END_MINUTES = 3
HOSTED_MINUTES = 15


def minutes(seconds: int) -> int:
    """Whole minutes that hold so many seconds."""
    return -(-seconds // 60)


def inner_seconds(check: Check, margins: Margins) -> int:
    """Seconds after which the check ends by itself, before its step would end it.

    The runner's limit for a file, or the harness's deadline; where the matrix gives only the step's limit,
    the inner one lies the margin below it.
    """
    match check.by:
        case Runner(per_file_timeout_s=0):
            return max(60, (check.timeout_minutes - margins.check) * 60)
        case Runner(per_file_timeout_s=seconds):
            return seconds
        case Harness(deadline_minutes=deadline):
            return deadline * 60


def step_minutes(check: Check, margins: Margins) -> int:
    """Limit of the check's step: what the matrix says, else the inner limit and the margin."""
    if check.timeout_minutes:
        return check.timeout_minutes
    return minutes(inner_seconds(check, margins)) + margins.check


def launch_minutes(server: Server, margins: Margins) -> int:
    """Limit of the step that starts the server."""
    return minutes(server.launch_timeout_s) + margins.check


def job_minutes(cell: Cell, steps: tuple[Step, ...], margins: Margins) -> int:
    """Limit of the job: what the matrix says, else the sum of its steps and the margin."""
    if cell.job_timeout_minutes:
        return cell.job_timeout_minutes
    return sum(step.timeout_minutes for step in steps) + margins.job
