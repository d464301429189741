"""Findings as SARIF 2.1.0, which GitHub's code scanning and editors read."""

import json
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import TypeAlias
from urllib.parse import quote

from generator.domain.finding import Finding
from generator.domain.location import Location
from generator.report.presentation import Presentation

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

_Json: TypeAlias = "str | int | Sequence[_Json] | Mapping[str, _Json]"
_Object: TypeAlias = dict[str, _Json]


def as_sarif(findings: Sequence[Finding], presentation: Presentation) -> str:
    """One log with one run; columns count Unicode characters, paths are relative to the source root."""
    rule_ids = sorted({finding.id for finding in findings} | set(presentation.summaries))
    run: _Object = {
        "tool": {"driver": _driver(rule_ids, presentation)},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, rule_ids.index(finding.id)) for finding in findings],
    }
    log: _Object = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2) + "\n"


def _driver(rule_ids: Sequence[str], presentation: Presentation) -> _Object:
    driver: _Object = {"name": "nightgrid"}
    if presentation.version:
        driver["version"] = presentation.version
    driver["rules"] = [_rule(id_, presentation.summaries.get(id_, "")) for id_ in rule_ids]
    return driver


def _rule(id_: str, summary: str) -> _Object:
    return {"id": id_, "shortDescription": {"text": summary}} if summary else {"id": id_}


def _result(finding: Finding, rule_index: int) -> _Object:
    parts = (finding.message, finding.help, finding.detail)
    result: _Object = {
        "ruleId": finding.id,
        "ruleIndex": rule_index,
        "level": finding.severity.value,
        "message": {"text": "\n".join(part for part in parts if part)},
    }
    if finding.location.path:
        result["locations"] = [{"physicalLocation": _physical_location(finding.location)}]
    return result


def _physical_location(location: Location) -> _Object:
    physical: _Object = {"artifactLocation": _artifact_location(location.path)}
    if location.line > 0:
        region: _Object = {"startLine": location.line}
        if location.column > 0:
            region["startColumn"] = location.column
        physical["region"] = region
    return physical


def _artifact_location(path: str) -> _Object:
    # `safe` leaves the colon out: "a:b.yaml" would else be a URI of the scheme "a".
    encoded = quote(str(PurePosixPath(path)).encode("utf-8", "surrogateescape"), safe="/")
    if path.startswith("/"):
        return {"uri": f"file://{encoded}"}
    return {"uri": encoded, "uriBaseId": "%SRCROOT%"}
