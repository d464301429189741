"""The shipped matrix beside the inventory of the hand-kept workflows that it takes the place of.

What differs is listed here and explained in CHANGELOG.md; anything else that differs is a mistake.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from generator.cli.build import Build, build
from generator.cli.session import Session
from generator.domain.job import Job, RunStep, Workflow

ROOT = Path(__file__).parents[2]
LANES: dict[str, Any] = json.loads((ROOT / "tests/facts/nightly-inventory.json").read_text())["lanes"]

K26, K3 = "nightly-8-gpu-mi35x-kimi-k26-rocm720", "nightly-8-gpu-mi35x-kimi-k3-rocm720"

# Suite or file: minutes of its step in the inventory, and here.
RAISED = {
    "nightly-amd": (None, 130),
    "nightly-amd-2-gpu-mi35x-glm51-mxfp4": (120, 130),
    "nightly-amd-accuracy-8-gpu-grok1-fp8": (60, 70),
    "nightly-amd-accuracy-8-gpu-grok1-int4": (60, 100),
    "nightly-perf-8-gpu-grok1-int4": (60, 100),
    "nightly-amd-accuracy-8-gpu-mi35x-grok1-int4": (90, 100),
    "nightly-perf-8-gpu-mi35x-grok1-int4": (60, 100),
    "nightly-amd-accuracy-8-gpu-grok2": (60, 70),
    "nightly-perf-8-gpu-grok2": (60, 70),
    "nightly-amd-accuracy-8-gpu-mi35x-grok2": (60, 70),
    "nightly-perf-8-gpu-mi35x-grok2": (60, 70),
    "nightly-perf-8-gpu-deepseek-v31": (300, 310),
    "nightly-amd-8-gpu-mi35x-deepseek-v32": (120, 130),
    "nightly-amd-4-gpu-mi35x-minimax-m25-tp4": (120, 130),
    "nightly-amd-4-gpu-mi35x-minimax-m3-tp4": (120, 130),
    "nightly-amd-accuracy-8-gpu-mi35x-qwen35-triton-dcp": (120, 130),
    "nightly-perf-8-gpu-mi35x-kimi-k3": (300, 340),
}
# In one lane only: there 90 minutes had been copied as 60.
RAISED_FROM_60 = "nightly-amd-accuracy-8-gpu-mi35x-grok1-int4"


@pytest.fixture(scope="module")
def workflows() -> dict[str, Workflow]:
    result = build(Session(matrix=ROOT / "matrix.yaml"))
    assert isinstance(result, Build)
    return {workflow.path: workflow for workflow in result.workflows}


def measuring(workflow: Workflow) -> dict[str, Job]:
    return {job.id: job for job in workflow.jobs if job.cell is not None}


@pytest.mark.parametrize("lane", LANES)
def test_every_job_is_there_under_its_own_id(workflows: dict[str, Workflow], lane: str) -> None:
    ours = measuring(workflows[LANES[lane]["workflow_file"]])
    theirs = {job["job"] for job in LANES[lane]["jobs"]}

    expected = {"rocm700": theirs, "rocm720": theirs - {K26} | {K3}}
    assert set(ours) == expected[lane]
    assert len(ours) == {"rocm700": 41, "rocm720": 50}[lane]


@pytest.mark.parametrize("lane", LANES)
def test_name_and_schedule_are_the_same(workflows: dict[str, Workflow], lane: str) -> None:
    workflow = workflows[LANES[lane]["workflow_file"]]

    assert workflow.name == LANES[lane]["workflow_name"]
    assert workflow.schedule == (LANES[lane]["cron"],)


def pairs(workflows: dict[str, Workflow]) -> Iterator[tuple[Job, dict[str, Any]]]:
    for lane in LANES.values():
        ours = measuring(workflows[lane["workflow_file"]])
        for job in lane["jobs"]:
            if job["job"] != K26:
                yield ours[job["job"]], job


def test_runners_hardware_gpus_and_sections_are_the_same(workflows: dict[str, Workflow]) -> None:
    for ours, theirs in pairs(workflows):
        assert ours.runs_on == theirs["runner"]
        assert ours.cell is not None
        assert ours.cell.hardware.key == theirs["hardware"]
        assert ours.cell.pool.gpus == theirs["gpus"], ours.id
        assert ours.cell.section == theirs["group"]
        assert ("host-model-cache" in ours.cell.options) == theirs["host_model_cache"], ours.id


def test_suites_environment_and_what_is_shown_only_are_the_same(workflows: dict[str, Workflow]) -> None:
    for ours, theirs in pairs(workflows):
        runs = [step for step in ours.steps if isinstance(step, RunStep)]
        checks = [step for step in runs if ours.cell and step.id in {c.key for c in ours.cell.checks}]
        assert len(checks) == len(theirs["test_steps"]), ours.id
        for step, wanted in zip(checks, theirs["test_steps"], strict=True):
            asked = wanted.get("suite") or wanted["file"]
            assert f" {asked} " in f"{step.run.replace('test/' + asked, asked)} ", ours.id
            environment = {f"{name}={value}" for name, value in step.env if name != "CONTINUE_ON_ERROR"}
            assert environment == set(wanted.get("env", [])), ours.id
            assert step.advisory == wanted.get("continue_on_error", False), ours.id


def test_limits_are_the_same_where_they_are_sound(workflows: dict[str, Workflow]) -> None:
    seen = set()
    for ours, theirs in pairs(workflows):
        for wanted in theirs["test_steps"]:
            asked = wanted.get("suite") or wanted["file"]
            steps = [step for step in ours.steps if isinstance(step, RunStep) and asked in step.run]
            minutes = {step.timeout_minutes for step in steps}
            if asked in RAISED:
                was, is_ = RAISED[asked]
                assert wanted["timeout_minutes"] == was or asked == RAISED_FROM_60
                assert minutes == {is_}, ours.id
                seen.add(asked)
            else:
                assert wanted["timeout_minutes"] in minutes, ours.id
    assert seen == set(RAISED)


def test_kimi_k3_has_its_limit(workflows: dict[str, Workflow]) -> None:
    jobs = measuring(workflows[LANES["rocm720"]["workflow_file"]])

    assert jobs[K3].timeout_minutes == 300
    assert jobs["nightly-perf-8-gpu-mi35x-kimi-k3-rocm720"].needs == ("preflight", K3)
