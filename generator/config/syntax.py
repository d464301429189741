"""The parser's complaints in plain words, each at the place where a person has to look."""

import re
from typing import Final, NamedTuple

from ruamel.yaml.error import MarkedYAMLError, YAMLError

from generator.config.ids import InputId
from generator.config.source import Source
from generator.domain.finding import Finding, error

_INDENT: Final = "check the indentation of this line and of the line above"


class _Words(NamedTuple):
    message: str
    help: str


_AT_THE_PROBLEM: Final = {
    "mapping values are not allowed": _Words(
        "a `:` makes a key here, where no key can stand",
        f"{_INDENT}; put quotes around a text that holds `: `",
    ),
    "block sequence entries are not allowed": _Words(
        "a list item cannot start here", "put the `-` on a line of its own below the key"
    ),
    "did not find expected '-' indicator": _Words("this line does not belong to the list above it", _INDENT),
    "did not find expected key": _Words(
        "a key is expected here",
        "check the indentation of this line, and that nothing stands behind a closing quote or bracket",
    ),
    "did not find expected node content": _Words(
        "a value is expected here", "look for a `,` too many or a bracket that nothing opened"
    ),
    "did not find expected comment or line break": _Words(
        "a text block starts on the line below `|` or `>`", "move the text down, one step further in"
    ),
    "found unknown escape character": _Words(
        "double quotes do not know this escape", r"write `\\` for a backslash, or use single quotes"
    ),
    "escape code": _Words(
        "this escape names no character", r"write the character itself, or `\uXXXX` with four digits"
    ),
    "hexdecimal number": _Words(
        "this escape is too short", r"write `\xXX`, `\uXXXX` or `\UXXXXXXXX` with hexadecimal digits"
    ),
    "alphabetic or numeric character": _Words(
        "an anchor or alias needs a name here", "write `&name` or `*name`, or put the text in quotes"
    ),
    "unexpected document indicator": _Words(
        "`---` or `...` may not stand inside a quoted text", "close the quote before it"
    ),
    "tag handle": _Words("this tag means nothing here", "remove the tag, or put the text in quotes"),
}

_AT_THE_START: Final = {
    "could not find expected ':'": _Words(
        "this line is no `key: value`", "add the `:` and a blank behind it, or check the indentation"
    ),
    "found unexpected end of stream": _Words("this quote is never closed", "add the closing quote"),
}

_OPEN_BRACKET: Final = re.compile(r"did not find expected ',' or '([\]}])'")


def explain_syntax(source: Source, problem: YAMLError) -> Finding:
    """One finding for the error at which the parser gave up; what follows it is not known."""
    if not isinstance(problem, MarkedYAMLError) or problem.problem_mark is None:
        return error(InputId.YAML_SYNTAX, source.location(0), f"this is not YAML: {problem}")
    offset = problem.problem_mark.index
    start = offset if problem.context_mark is None else problem.context_mark.index
    said = problem.problem or ""
    if "\t" in source.text[offset : offset + 1]:
        words = _Words("a tab cannot indent YAML", "use blanks")
    elif bracket := _OPEN_BRACKET.search(said):
        opened = source.location(start)
        place = f"{opened.line}:{opened.column}"
        words = _Words(
            f"a `,` or `{bracket[1]}` is missing before this", f"look at the bracket that opens at {place}"
        )
    elif "cannot start any token" in said:
        sign = source.text[offset : offset + 1]
        words = _Words(f"a text without quotes cannot start with `{sign}`", "put the text in quotes")
    elif found := _lookup(_AT_THE_START, said):
        words, offset = found, start
    else:
        words = _lookup(_AT_THE_PROBLEM, said) or _Words(f"this is not YAML: {said}", _INDENT)
    return error(InputId.YAML_SYNTAX, source.location(offset), words.message, words.help)


def _lookup(table: dict[str, _Words], said: str) -> _Words | None:
    return next((words for part, words in table.items() if part in said), None)
