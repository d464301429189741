"""Names as people type them: blanks and case do not matter, and a typing mistake gets an answer."""

import difflib
from collections.abc import Iterable

SUGGESTIONS = 3


def folded(name: str) -> str:
    """The name without blanks and case, for comparing."""
    return "".join(name.split()).casefold()


def did_you_mean(wrong: str, known: Iterable[str]) -> str:
    """A sentence with the nearest known names, or the first few when none is near."""
    by_fold = {folded(name): name for name in known}
    near = difflib.get_close_matches(folded(wrong), list(by_fold), n=SUGGESTIONS, cutoff=0.6)
    names = [by_fold[key] for key in near] or [
        name for key, name in by_fold.items() if folded(wrong) and folded(wrong) in key
    ][:SUGGESTIONS]
    if names:
        return f"Did you mean {', '.join(repr(name) for name in names)}?"
    first = list(by_fold.values())[:SUGGESTIONS]
    return f"Known are, for example, {', '.join(repr(name) for name in first)}." if first else ""
