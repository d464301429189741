"""Which lines of two texts stand for each other, found in time that grows with the texts and no faster."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

# difflib takes quadratic time and worse, so it sees this many lines of each text at once.
_WINDOW_LINES = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """A run of lines of both texts, as half-open ranges counted from 0.

    It is the same in both (``same``), or all that stands there differs; then one range may be empty.
    """

    old: range
    new: range
    same: bool


def align(old: Sequence[str], new: Sequence[str]) -> Iterator[Stretch]:
    """Stretches that cover both texts from start to end, those that differ as short as can be found.

    They come one by one, so that a caller who needs only the first differences pays only for these.
    """
    at_old = at_new = 0
    while at_old < len(old) or at_new < len(new):
        same = _same_from(old, new, at_old, at_new)
        if same:
            yield _stretch((at_old, at_old + same), (at_new, at_new + same), same=True)
            at_old, at_new = at_old + same, at_new + same
            continue
        for stretch in _window(old, new, at_old, at_new):
            yield stretch
            at_old, at_new = stretch.old.stop, stretch.new.stop


def _same_from(old: Sequence[str], new: Sequence[str], at_old: int, at_new: int) -> int:
    shortest = min(len(old) - at_old, len(new) - at_new)
    return next((i for i in range(shortest) if old[at_old + i] != new[at_new + i]), shortest)


def _window(old: Sequence[str], new: Sequence[str], at_old: int, at_new: int) -> list[Stretch]:
    matcher = SequenceMatcher(
        None, old[at_old : at_old + _WINDOW_LINES], new[at_new : at_new + _WINDOW_LINES]
    )
    stretches = [
        _stretch((at_old + i1, at_old + i2), (at_new + j1, at_new + j2), same=tag == "equal")
        for tag, i1, i2, j1, j2 in matcher.get_opcodes()
    ]
    complete = stretches[-1].old.stop == len(old) and stretches[-1].new.stop == len(new)
    if not complete:
        _leave_end_to_next(stretches)
    return stretches


def _leave_end_to_next(stretches: list[Stretch]) -> None:
    """What stands at the end of a window may match lines behind it: end with a difference that cannot."""
    if len(stretches) > 1 and not stretches[-1].same:
        stretches.pop()
    if len(stretches) > 1:
        stretches.pop()


def _stretch(old: tuple[int, int], new: tuple[int, int], *, same: bool) -> Stretch:
    return Stretch(old=range(*old), new=range(*new), same=same)
