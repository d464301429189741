"""Laws of choosing jobs, for nights and requests that nobody thought of."""

import fnmatch
import string
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.harness.night.decide import LookUps, all_needs, night_jobs
from generator.harness.night.images import Missing
from generator.harness.night.names import folded
from generator.harness.night.night_file import NightJob
from generator.harness.night.request import Request
from generator.harness.night.selection import select
from generator.harness.night.tonight import Expected, Tonight, read_tonight, write_tonight
from generator.harness.outcome import HarnessError, Outcome

TODAY = date(2026, 11, 30)
GROUPS = ("family: kimi", "family: glm", "hardware: mi30x", "section: 8-GPU Kimi-K2.6 (MI30x + MI35x)")
IDS = st.text(alphabet="abXY-_7", min_size=1, max_size=6).map(lambda tail: f"n{tail}")
BLANKS = st.sampled_from(["", " ", "  ", "\t"])
SEPARATORS = st.sampled_from([",", " ", "\n", "\r\n", " , ", ",,", "\t"])


@st.composite
def nights(draw: st.DrawFn) -> tuple[NightJob, ...]:
    ids = draw(st.lists(IDS, min_size=1, max_size=8, unique_by=str.casefold))
    return tuple(
        NightJob(
            id=id_,
            name=id_,
            hardware="mi30x",
            limit_minutes=60,
            image=draw(st.sampled_from(["", "good", "bad"])),
            groups=tuple(draw(st.sets(st.sampled_from(GROUPS)))),
            needs=tuple(draw(st.sets(st.sampled_from(ids)))),
        )
        for id_ in ids
    )


@st.composite
def dressed(draw: st.DrawFn, text: str) -> str:
    """The same name as another person types it."""
    typed = draw(st.sampled_from([text, text.upper(), text.lower(), text.swapcase()]))
    return draw(BLANKS) + typed + draw(BLANKS)


@st.composite
def filters(draw: st.DrawFn, jobs: tuple[NightJob, ...]) -> tuple[frozenset[str], str]:
    ids = draw(st.lists(st.sampled_from([job.id for job in jobs]), min_size=1, max_size=6))
    text = "".join(draw(dressed(id_)) + draw(SEPARATORS) for id_ in ids)
    return frozenset(ids), text


def selects_of(jobs: tuple[NightJob, ...]) -> list[str]:
    groups = {group for job in jobs for group in job.groups}
    return ["", "all", *sorted(groups), *(job.id for job in jobs)]


def request(select_: str, filter_: str) -> Request:
    return Request(event="", select=select_, filter=filter_, continue_on_error="", repository="")


def chosen(jobs: tuple[NightJob, ...], select_: str, filter_: str = "") -> frozenset[str]:
    """The ids, and none when nothing is selected; a name that nobody knows is an error all the same."""
    try:
        return select(jobs, request(select_, filter_)).ids
    except HarnessError as problem:
        if problem.outcome is Outcome.NOT_MEASURED:
            return frozenset()
        raise


@given(data=st.data(), jobs=nights())
def test_blanks_and_case_are_forgiven(data: st.DataObject, jobs: tuple[NightJob, ...]) -> None:
    ids, text = data.draw(filters(jobs))
    assert chosen(jobs, "", text) == ids
    select_ = data.draw(st.sampled_from(selects_of(jobs)))
    assert chosen(jobs, data.draw(dressed(select_))) == chosen(jobs, select_)


@given(data=st.data(), jobs=nights())
def test_order_does_not_matter(data: st.DataObject, jobs: tuple[NightJob, ...]) -> None:
    ids, _ = data.draw(filters(jobs))
    select_ = data.draw(st.sampled_from(selects_of(jobs)))
    names = data.draw(st.permutations(sorted(ids)))
    shuffled = tuple(data.draw(st.permutations(jobs)))
    assert chosen(shuffled, select_, ",".join(names)) == chosen(jobs, select_, ",".join(sorted(ids)))


@given(data=st.data(), jobs=nights())
def test_a_filter_only_takes_away(data: st.DataObject, jobs: tuple[NightJob, ...]) -> None:
    ids, text = data.draw(filters(jobs))
    select_ = data.draw(st.sampled_from(selects_of(jobs)))
    assert chosen(jobs, select_, text) == chosen(jobs, select_) & ids
    assert chosen(jobs, select_, "*") == chosen(jobs, select_)


@given(data=st.data(), jobs=nights())
def test_a_longer_filter_never_selects_less(data: st.DataObject, jobs: tuple[NightJob, ...]) -> None:
    _, first = data.draw(filters(jobs))
    _, second = data.draw(filters(jobs))
    assert chosen(jobs, "", first) <= chosen(jobs, "", f"{first},{second}")


def refusal(jobs: tuple[NightJob, ...], select_: str, filter_: str) -> HarnessError:
    with pytest.raises(HarnessError) as caught:
        select(jobs, request(select_, filter_))
    return caught.value


@given(jobs=nights(), text=st.text(alphabet=string.printable + "é日*?[]", max_size=30))
def test_a_select_that_nobody_knows_never_passes_silently(jobs: tuple[NightJob, ...], text: str) -> None:
    if folded(text) in map(folded, selects_of(jobs)):
        assert chosen(jobs, text)
    else:
        assert refusal(jobs, text, "").outcome is Outcome.INVALID


@given(jobs=nights(), text=st.text(alphabet=string.printable + "é日*?[]", max_size=30))
def test_a_filter_selects_known_jobs_or_is_refused(jobs: tuple[NightJob, ...], text: str) -> None:
    patterns = [folded(entry) for entry in text.replace(",", " ").split()]
    ids = [folded(job.id) for job in jobs]
    if all(pattern == "all" or pattern in ids or fnmatch.filter(ids, pattern) for pattern in patterns):
        assert chosen(jobs, "", text)
        assert chosen(jobs, "", text) <= {job.id for job in jobs}
    else:
        assert refusal(jobs, "", text).outcome is Outcome.INVALID


@given(data=st.data(), jobs=nights(), wrong=st.text(alphabet="qwz", min_size=1, max_size=5))
def test_one_wrong_name_among_right_ones_is_an_error(
    data: st.DataObject, jobs: tuple[NightJob, ...], wrong: str
) -> None:
    _, text = data.draw(filters(jobs))
    problem = refusal(jobs, "", data.draw(st.sampled_from([f"{text},{wrong}", f"{wrong} {text}"])))
    assert problem.outcome is Outcome.INVALID
    assert repr(wrong) in problem.message


@given(data=st.data(), jobs=nights())
def test_every_entry_selects_or_is_noted(data: st.DataObject, jobs: tuple[NightJob, ...]) -> None:
    ids, _ = data.draw(filters(jobs))
    group = data.draw(st.sampled_from(selects_of(jobs)))
    if chosen(jobs, group, ",".join(ids)):
        selection = select(jobs, request(group, ",".join(ids)))
        assert len(selection.notes) == len(ids - selection.ids)


@given(data=st.data(), jobs=nights())
def test_a_decision_splits_the_night_and_blocks_all_that_stands_on_a_block(
    data: st.DataObject, jobs: tuple[NightJob, ...]
) -> None:
    ids = frozenset(data.draw(st.sets(st.sampled_from([job.id for job in jobs]), min_size=1)))
    look_ups = LookUps(images={"bad": Missing(why="too old")}, models={})
    night = Tonight(jobs=night_jobs(jobs, ids, look_ups, TODAY))
    runs, blocked = (frozenset(night.ids(kind)) for kind in (Expected.RUN, Expected.BLOCKED))
    assert runs | blocked == ids
    assert not runs & blocked
    needs = all_needs(jobs)
    assert not any(needs[id_] & blocked for id_ in runs)
    assert {job.id for job in jobs if job.id in ids and job.image == "bad"} <= blocked
    assert read_tonight(write_tonight(night)) == night
