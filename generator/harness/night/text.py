"""Text from outside, made safe for the place it is shown in: a log, a table, an annotation."""

import html
import unicodedata

LINE_LIMIT = 400
SHORTENED = "..."

# Characters that Markdown reads as more than themselves. As entities they stay text, in a table cell too.
MARKDOWN = str.maketrans({sign: f"&#{ord(sign)};" for sign in "|`*_[]\\~#"})

# Control characters, half surrogates, line and paragraph separators: each would end a line or hide one.
BREAKING = frozenset({"Cc", "Cs", "Zl", "Zp"})


def one_line(text: str, limit: int = LINE_LIMIT) -> str:
    """The text on one line of at most `limit` characters, safe to print in a job's log.

    Line breaks and control characters become blanks, invisible format characters go. GitHub's old command
    prefix `##[` is broken up, since a runner obeys it anywhere in a line.
    """
    kept = "".join(readable(sign) for sign in text[: 4 * limit])
    line = " ".join(kept.split()).replace("##[", "# #[")
    return line if len(line) <= limit else line[: limit - len(SHORTENED)].rstrip() + SHORTENED


def readable(sign: str) -> str:
    """One character, or the blank or nothing that stands for it."""
    if sign.isascii() and sign.isprintable():
        return sign
    category = unicodedata.category(sign)
    if category in BREAKING:
        return " "
    return "" if category == "Cf" else sign


def cell(text: str, limit: int = LINE_LIMIT) -> str:
    """The text as one cell of a Markdown table: no markup, no HTML, no column of its own."""
    return html.escape(one_line(text, limit), quote=False).translate(MARKDOWN)


def annotation(level: str, title: str, message: str) -> str:
    """A workflow command that shows `message` on the run's page; `level`: error, warning or notice."""
    data = one_line(message).replace("%", "%25")
    name = one_line(title).replace("%", "%25").replace(":", "%3A").replace(",", "%2C")
    return f"::{level} title={name}::{data}"


def printable(text: str, encoding: str) -> str:
    """The text with what a console of this encoding cannot show replaced, so that printing never fails."""
    return text.encode(encoding, errors="replace").decode(encoding, errors="replace")


def count(number: int, noun: str) -> str:
    """`1 job`, `2 jobs`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
