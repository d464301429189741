import json

import pytest

from generator.harness.night.night_file import FixedImage, ImageRule, read_night
from generator.harness.outcome import HarnessError, Outcome
from unit.harness.night.night_fakes import job, night_json

RULE = {"repository": "rocm/sgl-dev", "tag": r"v\S+-(?P<date>\d{8})", "max_age_days": 7}


def message(text: str) -> str:
    with pytest.raises(HarnessError) as caught:
        read_night(text)
    assert caught.value.outcome is Outcome.INVALID
    assert caught.value.help or "twice" in caught.value.message
    return caught.value.message


def test_a_whole_night_is_read() -> None:
    text = night_json(
        [
            job("a", groups=["family: kimi"], image="i", models=["o/m"], name="A (B)"),
            job("b", needs=["a"], off={"because": "broken", "until": "2026-12-31"}),
        ],
        images={"i": RULE, "f": {"fixed": "repo:tag"}},
    )
    night = read_night(text)
    assert [entry.id for entry in night.jobs] == ["a", "b"]
    assert night.jobs[1].needs == ("a",)
    assert night.jobs[1].off[0].because == "broken"
    assert isinstance(night.images["i"], ImageRule)
    assert night.images["f"] == FixedImage(reference="repo:tag")
    assert night.lookup.attempts == 2


def test_a_repository_of_null_means_any() -> None:
    assert read_night(night_json([job("a")], repository=None)).repository == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "NIGHT is empty"),
        ("  \r\n", "NIGHT is empty"),
        ("{", "NIGHT is not JSON: Expecting property name"),
        ("null", "NIGHT: an object is needed, not null"),
        ("[]", "NIGHT: an object is needed, not []"),
        ("{}", "NIGHT: the key 'lookup' is missing"),
        ('{"a":1,"a":2}', "NIGHT: the key 'a' stands twice in one object"),
        ("[" * 100_000, "NIGHT is nested too deeply"),
    ],
)
def test_what_is_no_night_is_said(text: str, expected: str) -> None:
    assert message(text).startswith(expected)


@pytest.mark.parametrize(
    ("jobs", "expected"),
    [
        ([job("a"), job("A")], "NIGHT.jobs[1]: the job id 'A' stands twice"),
        ([job("a b")], "NIGHT.jobs[0].id: a job id is a letter"),
        ([job("1a")], "NIGHT.jobs[0].id: a job id is a letter"),
        ([job("ключ")], "NIGHT.jobs[0].id: a job id is a letter"),
        ([job("a" * 100)], "NIGHT.jobs[0].id: a job id is a letter"),
        ([job("a"), job("b", needs=["aa"])], "NIGHT.jobs[1]: it needs 'aa', which is no job."),
        ([job("a", limit_minutes=0)], "NIGHT.jobs[0].limit_minutes: a number above 0 is needed, not 0"),
        ([job("a", limit_minutes=True)], "NIGHT.jobs[0].limit_minutes: a number above 0 is needed, not true"),
        ([job("a", limit_minutes=float("nan"))], "NIGHT.jobs[0].limit_minutes: a number above 0"),
        ([job("a", hardware="")], 'NIGHT.jobs[0].hardware: a text is needed, not ""'),
        ([job("a", groups="x")], 'NIGHT.jobs[0].groups: an array is needed, not "x"'),
        ([job("a", models=[1])], "NIGHT.jobs[0].models[0]: a text is needed, not 1"),
        ([job("a", off={"because": "x", "until": "soon"})], "NIGHT.jobs[0].off.until: not a date"),
        ([job("a", off={"until": "2026-12-31"})], "NIGHT.jobs[0].off: the key 'because' is missing"),
    ],
)
def test_what_is_wrong_with_a_job_has_its_place(jobs: list[dict[str, object]], expected: str) -> None:
    assert message(night_json(jobs)).startswith(expected)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ({**RULE, "tag": "v("}, "NIGHT.images.i.tag: not a regular expression"),
        ({**RULE, "tag": "v.*"}, "NIGHT.images.i.tag: the expression has no group (?P<date>...)"),
        ({"repository": "r", "tag": "(?P<date>x)"}, "NIGHT.images.i: the key 'max_age_days' is missing"),
        ({"fixed": ""}, 'NIGHT.images.i.fixed: a text is needed, not ""'),
    ],
)
def test_what_is_wrong_with_an_image_has_its_place(rule: dict[str, object], expected: str) -> None:
    assert message(night_json([job("a")], images={"i": rule})).startswith(expected)


def test_an_image_that_nobody_knows_gets_a_suggestion() -> None:
    text = night_json([job("a", image="rocm70/mi30x")], images={"rocm700/mi30x": {"fixed": "r:t"}})
    assert message(text).endswith("is not among the images. Did you mean 'rocm700/mi30x'?")


def test_with_the_image_look_up_off_a_job_may_name_any_image() -> None:
    assert read_night(night_json([job("a", image="x")])).jobs[0].image == "x"


def test_three_hundred_jobs_with_long_names() -> None:
    jobs = [job(f"nightly-{number}-" + "x" * 80, name="日本 | <b>" * 20) for number in range(300)]
    assert len(read_night(json.dumps(json.loads(night_json(jobs)))).jobs) == 300
