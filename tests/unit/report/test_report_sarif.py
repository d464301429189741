import json
from typing import Any
from urllib.parse import unquote

import jsonschema
import pytest

from generator.domain.finding import Finding, Severity, error, warning
from generator.domain.location import Location
from generator.report.findings import FindingFormat, render_findings
from generator.report.presentation import Presentation

# The parts of the OASIS schema that the log uses, closed so that a key it does not know is caught.
SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "required": ["version", "runs"],
    "additionalProperties": False,
    "properties": {
        "$schema": {"type": "string", "format": "uri"},
        "version": {"const": "2.1.0"},
        "runs": {"type": "array", "items": {"$ref": "#/$defs/run"}},
    },
    "$defs": {
        "message": {
            "type": "object",
            "required": ["text"],
            "additionalProperties": False,
            "properties": {"text": {"type": "string", "minLength": 1}},
        },
        "run": {
            "type": "object",
            "required": ["tool"],
            "additionalProperties": False,
            "properties": {
                "tool": {
                    "type": "object",
                    "required": ["driver"],
                    "additionalProperties": False,
                    "properties": {"driver": {"$ref": "#/$defs/driver"}},
                },
                "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                "results": {"type": "array", "items": {"$ref": "#/$defs/result"}},
            },
        },
        "driver": {
            "type": "object",
            "required": ["name"],
            "additionalProperties": False,
            "properties": {
                "name": {"type": "string", "minLength": 1},
                "version": {"type": "string", "minLength": 1},
                "rules": {
                    "type": "array",
                    "uniqueItems": True,
                    "items": {
                        "type": "object",
                        "required": ["id"],
                        "additionalProperties": False,
                        "properties": {
                            "id": {"type": "string"},
                            "shortDescription": {"$ref": "#/$defs/message"},
                        },
                    },
                },
            },
        },
        "result": {
            "type": "object",
            "required": ["message"],
            "additionalProperties": False,
            "properties": {
                "ruleId": {"type": "string"},
                "ruleIndex": {"type": "integer", "minimum": 0},
                "level": {"enum": ["none", "note", "warning", "error"]},
                "message": {"$ref": "#/$defs/message"},
                "locations": {
                    "type": "array",
                    "minItems": 1,
                    "items": {
                        "type": "object",
                        "additionalProperties": False,
                        "properties": {"physicalLocation": {"$ref": "#/$defs/physicalLocation"}},
                    },
                },
            },
        },
        "physicalLocation": {
            "type": "object",
            "required": ["artifactLocation"],
            "additionalProperties": False,
            "properties": {
                "artifactLocation": {
                    "type": "object",
                    "additionalProperties": False,
                    "properties": {
                        # RFC 3986: a reference, with nothing in it that has to be encoded.
                        "uri": {"type": "string", "pattern": "^[A-Za-z0-9._~/%:-]+$"},
                        "uriBaseId": {"type": "string"},
                    },
                },
                "region": {
                    "type": "object",
                    "minProperties": 1,
                    "additionalProperties": False,
                    "properties": {
                        "startLine": {"type": "integer", "minimum": 1},
                        "startColumn": {"type": "integer", "minimum": 1},
                    },
                },
            },
        },
    },
}

FINDINGS = (
    error("stale", Location(".github/workflows/nightly.yml"), "stale", "run `nightgrid render`"),
    warning("isa-coverage", Location("matrix.yaml", 41, 5), "no gate"),
    error("stale", Location("matrix.yaml", 3), "stale"),
)


def sarif(*findings: Finding, presentation: Presentation | None = None) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(
        render_findings(findings, FindingFormat.SARIF, presentation or Presentation(version="1.2.3"))
    )
    jsonschema.validate(document, SCHEMA)
    return document


def physical_location(location: Location) -> dict[str, Any]:
    (result,) = sarif(error("w", location, "m"))["runs"][0]["results"]
    place: dict[str, Any] = result["locations"][0]["physicalLocation"]
    return place


def test_each_result_points_at_its_rule() -> None:
    (run,) = sarif(*FINDINGS)["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == ["isa-coverage", "stale"]
    assert [rules[result["ruleIndex"]] for result in run["results"]] == [f.id for f in FINDINGS]
    assert [result["ruleId"] for result in run["results"]] == [f.id for f in FINDINGS]
    assert [result["level"] for result in run["results"]] == ["error", "warning", "error"]
    assert run["tool"]["driver"]["version"] == "1.2.3"


def test_a_rule_is_described_where_there_is_a_sentence_for_it() -> None:
    presentation = Presentation(summaries={"stale": "A workflow differs from the matrix.", "other": "Other."})
    driver = sarif(*FINDINGS, presentation=presentation)["runs"][0]["tool"]["driver"]
    assert driver["rules"] == [
        {"id": "isa-coverage"},
        {"id": "other", "shortDescription": {"text": "Other."}},
        {"id": "stale", "shortDescription": {"text": "A workflow differs from the matrix."}},
    ]
    assert "version" not in driver


def test_a_finding_of_a_whole_file_has_no_region() -> None:
    assert physical_location(Location("a.yaml")) == {
        "artifactLocation": {"uri": "a.yaml", "uriBaseId": "%SRCROOT%"}
    }
    assert physical_location(Location("a.yaml", 3))["region"] == {"startLine": 3}
    assert physical_location(Location("a.yaml", 3, 7))["region"] == {"startLine": 3, "startColumn": 7}


def test_a_finding_without_a_file_has_no_location() -> None:
    assert "locations" not in sarif(error("w", Location(""), "m"))["runs"][0]["results"][0]


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("a b/\u00e9#?%.yaml", "a%20b/%C3%A9%23%3F%25.yaml"),
        ("a:b.yaml", "a%3Ab.yaml"),
        ("./a.yaml", "a.yaml"),
        ("../a.yaml", "../a.yaml"),
        ("caf\udcff.yaml", "caf%FF.yaml"),
    ],
)
def test_a_path_is_a_relative_reference(path: str, uri: str) -> None:
    assert physical_location(Location(path))["artifactLocation"] == {"uri": uri, "uriBaseId": "%SRCROOT%"}
    assert unquote(uri, errors="surrogateescape") == path.removeprefix("./")


def test_an_absolute_path_is_relative_to_nothing() -> None:
    assert physical_location(Location("/a b.yaml"))["artifactLocation"] == {"uri": "file:///a%20b.yaml"}


def test_the_message_holds_help_and_detail() -> None:
    finding = Finding(
        id="w", severity=Severity.ERROR, location=Location("a"), message="m", help="h", detail="d"
    )
    assert sarif(finding)["runs"][0]["results"][0]["message"] == {"text": "m\nh\nd"}


def test_no_findings_are_a_run_without_results() -> None:
    (run,) = sarif()["runs"]
    assert run["results"] == []
    assert run["tool"]["driver"]["rules"] == []
