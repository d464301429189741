from pathlib import Path

import pytest

from generator.config import source as source_module
from generator.config.source import MAX_BYTES, Source, read_source, source_of
from generator.domain.finding import Finding
from generator.domain.location import Location


def refused(data: bytes) -> Finding:
    finding = source_of(data, "m.yaml")
    assert isinstance(finding, Finding)
    assert finding.id == "file-unreadable"
    return finding


def accepted(data: bytes) -> Source:
    source = source_of(data, "m.yaml")
    assert isinstance(source, Source)
    return source


def test_reads_the_file_and_keeps_every_byte(tmp_path: Path) -> None:
    data = "\ufeffa: 1\r\n\r\n# ünter 😀\rb: 2\n".encode()
    file = tmp_path / "m.yaml"
    file.write_bytes(data)
    source = read_source(file, "shown.yaml")
    assert isinstance(source, Source)
    assert source.path == "shown.yaml"
    assert source.data == data
    assert source.text.startswith("a: 1\r\n")


@pytest.mark.parametrize(
    ("text", "at", "line", "column"),
    [
        ("ab\ncd\n", 0, 1, 1),
        ("ab\ncd\n", 2, 1, 3),
        ("ab\ncd\n", 3, 2, 1),
        ("ab\ncd\n", 6, 3, 1),
        ("ab\ncd", 5, 2, 3),
        ("ab\r\ncd", 4, 2, 1),
        ("ab\rcd", 3, 2, 1),
        ("é😀x", 2, 1, 3),
        ("", 0, 1, 1),
    ],
)
def test_location_counts_lines_and_characters_from_one(text: str, at: int, line: int, column: int) -> None:
    assert Source(path="m", text=text).location(at) == Location("m", line, column)


@pytest.mark.parametrize(
    ("text", "newline"), [("a\r\nb\n", "\r\n"), ("a\nb\r\n", "\n"), ("a", "\n"), ("\n", "\n"), ("", "\n")]
)
def test_a_new_line_ends_as_the_first_one(text: str, newline: str) -> None:
    assert Source(path="m", text=text).newline == newline


@pytest.mark.parametrize("where", ["missing.yaml", "file/below.yaml"])
def test_a_missing_file(tmp_path: Path, where: str) -> None:
    (tmp_path / "file").write_text("a: 1")
    finding = read_source(tmp_path / where, where)
    assert isinstance(finding, Finding)
    assert str(finding.location) == where
    assert finding.message == "there is no such file"


def test_a_folder(tmp_path: Path) -> None:
    finding = read_source(tmp_path, "here")
    assert isinstance(finding, Finding)
    assert finding.message == "this is a folder, not a file"


class _Forbidden:
    """A file as someone without rights meets it; root reads everything, so it cannot be had for real."""

    def __init__(self, problem: OSError) -> None:
        self._problem = problem

    def stat(self) -> None:
        raise self._problem


@pytest.mark.parametrize(
    ("problem", "message"),
    [
        (PermissionError(13, "Permission denied"), "the file may not be read"),
        (OSError(5, "Input/output error"), "the file cannot be read: Input/output error"),
        (OSError("no reason"), "the file cannot be read: OSError"),
    ],
)
def test_what_the_system_refuses(problem: OSError, message: str) -> None:
    finding = read_source(_Forbidden(problem), "m.yaml")  # type: ignore[arg-type]
    assert isinstance(finding, Finding)
    assert finding.message == message


def test_a_file_over_the_limit_is_not_even_opened(tmp_path: Path) -> None:
    file = tmp_path / "big.yaml"
    with file.open("wb") as stream:
        stream.truncate(50_000_000)
    finding = read_source(file, "big.yaml")
    assert isinstance(finding, Finding)
    assert finding.message == "the file is too large: 50.0 MB, and the limit is 10.0 MB"


def test_a_file_that_grows_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_module, "MAX_BYTES", 5)
    assert isinstance(source_of(b"a: 12", "m"), Source)
    assert isinstance(source_of(b"a: 123", "m"), Finding)
    file = tmp_path / "m.yaml"
    file.write_bytes(b"a: 123")
    assert isinstance(read_source(file, "m"), Finding)


def test_the_limit_leaves_room_for_ten_thousand_cells() -> None:
    assert MAX_BYTES >= 6_000_000


def test_bytes_that_are_not_utf8_are_placed() -> None:
    finding = refused(b"a: 1\nb: \xc3\xa9 \xff\n")
    assert str(finding.location) == "m.yaml:2:6"
    assert finding.message == "the byte 0xff is not UTF-8"


def test_a_cut_character_at_the_end() -> None:
    assert str(refused(b"a: \xc3").location) == "m.yaml:1:4"


@pytest.mark.parametrize("data", [b"\x7fELF\x00\xff", b"\x89PNG\r\n\x1a\n\x00\x00", b"\x00"])
def test_a_binary_file(data: bytes) -> None:
    assert refused(data).message == "this is not a text: it holds NUL bytes"


def test_nul_alone_is_called_binary() -> None:
    finding = refused(b"a: 1\nb\x00c: 2\n")
    assert finding.message == "this is not a text: it holds NUL bytes"
    assert str(finding.location) == "m.yaml:2:2"


def test_utf16_is_named() -> None:
    assert refused("a: 1\n".encode("utf-16")).message == "the file is UTF-16"


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-32-le"])
def test_wide_text_without_a_mark_is_never_read(codec: str) -> None:
    assert refused("a: é\n".encode(codec)).message == "this is not a text: it holds NUL bytes"


@pytest.mark.parametrize("sign", ["\x07", "\x1b", "\x85", "\u2028", "\u2029", "\ufeff", "\ufffe"])
def test_invisible_characters(sign: str) -> None:
    finding = refused(f"a: 1\nb: x{sign}\n".encode())
    assert str(finding.location) == "m.yaml:2:5"
    assert f"U+{ord(sign):04X}" in finding.message


def test_a_bom_and_tabs_and_emoji_are_fine() -> None:
    source = accepted("\ufeffa:\t😀 # \u00a0\n".encode())
    assert source.bom == "\ufeff"
    assert source.location(0) == Location("m.yaml", 1, 1)
