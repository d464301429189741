"""The header: what a file says of itself, and whether that is still so."""

from pathlib import Path

import pytest

from generator.cli.build import Build, build
from generator.cli.session import Session
from generator.render.text import carries_mark, is_untouched, starting_matrix

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def data() -> bytes:
    result = build(Session(matrix=ROOT / "tests/golden/chain-on-host/matrix.yaml"))
    assert isinstance(result, Build)
    return result.expected[".github/workflows/nightly.yml"]


def test_the_header_says_what_it_comes_from_and_the_command(data: bytes) -> None:
    head = data.decode().split("\n")[:2]

    assert head == [
        "# Written by nightgrid 0.1.0 from matrix.yaml. Edit that file, never this one; then run",
        "#     nightgrid render",
    ]


def test_what_was_written_is_untouched_and_carries_the_mark(data: bytes) -> None:
    assert is_untouched(data)
    assert carries_mark(data)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"timeout-minutes: ", b"timeout-minutes: 1"),
        (b"\n", b"\r\n"),
        (b"jobs:", b"jobs: "),
        (b"sha256 of all that follows: ", b"sha256 of all that follows: 0"),
    ],
)
def test_any_edit_below_or_in_the_sum_shows(data: bytes, old: bytes, new: bytes) -> None:
    assert old in data
    assert not is_untouched(data.replace(old, new))


def test_an_edit_above_the_sum_does_not_count_as_one_of_the_workflow(data: bytes) -> None:
    assert is_untouched(data.replace(b"nightgrid 0.1.0", b"nightgrid 0.0.9"))


def test_a_sum_further_down_is_no_header(data: bytes) -> None:
    assert not is_untouched(b"# one\n# more\n" + data)


@pytest.mark.parametrize("other", [b"", b"name: x\n", b"\xff\xfe", b"# Written by hand\n", b"# sha256"])
def test_a_file_of_somebody_else_is_neither(other: bytes) -> None:
    assert not is_untouched(other)
    assert not carries_mark(other)


def test_a_cut_file_is_no_longer_what_was_written(data: bytes) -> None:
    assert not any(is_untouched(data[:length]) for length in range(0, len(data), 97))


def test_the_starting_matrix_is_pinned_to_the_version() -> None:
    assert 'nightgrid: "1.2.3"\n' in starting_matrix("1.2.3")
