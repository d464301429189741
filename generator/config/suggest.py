"""What a person may have meant, and what there is to choose from."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

_MAX_SHOWN: Final = 30
_CLOSE: Final = 0.6
_SAME_TO_A_PERSON: Final = str.maketrans("", "", "-_. ")


def did_you_mean(name: str, valid: Iterable[str]) -> str:
    """A question with the nearest valid name, or nothing; case, blanks, `-` and `_` do not count."""
    by_likeness = {_likeness(known): known for known in valid}
    near = get_close_matches(_likeness(name), by_likeness, n=1, cutoff=_CLOSE)
    return f"did you mean `{by_likeness[near[0]]}`?" if near else ""


def one_of(name: str, valid: Iterable[str]) -> str:
    """The help for an unknown name: the nearest one, then the valid ones in the order given."""
    known = tuple(dict.fromkeys(valid))
    if not known:
        return ""
    question = did_you_mean(name, known)
    shown = ", ".join(known[:_MAX_SHOWN])
    more = len(known) - _MAX_SHOWN
    rest = f" and {more} more" if more > 0 else ""
    return f"{question} valid: {shown}{rest}".strip()


def _likeness(name: str) -> str:
    return name.casefold().translate(_SAME_TO_A_PERSON)
