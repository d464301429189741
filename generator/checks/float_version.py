"""A version without quotes in a workflow: 7.20 is read as the number 7.2."""

from collections.abc import Iterator

from generator.domain.facts import Facts
from generator.domain.finding import Finding, error

ID = "float-version"


def check(facts: Facts) -> Iterator[Finding]:
    """A finding for each value that YAML reads as a fraction."""
    for workflow in facts.ours():
        for value in workflow.floats:
            yield error(
                ID,
                value.location,
                f"{value.text} without quotes is the number {float(value.text)}",
                f'Write "{value.text}".',
            )
