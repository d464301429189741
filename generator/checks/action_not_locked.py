"""An action that GitHub's lock file does not hold: a workflow that takes part in it fails at its start."""

from collections.abc import Iterator

from generator.domain.facts import Facts
from generator.domain.finding import Finding, error
from generator.domain.job import UsesStep
from generator.domain.location import Location

ID = "action-not-locked"


def check(facts: Facts) -> Iterator[Finding]:
    """A finding for each action of a workflow in the lock file that is not locked for it."""
    for workflow in facts.workflows:
        if workflow.path not in facts.lock.workflows:
            continue
        locked = facts.lock.workflows[workflow.path]
        used = {step.uses: None for job in workflow.jobs for step in job.steps if isinstance(step, UsesStep)}
        for uses in used:
            if uses not in locked:
                yield error(
                    ID,
                    Location(facts.lock.path),
                    f"{workflow.path} uses {uses}, which is not locked: the run would fail at its start",
                    "Run `gh actions-lock` and commit the file.",
                )
