"""GitHub's own workflow parser and expression evaluator, from its npm packages.

What the evaluator cannot say: which jobs GitHub starts. A caller has to walk the graph, and to know that a
job whose condition names no status function is one with `success() && (...)` (the parsed condition says so),
that `success()` is false where any job that it waits for, directly or through others, did not succeed, and
that a skipped job is neither a success nor a failure.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

from peers.tools import PEERS, Diagnostic, PeerFailedError, run_tool

_BUNDLE = PEERS / "node_modules/.cache/nightgrid/parse.cjs"
_BUNDLED_FROM = (PEERS / "parse.mjs", PEERS / "bundle.mjs", PEERS / "package-lock.json")


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedJob:
    """A job as GitHub understands it.

    Attributes:
        id: its key.
        name: its display name, expressions not evaluated.
        needs: ids of the jobs that it waits for.
        condition: the expression that GitHub evaluates, without `${{ }}` and with the `success()` it adds.
        labels: of its runner, as far as they are written out.
        uses: the actions of its steps, such as `actions/checkout@<sha>`.
    """

    id: str
    name: str
    needs: tuple[str, ...]
    condition: str
    labels: tuple[str, ...]
    uses: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedWorkflow:
    """What the parser says of a file; no jobs where it has diagnostics of the file's form."""

    path: str
    diagnostics: tuple[Diagnostic, ...]
    jobs: tuple[ParsedJob, ...]


class Status(Enum):
    """A status function that can hold; `always()` holds always."""

    SUCCESS = "success"
    FAILURE = "failure"
    CANCELLED = "cancelled"


class Form(Enum):
    """What is evaluated: a bare expression, or a text with `${{ }}` in it."""

    EXPRESSION = "expression"
    TEMPLATE = "template"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Something to evaluate.

    Attributes:
        text: the expression or template.
        contexts: what it may name; another context is an error, as it is to GitHub. On a schedule and a
            push GitHub has `{"inputs": None}`. Cases in a row that share a context, the very same object,
            are quick, so let them share what is large; it must not be changed in between.
        holding: the status functions that are true.
        form: of the text.
    """

    text: str
    contexts: dict[str, object]
    holding: frozenset[Status] = frozenset({Status.SUCCESS})
    form: Form = Form.EXPRESSION


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluated:
    """A value, and whether a condition with this value lets a job run."""

    value: object
    truthy: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NotEvaluated:
    """It is no expression, or it breaks down; a job with such a condition fails."""

    message: str


def github_workflows(paths: Iterable[Path]) -> tuple[ParsedWorkflow, ...]:
    """The files as GitHub reads them, in the order given."""
    bundle = _bundle()
    names = "".join(f"{path.absolute()}\n" for path in paths)
    answer = run_tool(["node", str(bundle)], {0}, names)
    return tuple(_workflow(json.loads(line)) for line in answer.output.splitlines())


def github_parse(paths: Iterable[Path]) -> list[Diagnostic]:
    """All that GitHub's parser finds wrong in the files."""
    return [found for workflow in github_workflows(paths) for found in workflow.diagnostics]


def github_evaluate(cases: Sequence[Case]) -> list[Evaluated | NotEvaluated]:
    """One result a case, all from one process: 100,000 short ones take about three seconds."""
    answer = run_tool(["node", str(PEERS / "evaluate.mjs")], {0}, "".join(_lines(cases)))
    results = [_result(json.loads(line)) for line in answer.output.splitlines()]
    if len(results) != len(cases):
        raise PeerFailedError(f"{len(cases)} cases, {len(results)} results: {answer.errors}")
    return results


def github_holds(cases: Sequence[Case]) -> list[bool]:
    """Whether each condition lets its job run.

    Raises:
        PeerFailedError: one of them cannot be evaluated.
    """
    results = github_evaluate(cases)
    for case, result in zip(cases, results, strict=True):
        if isinstance(result, NotEvaluated):
            raise PeerFailedError(f"{case.text}: {result.message}")
    return [isinstance(result, Evaluated) and result.truthy for result in results]


def _lines(cases: Iterable[Case]) -> Iterator[str]:
    known: dict[str, object] = {}
    before: tuple[list[str], frozenset[Status]] | None = None
    for case in cases:
        seen = (list(case.contexts), case.holding)
        changed = {
            name: value
            for name, value in case.contexts.items()
            if name not in known or known[name] is not value
        }
        if changed or seen != before:
            holding = sorted(status.value for status in case.holding)
            yield json.dumps({"names": seen[0], "changed": changed, "true": holding}) + "\n"
            known |= changed
            before = seen
        yield json.dumps({case.form.value: case.text}) + "\n"


def _result(answer: dict[str, Any]) -> Evaluated | NotEvaluated:
    if "error" in answer:
        return NotEvaluated(message=answer["error"])
    return Evaluated(value=answer["value"], truthy=answer["truthy"])


def _workflow(answer: dict[str, Any]) -> ParsedWorkflow:
    path = answer["path"]
    return ParsedWorkflow(
        path=path,
        diagnostics=tuple(
            Diagnostic(path=path, rule="github", **diagnostic) for diagnostic in answer["diagnostics"]
        ),
        jobs=tuple(_job(job) for job in answer["jobs"]),
    )


def _job(answer: dict[str, Any]) -> ParsedJob:
    return ParsedJob(
        id=answer["id"],
        name=answer["name"],
        needs=tuple(answer["needs"]),
        condition=answer["condition"],
        labels=tuple(answer["labels"]),
        uses=tuple(answer["uses"]),
    )


@cache
def _bundle() -> Path:
    if not (PEERS / "node_modules/esbuild").is_dir():
        raise PeerFailedError("the packages of tests/peers are missing: run `npm ci --prefix tests/peers`")
    newest = max(source.stat().st_mtime_ns for source in _BUNDLED_FROM)
    if not _BUNDLE.is_file() or _BUNDLE.stat().st_mtime_ns < newest:
        run_tool(["node", str(PEERS / "bundle.mjs")], {0})
    return _BUNDLE
