"""Matrices of any size, made of the shipped one: its rows again and again, each time in two new lanes.

    python -m benchmarks.matrices 1000 matrix.yaml

A block is the two ROCm lanes of the shipped matrix with all their rows: about 90 jobs in two workflow files,
each as large as a shipped one. The last block is cut where the number of jobs is reached: a matrix has
what was asked for, or up to three jobs more. The same number always gives the same bytes.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SHIPPED = Path(__file__).parents[1] / "matrix.yaml"
_LANES = ("rocm700", "rocm720")
_LANE = re.compile(r"\brocm7[02]0\b")
_SECTION = re.compile(r"^(?=[a-z]+:)", re.MULTILINE)
_ROW = re.compile(r"^  (?=[a-z0-9-]+:\n)", re.MULTILINE)
_HARDWARE = re.compile(r"^    hardware: \[(.+)\]\n", re.MULTILINE)
_IN_LANES = re.compile(r"^    lanes: \[(.+)\].*\n", re.MULTILINE)
_EXCEPT = re.compile(r"^    except: \[(.+)\]", re.MULTILINE)
_AFTER = re.compile(r"^    after: \[(.+)\]", re.MULTILINE)
_WITHIN_A_LINE = re.compile(r"(?<=\blane: )rocm7[02]0\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row of the shipped matrix.

    Attributes:
        body: all below its key, without its lanes.
        jobs: how many it makes.
    """

    key: str
    body: str
    lanes: tuple[str, ...]
    jobs: int


def matrix(jobs: int) -> str:
    """A matrix of at least so many jobs, and of at most three more.

    Raises:
        ValueError: less than one job.
    """
    if jobs < 1:
        raise ValueError(f"a matrix of {jobs} jobs")
    sections = _sections(SHIPPED.read_text(encoding="utf-8"))
    rows = tuple(_rows(sections["cells"]))
    blocks = tuple(_blocks(rows, jobs))
    filled = {
        **sections,
        "workflows": "workflows:\n" + "".join(_again(sections["workflows"], blocks)) + "\n",
        "lanes": "lanes:\n" + "".join(_again(sections["lanes"], blocks)) + "\n",
        "coverage": _coverage(sections["coverage"], [block for block, taken in blocks if taken == rows]),
        "cells": "cells:\n" + "".join(_cell(row, block) for block, taken in blocks for row in taken),
    }
    return "".join(text for text in filled.values() if text)


def _sections(text: str) -> dict[str, str]:
    comments, *sections = _SECTION.split(text)
    return {"": comments, **{section.partition(":")[0]: section for section in sections}}


def _children(section: str) -> dict[str, str]:
    """Keys of a section and what is below each, up to the next key or comment of the same depth."""
    _, *children = _ROW.split(section)
    return {
        key: re.split(r"^ {0,2}(?=[^ \n])", below, maxsplit=1, flags=re.MULTILINE)[0].rstrip("\n") + "\n"
        for key, _, below in (child.partition(":\n") for child in children)
    }


def _rows(section: str) -> Iterator[Row]:
    for key, body in _children(section).items():
        hardware = _HARDWARE.search(body)
        if hardware is None or not hardware[1].startswith("mi3"):
            continue
        in_lanes = _IN_LANES.search(body)
        lanes = tuple(in_lanes[1].split(", ")) if in_lanes else _LANES
        left_out = _EXCEPT.search(body)
        places = len(hardware[1].split(", ")) * len(lanes) - (left_out[1].count("{") if left_out else 0)
        yield Row(key=key, body=_IN_LANES.sub("", body), lanes=lanes, jobs=places)


def _blocks(rows: tuple[Row, ...], jobs: int) -> Iterator[tuple[str, tuple[Row, ...]]]:
    """Suffix and rows of each block."""
    number, left = 0, jobs
    while left > 0:
        number += 1
        taken: list[Row] = []
        for row in rows:
            if left <= 0:
                break
            taken.append(row)
            left -= row.jobs
        yield f"b{number:03}", tuple(taken)


def _again(section: str, blocks: tuple[tuple[str, tuple[Row, ...]], ...]) -> Iterator[str]:
    """The two AMD children of `workflows` or `lanes`, once for each block."""
    for block, _ in blocks:
        for key, body in _children(section).items():
            if "amd" in key or key in _LANES:
                named = re.sub(r"^    (name|title): (.+)$", rf"    \1: \2 {block}", body, flags=re.MULTILINE)
                kept = re.sub(r"^    id_suffix: .*\n", "", named, flags=re.MULTILINE)
                yield f"  {key}-{block}:\n" + re.sub(
                    r"^(    workflow: .+)$", rf"\1-{block}", kept, flags=re.MULTILINE
                )


def _coverage(section: str, blocks: list[str]) -> str:
    if not blocks:
        return ""
    lanes = ", ".join(f"{lane}-{block}" for block in blocks for lane in _LANES)
    return re.sub(r"lanes: \[[^]]+\]", f"lanes: [{lanes}]", section)


def _cell(row: Row, block: str) -> str:
    body = _AFTER.sub(lambda match: match[0].replace("]", f"-{block}]"), row.body)
    body = _WITHIN_A_LINE.sub(lambda match: f"{match[0]}-{block}", body)
    lanes = ", ".join(f"{lane}-{block}" for lane in row.lanes)
    return f"  {row.key}-{block}:\n    lanes: [{lanes}]\n{body}\n"


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(matrix(int(sys.argv[1])), encoding="utf-8")
