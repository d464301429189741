from pathlib import Path

import pytest

from peers.github import (
    Case,
    Evaluated,
    Form,
    NotEvaluated,
    Status,
    github_evaluate,
    github_holds,
    github_parse,
    github_workflows,
)
from peers.tools import PEERS, PeerFailedError

NIGHT = PEERS / "workflows/night.yml"
NEEDS: dict[str, object] = {
    "preflight": {"result": "success", "outputs": {"jobs": '["accuracy","performance"]'}},
    "accuracy": {"result": "failure", "outputs": {}},
}


def evaluated(text: str, form: Form = Form.EXPRESSION, **contexts: object) -> object:
    (result,) = github_evaluate([Case(text=text, contexts=contexts, form=form)])
    assert isinstance(result, Evaluated), result
    return result.value


def refused(text: str, **contexts: object) -> str:
    (result,) = github_evaluate([Case(text=text, contexts=contexts)])
    assert isinstance(result, NotEvaluated), result
    return result.message


def test_the_parser_is_content_with_a_sound_workflow() -> None:
    assert github_parse([NIGHT]) == []


@pytest.mark.parametrize(
    ("sound", "faulty", "message"),
    [
        ("needs: preflight\n", "needs: prefligth\n", "depends on unknown job 'prefligth'"),
        ("    timeout-minutes: 5\n", "    timeout-minute: 5\n", "Unexpected value 'timeout-minute'"),
        ("fromJSON(", "fromJSN(", "Unrecognized function: 'fromJSN'"),
        ("inputs.job_select }}", "inputs.job_select == }}", "Unexpected end of expression"),
        ("inputs.job_select }}", "input.job_select }}", "Unrecognized named-value: 'input'"),
        ("id: select\n", "id: select\n        id: select\n", "'id' is already defined"),
        ("  performance:\n", "  1-performance:\n", "must start with a letter"),
    ],
)
def test_the_parser_finds_a_fault_and_its_line(tmp_path: Path, sound: str, faulty: str, message: str) -> None:
    text = NIGHT.read_text("utf-8")
    assert sound in text
    (tmp_path / "night.yml").write_text(text.replace(sound, faulty, 1), "utf-8")
    found = github_parse([NIGHT, tmp_path / "night.yml"])
    assert any(message in diagnostic.message for diagnostic in found), found
    assert all(diagnostic.path == str(tmp_path / "night.yml") for diagnostic in found)
    assert all(diagnostic.line > 1 and diagnostic.column > 0 for diagnostic in found)


def test_a_file_that_is_no_yaml_is_a_diagnostic_and_a_missing_one_is_not(tmp_path: Path) -> None:
    (tmp_path / "a.yml").write_text("jobs: [", "utf-8")
    assert github_parse([tmp_path / "a.yml"])
    with pytest.raises(PeerFailedError, match="ENOENT"):
        github_parse([tmp_path / "b.yml"])


def test_jobs_come_with_the_condition_that_github_evaluates(tmp_path: Path) -> None:
    (workflow,) = github_workflows([NIGHT])
    assert [job.id for job in workflow.jobs] == ["preflight", "accuracy", "performance", "check-all-jobs"]
    preflight, accuracy, performance, last = workflow.jobs
    assert preflight.condition == "success()"
    assert accuracy.condition.startswith("!cancelled() && needs.preflight.result == 'success'")
    assert performance.needs == ("preflight", "accuracy")
    assert performance.labels == ("self-hosted", "linux-mi350-8")
    assert last.name == "Check all jobs"
    assert accuracy.uses == ("actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02",)
    text = NIGHT.read_text("utf-8").replace("if: ${{ always() }}\n    runs-on", "if: github.ref\n    runs-on")
    (tmp_path / "night.yml").write_text(text, "utf-8")
    (workflow,) = github_workflows([tmp_path / "night.yml"])
    assert workflow.jobs[-1].condition == "success() && (github.ref)"


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("contains(fromJSON(needs.preflight.outputs.jobs), 'ACCURACY')", True),
        ("contains(fromJSON(needs.preflight.outputs.jobs), 'accu')", False),
        ("contains(needs.preflight.outputs.jobs, 'accu')", True),
        ("needs.accuracy.result == 'Failure'", True),
        ("needs.accuracy.outputs.score", None),
        ("needs.nothing.result == null", True),
        ("format('{0}-{1}', 'a', 1) == 'a-1'", True),
        ("toJSON(needs.accuracy.outputs)", "{}"),
        ("!cancelled() && always()", True),
        ("failure() || cancelled()", False),
    ],
)
def test_the_evaluator_is_githubs(expression: str, value: object) -> None:
    assert evaluated(expression, needs=NEEDS) == value


@pytest.mark.parametrize("condition", ["success()", "failure()", "cancelled()", "always()"])
@pytest.mark.parametrize("status", Status)
def test_the_caller_says_which_status_functions_hold(condition: str, status: Status) -> None:
    case = Case(text=condition, contexts={}, holding=frozenset({status}))
    assert github_holds([case]) == [condition in {f"{status.value}()", "always()"}]


def test_a_template_is_text_with_values_in_it_or_one_value() -> None:
    jobs = '["accuracy","performance"]'
    text = "a ${{ needs.preflight.outputs.jobs }} b ${{ format('}}{0}', 1) }} ${{ inputs.x }}."
    assert evaluated(text, Form.TEMPLATE, needs=NEEDS, inputs=None) == f"a {jobs} b }}1 ."
    assert evaluated("${{ fromJSON('[1]') }}", Form.TEMPLATE) == [1]
    assert evaluated("plain", Form.TEMPLATE) == "plain"


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("env.X", "Unrecognized named-value: 'env'"),
        ("fromJSON(needs.nothing.outputs.jobs)", "empty input"),
        ("needs.a ==", "Unexpected end of expression"),
        ("hashFiles('a')", "Unrecognized function: 'hashFiles'"),
        ("", "empty expression"),
        ("'" + "x" * 21_000 + "'", "ErrorExceededMaxLength"),
        ("(" * 51 + "1" + ")" * 51, "Exceeded max expression depth"),
    ],
)
def test_what_cannot_be_evaluated_says_why(expression: str, message: str) -> None:
    assert message in refused(expression, needs=NEEDS)


def test_a_condition_that_breaks_down_is_never_taken_for_false() -> None:
    with pytest.raises(PeerFailedError, match="empty input"):
        github_holds([Case(text="fromJSON('')", contexts={})])


def test_each_case_of_a_large_batch_sees_its_own_contexts() -> None:
    def contexts(number: int) -> dict[str, object]:
        return {"needs": {"a": {"result": "success" if number % 3 else "failure"}}}

    shared = [contexts(number) for number in range(300)]
    cases = [
        Case(text=f"needs.a.result == 'success' && {number} > 10", contexts=shared[number // 100])
        for number in range(30_000)
    ]
    assert github_holds(cases) == [bool(number // 100 % 3) and number > 10 for number in range(30_000)]


def test_a_context_may_change_its_names_between_cases() -> None:
    cases = [Case(text="a.x", contexts={"a": {"x": 1}}), Case(text="a.x", contexts={"b": {"x": 1}})]
    known, unknown = github_evaluate(cases)
    assert known == Evaluated(value=1, truthy=True)
    assert unknown == NotEvaluated(message="Unrecognized named-value: 'a'")
