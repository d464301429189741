"""Environment variables of a matrix: where each is set, and who is said to read it."""

from dataclasses import dataclass

from generator.domain.location import Location
from generator.domain.setting import Setting


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable:
    """An environment variable.

    Attributes:
        read_by: name of the program that reads it.
        settings: each place that sets it, once.
    """

    name: str
    read_by: str
    note: str
    location: Location
    settings: tuple[Setting, ...]

    @property
    def values(self) -> tuple[str, ...]:
        """The values that it is given, each once."""
        return tuple(dict.fromkeys(str(setting.value) for setting in self.settings))
