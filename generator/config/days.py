"""Days until which something is off or let off: each is a day of the calendar."""

import datetime as dt

from generator.config.entry import Entry
from generator.config.names import Problems
from generator.domain.cell import Disabled


def read_disabled(entry: Entry) -> Disabled:
    """Why something is off, and until when."""
    return Disabled(because=entry.text("because"), until=entry.text("until"), location=entry.location)


def look_at_days(root: Entry, problems: Problems) -> None:
    """Note each `until` that no calendar has, such as 2026-02-30."""
    for entry in root.entry("coverage").items("waivers"):
        _look_at(entry, problems)
    for name in ("pools", "cells"):
        for _, row in root.entries(name):
            for entry in (row, *row.items("overrides")):
                _look_at(entry.entry("disabled"), problems)


def _look_at(entry: Entry, problems: Problems) -> None:
    text = entry.text("until")
    try:
        if text:
            dt.date.fromisoformat(text)
    except ValueError:
        place = entry.location_of("until")
        problems.add("wrong-value", place, f"there is no day {text}", "A day is written YYYY-MM-DD.")
