import math

import pytest

from generator.config.scalars import resolve


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *((word, None) for word in ("", "~", "null", "Null", "NULL")),
        *((word, True) for word in ("true", "True", "TRUE")),
        *((word, False) for word in ("false", "False", "FALSE")),
        ("0", 0),
        ("-19", -19),
        ("+12", 12),
        ("007", 7),
        ("0o17", 15),
        ("0x1F", 31),
        ("7.20", 7.2),
        ("0.", 0.0),
        ("-0.0", -0.0),
        (".5", 0.5),
        ("+12e03", 12000.0),
        ("-2E+05", -200000.0),
        (".inf", math.inf),
        ("-.Inf", -math.inf),
        ("+.INF", math.inf),
        ("1e999", math.inf),
    ],
)
def test_core_schema(text: str, value: object) -> None:
    found = resolve(text)
    assert type(found) is type(value)
    assert found == value


@pytest.mark.parametrize("text", [".nan", ".NaN", ".NAN"])
def test_not_a_number(text: str) -> None:
    found = resolve(text)
    assert isinstance(found, float)
    assert math.isnan(found)


@pytest.mark.parametrize(
    "text",
    [
        *("yes", "no", "on", "off", "y", "n", "Yes", "NO", "tRUE", "nULL"),
        *("1_000", "12:30:45", "2026-01-02", "0b1", "0o8", "0xG", "-0x1F", "+0o7", "O17"),
        *("7.2.4", "1e", "e5", ".", "-", "+", "--1", "1-", "..inf", "inf", "nan", ".iNf", "1 2", "٣", "1\n"),
        "1" * 5000,
    ],
)
def test_everything_else_is_the_text_itself(text: str) -> None:
    assert resolve(text) == text
