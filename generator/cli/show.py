"""Findings in the form that a command was asked for."""

from collections.abc import Iterable

from generator.cli.options import Format
from generator.cli.version import __version__
from generator.domain.finding import Finding
from generator.report.colour import Colour
from generator.report.findings import FindingFormat, render_findings
from generator.report.presentation import Presentation


def shown(findings: Iterable[Finding], format_: Format, colour: Colour) -> str:
    """The findings as text, ending in a newline."""
    presentation = Presentation(colour=colour, version=__version__)
    return render_findings(findings, FindingFormat(format_.value), presentation)
