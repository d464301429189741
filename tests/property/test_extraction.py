from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from generator.harness.evaluate.extraction import flexible, legacy, strict, written
from generator.harness.evaluate.stops import cut

numbers = st.integers(-(10**9), 10**9)
cents = st.integers(-(10**7), 10**7).map(lambda n: Fraction(n, 100))
words = st.text(alphabet="abc ,.;:!?\n", max_size=40)
anything = st.text(max_size=300)
awkward = st.text(alphabet="0123456789,.-/$%#*() \\boxed{}<think>/eE\u2212\u00a0", max_size=120)


def forms(value: Fraction) -> list[str]:
    """Ways to write one number."""
    plain = written(value)
    size = abs(value)
    sign = "-" if value < 0 else ""
    grouped = f"{float(size):,.2f}" if value.denominator > 1 else f"{int(size):,}"
    return [
        plain,
        f"{sign}{grouped}",
        f"{sign}${grouped}",
        f"{plain}%",
        f"**{plain}**",
        plain.replace("-", "\u2212"),
        f"{sign}{grouped}".replace(",", "{,}"),
        f"{plain} dollars",
    ]


@given(cents, words)
def test_strict_reads_every_form_behind_the_mark(value: Fraction, before: str) -> None:
    for form in forms(value):
        assert strict(f"{before}\n#### {form}") == value, form


@given(cents, words)
def test_flexible_reads_every_form_marked_boxed_and_last(value: Fraction, before: str) -> None:
    for form in forms(value):
        assert flexible(f"{before}\n#### {form}") == value, form
        assert flexible(f"{before} \\boxed{{{form}}}.") == value, form
        assert flexible(f"{before} is {form}.") == value, form


@given(cents, words)
def test_where_strict_reads_flexible_reads_the_same(value: Fraction, before: str) -> None:
    text = f"{before} #### {written(value)}"
    assert strict(text) == flexible(text)


@given(st.one_of(anything, awkward))
def test_no_text_breaks_a_rule(text: str) -> None:
    for rule in (strict, flexible, legacy):
        written(rule(text))


@given(st.one_of(anything, awkward))
def test_without_a_digit_there_is_no_number(text: str) -> None:
    bare = "".join(character for character in text if character not in "0123456789")
    assert strict(bare) is None
    assert flexible(bare) is None
    assert legacy(bare) is None


@given(numbers)
def test_leading_zeros_change_nothing_but_the_legacy_rule(value: int) -> None:
    size = abs(value)
    assert flexible(f"0{size}") == size
    if size:
        assert legacy(f"0{size}") is None


@given(cents, words.filter(lambda text: "#" not in text))
def test_thinking_is_not_read(value: Fraction, thought: str) -> None:
    assert flexible(f"<think>{thought} 12345</think>{written(value)}") == value
    assert flexible(f"<think>{thought} {written(value)}") is None


@given(
    st.text(alphabet="ab\n", max_size=40),
    st.lists(st.text(alphabet="ab\n", min_size=1, max_size=3), max_size=4),
)
def test_a_cut_text_holds_no_stop_and_begins_the_whole(text: str, stops: list[str]) -> None:
    part = cut(text, stops)
    assert text.startswith(part.text)
    assert not any(stop in part.text for stop in stops)
    assert part.is_complete == (len(part.text) < len(text))
    assert cut(part.text, stops).text == part.text


@given(st.integers(0, 10**12), st.text(alphabet=" \n\t", max_size=5))
def test_a_stop_sent_along_with_nothing_behind_it_is_no_running_past(value: int, blank: str) -> None:
    assert not cut(f"#### {value}\n\nQuestion{blank}", ["\n\nQuestion"]).ran_past
    assert cut(f"#### {value}\n\nQuestion: {value}", ["\n\nQuestion"]).ran_past
