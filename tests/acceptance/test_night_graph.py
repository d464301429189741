"""Which jobs run and what the last job says: for every event, selection and end of a chain."""

import itertools
from pathlib import Path

import pytest

from acceptance.night import Night, Start

GOLDEN = Path(__file__).parents[1] / "golden" / "chain-on-host" / ".github" / "workflows" / "nightly.yml"

ACCURACY, PERFORMANCE, STRESS = "nightly-mi35x-accuracy", "nightly-mi35x-performance", "nightly-mi35x-stress"
MI30X = frozenset({"nightly-accuracy", "nightly-performance", "nightly-both"})
CHAIN = frozenset({ACCURACY, PERFORMANCE, STRESS})
ALL = MI30X | CHAIN


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Night:
    return Night.of(GOLDEN, tmp_path_factory.mktemp("night"))


def by_hand(select: str = "all", filter_: str = "", *, carry_on: bool = False) -> Start:
    inputs = {"job_select": select, "job_filter": filter_, "continue_on_error": carry_on, "commit": ""}
    return Start(event="workflow_dispatch", inputs=inputs)


def called(**inputs: str) -> Start:
    defaults = {"job_select": "", "job_filter": "", "continue_on_error": "", "commit": ""}
    return Start(event="push", inputs={**defaults, **inputs})


@pytest.mark.parametrize(
    "start",
    [Start(event="schedule"), Start(event="push"), by_hand(), called()],
    ids=["schedule", "push", "dispatch", "call"],
)
def test_every_event_without_a_wish_runs_the_whole_night(night: Night, start: Start) -> None:
    told = night.replay(start)

    assert told.ran == ALL
    assert told.exit_code == 0, told.words
    assert "nightly-mi35x-away" in told.words


@pytest.mark.parametrize("result", ["failure", "cancelled"])
@pytest.mark.parametrize("job", sorted(ALL))
@pytest.mark.parametrize("event", ["schedule", "push"])
def test_no_night_is_green_with_a_job_that_did_not_succeed(
    night: Night, event: str, job: str, result: str
) -> None:
    told = night.replay(Start(event=event), {job: result})

    assert told.exit_code == 1
    assert job in told.words


@pytest.mark.parametrize("ends", [*itertools.product(["success", "failure", "cancelled"], repeat=3)])
def test_a_chain_goes_on_only_behind_success(night: Night, ends: tuple[str, ...]) -> None:
    told = night.replay(Start(), dict(zip((ACCURACY, PERFORMANCE, STRESS), ends, strict=True)))

    expected = {ACCURACY}
    if ends[0] == "success":
        expected.add(PERFORMANCE)
        if ends[1] == "success":
            expected.add(STRESS)
    assert told.ran & CHAIN == expected
    assert told.exit_code == (0 if set(ends) == {"success"} else 1), told.words


def test_performance_alone_does_not_wait_for_an_accuracy_that_nobody_asked_for(night: Night) -> None:
    told = night.replay(by_hand(PERFORMANCE))

    assert told.ran == {PERFORMANCE}
    assert told.exit_code == 0, told.words


def test_accuracy_failed_so_performance_is_skipped_and_the_table_says_why(night: Night) -> None:
    told = night.replay(by_hand("hardware: mi35x"), {ACCURACY: "failure"})

    assert told.ran == {ACCURACY}
    assert told.exit_code == 1
    row = next(line for line in told.words.splitlines() if PERFORMANCE in line)
    assert ACCURACY in row


def test_a_person_who_presses_cancel_leaves_no_job_waiting(night: Night) -> None:
    told = night.replay(Start(), cancelled_before="nightly-accuracy")

    assert told.ran == frozenset()
    assert told.exit_code == 1


def test_a_person_who_presses_cancel_in_the_middle_of_a_chain(night: Night) -> None:
    told = night.replay(by_hand("hardware: mi35x"), {ACCURACY: "success"}, cancelled_before=PERFORMANCE)

    assert told.ran == {ACCURACY}
    assert told.exit_code == 1


def test_a_fork_runs_nothing_and_is_not_green(night: Night) -> None:
    told = night.replay(Start(repository="someone/name"))

    assert told.ran == frozenset()
    assert told.exit_code != 0
    assert "someone/name" in told.words


@pytest.mark.parametrize("filter_", ["nightly-acuracy", "nightly-both, nightly-acuracy", "nothing-*"])
def test_a_typo_runs_nothing_and_is_not_green(night: Night, filter_: str) -> None:
    told = night.replay(by_hand(filter_=filter_))

    assert told.ran == frozenset()
    assert told.exit_code != 0


@pytest.mark.parametrize("start", [by_hand("hardware: mi30x", STRESS), by_hand("nightly-mi35x-away")])
def test_nothing_selected_is_not_green(night: Night, start: Start) -> None:
    told = night.replay(start)

    assert told.ran == frozenset()
    assert told.exit_code != 0


@pytest.mark.parametrize(
    ("filter_", "expected"),
    [
        ("nightly-both, nightly-accuracy", {"nightly-both", "nightly-accuracy"}),
        ("  NIGHTLY-BOTH ,,nightly-accuracy\n", {"nightly-both", "nightly-accuracy"}),
        ("nightly-mi35x-*", CHAIN),
        ("*-performance", {"nightly-performance", PERFORMANCE}),
    ],
)
def test_a_filter_forgives_blanks_and_case_and_knows_globs(
    night: Night, filter_: str, expected: set[str]
) -> None:
    told = night.replay(called(job_filter=filter_))

    assert told.ran == expected
    assert told.exit_code == 0, told.words


def test_each_entry_of_the_dropdown_starts_what_it_says(night: Night) -> None:
    inputs = night.data["on"]
    for key in ("workflow_dispatch", "inputs", "job_select", "options"):
        assert isinstance(inputs, dict)
        inputs = inputs[key]
    assert isinstance(inputs, list)
    expected = {
        "all": ALL,
        "hardware: mi30x": MI30X,
        "hardware: mi35x": CHAIN,
        "lane: rocm720": ALL,
        "family: line": ALL - {STRESS},
        "check: accuracy": frozenset({"nightly-accuracy", ACCURACY, "nightly-both"}),
        "check: performance": frozenset({"nightly-performance", PERFORMANCE, "nightly-both"}),
        "check: suite": frozenset({STRESS}),
        "section: Old": ALL - {"nightly-both"},
        "section: Both": frozenset({"nightly-both"}),
        "nightly-mi35x-away": frozenset[str](),
        **{id_: frozenset({id_}) for id_ in ALL},
    }

    told = {str(option): night.replay(by_hand(str(option))) for option in inputs}

    assert {option: each.ran for option, each in told.items()} == expected
    assert {option for option, each in told.items() if each.exit_code != 0} == {"nightly-mi35x-away"}
