"""A job by its id, or a hint for the person who mistyped it."""

from difflib import get_close_matches

import typer

from generator.cli.build import Build
from generator.domain.job import Job


def find_job(result: Build, id_: str) -> Job | None:
    """The job that measures under this id; None, and a hint on standard error, where there is none."""
    jobs = {job.id: job for workflow in result.workflows for job in workflow.jobs if job.cell is not None}
    if id_ not in jobs:
        close = get_close_matches(id_, jobs, n=3)
        hint = (
            f"did you mean {' or '.join(f'`{name}`' for name in close)}?" if close else "see nightgrid list"
        )
        typer.echo(f"error: there is no job `{id_}`\nhelp: {hint}", err=True)
    return jobs.get(id_)
