"""Steps that together may take longer than their job: the job is cut, and ends `cancelled`, not failed."""

import re
from collections.abc import Iterator

from generator.domain.facts import Facts
from generator.domain.finding import Finding, error
from generator.domain.job import Job
from generator.domain.workflow_facts import JobFacts

ID = "step-over-job"

# GitHub's own limit for a job that names none, and for any job on its own machines, in minutes.
GITHUB_DEFAULT = 360
# GitHub's longest job on a runner of one's own, in minutes.
_GITHUB_LONGEST = 5 * 24 * 60
_GITHUB_OWN = re.compile(r"(ubuntu|windows|macos)-\w+.*")


def check(facts: Facts) -> Iterator[Finding]:
    """A finding for each job with more minutes of steps than its own limit has."""
    for job in facts.measuring():
        yield from _planned(job)
    for workflow in facts.ours():
        for read in workflow.jobs:
            yield from _committed(read)


def _planned(job: Job) -> Iterator[Finding]:
    if job.cell is None:
        return
    place = job.cell.place("job_timeout_minutes")
    steps = sum(step.timeout_minutes for step in job.steps)
    if steps >= job.timeout_minutes:
        yield error(
            ID,
            place,
            f"the steps of `{job.id}` may take {steps} minutes, and the job ends after {job.timeout_minutes}",
            "Leave `job_timeout_minutes` out, and it is derived; or shorten a step.",
        )
    if _GITHUB_OWN.fullmatch(job.runs_on) and job.timeout_minutes > GITHUB_DEFAULT:
        yield error(
            ID,
            place,
            f"`{job.id}` may take {job.timeout_minutes} minutes; GitHub ends it on `{job.runs_on}` after "
            f"{GITHUB_DEFAULT}",
            "Shorten a step, or give it a runner of your own.",
        )
    elif job.timeout_minutes > _GITHUB_LONGEST:
        yield error(
            ID,
            place,
            f"`{job.id}` may take {job.timeout_minutes} minutes; GitHub ends it after {_GITHUB_LONGEST}",
            "Shorten a step, or split the row.",
        )


def _committed(job: JobFacts) -> Iterator[Finding]:
    limit = job.timeout_minutes or GITHUB_DEFAULT
    steps = sum(step.timeout_minutes for step in job.steps)
    if steps >= limit:
        said = "" if job.timeout_minutes else ", GitHub's default, for it names no limit"
        yield error(
            ID,
            job.location,
            f"the steps of `{job.id}` may take {steps} minutes, and the job ends after {limit}{said}",
            "Give the job a limit above the sum of its steps, as `nightgrid render` does.",
        )
