"""Cutting an answer at the first stop, whatever the server did: with a draft model some run past it."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Cut:
    """An answer up to its first stop.

    Attributes:
        text: what stands before the stop.
        ran_past: the server sent a stop, and more than white space behind it.
        is_complete: a stop was found in the text.
    """

    text: str
    ran_past: bool
    is_complete: bool


def cut(text: str, stops: Sequence[str]) -> Cut:
    """The text before the stop that comes first; of two at one place, the shorter counts."""
    found = [(place, len(stop), stop) for stop in stops if stop and (place := text.find(stop)) >= 0]
    if not found:
        return Cut(text=text, ran_past=False, is_complete=False)
    place, length, _ = min(found)
    # An engine asked to keep the stop in its text sends it and nothing else: that is no running past.
    return Cut(text=text[:place], ran_past=bool(text[place + length :].strip()), is_complete=True)
