"""Every workflow that is emitted, judged by whoever may reject it: GitHub's own parser, and the linters.

The files are those of the shipped matrix, of every golden, and of matrices that hypothesis makes. Each tool
runs once, over all of them.
"""

import argparse
import contextlib
import io
import json
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from generator.cli.build import Build, build, build_tree
from generator.cli.session import Session
from generator.config.document import document_of
from generator.config.matrix_file import schema_text
from generator.config.source import Source
from generator.config.tree import Tree
from generator.domain.job import Job, RunStep
from generator.harness.cli import build_parser
from peers.github import github_parse
from peers.linters import actionlint, check_jsonschema, yamllint, zizmor
from peers.tools import ROOT
from property.matrices import Data, as_text, matrices

MADE = 25
GOLDENS = sorted(ROOT.glob("tests/golden/*/matrix.yaml"))

# GitHub's limits.
FILE_BYTES = 512_000
EXPRESSION_CHARACTERS, EXPRESSION_DEPTH = 21_000, 50
JOB_ID_CHARACTERS = 99
INPUTS, PAYLOAD_CHARACTERS = 25, 65_535
# Linux takes no single variable or argument that is longer.
VARIABLE_BYTES = 128 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """A build, and where its files were written."""

    result: Build
    paths: tuple[Path, ...]


def built(text: str) -> Build:
    tree = document_of(Source(path="matrix.yaml", text=text), json.loads(schema_text()))
    assert isinstance(tree, Tree), tree
    result = build_tree(tree)
    assert isinstance(result, Build), result
    return result


def made_matrices() -> list[str]:
    """The same matrices at each run: what fails here must fail again."""
    found: list[str] = []

    @given(matrices())
    @settings(
        max_examples=MADE,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    def gather(data: Data) -> None:
        found.append(as_text(data))

    gather()
    return found


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Output, ...]:
    results = [build(Session(matrix=path)) for path in (ROOT / "matrix.yaml", *GOLDENS)]
    results += [built(text) for text in made_matrices()]
    folder = tmp_path_factory.mktemp("outputs")
    found = []
    for number, result in enumerate(results):
        assert isinstance(result, Build), result
        # zizmor looks at a file as a workflow where it lies in such a folder.
        root = folder / str(number) / ".github" / "workflows"
        root.mkdir(parents=True)
        paths = []
        for path, data in result.expected.items():
            file = root / Path(path).name
            file.write_bytes(data)
            paths.append(file)
        found.append(Output(result=result, paths=tuple(paths)))
    return tuple(found)


@pytest.fixture(scope="module")
def paths(outputs: tuple[Output, ...]) -> tuple[Path, ...]:
    return tuple(path for output in outputs for path in output.paths)


def labels(outputs: tuple[Output, ...]) -> list[str]:
    return sorted({pool.label for output in outputs for pool in output.result.matrix.pools})


def jobs(outputs: tuple[Output, ...]) -> Iterator[Job]:
    for output in outputs:
        for workflow in output.result.workflows:
            yield from workflow.jobs


def scripts(outputs: tuple[Output, ...]) -> Iterator[RunStep]:
    for job in jobs(outputs):
        yield from (step for step in job.steps if isinstance(step, RunStep))


def test_there_is_enough_to_judge(outputs: tuple[Output, ...], paths: tuple[Path, ...]) -> None:
    assert len(outputs) == 1 + len(GOLDENS) + MADE
    assert len(paths) > len(outputs)


def test_githubs_own_parser_has_no_diagnostic(paths: tuple[Path, ...]) -> None:
    assert github_parse(paths) == []


def test_zizmors_auditor_has_no_finding(paths: tuple[Path, ...]) -> None:
    assert zizmor(paths) == []


def test_actionlint_has_no_finding(outputs: tuple[Output, ...], paths: tuple[Path, ...]) -> None:
    assert actionlint(paths, labels(outputs)) == []


def test_the_schema_of_workflows_holds(paths: tuple[Path, ...]) -> None:
    assert check_jsonschema(paths) == []


def test_yamllint_has_no_finding(paths: tuple[Path, ...]) -> None:
    assert yamllint(paths) == []


def test_the_limits_of_github_are_kept(outputs: tuple[Output, ...]) -> None:
    for output in outputs:
        for data in output.result.expected.values():
            assert len(data) < FILE_BYTES
            expressions = re.findall(r"\$\{\{(.*?)\}\}", data.decode(), re.DOTALL)
            assert all(len(each) < EXPRESSION_CHARACTERS for each in expressions)
            assert all(depth(each) < EXPRESSION_DEPTH for each in expressions)
        for workflow in output.result.workflows:
            assert len(workflow.options) == len(set(workflow.options))
    assert all(len(job.id) <= JOB_ID_CHARACTERS for job in jobs(outputs))


def depth(expression: str) -> int:
    """How deep the brackets of an expression stand in each other."""
    now = deepest = 0
    for character in expression:
        now += (character in "([") - (character in ")]")
        deepest = max(deepest, now)
    assert now == 0
    return deepest


def test_no_variable_is_longer_than_a_process_takes(outputs: tuple[Output, ...]) -> None:
    for job in jobs(outputs):
        own = [text for step in job.steps if isinstance(step, RunStep) for _, text in step.env]
        for text in (*own, *(text for _, text in job.env)):
            assert len(text.encode()) < VARIABLE_BYTES


def test_the_harness_takes_every_command_line_that_is_emitted(outputs: tuple[Output, ...]) -> None:
    parser = build_parser()
    seen: dict[str, int] = {}
    for step in scripts(outputs):
        for argv in command_lines(step.run):
            parsed = parse(parser, argv)
            seen[parsed.command] = seen.get(parsed.command, 0) + 1
            if parsed.command == "accuracy":
                assert 0 <= parsed.gate <= 1

    # A set is not held to a command that nothing emits.
    assert seen.keys() >= {"preflight", "check-all-jobs", "begin", "end", "serve", "accuracy"}


def command_lines(script: str) -> list[list[str]]:
    """The words behind `python3 -m generator.harness`, whatever carries the command into a container."""
    start = "python3 -m generator.harness "
    lines = script.replace("\\\n", " ").split("\n")
    return [shlex.split(line[line.index(start) + len(start) :]) for line in lines if start in line]


def parse(parser: argparse.ArgumentParser, argv: list[str]) -> argparse.Namespace:
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said):
            return parser.parse_args(argv)
    except SystemExit as end:
        raise AssertionError(f"{shlex.join(argv)}\n{said.getvalue()}") from end
