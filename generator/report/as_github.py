"""Findings as GitHub annotations, which show beside the line in a pull request.

The escapes are those of the runner's own toolkit (`@actions/core`, command.ts).
"""

from collections.abc import Iterator, Sequence

from generator.domain.finding import Finding
from generator.report.count import count, in_words
from generator.report.presentation import Presentation
from generator.report.visible import visible, visible_lines

# An annotation is a note, not a document; the text form has the whole of it.
_DETAIL_LINES_MAXIMUM = 30

_DATA_ESCAPES = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY_ESCAPES = {**_DATA_ESCAPES, ":": "%3A", ",": "%2C"}


def as_github(findings: Sequence[Finding], _presentation: Presentation) -> str:
    """A workflow command a finding, and how many there were as a plain last line."""
    lines = [_command(finding) for finding in findings]
    lines.append(in_words(count(findings)))
    return "".join(f"{line}\n" for line in lines)


def _command(finding: Finding) -> str:
    properties = ",".join(
        f"{name}={_escape(value, _PROPERTY_ESCAPES)}" for name, value in _properties(finding)
    )
    return f"::{finding.severity.value} {properties}::{_escape(_note(finding), _DATA_ESCAPES)}"


def _properties(finding: Finding) -> Iterator[tuple[str, str]]:
    location = finding.location
    if location.path:
        yield "file", visible(location.path)
    if location.line > 0:
        yield "line", str(location.line)
        if location.column > 0:
            yield "col", str(location.column)
    yield "title", visible(finding.id)


def _note(finding: Finding) -> str:
    lines = [visible(finding.message), *visible_lines(finding.help)]
    detail = visible_lines(finding.detail)
    lines.extend(detail[:_DETAIL_LINES_MAXIMUM])
    if len(detail) > _DETAIL_LINES_MAXIMUM:
        lines.append(f"({len(detail) - _DETAIL_LINES_MAXIMUM:,} more lines in the log)")
    return "\n".join(lines)


def _escape(text: str, escapes: dict[str, str]) -> str:
    return "".join(escapes.get(character, character) for character in text)
