"""What a share of right answers says: its standard error and its interval."""

import math
from dataclasses import dataclass

Z_95 = 1.959963984540054


@dataclass(frozen=True, kw_only=True)
class Interval:
    """The ends of an interval, both between 0 and 1."""

    low: float
    high: float


def share(part: int, whole: int) -> float:
    """Part of whole; 0 of nothing is 0."""
    return part / whole if whole else 0.0


def standard_error(right: int, asked: int) -> float:
    """Of a share of independent questions: sqrt(p (1 - p) / n); 0 for no question."""
    p = share(right, asked)
    return math.sqrt(p * (1 - p) / asked) if asked else 0.0


def wilson(right: int, asked: int, z: float = Z_95) -> Interval:
    """Wilson's score interval, which stays between 0 and 1 and is never a point; 0 to 1 for no question."""
    if not asked:
        return Interval(low=0.0, high=1.0)
    p, z2 = right / asked, z * z
    middle = (p + z2 / (2 * asked)) / (1 + z2 / asked)
    half = z / (1 + z2 / asked) * math.sqrt(p * (1 - p) / asked + z2 / (4 * asked * asked))
    low = 0.0 if right == 0 else max(0.0, middle - half)
    high = 1.0 if right == asked else min(1.0, middle + half)
    return Interval(low=low, high=high)


def percentile(values: tuple[float, ...], percent: float) -> float:
    """By linear interpolation between the two nearest values; 0 for no value."""
    if not values:
        return 0.0
    ordered = sorted(values)
    place = (len(ordered) - 1) * percent / 100
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)
