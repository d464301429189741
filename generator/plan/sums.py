"""How the limits of a job come about, in words and minutes."""

from dataclasses import dataclass

from generator.domain.job import Job
from generator.domain.matrix import Margins
from generator.plan.limits import inner_seconds, launch_minutes


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A limit in minutes, what it is for, and why it is what it is."""

    name: str
    minutes: int
    because: str


def limits_of(job: Job, margins: Margins) -> tuple[Limit, ...]:
    """The limit of each step, their sum, and the job's limit.

    Raises:
        ValueError: the job measures nothing.
    """
    cell = job.cell
    if cell is None:
        raise ValueError(job.id)
    reasons = {}
    for check in cell.checks:
        inner = inner_seconds(check, margins)
        reasons[check.key] = (
            f"as the matrix says, around {inner} s inside"
            if check.timeout_minutes
            else f"{inner} s inside, and {margins.check} minutes of margin"
        )
    if cell.server is not None and launch_minutes(cell.server, margins):
        reasons["serve"] = f"{cell.server.launch_timeout_s} s to start, and {margins.check} minutes of margin"
    steps = tuple(
        Limit(name=step.id, minutes=step.timeout_minutes, because=reasons.get(step.id, ""))
        for step in job.steps
    )
    total = sum(limit.minutes for limit in steps)
    why = (
        "as the matrix says"
        if cell.job_timeout_minutes
        else f"{total} minutes of steps, and {margins.job} minutes of margin"
    )
    return (
        *steps,
        Limit(name="all steps", minutes=total, because=""),
        Limit(name="job", minutes=job.timeout_minutes, because=why),
    )
