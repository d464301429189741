"""Findings in the form that was asked for."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from typing import TypeAlias

from generator.domain.finding import Finding
from generator.report.as_github import as_github
from generator.report.as_json import as_json
from generator.report.as_sarif import as_sarif
from generator.report.as_text import as_text
from generator.report.presentation import Presentation


class FindingFormat(Enum):
    """The forms, by the name that the command line gives them."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"
    SARIF = "sarif"


_Form: TypeAlias = Callable[[Sequence[Finding], Presentation], str]

_FORMS: Mapping[FindingFormat, _Form] = {
    FindingFormat.TEXT: as_text,
    FindingFormat.JSON: as_json,
    FindingFormat.GITHUB: as_github,
    FindingFormat.SARIF: as_sarif,
}


def render_findings(findings: Iterable[Finding], format_: FindingFormat, presentation: Presentation) -> str:
    """The findings in the order given, ending in a newline; a text also when there are none."""
    return _FORMS[format_](tuple(findings), presentation)
