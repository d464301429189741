"""A waiver that has ended, or that lifts what needs no lifting."""

from collections.abc import Iterator

from generator.domain.facts import Facts
from generator.domain.finding import Finding, error
from generator.plan.coverage import covered

ID = "waiver-out-of-date"


def check(facts: Facts) -> Iterator[Finding]:
    """A finding for each waiver past its last day, covered by now, or never asked for."""
    there = covered(facts.matrix.cells)
    asked = {point for requirement in facts.matrix.required for point in requirement.points()}
    for waiver in facts.matrix.waivers:
        if waiver.until < facts.today:
            problem = f"ended on {waiver.until}"
        elif waiver.point not in asked:
            problem = "lifts what nothing requires"
        elif waiver.point in there:
            problem = "is not needed any more: the point is covered"
        else:
            continue
        yield error(ID, waiver.location, f"the waiver for {waiver.point} {problem}", "Take it out.")
