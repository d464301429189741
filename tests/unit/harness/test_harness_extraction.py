import time
from fractions import Fraction

import pytest

from generator.harness.evaluate.extraction import flexible, legacy, strict, without_thinking, written

STRICT = (
    ("#### 18", "18"),
    ("2+2=4\n#### 18.00", "18"),
    ("#### $29.00", "29"),
    ("#### 70,000", "70000"),
    ("#### -3", "-3"),
    ("#### \u22123", "-3"),
    ("#### 05", "5"),
    ("#### 18.", "18"),
    ("#### 18%", "18"),
    ("#### **18**", "18"),
    ("#### 18 (9 * 2)", "18"),
    ("#### 18 dollars", "18"),
    ("#### -$5", "-5"),
    ("#### 3/4", "0.75"),
    ("####18", "18"),
    ("For example #### 7\nNow mine.\n#### 12", "12"),
    ("#### eighteen", ""),
    ("#### about 18", ""),
    ("####\n18", ""),
    ("The answer is 18.", ""),
    ("", ""),
)

FLEXIBLE = (
    ("The answer is 18.", "18"),
    ("So she makes $29.00 a day.", "29"),
    ("That is 70,000 people", "70000"),
    (r"\boxed{70{,}000}", "70000"),
    (r"Thus $\boxed{18}$. I checked 3 times.", "18"),
    (r"\boxed{\frac{3}{4}}", "0.75"),
    (r"\boxed{x = 7}", "7"),
    ("x = -3", "-3"),
    ("x = \u22123", "-3"),
    ("16-3", "3"),
    ("16 - 3 = 13", "13"),
    ("agent 007", "7"),
    ("It is 12.50.", "12.5"),
    ("**18**", "18"),
    ("18%", "18"),
    ("#### 18 (which is 9 * 2)", "18"),
    ("The answer is 18 (9 times 2).", "18"),
    ("(18)", "18"),
    ("<think>maybe 5, or 6</think> The answer is 7", "7"),
    ("<think>maybe 5, or", ""),
    ("first #### 7 as shown, then\n#### 12", "12"),
    ("#### \nThe answer is 4", "4"),
    ("1 1/2 cups", "1.5"),
    ("half of it: 1/2", "0.5"),
    ("1/3", "1/3"),
    ("5/0", "5"),
    ("1.5e3", "1500"),
    ("1,2,3", "3"),
    ("1,234,56", "56"),
    ("\u20ac1\u202f234", "1234"),
    (".5", "0.5"),
    ("-$5", "-5"),
    ("$-5", "-5"),
    ("no number at all", ""),
    ("", ""),
)

LEGACY = (("12.50", "50"), ("-3", "3"), ("#### 05", ""), ("70,000", "70000"), ("#### 0", "0"), ("none", ""))


@pytest.mark.parametrize(("text", "number"), STRICT)
def test_strict_reads_the_number_behind_the_last_mark(text: str, number: str) -> None:
    assert written(strict(text)) == number


@pytest.mark.parametrize(("text", "number"), FLEXIBLE)
def test_flexible_reads_marked_or_last_number(text: str, number: str) -> None:
    assert written(flexible(text)) == number


@pytest.mark.parametrize(("text", "number"), LEGACY)
def test_legacy_keeps_the_faults_of_old_scripts(text: str, number: str) -> None:
    assert written(legacy(text)) == number


def test_thinking_that_never_ends_is_no_answer() -> None:
    assert without_thinking("<think>18") == ""
    assert without_thinking("<think>18</think>19") == "19"
    assert without_thinking("18") == "18"


@pytest.mark.parametrize(
    ("number", "text"), [(Fraction(18), "18"), (Fraction(25, 2), "12.5"), (Fraction(1, 3), "1/3"), (None, "")]
)
def test_numbers_are_written_exactly(number: Fraction | None, text: str) -> None:
    assert written(number) == text


def test_a_model_that_repeats_itself_for_ever_costs_no_time() -> None:
    began = time.monotonic()
    for text, number in (
        ("1," * 200_000 + "7", "7"),
        ("(" * 100_000 + "3", "3"),
        ("-" * 100_000 + "9", "-9"),
        ("#### " * 50_000 + "3", "3"),
        (r"\boxed{" * 3000 + "3", "3"),
        (r"\boxed{" * 3000, ""),
        ("#### " * 50_000, ""),
        ("1" * 5000, ""),
        ("1/" * 50_000, "1"),
        ("1 " * 50_000, "1"),
        ("$" * 100_000, ""),
    ):
        assert written(flexible(text)) == number, text[:20]
        strict(text)
        legacy(text)
    flexible("1e99" * 20_000)
    # Quadratic would be minutes.
    assert time.monotonic() - began < 20
