"""A workflow that nobody touched and that the matrix has outgrown."""

from collections.abc import Iterator

from generator.checks.drift import Drift, drifted
from generator.domain.facts import Facts
from generator.domain.finding import Finding, error
from generator.domain.location import Location

ID = "stale"


def check(facts: Facts) -> Iterator[Finding]:
    """A finding for each file that an earlier matrix or generator wrote."""
    for path in drifted(facts, Drift.STALE):
        yield error(
            ID,
            Location(path),
            "this is what an earlier matrix, template or version wrote",
            "Run `nightgrid render` and commit the file.",
        )
