"""A workflow that somebody changed instead of the matrix."""

from collections.abc import Iterator

from generator.checks.drift import Drift, drifted
from generator.domain.facts import Facts
from generator.domain.finding import Finding, error
from generator.domain.location import Location

ID = "hand-edited"


def check(facts: Facts) -> Iterator[Finding]:
    """A finding for each file that is no longer what nightgrid wrote."""
    for path in drifted(facts, Drift.HAND_EDITED):
        yield error(
            ID,
            Location(path),
            "this file is written from the matrix, and somebody has changed the file itself",
            "Make the change in the matrix; a bumped action is taken over by `nightgrid pins`.",
        )
