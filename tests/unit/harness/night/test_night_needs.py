import json
from pathlib import Path

import pytest

from unit.harness.night.night_fakes import bench, entry, tonight


@pytest.mark.parametrize(
    ("needs", "message"),
    [
        ("", "NEEDS is empty"),
        ("{}", "NEEDS: the key 'preflight' is missing"),
        ("{", "NEEDS is not JSON"),
        ("[]", "NEEDS: an object is needed, not []"),
        ('{"preflight":{}}', "NEEDS.preflight: the key 'result' is missing"),
        ('{"preflight":{"result":"fine"}}', "NEEDS.preflight.result: 'fine' is none of success, failure"),
        ('{"preflight":{"result":"success"}}', "needs.preflight.outputs.night is empty"),
        (
            '{"preflight":{"result":"success","outputs":{"night":"x"}}}',
            "needs.preflight.outputs.night is not JSON",
        ),
        (
            json.dumps(
                {"preflight": {"result": "success", "outputs": {"night": tonight(entry("a", "maybe"))}}}
            ),
            "needs.preflight.outputs.night.jobs[0].expected: 'maybe' is none of run, blocked, off",
        ),
        (
            json.dumps(
                {"preflight": {"result": "success", "outputs": {"night": tonight(entry("a"), entry("a"))}}}
            ),
            "needs.preflight.outputs.night.jobs: a job stands in it twice",
        ),
        ('{"preflight":{"result":"success"},"a":1}', "NEEDS.a: an object is needed, not 1"),
    ],
)
def test_what_cannot_be_judged_is_red(tmp_path: Path, needs: str, message: str) -> None:
    here = bench(tmp_path, {"NEEDS": needs})
    assert here.run("check-all-jobs") == 2
    assert f"error: {message}" in here.log
    assert "## The night cannot be judged" in here.summary
    assert "::error title=The night cannot be judged::" in here.log


def test_outputs_of_null_and_numbers(tmp_path: Path) -> None:
    night = tonight(entry("a"), entry("b"))
    needs = {
        "preflight": {"result": "success", "outputs": {"night": night}},
        "a": {"result": "success", "outputs": None},
        "b": {"result": "success", "outputs": {"minutes": 7, "why": None}},
    }
    here = bench(tmp_path, {"NEEDS": json.dumps(needs)})
    assert here.run("check-all-jobs") == 0
    assert "| b | mi30x | run | success |  | 7 |" in here.summary
