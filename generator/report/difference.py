"""What a person has to read to see how two texts differ, and no more: a unified diff with a bound."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from generator.report.alignment import Stretch, align
from generator.report.colour import Colour, Ink, paint
from generator.report.line_difference import shorten_pair
from generator.report.visible import visible

_CONTEXT_LINES = 3
_NO_NEWLINE = "\\ No newline at end of file"
_INKS = {"-": Ink.RED, "+": Ink.GREEN, "@": Ink.CYAN, "\\": Ink.FAINT, "(": Ink.FAINT}


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of two texts: what it is called in the head of the diff, and what it says."""

    label: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Texts:
    old: Sequence[str]
    new: Sequence[str]


def unified_difference(old: Side, new: Side, colour: Colour, lines_maximum: int = 200) -> str:
    r"""Empty where the texts are the same; only ``\n`` ends a line, so that a ``\r`` shows.

    A long line is cut to around its first difference, so the result is for reading, not for ``patch``.

    Args:
        old: what is there.
        new: what should be there.
        colour: of the lines.
        lines_maximum: how many lines are shown below the two head lines; a last line says that there is more.
    """
    if old.text == new.text:
        return ""
    texts = _Texts(old=_lines(old.text), new=_lines(new.text))
    body = list(islice(_body(texts, lines_maximum), lines_maximum + 1))
    if len(body) > lines_maximum:
        body[lines_maximum:] = [f"(cut after {lines_maximum:,} lines; there is more)"]
    head = [f"--- {visible(old.label)}", f"+++ {visible(new.label)}"]
    return "".join(f"{paint_difference_line(line, colour)}\n" for line in [*head, *body])


def paint_difference_line(line: str, colour: Colour) -> str:
    """A line of a diff in the colour that its first character stands for."""
    ink = _INKS.get(line[:1])
    return line if ink is None else paint(line, ink, colour)


def _lines(text: str) -> list[str]:
    r"""The lines, each with its ``\n``; only the last can lack it."""
    lines = text.split("\n")
    last = lines.pop()
    ended = [f"{line}\n" for line in lines]
    return [*ended, last] if last else ended


def _body(texts: _Texts, lines_maximum: int) -> Iterator[str]:
    for hunk in _hunks(_first(align(texts.old, texts.new), lines_maximum)):
        yield f"@@ -{_range(hunk[0].old, hunk[-1].old)} +{_range(hunk[0].new, hunk[-1].new)} @@"
        for stretch in hunk:
            yield from _stretch_lines(texts, stretch)


def _first(stretches: Iterator[Stretch], lines_maximum: int) -> Iterator[Stretch]:
    """As many as it takes to pass the maximum: a hunk is only whole when its last line is known."""
    lines = 0
    for stretch in stretches:
        yield stretch
        lines += 0 if stretch.same else len(stretch.old) + len(stretch.new)
        if lines > lines_maximum:
            return


def _hunks(stretches: Iterator[Stretch]) -> Iterator[list[Stretch]]:
    """Differences with their context; two that are close together share a hunk."""
    hunk: list[Stretch] = []
    before: list[Stretch] = []
    for stretch in stretches:
        if not stretch.same:
            hunk = [*(hunk or before), stretch]
            continue
        if hunk and len(stretch.old) <= 2 * _CONTEXT_LINES:
            hunk.append(stretch)
            continue
        if hunk:
            yield [*hunk, _part(stretch, slice(_CONTEXT_LINES))]
        hunk, before = [], [_part(stretch, slice(-_CONTEXT_LINES, None))]
    if hunk:
        *rest, last = hunk
        yield [*rest, _part(last, slice(_CONTEXT_LINES)) if last.same else last]


def _part(stretch: Stretch, lines: slice) -> Stretch:
    return Stretch(old=stretch.old[lines], new=stretch.new[lines], same=stretch.same)


def _stretch_lines(texts: _Texts, stretch: Stretch) -> Iterator[str]:
    old = texts.old[stretch.old.start : stretch.old.stop]
    new = texts.new[stretch.new.start : stretch.new.stop]
    if stretch.same:
        for line in old:
            yield from _marked(" ", shorten_pair(line, line)[0], line)
        return
    for number, line in enumerate(old):
        partner = new[number] if number < len(new) else line
        yield from _marked("-", shorten_pair(line, partner)[0], line)
    for number, line in enumerate(new):
        partner = old[number] if number < len(old) else line
        yield from _marked("+", shorten_pair(partner, line)[1], line)


def _marked(mark: str, shown: str, line: str) -> Iterator[str]:
    yield f"{mark}{shown}"
    if not line.endswith("\n"):
        yield _NO_NEWLINE


def _range(first: range, last: range) -> str:
    length = last.stop - first.start
    start = first.start + 1 if length else first.start
    return str(start) if length == 1 else f"{start},{length}"
