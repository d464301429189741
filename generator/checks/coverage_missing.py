"""A required point without a gate: a swap lost it (sglang pull requests 34643, 36142)."""

from collections.abc import Iterator

from generator.domain.facts import Facts
from generator.domain.finding import Finding, error
from generator.plan.coverage import covered

ID = "coverage-missing"


def check(facts: Facts) -> Iterator[Finding]:
    """A finding for each required point that no cell covers and no waiver lifts."""
    there = covered(facts.matrix.cells)
    waived = {waiver.point for waiver in facts.matrix.waivers if waiver.until >= facts.today}
    for requirement in facts.matrix.required:
        for point in requirement.points():
            if point not in there and point not in waived:
                yield error(
                    ID,
                    requirement.location,
                    f"tonight there is no gate for {point}",
                    "Bring a cell back that does, or write a waiver with a reason and an end date.",
                )
