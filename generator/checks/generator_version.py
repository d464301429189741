"""Another version of nightgrid than the one that the matrix pins."""

from collections.abc import Iterator

from generator.domain.facts import Facts
from generator.domain.finding import Finding, error

ID = "generator-version"


def check(facts: Facts) -> Iterator[Finding]:
    """A finding where the running version would not write what the pinned one writes."""
    pinned = facts.matrix.generator_version
    if pinned != facts.running_version:
        yield error(
            ID,
            facts.matrix.version_location,
            f"the matrix is written for nightgrid {pinned}, and this is {facts.running_version}",
            f"Install nightgrid {pinned}, or write {facts.running_version} here and render.",
        )
