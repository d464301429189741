"""How a committed file differs from what it should be."""

from collections.abc import Iterator
from enum import Enum

from generator.domain.facts import Facts
from generator.render.text import is_untouched


class Drift(Enum):
    """The ways of being different, told apart so that each can be mended."""

    STALE = "stale"
    HAND_EDITED = "hand-edited"
    CARRIAGE_RETURNS = "carriage returns"


def drift_of(expected: bytes, committed: bytes) -> Drift:
    """The way in which two unequal files differ."""
    if committed.replace(b"\r\n", b"\n") == expected:
        return Drift.CARRIAGE_RETURNS
    return Drift.STALE if is_untouched(committed.replace(b"\r\n", b"\n")) else Drift.HAND_EDITED


def drifted(facts: Facts, wanted: Drift) -> Iterator[str]:
    """Paths of the planned files that differ in the wanted way."""
    for path, expected in facts.expected.items():
        committed = facts.committed.get(path)
        if committed is not None and committed != expected and drift_of(expected, committed) is wanted:
            yield path
