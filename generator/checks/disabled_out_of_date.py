"""A job that was switched off for a while, and the while is over."""

from collections.abc import Iterator

from generator.domain.facts import Facts
from generator.domain.finding import Finding, error

ID = "disabled-out-of-date"


def check(facts: Facts) -> Iterator[Finding]:
    """A finding for each job that is off past its last day."""
    for job in facts.measuring():
        off = None if job.cell is None else job.cell.disabled
        if off is not None and off.until < facts.today:
            yield error(
                ID,
                off.location,
                f"`{job.id}` was off until {off.until} ({off.because})",
                "Take `disabled` out, or give it a new day and reason.",
            )
