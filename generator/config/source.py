"""The text of one file, whole and unchanged, and the place of every character in it."""

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Final

from generator.config.ids import InputId
from generator.domain.finding import Finding, error
from generator.domain.location import Location

MAX_BYTES: Final = 10_000_000
"""A matrix of 10,000 cells is a few megabytes; what is larger is another file than was meant."""

_BOM: Final = "\ufeff"
_WIDE_BOMS: Final = (b"\xff\xfe", b"\xfe\xff")

# YAML 1.2 section 5.1 forbids the control characters. U+0085, U+2028 and U+2029 end a line in
# YAML 1.1 and do not in YAML 1.2, and a BOM inside is invisible: each would be read in two ways.
_FORBIDDEN: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A text with its line breaks as they are in the file; offsets count characters after the BOM.

    Attributes:
        path: the file as messages show it.
        text: everything behind the BOM.
        bom: the BOM, or nothing.
    """

    path: str
    text: str
    bom: str = ""
    _line_ends: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        ends = accumulate(map(len, self.text.splitlines(keepends=True)))
        object.__setattr__(self, "_line_ends", tuple(ends))

    def location(self, offset: int) -> Location:
        """The line and the column of a character; its end counts as a place too."""
        ends = self._line_ends
        line = bisect_right(ends, offset)
        if line == len(ends) and ends and not self.text.endswith(("\n", "\r")):
            line -= 1
        start = ends[line - 1] if line else 0
        return Location(self.path, line + 1, offset - start + 1)

    @property
    def data(self) -> bytes:
        """The bytes of the file, exactly."""
        return (self.bom + self.text).encode()

    @property
    def newline(self) -> str:
        """How the first line ends; a new line should end the same."""
        first = self.text.find("\n")
        return "\r\n" if first > 0 and self.text[first - 1] == "\r" else "\n"


def read_source(file: Path, shown_as: str) -> Source | Finding:
    """The file's text, or what keeps it from being read; a file over the limit is not loaded."""
    try:
        size_bytes = file.stat().st_size
        if size_bytes > MAX_BYTES:
            return _too_large(size_bytes, shown_as)
        with file.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as problem:
        return _unreadable(problem, shown_as)
    return source_of(data, shown_as)


def source_of(data: bytes, shown_as: str) -> Source | Finding:
    """The text of bytes that are in memory, or the first byte that is wrong with its place."""
    if len(data) > MAX_BYTES:
        return _too_large(len(data), shown_as)
    if data.startswith(_WIDE_BOMS):
        return _refusal(Location(shown_as), "the file is UTF-16", "save it as UTF-8")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as problem:
        return _not_utf8(data, problem.start, shown_as)
    bom = _BOM if text.startswith(_BOM) else ""
    source = Source(path=shown_as, text=text[len(bom) :], bom=bom)
    wrong = _FORBIDDEN.search(source.text)
    if wrong is not None:
        return _forbidden(source, wrong)
    return source


def _refusal(location: Location, message: str, help_: str) -> Finding:
    return error(InputId.FILE_UNREADABLE, location, message, help_)


def _too_large(size_bytes: int, shown_as: str) -> Finding:
    size, limit = (f"{count / 1_000_000:.1f} MB" for count in (size_bytes, MAX_BYTES))
    message = f"the file is too large: {size}, and the limit is {limit}"
    return _refusal(Location(shown_as), message, "is this the file that you meant?")


def _unreadable(problem: OSError, shown_as: str) -> Finding:
    here = Location(shown_as)
    match problem:
        case FileNotFoundError() | NotADirectoryError():
            return _refusal(here, "there is no such file", "check the path and the folder that you are in")
        case IsADirectoryError():
            return _refusal(here, "this is a folder, not a file", "name a file in it")
        case PermissionError():
            return _refusal(here, "the file may not be read", "check its permissions")
        case _:
            reason = problem.strerror or type(problem).__name__
            return _refusal(here, f"the file cannot be read: {reason}", "check the path and the disk")


def _not_utf8(data: bytes, offset: int, shown_as: str) -> Finding:
    before = Source(path=shown_as, text=data[:offset].decode("utf-8").removeprefix(_BOM))
    here = before.location(len(before.text))
    if b"\x00" in data:
        return _refusal(here, "this is not a text: it holds NUL bytes", "is this the file that you meant?")
    return _refusal(here, f"the byte 0x{data[offset]:02x} is not UTF-8", "save the file as UTF-8")


def _forbidden(source: Source, wrong: re.Match[str]) -> Finding:
    here = source.location(wrong.start())
    code = ord(wrong.group())
    if code == 0:
        return _refusal(here, "this is not a text: it holds NUL bytes", "is this the file that you meant?")
    message = f"the invisible character U+{code:04X} may not stand in YAML"
    return _refusal(here, message, f'remove it, or write it in double quotes as "\\u{code:04x}"')
