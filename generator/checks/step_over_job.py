"""Steps that together may take longer than their job: the job is cut, and ends `cancelled`, not failed."""

from collections.abc import Iterator

from generator.domain.facts import Facts
from generator.domain.finding import Finding, error

ID = "step-over-job"

# GitHub's own limit for a job that names none, in minutes.
_GITHUB_DEFAULT = 360
# GitHub's longest job on a runner of one's own, in minutes.
_GITHUB_LONGEST = 5 * 24 * 60


def check(facts: Facts) -> Iterator[Finding]:
    """A finding for each job with more minutes of steps than its own limit has."""
    for job in facts.measuring():
        if job.cell is None:
            continue
        place = job.cell.place("job_timeout_minutes")
        steps = sum(step.timeout_minutes for step in job.steps)
        if steps >= job.timeout_minutes:
            yield error(
                ID,
                place,
                f"the steps of `{job.id}` may take {steps} minutes, and the job ends after "
                f"{job.timeout_minutes}",
                "Leave `job_timeout_minutes` out, and it is derived; or shorten a step.",
            )
        if job.timeout_minutes > _GITHUB_LONGEST:
            yield error(
                ID, place, f"`{job.id}` may take {job.timeout_minutes} minutes; GitHub ends it after 5 days"
            )
    for workflow in facts.ours():
        for read in workflow.jobs:
            limit = read.timeout_minutes or _GITHUB_DEFAULT
            steps = sum(step.timeout_minutes for step in read.steps)
            if steps > limit:
                said = "" if read.timeout_minutes else ", GitHub's default, for it names no limit"
                yield error(
                    ID,
                    read.location,
                    f"the steps of `{read.id}` may take {steps} minutes, and the job ends after {limit}{said}",
                )
