"""A reason and a last day from the command line."""

import datetime as dt
import re

from generator.config.edit_periods import Period

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


class PeriodError(ValueError):
    """The reason or the day is not one; the message says what to write."""


def asked_period(because: str, until: str, today: dt.date) -> Period:
    """The two, once both are there and make sense today.

    Raises:
        PeriodError: no reason, no day, or a day that is over.
    """
    reason = because.strip()
    if not reason:
        raise PeriodError('say why: --because "the machines are down, ticket 123"')
    if not reason.isprintable():
        raise PeriodError("--because is one line of text")
    try:
        day = dt.date.fromisoformat(until) if _DAY.fullmatch(until) else None
    except ValueError:
        day = None
    if day is None:
        raise PeriodError(f"there is no day {until!r}: write --until YYYY-MM-DD, the last day")
    if day < today:
        raise PeriodError(f"{until} is over; today is {today.isoformat()}")
    return Period(because=reason, until=until)
