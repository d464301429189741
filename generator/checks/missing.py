"""A workflow that the matrix asks for and that is not there."""

from collections.abc import Iterator

from generator.domain.facts import Facts
from generator.domain.finding import Finding, error
from generator.domain.location import Location

ID = "missing"


def check(facts: Facts) -> Iterator[Finding]:
    """A finding for each planned file that does not exist."""
    for path in facts.expected:
        if path not in facts.committed:
            yield error(
                ID,
                Location(path),
                "the matrix asks for this workflow, and it is not there",
                "Run `nightgrid render` and commit the file.",
            )
