"""Text as a person sees it: nothing in it moves the cursor, and its width is known."""

import unicodedata

# What has no width of its own: joins and marks that change the character before them.
_ZERO_WIDTH_CATEGORIES = frozenset({"Mn", "Me", "Cf"})
# What would move the cursor, hide text, turn its direction round or fail to be encoded.
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})
_DIRECTION_MARKS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_EMOJI_PRESENTATION = "\ufe0f"
_ZERO_WIDTH_JOINER = "\u200d"


def visible(text: str) -> str:
    r"""The text on one line, with whatever cannot be seen written out as in Python: ``\n``, ``\x1b``."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_visible_character(character) for character in text)


def visible_lines(text: str) -> list[str]:
    r"""The lines of a text, each made visible; only ``\n`` ends a line, and the last one may lack it."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return [visible(line) for line in lines]


def display_width(text: str) -> int:
    """How many columns of a terminal the text takes; wide East Asian characters and emoji take two."""
    if text.isascii():
        return len(text)
    width = 0
    previous = ""
    for character in text:
        if previous != _ZERO_WIDTH_JOINER:
            width += _character_width(character, previous)
        previous = character
    return width


def _visible_character(character: str) -> str:
    if character in _DIRECTION_MARKS or unicodedata.category(character) in _HIDDEN_CATEGORIES:
        return character.encode("unicode_escape").decode("ascii")
    return character


def _character_width(character: str, previous: str) -> int:
    if character == _EMOJI_PRESENTATION and previous and _character_width(previous, "") == 1:
        return 1  # it turns the narrow sign before it into a wide picture
    if unicodedata.category(character) in _ZERO_WIDTH_CATEGORIES:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1
