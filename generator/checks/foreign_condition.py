"""A condition that asks for another job than its own: copied, and changed in one place too few."""

import re
from collections.abc import Iterator

from generator.checks.night import measuring
from generator.domain.facts import Facts
from generator.domain.finding import Finding, error

ID = "foreign-condition"

_QUOTED = re.compile(r"'([^']*)'")


def check(facts: Facts) -> Iterator[Finding]:
    """A finding for each id in a condition that is neither the job's own nor one that it waits for."""
    for workflow in facts.ours():
        ids = {job.id for job in workflow.jobs}
        for job in measuring(workflow):
            known = {job.id} | {need.text for need in job.needs}
            for text in dict.fromkeys(_QUOTED.findall(job.condition.text)):
                if text in ids and text not in known:
                    yield error(
                        ID,
                        job.condition.location,
                        f"the condition of `{job.id}` asks for `{text}`, which is another job",
                    )
