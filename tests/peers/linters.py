"""The linters that a project runs on its workflows, each as it would run it.

A rule that is wrong for a generated workflow is switched off in the repository's own configuration, with the
reason beside it: `.github/zizmor.yml`, `.github/actionlint.yaml`, `.yamllint.yaml`.
"""

import json
import os
import re
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from peers.tools import ROOT, Answer, Diagnostic, PeerFailedError, installed, run_tool

_ZIZMOR_CONFIG = ROOT / ".github/zizmor.yml"
_ACTIONLINT_CONFIG = ROOT / ".github/actionlint.yaml"
_YAMLLINT_LINE = re.compile(r"(.+?):(\d+):(\d+): \[\w+\] (.*?)(?: \(([\w-]+)\))?")


def zizmor(paths: Iterable[Path]) -> list[Diagnostic]:
    """Findings of its strictest persona, without looking anything up in the network.

    Raises:
        PeerFailedError: also where a file is no workflow, which zizmor would leave out.
    """
    config = ["--config", str(_ZIZMOR_CONFIG)] if _ZIZMOR_CONFIG.is_file() else ["--no-config"]
    command = [installed("zizmor"), "--offline", "--persona", "auditor", "--format", "json", "--quiet"]
    command += ["--no-exit-codes", "--strict-collection", *config, "--", *_names(paths)]
    found = _document(run_tool(command, {0}))
    return [_zizmor_diagnostic(finding) for finding in found if not finding["ignored"]]


def actionlint(paths: Iterable[Path], runner_labels: Sequence[str] = ()) -> list[Diagnostic]:
    """Findings, with shellcheck's where that is installed; labels given replace the configuration."""
    with TemporaryDirectory() as folder:
        config = Path(folder, "actionlint.yaml")
        config.write_text(json.dumps({"self-hosted-runner": {"labels": list(runner_labels)}}), "utf-8")
        chosen = _ACTIONLINT_CONFIG if _ACTIONLINT_CONFIG.is_file() and not runner_labels else config
        command = [
            installed("actionlint"),
            "-config-file",
            str(chosen),
            "-format",
            "{{json .}}",
            "-pyflakes=",
        ]
        command += [] if shutil.which("shellcheck") else ["-shellcheck="]
        answer = run_tool([*command, *_names(paths)], {0, 1})
    return [
        Diagnostic(
            path=os.path.normpath(ROOT / found["filepath"]),
            line=found["line"],
            column=found["column"],
            rule=found["kind"],
            message=found["message"],
        )
        for found in _document(answer)
    ]


def check_jsonschema(paths: Iterable[Path]) -> list[Diagnostic]:
    """What the public schema of workflows says, in the copy that comes with the tool; it names no lines."""
    command = [installed("check-jsonschema"), "--builtin-schema", "vendor.github-workflows", "-o", "json"]
    answer = _document(run_tool([*command, "--", *_names(paths)], {0, 1}))
    errors = [(error["filename"], _deepest(error)) for error in answer["errors"]]
    errors += [(error["filename"], error["message"]) for error in answer.get("parse_errors", [])]
    return [
        Diagnostic(path=name, line=0, column=0, rule="schema", message=message) for name, message in errors
    ]


def yamllint(paths: Iterable[Path]) -> list[Diagnostic]:
    """Errors and warnings, by the repository's own rules."""
    command = [installed("yamllint"), "--format", "parsable", "--config-file", str(ROOT / ".yamllint.yaml")]
    answer = run_tool([*command, "--", *_names(paths)], {0, 1})
    return [_yamllint_diagnostic(line) for line in answer.output.splitlines()]


def _names(paths: Iterable[Path]) -> list[str]:
    names = [str(path.absolute()) for path in paths]
    if not names:
        raise PeerFailedError("no file to judge")
    return names


def _document(answer: Answer) -> Any:  # noqa: ANN401 each tool has a form of its own
    try:
        return json.loads(answer.output)
    except ValueError as failure:
        raise PeerFailedError(f"no answer but {answer.output!r}: {answer.errors[-2000:]}") from failure


def _zizmor_diagnostic(finding: dict[str, Any]) -> Diagnostic:
    primary = next(place for place in finding["locations"] if place["symbolic"]["kind"] == "Primary")
    start = primary["concrete"]["location"]["start_point"]
    return Diagnostic(
        path=primary["symbolic"]["key"]["Local"]["verbatim_path"],
        line=start["row"] + 1,
        column=start["column"] + 1,
        rule=finding["ident"],
        message=f"{finding['desc']}: {primary['symbolic']['annotation']}",
    )


def _deepest(error: dict[str, Any]) -> str:
    match = error.get("best_deep_match", error)
    return f"{match['path']}: {match['message']}"


def _yamllint_diagnostic(text: str) -> Diagnostic:
    match = _YAMLLINT_LINE.fullmatch(text)
    if match is None:
        raise PeerFailedError(f"yamllint said {text!r}")
    path, line, column, message, rule = match.groups(default="")
    return Diagnostic(path=path, line=int(line), column=int(column), rule=rule, message=message)
