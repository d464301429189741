"""An entry of the dropdown that starts nothing."""

from collections.abc import Iterator

from generator.checks.night import measuring
from generator.domain.facts import Facts
from generator.domain.finding import Finding, error
from generator.plan.night import ALL

ID = "option-without-job"


def check(facts: Facts) -> Iterator[Finding]:
    """A finding for each option that is neither a job nor a group."""
    for workflow in facts.ours():
        ids = {job.id for job in measuring(workflow)}
        for option in workflow.options:
            if option.text != ALL and ": " not in option.text and option.text not in ids:
                yield error(
                    ID, option.location, f"the dropdown offers `{option.text}`, and no job has that id"
                )
