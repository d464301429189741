"""Whether text carries colour, and the few colours that there are."""

from collections.abc import Mapping
from enum import Enum


class Colour(Enum):
    """Whether text is coloured with ANSI escapes."""

    PLAIN = "plain"
    ANSI = "ansi"


class Output(Enum):
    """What text is written to."""

    TERMINAL = "terminal"
    OTHER = "other"


class Ink(Enum):
    """A colour, by the number that ANSI gives it."""

    BOLD = "1"
    FAINT = "2"
    RED = "31"
    GREEN = "32"
    YELLOW = "33"
    CYAN = "36"


def choose_colour(environment: Mapping[str, str], output: Output) -> Colour:
    """NO_COLOR wins over FORCE_COLOR, and both over the terminal; an empty value counts as unset."""
    if environment.get("NO_COLOR"):
        return Colour.PLAIN
    forced = environment.get("FORCE_COLOR")
    if forced:
        return Colour.PLAIN if forced in {"0", "false"} else Colour.ANSI
    if environment.get("TERM") == "dumb":
        return Colour.PLAIN
    match output:
        case Output.TERMINAL:
            return Colour.ANSI
        case Output.OTHER:
            return Colour.PLAIN


def paint(text: str, ink: Ink, colour: Colour) -> str:
    """The text in that colour, or as it is; an empty text stays empty."""
    match colour:
        case Colour.ANSI if text:
            return f"\x1b[{ink.value}m{text}\x1b[0m"
        case _:
            return text
