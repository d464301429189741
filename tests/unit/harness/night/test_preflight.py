import json
from pathlib import Path

from unit.harness.night.night_fakes import Reply, bench, job, night_json, serving
from unit.harness.night.preflight_fakes import (
    DIGEST,
    HOME,
    JOBS,
    RULES,
    code,
    expected,
    preflight,
    why,
    world_outside,
)


def test_a_good_night(tmp_path: Path) -> None:
    with serving(world_outside("v1-mi30x-20261130", "v1-mi35x-20261129")) as server:
        here = preflight(tmp_path, night_json(JOBS, images=RULES), server.address)
    assert code(here) == 0
    assert json.loads(here.outputs["jobs"]) == ["kimi", "kimi-perf", "glm", "unit"]
    assert json.loads(here.outputs["images"]) == {
        "mi30x": f"rocm/sgl-dev@{DIGEST}",
        "mi35x": f"rocm/sgl-dev@{DIGEST}",
    }
    assert here.outputs["continue_on_error"] == "false"
    assert json.loads(here.outputs["night"])["jobs"][1] == {
        "id": "kimi-perf",
        "hardware": "mi30x",
        "expected": "run",
        "why": "",
        "limit_minutes": 60,
        "needs": ["kimi"],
    }
    assert expected(here)["grok"] == "off"
    assert why(here, "grok") == "off until 2026-12-31: loader is broken"
    assert "| mi35x | v1-mi35x-20261129 | rocm/sgl-dev@sha256:cdcd" in here.summary
    assert here.log.splitlines()[-1] == "4 jobs will run, 0 blocked, 1 off, 0 not selected."


def test_an_old_image_blocks_its_jobs_and_no_other(tmp_path: Path) -> None:
    with serving(world_outside("v1-mi30x-20261101", "v1-mi35x-20261129")) as server:
        here = preflight(tmp_path, night_json(JOBS, images=RULES), server.address)
    assert code(here) == 0
    assert json.loads(here.outputs["jobs"]) == ["glm", "unit"]
    assert expected(here) == {
        "kimi": "blocked",
        "kimi-perf": "blocked",
        "glm": "run",
        "grok": "off",
        "unit": "run",
    }
    assert "29 days old, 7 allowed" in why(here, "kimi")
    assert "::warning title=kimi is blocked::" in here.log
    assert list(json.loads(here.outputs["images"])) == ["mi35x"]


def test_a_job_is_blocked_by_what_it_needs_through_others(tmp_path: Path) -> None:
    jobs = [
        job("a", image="mi30x"),
        job("b", needs=["a"]),
        job("c", needs=["b"]),
        job("d", needs=["e"]),
        job("e", needs=["d"]),
    ]
    with serving(world_outside("none")) as server:
        here = preflight(tmp_path, night_json(jobs, images=RULES), server.address)
    assert expected(here) == {"a": "blocked", "b": "blocked", "c": "blocked", "d": "run", "e": "run"}
    assert why(here, "c").startswith("it needs a, which is blocked: rocm/sgl-dev: none of 1 tag matches")


def test_a_needed_job_that_was_not_asked_for_blocks_nobody(tmp_path: Path) -> None:
    jobs = [job("a", image="mi30x"), job("b", needs=["a"])]
    here = preflight(tmp_path, night_json(jobs, images=RULES), JOB_SELECT="b")
    assert code(here) == 0
    assert expected(here) == {"a": "not selected", "b": "run"}
    assert "needs" not in json.loads(here.outputs["night"])["jobs"][1]


def test_a_model_that_is_gone_blocks_its_jobs(tmp_path: Path) -> None:
    with serving(world_outside(models=Reply(status=404))) as server:
        here = preflight(tmp_path, night_json(JOBS), server.address)
    assert expected(here)["kimi"] == "blocked"
    assert expected(here)["unit"] == "run"
    assert why(here, "glm") == "zai-org/GLM-5: no such model repository, or it is private (404)"


def test_a_silent_hub_is_a_warning(tmp_path: Path) -> None:
    with serving(world_outside(models=Reply(status=503))) as server:
        here = preflight(tmp_path, night_json(JOBS), server.address)
    assert code(here) == 0
    assert expected(here)["kimi"] == "run"
    assert why(here, "kimi").startswith("runs without a look at its model: the model hub did not answer")


def test_a_silent_registry_blocks_only_what_needs_it(tmp_path: Path) -> None:
    with serving(lambda _: Reply(status=503)) as server:
        here = preflight(tmp_path, night_json(JOBS, images=RULES), server.address)
    assert code(here) == 0
    assert json.loads(here.outputs["jobs"]) == ["unit"]
    assert "the image registry did not answer" in why(here, "kimi")


def test_a_silent_registry_and_nothing_else_to_run_is_the_world_outside(tmp_path: Path) -> None:
    jobs = [job("a", image="mi30x"), job("b", needs=["a"])]
    with serving(lambda _: Reply(status=503)) as server:
        here = preflight(tmp_path, night_json(jobs, images=RULES), server.address)
    assert code(here) == 4
    assert here.outputs["jobs"] == "[]"
    assert json.loads(here.outputs["night"])["problem"].startswith(
        "no job can be decided: the image registry"
    )


def test_all_blocked_for_good_is_handed_on_to_the_sum(tmp_path: Path) -> None:
    with serving(world_outside()) as server:
        here = preflight(tmp_path, night_json([job("a", image="mi30x")], images=RULES), server.address)
    assert code(here) == 0
    assert here.outputs["jobs"] == "[]"
    assert expected(here) == {"a": "blocked"}


def test_an_off_that_is_over_runs_again_and_says_so(tmp_path: Path) -> None:
    over = {"because": "x", "until": "2026-11-29"}
    last_day = {"because": "x", "until": "2026-11-30"}
    here = preflight(tmp_path, night_json([job("a", off=over), job("b", off=last_day)]))
    assert expected(here) == {"a": "run", "b": "off"}
    assert why(here, "a") == "was off until 2026-11-29 and runs again"


def test_an_empty_environment_is_an_error_and_no_trace(tmp_path: Path) -> None:
    here = bench(tmp_path, {"GITHUB_OUTPUT": "", "GITHUB_STEP_SUMMARY": ""})
    assert here.run("preflight") == 2
    assert "error: NIGHT is empty" in here.log


def test_a_night_too_large_for_a_variable_comes_from_a_file(tmp_path: Path) -> None:
    jobs = [job(f"nightly-{number}", name="日本 | <b>`x`" * 20) for number in range(300)]
    (tmp_path / "night.json").write_text(night_json(jobs), encoding="utf-8-sig")
    here = bench(tmp_path, {"REPOSITORY": HOME})
    assert here.run("preflight", "--night", "night.json") == 0
    assert len(json.loads(here.outputs["jobs"])) == 300
    assert here.run("preflight", "--night", "missing.json") == 2


def test_nothing_from_outside_becomes_markup_or_a_command(tmp_path: Path) -> None:
    evil = "x | <script> `a`\n::stop-commands::t\n##[add-mask]y"
    here = preflight(tmp_path, night_json([job("unit", hardware=evil)]), EVENT=evil, JOB_SELECT="ALL ")
    assert code(here) == 0
    assert "<script>" not in here.summary
    assert not any(line.startswith("::stop") for line in here.log.splitlines())
    assert "##[" not in here.log


def test_a_token_is_never_shown(tmp_path: Path) -> None:
    token = "hf_" + "q" * 30
    with serving(world_outside(models=Reply(status=401))) as server:
        here = preflight(tmp_path, night_json(JOBS), server.address, HF_TOKEN=token)
        assert any(token in asked.headers.get("authorization", "") for asked in server.asked)
    assert token not in here.log + here.summary + json.dumps(here.outputs)


def test_a_full_disk_is_no_green_preflight(tmp_path: Path) -> None:
    here = preflight(tmp_path, night_json([job("unit")]), GITHUB_OUTPUT="/dev/full")
    assert code(here) == 4
    assert "the step's outputs cannot be written" in here.log


def test_a_job_that_runs_with_a_word_of_caution(tmp_path: Path) -> None:
    here = preflight(tmp_path, night_json([job("a", models=["/data/m"])]))
    assert expected(here) == {"a": "run"}
    assert why(here, "a") == "/data/m is a path on the machine and was not looked up"


def test_a_name_that_adds_nothing_is_said(tmp_path: Path) -> None:
    here = preflight(tmp_path, night_json([job("a"), job("b")]), JOB_SELECT="a", JOB_FILTER="a, b")
    assert "note: 'b' adds nothing: it is in the filter but not in 'a'" in here.log
    assert "::warning title=Preflight::'b' adds nothing" in here.log
    assert "- 'b' adds nothing" in here.summary


def test_a_default_that_is_no_truth_value(tmp_path: Path) -> None:
    here = preflight(tmp_path, night_json([job("a")], continue_on_error="false"))
    assert code(here) == 2
    assert 'NIGHT.continue_on_error: true or false is needed, not "false"' in here.log


def test_a_definite_no_beside_a_silent_registry_is_handed_on(tmp_path: Path) -> None:
    jobs = [job("a", image="mi30x"), job("b", models=["o/m"])]
    night = night_json(jobs, images=RULES)
    with serving(lambda _: Reply(status=503)) as registry, serving(lambda _: Reply(status=404)) as hub:
        here = preflight(tmp_path, night, registry.address, HF_ENDPOINT=hub.address)
    assert code(here) == 0
    assert expected(here) == {"a": "blocked", "b": "blocked"}
