import math
import statistics

from hypothesis import given
from hypothesis import strategies as st

from generator.harness.evaluate.gates import Certainty, Gates, certainty, judge_gates
from generator.harness.evaluate.statistics import percentile, share, standard_error, wilson
from generator.harness.evaluate.tally import Tally

counts = st.integers(1, 5000).flatmap(lambda asked: st.tuples(st.integers(0, asked), st.just(asked)))


@given(counts)
def test_the_interval_holds_the_share_and_stays_between_0_and_1(pair: tuple[int, int]) -> None:
    right, asked = pair
    interval = wilson(right, asked)
    assert 0 <= interval.low <= share(right, asked) <= interval.high <= 1
    assert interval.low < interval.high


@given(counts)
def test_the_interval_is_the_same_seen_from_the_other_side(pair: tuple[int, int]) -> None:
    right, asked = pair
    one, other = wilson(right, asked), wilson(asked - right, asked)
    assert math.isclose(one.low, 1 - other.high, abs_tol=1e-9)


@given(counts)
def test_both_ends_lie_where_wilsons_equation_says(pair: tuple[int, int]) -> None:
    right, asked = pair
    p, z = right / asked, 1.959963984540054
    for end in (wilson(right, asked).low, wilson(right, asked).high):
        assert math.isclose(abs(p - end), z * math.sqrt(end * (1 - end) / asked), abs_tol=1e-7)


@given(counts)
def test_the_standard_error_is_that_of_the_answers(pair: tuple[int, int]) -> None:
    right, asked = pair
    values = [1] * right + [0] * (asked - right)
    assert math.isclose(
        standard_error(right, asked), statistics.pstdev(values) / math.sqrt(asked), abs_tol=1e-9
    )


def test_nothing_asked_says_nothing() -> None:
    assert standard_error(0, 0) == 0
    assert (wilson(0, 0).low, wilson(0, 0).high) == (0, 1)
    assert percentile((), 50) == 0


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=50))
def test_percentiles_are_those_of_the_standard_library(values: list[float]) -> None:
    got = tuple(percentile(tuple(values), percent) for percent in (0, 50, 100))
    assert math.isclose(got[1], statistics.median(values), abs_tol=1e-9, rel_tol=1e-9)
    assert (got[0], got[2]) == (min(values), max(values))


@given(st.lists(st.booleans(), min_size=1, max_size=60), st.integers(0, 60), st.floats(0, 1))
def test_what_is_certain_holds_whatever_the_rest_answers(answers: list[bool], rest: int, gate: float) -> None:
    gates = Gates(accuracy=gate, invalid_rate=1, cut_off_rate=1, failed_share=1)

    def tally(answered: int, correct: int) -> Tally:
        return Tally(
            planned=len(answers) + rest,
            answered=answered,
            correct=correct,
            invalid=0,
            cut_off=0,
            ran_past_stop=0,
            failed=0,
        )

    right = sum(answers)
    verdict = certainty(tally(len(answers), right), gates)
    for more in (0, rest // 2, rest):
        is_met = judge_gates(tally(len(answers) + rest, right + more), gates)[0].is_met
        if verdict is Certainty.CERTAIN_YES:
            assert is_met
        if verdict is Certainty.CERTAIN_NO:
            assert not is_met
