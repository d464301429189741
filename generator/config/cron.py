"""Cron lines as GitHub takes them: a line that it does not take makes it reject the whole workflow."""

import re

from generator.config.entry import Entry
from generator.config.names import Problems

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
# name, lowest, highest, words for the numbers from the lowest on
_FIELDS = (
    ("minute", 0, 59, ()),
    ("hour", 0, 23, ()),
    ("day of the month", 1, 31, ()),
    ("month", 1, 12, _MONTHS),
    ("day of the week", 0, 6, _DAYS),
)
_PART = re.compile(r"(?:\*|(?P<first>\w+)(?:-(?P<last>\w+))?)(?:/(?P<step>\d+))?")


def look_at_cron(root: Entry, problems: Problems) -> None:
    """Note each cron line with a field that is out of its range."""
    for _, workflow in root.entries("workflows"):
        for node in workflow.scalars("schedule"):
            wrong = _wrong_field(str(node.value))
            if wrong:
                message = f"this is no cron line: {wrong}"
                problems.add("wrong-value", problems.tree.at(node), message, "See crontab.guru; it is UTC.")


def _wrong_field(line: str) -> str:
    for text, (name, lowest, highest, words) in zip(line.split(" "), _FIELDS, strict=True):
        for part in text.split(","):
            if not _fits(part, lowest, highest, words):
                return f"`{part}` is no {name}; it is {lowest} to {highest}"
    return ""


def _fits(part: str, lowest: int, highest: int, words: tuple[str, ...]) -> bool:
    match = _PART.fullmatch(part)
    if match is None:
        return False
    ends = [_number(text, lowest, words) for text in match.group("first", "last") if text is not None]
    step = int(match["step"] or 1)
    return all(lowest <= end <= highest for end in ends) and ends == sorted(ends) and 0 < step <= highest


def _number(text: str, lowest: int, words: tuple[str, ...]) -> int:
    """The number that a field says; -1 where it says none."""
    if text.isascii() and text.isdigit():
        return int(text)
    return words.index(text.lower()) + lowest if text.lower() in words else -1
