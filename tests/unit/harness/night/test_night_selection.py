import pytest

from generator.harness.night.night_file import NightJob, read_night
from generator.harness.night.request import Request
from generator.harness.night.selection import select
from generator.harness.outcome import HarnessError, Outcome
from unit.harness.night.night_fakes import job, night_json

SECTION = "section: 8-GPU Kimi-K2.6 (MI30x + MI35x)"


def jobs() -> tuple[NightJob, ...]:
    entries = [
        job("nightly-8-gpu-kimi-k26", name="Kimi K2.6 (MI30x)", groups=["family: kimi", SECTION]),
        job("nightly-8-gpu-mi35x-kimi-k26", groups=["family: kimi", SECTION, "hardware: mi35x"]),
        job("nightly-8-gpu-deepseek", groups=["family: deepseek"]),
        job("nightly-1-gpu-unit"),
    ]
    return read_night(night_json(entries)).jobs


KIMI = {"nightly-8-gpu-kimi-k26", "nightly-8-gpu-mi35x-kimi-k26"}
EVERY = KIMI | {"nightly-8-gpu-deepseek", "nightly-1-gpu-unit"}


def request(select_: str = "", filter_: str = "") -> Request:
    return Request(event="schedule", select=select_, filter=filter_, continue_on_error="", repository="")


@pytest.mark.parametrize(
    ("select_", "filter_", "ids"),
    [
        ("", "", EVERY),
        ("all", "", EVERY),
        (" ALL ", " \n ", EVERY),
        ("family: kimi", "", KIMI),
        ("FAMILY:KIMI", "", KIMI),
        (SECTION, "", KIMI),
        ("nightly-8-gpu-deepseek", "", {"nightly-8-gpu-deepseek"}),
        ("all", "nightly-8-gpu-deepseek", {"nightly-8-gpu-deepseek"}),
        ("", "nightly-8-gpu-deepseek, nightly-1-gpu-unit", {"nightly-8-gpu-deepseek", "nightly-1-gpu-unit"}),
        (
            "",
            "NIGHTLY-8-GPU-DEEPSEEK\r\nnightly-1-gpu-unit",
            {"nightly-8-gpu-deepseek", "nightly-1-gpu-unit"},
        ),
        ("", "nightly-8-gpu-deepseek nightly-1-gpu-unit,,", {"nightly-8-gpu-deepseek", "nightly-1-gpu-unit"}),
        ("", "*kimi*", KIMI),
        ("", "*-KIMI-k2?", KIMI),
        ("", "all", EVERY),
        ("", "*", EVERY),
        ("", "kimi k2.6 (mi30x)", {"nightly-8-gpu-kimi-k26"}),
        ("family: kimi", "*mi35x*", {"nightly-8-gpu-mi35x-kimi-k26"}),
    ],
)
def test_what_is_asked_for_is_what_is_selected(select_: str, filter_: str, ids: set[str]) -> None:
    assert select(jobs(), request(select_, filter_)).ids == ids


@pytest.mark.parametrize(
    ("select_", "filter_", "message", "help_"),
    [
        ("family: kimmi", "", "job_select: there is no job or group 'family: kimmi'", "'family: kimi'"),
        ("nothing like it", "", "job_select: there is no job or group 'nothing like it'", "Known are"),
        ("", "nightly-8-gpu-kimi-k27", "job_filter: no job of this night matches", "nightly-8-gpu-kimi-k26"),
        ("", "kimi", "job_filter: no job of this night matches 'kimi'", "'*kimi*' would match 2 jobs."),
        ("", "nightly-1-gpu-unit, zzz", "job_filter: no job of this night matches 'zzz'", "Known are"),
        ("", "*-mi300", "job_filter: no job of this night matches '*-mi300'", ""),
        ("", "[", "job_filter: no job of this night matches '['", ""),
    ],
)
def test_a_name_that_nobody_has_is_an_error(select_: str, filter_: str, message: str, help_: str) -> None:
    with pytest.raises(HarnessError) as caught:
        select(jobs(), request(select_, filter_))
    assert caught.value.outcome is Outcome.INVALID
    assert caught.value.message.startswith(message)
    assert help_ in caught.value.help


def test_a_select_and_a_filter_with_nothing_in_common_select_nothing() -> None:
    with pytest.raises(HarnessError) as caught:
        select(jobs(), request("family: kimi", "nightly-1-gpu-unit"))
    assert caught.value.outcome is Outcome.NOT_MEASURED
    assert "nothing selected" in caught.value.message


def test_a_night_without_jobs_selects_nothing() -> None:
    with pytest.raises(HarnessError) as caught:
        select((), request())
    assert caught.value.outcome is Outcome.NOT_MEASURED


def test_a_filter_entry_outside_the_select_is_noted() -> None:
    selection = select(jobs(), request("family: kimi", "*kimi*, nightly-1-gpu-unit"))
    assert selection.ids == KIMI
    assert selection.notes == (
        "'nightly-1-gpu-unit' adds nothing: it is in the filter but not in 'family: kimi'",
    )


def test_a_filter_of_a_megabyte_has_an_answer() -> None:
    with pytest.raises(HarnessError) as caught:
        select(jobs(), request("", "x" * 1_000_000))
    assert len(caught.value.message) < 400
