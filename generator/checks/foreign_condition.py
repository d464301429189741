"""A condition that asks for another job than its own: copied, and changed in one place too few."""

import re
from collections.abc import Iterator

from generator.checks.night import RENDER, measuring
from generator.domain.facts import Facts
from generator.domain.finding import Finding, error
from generator.domain.workflow_facts import JobFacts

ID = "foreign-condition"

_QUOTED = re.compile(r"'([^']*)'")
_WAITED_FOR = re.compile(r"\bneeds\.([A-Za-z0-9_-]+)")
_WORD = re.compile(r"[A-Za-z0-9_-]+")
# What a condition compares results and inputs with; a job may be called so too.
_NO_IDS = frozenset({"success", "failure", "cancelled", "skipped", "true", "false"})


def check(facts: Facts) -> Iterator[Finding]:
    """A finding for each id in a condition that is neither the job's own nor one that it waits for."""
    for workflow in facts.ours():
        ids = {job.id.lower(): job.id for job in workflow.jobs}
        for job in measuring(workflow):
            yield from _of(job, ids)


def _of(job: JobFacts, ids: dict[str, str]) -> Iterator[Finding]:
    asked = _asked(job.condition.text)
    known = _NO_IDS | {job.id.lower()} | {need.text.lower() for need in job.needs}
    foreign = [ids[word] for word in asked if word in ids and word not in known]
    for other in foreign:
        yield error(
            ID,
            job.condition.location,
            f"the condition of `{job.id}` asks for `{other}`, which is another job",
            RENDER,
        )
    if not job.condition.text:
        yield error(ID, job.location, f"`{job.id}` has no condition: it runs whatever was chosen", RENDER)
    elif not foreign and job.id.lower() not in asked:
        yield error(
            ID,
            job.condition.location,
            f"the condition of `{job.id}` does not ask whether `{job.id}` was chosen",
            RENDER,
        )


def _asked(condition: str) -> dict[str, None]:
    words = [word.lower() for text in _QUOTED.findall(condition) for word in _WORD.findall(text)]
    return dict.fromkeys(words + [word.lower() for word in _WAITED_FOR.findall(condition)])
