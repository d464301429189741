"""A chain of jobs whose condition does not say what happens after a cancellation or a failure before it."""

import re
from collections.abc import Iterator

from generator.checks.night import RENDER, measuring
from generator.domain.facts import Facts
from generator.domain.finding import Finding, error
from generator.domain.workflow_facts import JobFacts
from generator.plan.workflows import PREFLIGHT

ID = "unguarded-chain"

_BLANKS = re.compile(r"\s+")


def check(facts: Facts) -> Iterator[Finding]:
    """A finding for each job that waits for another, or always runs, and does not look at how that ended."""
    for workflow in facts.ours():
        for job in measuring(workflow):
            yield from _of(job)


def _of(job: JobFacts) -> Iterator[Finding]:
    before = [need.text for need in job.needs if need.text != PREFLIGHT]
    condition = _BLANKS.sub("", job.condition.text).lower()
    place = job.condition.location
    if "!cancelled()" not in condition:
        if "always()" in condition:
            yield error(
                ID,
                place,
                f"`{job.id}` runs always: it goes on waiting for a machine after a person pressed cancel",
                "Write `!cancelled()` for `always()`.",
            )
        elif before:
            yield error(
                ID,
                place,
                f"`{job.id}` waits for `{before[0]}` without a test for cancellation: when that is not asked "
                "for and is skipped, this is skipped",
                "Begin the condition with `!cancelled() &&`.",
            )
        return
    for other in before:
        if f"needs.{other.lower()}.result" not in condition:
            yield error(
                ID,
                place,
                f"`{job.id}` waits for `{other}` and does not look at its result: it runs after a failure",
                RENDER,
            )
