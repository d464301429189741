"""Findings for a program.

The document, whose keys are never renamed or removed within one ``version``::

    {
      "version": 1,
      "summary": {"errors": 1, "warnings": 0},
      "findings": [
        {
          "id": "isa-coverage",
          "severity": "error",       # or "warning"
          "path": "matrix.yaml",
          "line": 41,                # from 1; 0 for the file as a whole
          "column": 5,               # from 1, in characters; 0 for the file as a whole
          "message": "...",
          "help": "...",             # "" where there is none
          "detail": "..."            # "" where there is none; else lines, such as a diff
        }
      ]
    }
"""

import json
from collections.abc import Sequence

from generator.domain.finding import Finding
from generator.report.count import count
from generator.report.presentation import Presentation

_VERSION = 1


def as_json(findings: Sequence[Finding], _presentation: Presentation) -> str:
    """One document in ASCII, so that it survives any locale; the module says what is in it."""
    counted = count(findings)
    document = {
        "version": _VERSION,
        "summary": {"errors": counted.errors, "warnings": counted.warnings},
        "findings": [_entry(finding) for finding in findings],
    }
    return json.dumps(document, indent=2) + "\n"


def _entry(finding: Finding) -> dict[str, str | int]:
    return {
        "id": finding.id,
        "severity": finding.severity.value,
        "path": finding.location.path,
        "line": finding.location.line,
        "column": finding.location.column,
        "message": finding.message,
        "help": finding.help,
        "detail": finding.detail,
    }
