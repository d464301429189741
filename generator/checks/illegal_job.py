"""A job id that GitHub does not take."""

import re
from collections.abc import Iterator

from generator.domain.facts import Facts
from generator.domain.finding import Finding, error

ID = "illegal-job"

_LEGAL = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_LONGEST = 99


def check(facts: Facts) -> Iterator[Finding]:
    """A finding for each id that is malformed or too long."""
    for job in facts.measuring():
        if job.cell is None:
            continue
        if not _LEGAL.fullmatch(job.id):
            problem = "is not made of letters, digits, - and _, or begins with a digit or a dash"
        elif len(job.id) > _LONGEST:
            problem = f"has {len(job.id)} characters, and GitHub takes {_LONGEST}"
        else:
            continue
        yield error(
            ID, job.cell.location, f"the job id `{job.id}` {problem}", "Give the row another `job_id`."
        )
