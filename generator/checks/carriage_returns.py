"""A workflow that is right but for the ends of its lines."""

from collections.abc import Iterator

from generator.checks.drift import Drift, drifted
from generator.domain.facts import Facts
from generator.domain.finding import Finding, error
from generator.domain.location import Location

ID = "carriage-returns"


def check(facts: Facts) -> Iterator[Finding]:
    """A finding for each file whose lines end as on Windows."""
    for path in drifted(facts, Drift.CARRIAGE_RETURNS):
        line = facts.committed[path].split(b"\r\n", 1)[0].count(b"\n") + 1
        yield error(
            ID,
            Location(path, line, 1),
            "lines end in CR LF; nothing else differs",
            "Add `.github/workflows/*.yml text eol=lf` to .gitattributes, so that git stops doing this.",
        )
