"""Laws of planning and rendering: they hold for every matrix that the schema and the names approve."""

import copy
import datetime as dt
import json
import random
import re
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.cli.build import Build, build_tree, prove
from generator.cli.check_command import check
from generator.cli.render_command import write
from generator.cli.session import Session, Voice
from generator.config.document import document_of
from generator.config.matrix_file import schema_text
from generator.config.source import Source, source_of
from generator.config.tree import Tree
from generator.config.workflow_file import read_workflow
from generator.domain.check import Harness, Runner
from generator.domain.exit_code import ExitCode
from generator.domain.job import Job, RunStep, Step
from generator.domain.workflow_facts import WorkflowFacts
from generator.plan.limits import inner_seconds
from property.matrices import Data, as_text, matrices

SCHEMA = json.loads(schema_text())
slowly = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])

# Every expression that a workflow may hold, without the ids in it. All are this program's own.
_EXPRESSIONS = re.compile(r"\$\{\{.*?\}\}")
_OWN = re.compile(
    r"\$\{\{ (inputs|github|needs|steps|always|fromJSON|toJSON|contains|!cancelled\(\))[^$]* \}\}"
)


def built(data: Data) -> Build:
    tree = document_of(Source(path="matrix.yaml", text=as_text(data)), SCHEMA)
    assert isinstance(tree, Tree), tree
    result = build_tree(tree)
    assert isinstance(result, Build), result
    return result


def jobs_of(result: Build) -> list[Job]:
    return [job for workflow in result.workflows for job in workflow.jobs]


def job_texts(data: bytes) -> dict[str, str]:
    """The text of each job of a workflow file, by id."""
    _, _, jobs = data.decode().partition("\njobs:\n")
    found = {}
    for part in re.split(r"(?m)^(?=  [A-Za-z_][\w-]*:$)", jobs):
        if part:
            found[part.split(":", 1)[0].strip()] = part
    return found


@given(matrices())
@slowly
def test_ids_are_unique_and_legal(data: Data) -> None:
    for workflow in built(data).workflows:
        ids = [job.id for job in workflow.jobs]
        assert len({id_.lower() for id_ in ids}) == len(ids)
        assert all(re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]{0,98}", id_) for id_ in ids)
        for job in workflow.jobs:
            steps = [step.id.lower() for step in job.steps]
            assert len(set(steps)) == len(steps)


@given(matrices())
@slowly
def test_building_twice_gives_the_same_bytes(data: Data) -> None:
    first, second = built(data), built(copy.deepcopy(data))

    assert first.expected == second.expected
    assert all(b"\r" not in file and file.endswith(b"\n") for file in first.expected.values())


@given(matrices())
@slowly
def test_what_is_rendered_reads_back_as_what_was_planned(data: Data) -> None:
    result = built(data)

    prove(result, set(result.expected))

    for workflow in result.workflows:
        source = source_of(result.expected[workflow.path], workflow.path)
        assert isinstance(source, Source)
        facts = read_workflow(source)
        assert isinstance(facts, WorkflowFacts), facts
        assert [job.id for job in facts.jobs] == [job.id for job in workflow.jobs]
        assert [option.text for option in facts.options] == list(workflow.options)
        assert facts.floats == ()


@given(matrices(), st.randoms(use_true_random=False))
@slowly
def test_the_order_of_sections_does_not_matter(data: Data, shuffle: random.Random) -> None:
    sections = list(data.items())
    shuffle.shuffle(sections)

    assert built(dict(sections)).expected == built(data).expected


@given(matrices())
@slowly
def test_every_need_names_a_job_of_the_file_and_the_sum_needs_all(data: Data) -> None:
    for workflow in built(data).workflows:
        ids = {job.id for job in workflow.jobs}
        assert all(set(job.needs) <= ids - {job.id} for job in workflow.jobs)
        assert set(workflow.jobs[-1].needs) == ids - {workflow.jobs[-1].id}
        assert set(workflow.options) >= {job.id for job in workflow.jobs if job.cell is not None}


@given(matrices())
@slowly
def test_limits_nest(data: Data) -> None:
    result = built(data)
    for job in jobs_of(result):
        assert sum(step.timeout_minutes for step in job.steps) < job.timeout_minutes
        if job.cell is None:
            continue
        steps = {step.id: step for step in job.steps}
        for each in job.cell.checks:
            match each.by:
                case Harness() | Runner():
                    inner_s = inner_seconds(each, result.matrix.margins)
                    assert inner_s < steps[each.key].timeout_minutes * 60
        if "serve" in steps and job.cell.server is not None:
            assert job.cell.server.launch_timeout_s < steps["serve"].timeout_minutes * 60


@given(matrices())
@slowly
def test_every_expression_is_one_of_ours_and_none_is_in_a_script(data: Data) -> None:
    result = built(data)
    for job in jobs_of(result):
        for step in job.steps:
            assert "${{" not in _script(step)
            assert "${{" not in step.name
    for file in result.expected.values():
        text = file.decode()
        assert text.count("${{") == len(_EXPRESSIONS.findall(text))
        assert all(_OWN.fullmatch(found) for found in _EXPRESSIONS.findall(text))


def _script(step: Step) -> str:
    return step.run if isinstance(step, RunStep) else ""


@given(matrices())
@slowly
def test_adding_a_cell_changes_no_other_job(data: Data) -> None:
    more = copy.deepcopy(data)
    hardware = next(iter(data["hardware"]))
    more["cells"]["newcomer"] = {
        "hardware": [hardware],
        "gpus": 0,
        "site": "bare",
        "checks": {"tests": {"suite": "new", "per_file_timeout_s": 60}},
    }

    before, after = built(data).expected, built(more).expected

    for path, file in before.items():
        old, new = job_texts(file), job_texts(after[path])
        lists = {"preflight", "check-all-jobs"}  # they hold the list of all jobs
        assert {id_: old[id_] for id_ in old.keys() - lists} == {id_: new[id_] for id_ in old.keys() - lists}
        assert all(id_.startswith("newcomer-") for id_ in new.keys() - old.keys())


@given(matrices())
@settings(slowly, max_examples=8)
def test_check_finds_nothing_in_what_was_just_written(data: Data) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder, "matrix.yaml")
        file.write_text(as_text(data), encoding="utf-8")
        session = Session(matrix=file, voice=Voice.QUIET)

        assert write(session, built(data), dry_run=False) is ExitCode.FINE
        assert check(session, clock=lambda: dt.date(2030, 1, 1)) is ExitCode.FINE
