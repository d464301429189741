import pytest

from generator.report.colour import Colour, Ink, Output, choose_colour, paint


@pytest.mark.parametrize(
    ("environment", "output", "colour"),
    [
        ({}, Output.TERMINAL, Colour.ANSI),
        ({}, Output.OTHER, Colour.PLAIN),
        ({"NO_COLOR": "1"}, Output.TERMINAL, Colour.PLAIN),
        ({"NO_COLOR": ""}, Output.TERMINAL, Colour.ANSI),
        ({"FORCE_COLOR": "1"}, Output.OTHER, Colour.ANSI),
        ({"FORCE_COLOR": ""}, Output.OTHER, Colour.PLAIN),
        ({"FORCE_COLOR": "0"}, Output.TERMINAL, Colour.PLAIN),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, Output.TERMINAL, Colour.PLAIN),
        ({"TERM": "dumb"}, Output.TERMINAL, Colour.PLAIN),
        ({"TERM": "dumb", "FORCE_COLOR": "1"}, Output.OTHER, Colour.ANSI),
    ],
)
def test_who_decides(environment: dict[str, str], output: Output, colour: Colour) -> None:
    assert choose_colour(environment, output) is colour


def test_paint_leaves_no_escape_behind() -> None:
    assert paint("a", Ink.RED, Colour.ANSI) == "\x1b[31ma\x1b[0m"
    assert paint("", Ink.RED, Colour.ANSI) == ""
    assert paint("a", Ink.RED, Colour.PLAIN) == "a"
