"""A workflow that goes on running although the matrix no longer knows it."""

from collections.abc import Iterator

from generator.domain.facts import Facts
from generator.domain.finding import Finding, error
from generator.domain.location import Location
from generator.render.text import carries_mark

ID = "orphaned"


def check(facts: Facts) -> Iterator[Finding]:
    """A finding for each file of ours that nothing asks for."""
    for path, data in facts.committed.items():
        if path not in facts.expected and carries_mark(data):
            yield error(
                ID,
                Location(path),
                "nothing in the matrix asks for this workflow, and it goes on running",
                "Run `nightgrid render`, which takes it away, and commit that.",
            )
