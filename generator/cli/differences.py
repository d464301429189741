"""Findings of drift with the difference that they speak of; imported where there is some."""

from collections.abc import Iterable
from dataclasses import replace

from generator.checks import hand_edited, stale
from generator.domain.facts import Facts
from generator.domain.finding import Finding
from generator.report.colour import Colour
from generator.report.difference import Side, unified_difference

_SHOWN_AS_DIFF = frozenset({stale.ID, hand_edited.ID})


def with_differences(facts: Facts, findings: Iterable[Finding], lines_maximum: int) -> tuple[Finding, ...]:
    """The same findings; one of a changed file shows so many lines of the change."""
    return tuple(
        replace(finding, detail=_difference(facts, finding.location.path, lines_maximum))
        if finding.id in _SHOWN_AS_DIFF
        else finding
        for finding in findings
    )


def _difference(facts: Facts, path: str, lines: int) -> str:
    return unified_difference(
        Side(label=f"{path} (committed)", text=facts.committed[path].decode(errors="replace")),
        Side(label=f"{path} (from the matrix)", text=facts.expected[path].decode(errors="replace")),
        Colour.PLAIN,
        lines_maximum=lines,
    )
