"""What a plain scalar means: the core schema of YAML 1.2 (section 10.3), and nothing of YAML 1.1.

So `yes`, `no`, `on` and `off` are texts, as are `1_000`, `12:30` and dates.
"""

import re
from collections.abc import Callable
from math import nan
from typing import Final

from generator.config.tree import ScalarValue

_WORDS: Final[dict[str, bool | None]] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_NUMBERS: Final[tuple[tuple[re.Pattern[str], Callable[[str], int | float]], ...]] = (
    (re.compile(r"[-+]?[0-9]+"), int),
    (re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?"), float),
    (re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+"), lambda text: int(text, 0)),
    (re.compile(r"[-+]?\.(inf|Inf|INF)"), lambda text: float(text.replace(".", ""))),
    (re.compile(r"\.(nan|NaN|NAN)"), lambda _text: nan),
)
_NUMBER_STARTS: Final = frozenset("0123456789+-.")

# Python refuses to convert much longer ones (CVE-2020-10735); nobody counts anything with them.
_MAX_NUMBER_CHARACTERS: Final = 1000


def resolve(text: str) -> ScalarValue:
    """The value of a plain scalar; a number too long to be one stays a text."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _NUMBER_STARTS or len(text) > _MAX_NUMBER_CHARACTERS:
        return text
    return next((convert(text) for pattern, convert in _NUMBERS if pattern.fullmatch(text)), text)
