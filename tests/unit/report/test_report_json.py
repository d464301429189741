import json

import pytest

from generator.domain.finding import Finding, Severity, warning
from generator.domain.location import Location
from generator.report.findings import FindingFormat, render_findings
from generator.report.presentation import Presentation


def rendered(*findings: Finding) -> str:
    return render_findings(findings, FindingFormat.JSON, Presentation())


def test_the_document_is_what_its_documentation_says() -> None:
    finding = Finding(
        id="isa-coverage",
        severity=Severity.ERROR,
        location=Location("matrix.yaml", 41, 5),
        message="no gate",
        help="add one",
        detail="a\nb",
    )
    assert json.loads(rendered(finding, warning("w", Location("a.yaml"), "m"))) == {
        "version": 1,
        "summary": {"errors": 1, "warnings": 1},
        "findings": [
            {
                "id": "isa-coverage",
                "severity": "error",
                "path": "matrix.yaml",
                "line": 41,
                "column": 5,
                "message": "no gate",
                "help": "add one",
                "detail": "a\nb",
            },
            {
                "id": "w",
                "severity": "warning",
                "path": "a.yaml",
                "line": 0,
                "column": 0,
                "message": "m",
                "help": "",
                "detail": "",
            },
        ],
    }


def test_no_findings_are_a_document_too() -> None:
    assert json.loads(rendered()) == {
        "version": 1,
        "summary": {"errors": 0, "warnings": 0},
        "findings": [],
    }


@pytest.mark.parametrize("format_", [FindingFormat.JSON, FindingFormat.SARIF])
def test_any_locale_can_write_it(format_: FindingFormat) -> None:
    odd = warning("w", Location("caf\xe9\udcff.yaml", 1, 1), "\u6a21\u578b \U0001f9ea \udc80")
    assert render_findings([odd], format_, Presentation()).isascii()
