"""An entry of the dropdown that starts nothing."""

from collections.abc import Iterator

from generator.checks.night import RENDER, listed_in, measuring
from generator.domain.facts import Facts
from generator.domain.finding import Finding, error
from generator.plan.night import ALL

ID = "option-without-job"


def check(facts: Facts) -> Iterator[Finding]:
    """A finding for each option that is neither a job nor a group with a job in it."""
    for workflow in facts.ours():
        ids = {job.id for job in measuring(workflow)}
        groups = listed_in(workflow).groups
        for option in workflow.options:
            if option.text == ALL or option.text in ids or option.text in groups:
                continue
            problem = "no job belongs to it" if ": " in option.text else "no job has that id"
            yield error(ID, option.location, f"the dropdown offers `{option.text}`, and {problem}", RENDER)
