"""What nightgrid has just written is without a fault, even where each word of it is looked at."""

import datetime as dt
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from checks.case import HERE
from generator.checks.edited import OF_EDITED
from generator.checks.registry import OF_FILES, OF_MATRIX, run
from generator.cli.build import Build, build
from generator.cli.inspect import gather
from generator.cli.session import Session
from generator.config.source import Source, source_of
from generator.config.workflow_file import read_workflow
from generator.domain.facts import Facts
from generator.domain.workflow_facts import JobFacts, WorkflowFacts

ROOT = HERE.parents[1]
# Before the last day of every waiver and of every job that is switched off.
LONG_AGO = dt.date(2025, 1, 1)
MATRICES = [ROOT / "matrix.yaml", *sorted((ROOT / "tests" / "golden").glob("*/matrix.yaml"))]


def facts_of(matrix: Path) -> Facts:
    """Facts of a repository in step with its matrix, each file read as if it were not."""
    result = build(Session(matrix=matrix))
    assert isinstance(result, Build), result
    facts, _ = gather(result, matrix.parent, LONG_AGO)
    return replace(
        facts,
        committed=result.expected,
        read={path: read(path, data) for path, data in result.expected.items()},
    )


def read(path: str, data: bytes) -> WorkflowFacts:
    source = source_of(data, path)
    assert isinstance(source, Source)
    workflow = read_workflow(source)
    assert isinstance(workflow, WorkflowFacts)
    return workflow


@pytest.mark.parametrize("matrix", MATRICES, ids=lambda path: path.parent.name)
def test_no_check_fires_on_a_fresh_rendering(matrix: Path) -> None:
    assert run(OF_MATRIX | OF_FILES | OF_EDITED, facts_of(matrix)) == ()


def _one_more(job: JobFacts) -> tuple[JobFacts, ...]:
    return (job, replace(job, id=f"{job.id}-two", name=replace(job.name, text=f"{job.id}-two")))


def _without_needs(job: JobFacts) -> tuple[JobFacts, ...]:
    return (replace(job, needs=()),)


def _without_limit(job: JobFacts) -> tuple[JobFacts, ...]:
    return (
        replace(
            job, timeout_minutes=0, steps=tuple(replace(step, timeout_minutes=400) for step in job.steps)
        ),
    )


@pytest.mark.parametrize(
    ("change", "ids"),
    [
        (_one_more, {"foreign-condition", "job-without-option", "not-in-sum"}),
        (_without_needs, {"not-in-sum"}),
        (_without_limit, {"step-over-job"}),
    ],
)
def test_the_same_files_with_one_change_are_found_wrong(
    change: Callable[[JobFacts], tuple[JobFacts, ...]], ids: set[str]
) -> None:
    facts = facts_of(MATRICES[0])
    changed = {
        path: replace(workflow, jobs=tuple(each for job in workflow.jobs for each in change(job)))
        for path, workflow in facts.read.items()
    }

    found = {finding.id for finding in run(OF_FILES | OF_MATRIX | OF_EDITED, replace(facts, read=changed))}

    assert found >= ids
