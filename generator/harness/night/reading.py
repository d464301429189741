"""JSON from outside, read with the place of everything that is wrong with it."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from generator.harness.night.text import one_line
from generator.harness.outcome import HarnessError, Outcome


@dataclass(frozen=True, kw_only=True)
class Place:
    """A value in a JSON text, with the path that leads to it.

    Attributes:
        path: for a person, such as `NIGHT.jobs[3].hardware`.
        value: what stands there.
        help: what a person can do when it is wrong.
    """

    path: str
    value: object
    help: str = ""

    def wrong(self, message: str) -> HarnessError:
        """The error that says what is wrong at this place."""
        return HarnessError(Outcome.INVALID, f"{self.path}: {message}", self.help)

    def mapping(self) -> "Mapping[str, Place]":
        """The members of an object."""
        if not isinstance(self.value, dict):
            raise self.wrong(f"an object is needed, not {shown(self.value)}")
        return {
            key: Place(path=f"{self.path}.{one_line(key, 60)}", value=value, help=self.help)
            for key, value in self.value.items()
        }

    def items(self) -> "tuple[Place, ...]":
        """The entries of an array."""
        if not isinstance(self.value, list):
            raise self.wrong(f"an array is needed, not {shown(self.value)}")
        return tuple(
            Place(path=f"{self.path}[{index}]", value=value, help=self.help)
            for index, value in enumerate(self.value)
        )

    def text(self) -> str:
        """A string that is not empty."""
        if not isinstance(self.value, str) or not self.value.strip():
            raise self.wrong(f"a text is needed, not {shown(self.value)}")
        return self.value

    def flag(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            raise self.wrong(f"true or false is needed, not {shown(self.value)}")
        return self.value

    def number(self) -> float:
        """A number above zero."""
        good = isinstance(self.value, int | float) and not isinstance(self.value, bool)
        if not good or not 0 < (number := float(str(self.value))) < float("inf"):
            raise self.wrong(f"a number above 0 is needed, not {shown(self.value)}")
        return number

    def member(self, name: str) -> "Place":
        """The member `name`, which must be there."""
        members = self.mapping()
        if name not in members:
            raise self.wrong(f"the key '{name}' is missing")
        return members[name]

    def optional(self, name: str) -> "tuple[Place, ...]":
        """The member `name` as a tuple of one, or an empty tuple where it is absent or null."""
        place = self.mapping().get(name)
        return () if place is None or place.value is None else (place,)

    def texts(self, name: str) -> tuple[str, ...]:
        """The strings of the array `name`; empty where it is absent or null."""
        return tuple(entry.text() for place in self.optional(name) for entry in place.items())


def read_json(text: str, name: str, help_: str) -> Place:
    """Parse the JSON text of a variable called `name`.

    Raises:
        HarnessError: INVALID, for an empty text, for what is not JSON and for a key that stands twice.
    """
    if not text.strip():
        raise HarnessError(Outcome.INVALID, f"{name} is empty", help_)
    try:
        value = json.loads(text, object_pairs_hook=lambda pairs: members_once(name, pairs))
    except RecursionError as problem:
        raise HarnessError(Outcome.INVALID, f"{name} is nested too deeply", help_) from problem
    except ValueError as problem:
        raise HarnessError(Outcome.INVALID, f"{name} is not JSON: {problem}", help_) from problem
    return Place(path=name, value=value, help=help_)


def members_once(name: str, pairs: Iterable[tuple[str, object]]) -> dict[str, object]:
    """The members of an object, each key once: the second would silently win over the first."""
    members: dict[str, object] = {}
    for key, value in pairs:
        if key in members:
            raise HarnessError(
                Outcome.INVALID, f"{name}: the key '{one_line(key)}' stands twice in one object"
            )
        members[key] = value
    return members


def shown(value: object) -> str:
    """The value, short enough for a message."""
    return one_line(json.dumps(value), 60)
