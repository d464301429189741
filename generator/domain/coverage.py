"""What has a gate tonight, what must have one, and what is let off for a while."""

from dataclasses import dataclass

from generator.domain.check import CheckKind
from generator.domain.location import Location


@dataclass(frozen=True, slots=True, order=True)
class Point:
    """One point of coverage: a family on an ISA in a lane, measured in one way."""

    family: str
    isa: str
    lane: str
    check: str

    def __str__(self) -> str:
        return f"{self.family} on {self.isa} in {self.lane}: {self.check}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """Points that must be covered; the floor under every change of the matrix."""

    family: str
    isas: tuple[str, ...]
    lanes: tuple[str, ...]
    checks: tuple[CheckKind, ...]
    location: Location

    def points(self) -> tuple[Point, ...]:
        """Every point that it asks for."""
        return tuple(
            Point(self.family, isa, lane, check.value)
            for isa in self.isas
            for lane in self.lanes
            for check in self.checks
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiver:
    """A point that is let off, why, and until which day (ISO 8601, that day included)."""

    point: Point
    because: str
    until: str
    location: Location
