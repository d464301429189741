"""A template that loses, changes or doubles something is caught before anything is written."""

from collections.abc import Callable
from pathlib import Path

import pytest
from jinja2 import DictLoader, UndefinedError

from generator.cli.build import Build, build
from generator.cli.session import Session
from generator.domain.job import Workflow
from generator.domain.layout_error import LayoutError
from generator.render import text as text_module
from generator.render.read_back import verify
from generator.render.text import render

ROOT = Path(__file__).parents[3]
Use = Callable[[str], None]
TEMPLATE = (ROOT / "templates/workflow.yml.j2").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def workflow() -> Workflow:
    result = build(Session(matrix=ROOT / "tests/golden/chain-in-containers/matrix.yaml"))
    assert isinstance(result, Build)
    return result.workflows[0]


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Use:
    """Puts another template in the place of the real one, for one test."""

    def other(template: str) -> None:
        environment = text_module._environment().overlay(loader=DictLoader({"workflow.yml.j2": template}))
        monkeypatch.setattr(text_module, "_environment", lambda: environment)

    return other


def mutated(old: str, new: str) -> str:
    assert old in TEMPLATE, old
    return TEMPLATE.replace(old, new, 1)


def rendered(workflow: Workflow) -> str:
    return render(workflow, "matrix.yaml", "0.1.0").data.decode()


MUTATIONS = {
    "a limit of a job is lost": (
        "    timeout-minutes: «job.timeout_minutes»\n",
        "",
        "timeout-minutes is lost",
    ),
    "a limit of a step is changed": (
        "        timeout-minutes: «step.timeout_minutes»\n«%- if step.env",
        "        timeout-minutes: «step.timeout_minutes + 1»\n«%- if step.env",
        "timeout-minutes should be",
    ),
    "a condition is lost": ("    if: «job.condition | value»\n", "", "if is lost"),
    "a need is lost": ("«%- for need in job.needs %»", "«%- for need in job.needs[1:] %»", "needs should be"),
    "a need is doubled": ("      - «need»\n", "      - «need»\n      - «need»\n", "needs should be"),
    "an environment is lost": ("«%- if step.env %»", "«%- if false %»", "env is lost"),
    "advisory is lost": ("        continue-on-error: true\n", "", "continue-on-error is lost"),
    "advisory is for all": ("«%- if step.advisory %»", "«%- if true %»", "continue-on-error is not planned"),
    "advisory is for the job": (
        "    timeout-minutes: «job",
        "    continue-on-error: true\n    timeout-minutes: «job",
        "continue-on-error is not planned",
    ),
    "an option is lost": (
        "for option in workflow.options",
        "for option in workflow.options[1:]",
        "options should be",
    ),
    "the default is another": (
        "default: «workflow.options[0]",
        "default: «workflow.options[1]",
        "default should be",
    ),
    "a schedule is lost": ("for cron in workflow.schedule", "for cron in workflow.schedule[1:]", ""),
    "the schedules are lost": ("«%- if workflow.schedule %»", "«%- if false %»", "schedule is lost"),
    "a push is lost": ("«%- if workflow.push_paths %»", "«%- if false %»", "push is lost"),
    "a path is lost": (
        "for path in workflow.push_paths",
        "for path in workflow.push_paths[1:]",
        "push.paths should",
    ),
    "nights carry on": (
        '"true" if workflow.continue_on_error',
        '"false" if workflow.continue_on_error',
        "continue_",
    ),
    "the token may write": ("permissions: {}", "permissions: write-all", "permissions should be"),
    "the group is lost": ("  group: «workflow.group | value»", "  group: nightly", "group should be"),
    "a job is lost": (
        "«%- for job in workflow.jobs %»",
        "«%- for job in workflow.jobs[1:] %»",
        "preflight is lost",
    ),
    "a job is doubled": (
        "«%- for job in workflow.jobs %»",
        "«%- for job in workflow.jobs + workflow.jobs[:1] %»",
        "written twice",
    ),
    "a step is lost": ("«%- for step in job.steps %»", "«%- for step in job.steps[1:] %»", "steps should be"),
    "steps are turned round": (
        "«%- for step in job.steps %»",
        "«%- for step in job.steps | reverse %»",
        "steps[0].id should be",
    ),
    "a text is not quoted": ("name: «step.name | value»", "name: «step.name»", ""),
    "a script is on one line": ("run: «step.run | block(10)»", "run: «step.run»", ""),
    "an indent is wrong": ("run: «step.run | block(10)»", "run: «step.run | block(8)»", ""),
    "a variable is a number": ("text | block(12)", "text", ""),
    "permissions are wider": ("«scope»: «access»", "«scope»: write", "permissions.contents should be"),
    "an input is a truth value": (
        "          «name»: «text | value»",
        "          «name»: «text»",
        "persist-credentials",
    ),
    "an output is renamed": ("      «name»: «text | value»\n", "      x«name»: «text | value»\n", "outputs."),
}


def test_the_real_template_holds_what_was_planned(workflow: Workflow) -> None:
    verify(workflow, rendered(workflow))


@pytest.mark.parametrize(("old", "new", "says"), MUTATIONS.values(), ids=MUTATIONS.keys())
def test_a_mutated_template_is_caught(workflow: Workflow, use: Use, old: str, new: str, says: str) -> None:
    use(mutated(old, new))

    with pytest.raises(Exception, match=says.replace("[", r"\[") or None) as caught:
        verify(workflow, rendered(workflow))

    # Broken YAML ends in the reader's own error; nothing is written either way.
    assert isinstance(caught.value, LayoutError) or not says


def test_a_typo_in_a_template_is_an_error_and_not_an_empty_text(workflow: Workflow, use: Use) -> None:
    use(mutated("job.runs_on", "job.runs_no"))

    with pytest.raises(UndefinedError, match="runs_no"):
        rendered(workflow)


@pytest.mark.parametrize(
    "text",
    ["", "name: x\n", "jobs: {}\n", "jobs:\n  a: &x {}\n  b: *x\n", "- a\n", "jobs: [a]\n"],
)
def test_what_is_no_such_workflow_is_caught(workflow: Workflow, text: str) -> None:
    with pytest.raises(LayoutError):
        verify(workflow, text)
