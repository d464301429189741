"""A workflow that somebody changed instead of the matrix, or wrote where one of ours belongs."""

from collections.abc import Iterator

from generator.checks.drift import Drift, drifted
from generator.domain.facts import Facts
from generator.domain.finding import Finding, error
from generator.domain.location import Location
from generator.render.text import carries_mark

ID = "hand-edited"


def check(facts: Facts) -> Iterator[Finding]:
    """A finding for each file that is no longer, or never was, what nightgrid wrote."""
    for path in drifted(facts, Drift.HAND_EDITED):
        if carries_mark(facts.committed[path]):
            yield error(
                ID,
                Location(path),
                "this file is written from the matrix, and somebody has changed the file itself",
                "Make the change in the matrix; a bumped action is taken over by `nightgrid pins`.",
            )
        else:
            yield error(
                ID,
                Location(path),
                "the matrix asks for a workflow of this name, and nightgrid did not write this one",
                "Let `nightgrid render --replace` write over it, or give the matrix's workflow another key.",
            )
