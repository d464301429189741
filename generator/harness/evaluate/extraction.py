"""The number that an answer gives. Three rules; docs/harness.md shows each with examples."""

import re
from collections.abc import Callable
from enum import Enum
from fractions import Fraction

Number = Fraction | None
"""An exact number, or None where an answer gives none: it is then invalid, which is counted by itself."""

_MINUS = "-\u2212\u2013\ufe63\uff0d"
_CURRENCY = "$€£¥₹"
_BLANK_IN_NUMBER = "\u00a0\u202f\u2009"
_DIGITS = rf"(?:[0-9]{{1,3}}(?:(?:,|[{_BLANK_IN_NUMBER}])[0-9]{{3}})+(?![0-9])|[0-9]+)"
_DECIMAL = rf"(?:{_DIGITS}(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]{{1,3}}(?![0-9A-Za-z]))?"
# A minus behind a digit, a letter or a closing bracket takes away; elsewhere it is a sign.
_SIGN = rf"(?:(?<![0-9A-Za-z)\]}}%])[{_MINUS}+]\s?)?"
_NUMBER = re.compile(
    rf"(?P<sign>{_SIGN})[{_CURRENCY}]?\s?(?P<sign_behind>(?<=[{_CURRENCY}])[{_MINUS}])?"
    rf"(?:(?P<whole>[0-9]+)\s+(?=[0-9]+/[0-9]))?"
    rf"(?P<top>{_DECIMAL})(?:\s?/\s?(?P<bottom>{_DECIMAL}))?"
)
_FRAC = re.compile(r"\\[dt]?frac\s*\{\s*(-?[0-9.]+)\s*\}\s*\{\s*([0-9.]+)\s*\}")
_MARK = re.compile(r"####")
_BOXED = re.compile(r"\\boxed\s*\{")
_THINKING_END = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_THINKING_START = re.compile(r"<think(?:ing)?>", re.IGNORECASE)
_REMARK = re.compile(r"(?<=[0-9%*])\s*\([^()\n]*\)[\s.!*]*\Z")
_MOST_MARKS = 20  # a model that repeats a mark for ever must not cost a minute
_MOST_DIGITS = 60  # nor is what repeats a digit for ever a number
_STRICT = re.compile(rf"\A[\s*]*{_NUMBER.pattern}")


class Extraction(str, Enum):
    """The rules by name."""

    STRICT = "strict"
    FLEXIBLE = "flexible"
    LEGACY = "legacy"


def without_thinking(text: str) -> str:
    """What stands behind the thinking; empty when the thinking was never closed."""
    ends = list(_THINKING_END.finditer(text))
    if ends:
        return text[ends[-1].end() :]
    return "" if _THINKING_START.search(text) else text


def _plain(text: str) -> str:
    """LaTeX's thousands separators and fractions in ordinary writing."""
    text = (
        text.replace("{,}", ",")
        .replace("\\,", "\u2009")
        .replace("\\!", "")
        .replace("\\$", "$")
        .replace("\\%", "%")
    )
    return _FRAC.sub(r"\1/\2", text)


def _decimal(text: str) -> Fraction:
    return Fraction(re.sub(rf"[,{_BLANK_IN_NUMBER}]", "", text))


def _value(found: re.Match[str]) -> Number:
    if len(found[0]) > _MOST_DIGITS:
        return None
    value = _decimal(found["top"])
    if found["bottom"]:
        bottom = _decimal(found["bottom"])
        # Nothing divided by nothing is no number; the part before the stroke still is one.
        value = value / bottom if bottom else value
    if found["whole"]:
        value += int(found["whole"])
    is_negative = any(character in _MINUS for character in f"{found['sign']}{found['sign_behind'] or ''}")
    return -value if is_negative else value


def _inside_braces(text: str, start: int) -> str:
    depth = 1
    for place in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if depth == 0:
            return text[start:place]
    return text[start:]


def _last_number(text: str) -> Number:
    found = list(_NUMBER.finditer(text))
    return _value(found[-1]) if found else None


def _first_number(text: str) -> Number:
    found = _NUMBER.search(text)
    return _value(found) if found else None


def strict(text: str) -> Number:
    """The number directly behind the last `####`; None without one. Text behind the number is ignored."""
    marks = list(_MARK.finditer(without_thinking(text)))
    if not marks:
        return None
    found = _STRICT.match(_plain(without_thinking(text)[marks[-1].end() :].partition("\n")[0]))
    return _value(found) if found else None


def flexible(text: str) -> Number:
    r"""The number at the last mark (`####`, `\boxed{}`), else the last number of the text."""
    visible = without_thinking(text)
    marks = [(mark.start(), mark.end(), False) for mark in _MARK.finditer(visible)]
    marks += [(mark.start(), mark.end(), True) for mark in _BOXED.finditer(visible)]
    for _, end, has_braces in sorted(marks, reverse=True)[:_MOST_MARKS]:
        marked = _inside_braces(visible, end) if has_braces else visible[end:].partition("\n")[0]
        number = _first_number(_plain(marked))
        if number is not None:
            return number
    return _last_number(_REMARK.sub("", _plain(visible)))


def legacy(text: str) -> Number:
    """The last run of digits once commas are dropped, as old few-shot scripts read it.

    Wrong on purpose in the same places: `12.50` is 50, `-3` is 3, and `05` is no answer.
    """
    runs = re.findall(r"[0-9]+", text.replace(",", ""))
    if not runs or (runs[-1][0] == "0" and runs[-1].strip("0")):
        return None
    return Fraction(int(runs[-1])) if len(runs[-1]) <= _MOST_DIGITS else None


RULES: dict[Extraction, Callable[[str], Number]] = {
    Extraction.STRICT: strict,
    Extraction.FLEXIBLE: flexible,
    Extraction.LEGACY: legacy,
}


def written(number: Number) -> str:
    """A number as results show it; empty for none."""
    if number is None:
        return ""
    if number.denominator == 1:
        return str(number.numerator)
    shown = f"{float(number):.10g}"
    return shown if Fraction(shown) == number else str(number)
