import json
from pathlib import Path

import pytest

from unit.harness.night.night_fakes import job, night_json
from unit.harness.night.preflight_fakes import (
    HOME,
    JOBS,
    code,
    preflight,
)


@pytest.mark.parametrize(
    ("environment", "exit_code", "message"),
    [
        ({"JOB_SELECT": "family: kimmi"}, 2, "job_select: there is no job or group 'family: kimmi'"),
        ({"JOB_FILTER": "kimi,nope"}, 2, "job_filter: no job of this night matches 'nope'"),
        ({"JOB_SELECT": "family: kimi", "JOB_FILTER": "unit"}, 3, "nothing selected: no job is both in"),
        ({"JOB_SELECT": "grok"}, 3, "nothing selected: all that was asked for is switched off (grok is off"),
        ({"CONTINUE_ON_ERROR": "perhaps"}, 2, "CONTINUE_ON_ERROR is 'perhaps'"),
        (
            {"REPOSITORY": "someone/sglang"},
            3,
            "this is someone/sglang, and the night runs only in sgl-project/sg",
        ),
        ({"NIGHT": ""}, 2, "NIGHT is empty"),
        ({"NIGHT": "{"}, 2, "NIGHT is not JSON"),
    ],
)
def test_what_ends_a_night_before_it_starts(
    tmp_path: Path, environment: dict[str, str], exit_code: int, message: str
) -> None:
    here = preflight(tmp_path, environment.pop("NIGHT", night_json(JOBS)), **environment)
    assert code(here) == exit_code
    assert f"error: {message}" in here.log
    assert here.outputs["jobs"] == "[]"
    assert here.outputs["images"] == "{}"
    assert here.outputs["checks"] == "[]"
    assert here.outputs["continue_on_error"] == "false"
    handed_on = json.loads(here.outputs["night"])
    assert handed_on["jobs"] == []
    assert handed_on["problem"].startswith(message)
    assert "## Preflight: nothing runs" in here.summary
    assert "::error title=Preflight%3A nothing runs::" in here.log


@pytest.mark.parametrize(
    ("word", "default", "handed_on"),
    [("", True, "true"), ("", False, "false"), ("TRUE", False, "true"), (" false ", True, "false")],
)
def test_continue_on_error_has_one_meaning(
    tmp_path: Path, word: str, default: object, handed_on: str
) -> None:
    night = night_json([job("unit")], continue_on_error=default)
    assert preflight(tmp_path, night, CONTINUE_ON_ERROR=word).outputs["continue_on_error"] == handed_on


@pytest.mark.parametrize("repository", [HOME, HOME.upper(), ""])
def test_at_home_the_night_runs(tmp_path: Path, repository: str) -> None:
    assert code(preflight(tmp_path, night_json([job("unit")]), REPOSITORY=repository)) == 0


def test_the_runners_own_variable_tells_a_fork_too(tmp_path: Path) -> None:
    night = night_json([job("unit")])
    here = preflight(tmp_path, night, REPOSITORY="", GITHUB_REPOSITORY="fork/sglang")
    assert code(here) == 3


@pytest.mark.parametrize(
    ("select_", "checks"),
    [
        ("", ["accuracy", "performance"]),
        ("all", ["accuracy", "performance"]),
        ("a", ["accuracy", "performance"]),
        ("check: performance", ["performance"]),
        ("CHECK:ACCURACY", ["accuracy"]),
    ],
)
def test_one_kind_of_check_alone_may_be_asked_for(tmp_path: Path, select_: str, checks: list[str]) -> None:
    jobs = [job("a", groups=["check: accuracy", "check: performance"]), job("b", groups=["check: accuracy"])]
    here = preflight(tmp_path, night_json(jobs), JOB_SELECT=select_)
    assert json.loads(here.outputs["checks"]) == checks
