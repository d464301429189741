"""A swap and its reverse restore the file byte for byte, however people have written it."""

import json
from dataclasses import dataclass

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from generator.config.document import document_of
from generator.config.matrix_file import matrix_of, schema_text
from generator.config.source import Source, source_of
from generator.config.swap_rows import SwapEdit, swapped
from generator.config.tree import Tree
from generator.domain.matrix import Matrix

SCHEMA = json.loads(schema_text())
PLACES = [(hardware, lane) for hardware in ("mi30x", "mi35x") for lane in ("one", "two")]
HEAD = """\
# Head: a comment with ümläuts, a "quote" and a tab\there
nightgrid: "0.1.0"
project: {repository: owner/name}
pins:
  actions/checkout: {version: v6, commit: 8e8c483db84b4bee98b60c0593521ed34d9990e8}
  actions/upload-artifact: {version: v5, commit: 330a01c490aca151604b8cf639adc76d48f6c5d4}
isas:
  gfx942: {family: gfx94x, vendor: amd}
  gfx950: {family: gfx95x, vendor: amd}
hardware:
  mi30x: {title: MI30x, isa: gfx942, products: {MI300X: 192}}
  mi35x: {title: MI35x, isa: gfx950, products: {MI355X: 288}}
pools:
  a: {label: a, hardware: mi30x, gpus: 8}
  b: {label: b, hardware: mi35x, gpus: 8}
quantizations:
  bf16: {runs_on: [gfx942, gfx950], native: [gfx942, gfx950]}
workflows:
  nightly: {name: Nightly}
lanes:
  one: {title: One, workflow: nightly, pools: [a, b]}
  two: {title: Two, workflow: nightly, pools: [a, b]}
sites:
  bare:
    container: none
    before:
      - id: long
        name: "a long string that goes on and on, with a colon: and a hash # and more words than a line has"
        run: |
          echo "# no comment"

          echo two
        timeout_minutes: 5
defaults: {gpus: 8, site: bare, suite_command: "run {suite}", server: {engine: sglang}}
"""


@dataclass(frozen=True, kw_only=True)
class Written:
    """A matrix as a person may have written it, and what is to be swapped in it."""

    text: str
    places: tuple[tuple[str, str], ...]


def flow(names: list[str], blanks: str) -> str:
    return f"[{blanks}{', '.join(names)}{blanks}]"


@st.composite
def lists(draw: st.DrawFn, key: str, names: list[str]) -> str:
    """A list as an entry of a row."""
    comment = draw(st.sampled_from(["", "  # why", " # [not, a, list]"]))
    if draw(st.booleans()):
        return f"    {key}: {flow(names, draw(st.sampled_from(['', ' '])))}{comment}\n"
    indent = draw(st.sampled_from(["    ", "      "]))
    return f"    {key}:{comment}\n" + "".join(f"{indent}- {name}{comment}\n" for name in names)


NOISE = st.sampled_from(["", "\n", "    # a comment of the row\n", "\n    # two\n\n", "# at the margin\n"])
CHECKS = st.sampled_from(
    [
        "    checks: {accuracy: {suite: s, gate: 0.9, per_file_timeout_s: 60}}\n",
        "    checks:\n      accuracy:   # spaced\n        suite: s\n\n        per_file_timeout_s: 60\n",
        "    checks: &gates\n      accuracy: {suite: s, per_file_timeout_s: 60}\n",
    ]
)


@st.composite
def matrices(draw: st.DrawFn) -> Written:
    lanes = draw(st.sampled_from([[], ["one", "two"], ["two", "one"]]))
    old = "  old:\n    model: old\n" + draw(NOISE) + draw(lists("hardware", ["mi30x", "mi35x"]))
    if lanes:
        old += draw(lists("lanes", lanes))
    left = draw(st.lists(st.sampled_from(PLACES), max_size=2, unique=True))
    if left:
        items = [f"{{hardware: {hardware}, lane: {lane}}}" for hardware, lane in left]
        old += draw(lists("except", items))
    old += draw(NOISE) + draw(CHECKS)
    free = [place for place in PLACES if place not in left]
    wanted = draw(st.lists(st.sampled_from(free), min_size=1, unique=True))
    places = tuple(place for place in PLACES if place in wanted)
    gates = "{checks: {accuracy: {gate: 0.5, questions: 9, deadline_minutes: 5}}}"
    models = (
        "models:\n"
        "  old: {title: Old, family: f, repository: o/old, quantization: bf16}  # the old one\n"
        f"  new: {{title: New, family: f, repository: o/new, quantization: bf16, defaults: {gates}}}\n"
    )
    other = "  other:\n    hardware: [mi30x]\n    checks: {tests: {suite: t, per_file_timeout_s: 60}}\n"
    between = draw(st.sampled_from(["", "\n", "\n  # belongs to the next row\n", "\n\n\n"]))
    rows = [old + between, other.replace("other", "another") + between]
    if draw(st.booleans()):
        rows.reverse()
    text = HEAD + models + "cells:\n" + draw(NOISE) + "".join(rows) + other
    if draw(st.booleans()):
        text = text.rstrip("\n")
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    return Written(text=draw(st.sampled_from(["", "\ufeff"])) + text, places=places)


def read(text: str) -> Tree:
    source = source_of(text.encode(), "matrix.yaml")
    assert isinstance(source, Source)
    tree = document_of(source, SCHEMA)
    assert isinstance(tree, Tree), tree
    return tree


def models_at(tree: Tree) -> dict[tuple[str, str], list[str]]:
    matrix = matrix_of(tree)
    assert isinstance(matrix, Matrix), matrix
    found: dict[tuple[str, str], list[str]] = {}
    for cell in matrix.cells:
        if cell.model is not None:
            found.setdefault((cell.hardware.key, cell.lane.key), []).append(cell.model.key)
    return found


SLOWLY = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@SLOWLY
@given(matrices())
def test_a_swap_and_its_reverse_restore_the_file(written: Written) -> None:
    before = read(written.text)
    edit = SwapEdit(old="old", new="new", places=written.places)

    after = swapped(before, edit)
    back = swapped(after, edit.back)

    assert back.source.data == before.source.data
    assert swapped(back, edit).source.data == after.source.data


@SLOWLY
@given(matrices())
def test_a_swap_moves_the_places_and_no_other(written: Written) -> None:
    before = read(written.text)

    after = swapped(before, SwapEdit(old="old", new="new", places=written.places))

    moved = models_at(before) | {place: ["new"] for place in written.places}
    assert models_at(after) == moved


@SLOWLY
@given(matrices())
def test_every_line_stays_or_rests_or_names_a_place(written: Written) -> None:
    before = read(written.text)

    after = swapped(before, SwapEdit(old="old", new="new", places=written.places))

    lines = after.source.text.splitlines(keepends=True)
    position = 0
    for line in before.source.text.splitlines(keepends=True):
        stays = [line, f"#:{line}", f"{line}{before.source.newline}"]
        while lines[position] not in stays and not _is_longer(line, lines[position]):
            position += 1
        position += 1


def _is_longer(before: str, after: str) -> bool:
    """Whether a line is the same but for further places in its list."""
    start = before.split("]", maxsplit=1)[0].rstrip()
    return "except:" in before and after.startswith(start) and "hardware:" in after


@SLOWLY
@given(matrices(), st.integers(min_value=1, max_value=3))
def test_two_swaps_of_parts_are_undone_one_by_one(written: Written, size: int) -> None:
    assume(size < len(written.places))
    first = SwapEdit(old="old", new="new", places=written.places[:size])
    second = SwapEdit(old="old", new="new", places=written.places[size:])
    before = read(written.text)

    middle = swapped(before, first)
    after = swapped(middle, second)
    once_back = swapped(after, second.back)

    assert once_back.source.data == middle.source.data
    assert swapped(once_back, first.back).source.data == before.source.data
