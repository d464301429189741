"""Findings for a person at a terminal or in a log."""

from collections.abc import Iterator, Sequence

from generator.domain.finding import Finding, Severity
from generator.report.colour import Colour, Ink, paint
from generator.report.count import count, in_words
from generator.report.difference import paint_difference_line
from generator.report.presentation import Presentation
from generator.report.visible import visible, visible_lines

# GitHub's runner reads a line that begins with `::` as a command, even behind blanks. The bar keeps a
# line of a diff from being one.
_DETAIL_MARGIN = "  | "
_CONTINUED = "\n  |     "

_INKS = {Severity.ERROR: Ink.RED, Severity.WARNING: Ink.YELLOW}


def as_text(findings: Sequence[Finding], presentation: Presentation) -> str:
    """A line a finding, its help and its detail below, and how many there were at the end."""
    lines = [line for finding in findings for line in _lines(finding, presentation.colour)]
    lines.append(paint(in_words(count(findings)), Ink.BOLD, presentation.colour))
    return "".join(f"{line}\n" for line in lines)


def _lines(finding: Finding, colour: Colour) -> Iterator[str]:
    place = paint(visible(str(finding.location)), Ink.BOLD, colour)
    kind = paint(f"{finding.severity.value}[{visible(finding.id)}]", _INKS[finding.severity], colour)
    yield f"{place}: {kind}: {visible(finding.message)}"
    if finding.help:
        label = paint("help:", Ink.CYAN, colour)
        yield f"  {label} {_CONTINUED.join(visible_lines(finding.help))}"
    for line in visible_lines(finding.detail):
        yield f"{_DETAIL_MARGIN}{paint_difference_line(line, colour)}".rstrip()
