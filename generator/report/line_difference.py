"""Two long lines, cut to where they differ."""

from generator.report.visible import visible

_SHOWN_CHARACTERS_MAXIMUM = 300
_BEFORE_DIFFERENCE_CHARACTERS = 60
_CUT = "…"


def shorten_pair(old: str, new: str) -> tuple[str, str]:
    """Both lines made visible, without their newline; a long one is cut to around the first difference."""
    old, new = old.removesuffix("\n"), new.removesuffix("\n")
    if max(len(old), len(new)) <= _SHOWN_CHARACTERS_MAXIMUM:
        return visible(old), visible(new)
    same = 0 if old == new else _same_characters(old, new)
    start = 0 if same < _SHOWN_CHARACTERS_MAXIMUM // 2 else same - _BEFORE_DIFFERENCE_CHARACTERS
    return _part(old, start), _part(new, start)


def _same_characters(old: str, new: str) -> int:
    """How many characters both begin with; it halves slices, which is quick also for a line of 35 MB."""
    same, end = 0, min(len(old), len(new))
    while same < end:
        middle = (same + end + 1) // 2
        if old[same:middle] == new[same:middle]:
            same = middle
        else:
            end = middle - 1
    return same


def _part(line: str, start: int) -> str:
    end = start + _SHOWN_CHARACTERS_MAXIMUM
    before = _CUT if start else ""
    behind = _CUT if end < len(line) else ""
    return f"{before}{visible(line[start:end])}{behind}"
