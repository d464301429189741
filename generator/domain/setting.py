"""A value and where it comes from: five levels say it, the last one wins."""

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from generator.domain.location import Location

SettingValue: TypeAlias = str | int | float | bool | tuple[str, ...]


class Level(Enum):
    """Who says a value, from the widest to the narrowest."""

    MATRIX = "matrix"
    LANE = "lane"
    HARDWARE = "hardware"
    MODEL = "model"
    CELL = "cell"
    OVERRIDE = "override"


@dataclass(frozen=True, slots=True)
class Setting:
    """A value, the level that said it, and the place."""

    value: SettingValue
    level: Level
    location: Location
