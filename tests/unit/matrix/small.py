"""A small matrix, and other ones that differ from it in what a test is about."""

from generator.cli.version import __version__
from generator.config.matrix_file import matrix_from
from generator.config.source import Source
from generator.domain.cell import Cell
from generator.domain.finding import Finding
from generator.domain.matrix import Matrix

BASE = f"""\
nightgrid: "{__version__}"
project: {{repository: owner/name}}
pins:
  actions/checkout: {{version: v6.0.1, commit: 8e8c483db84b4bee98b60c0593521ed34d9990e8}}
  actions/upload-artifact: {{version: v5, commit: 330a01c490aca151604b8cf639adc76d48f6c5d4}}
isas:
  gfx942: {{family: gfx94x, vendor: amd}}
  gfx950: {{family: gfx95x, vendor: amd}}
hardware:
  mi30x: {{title: MI30x, isa: gfx942, products: {{MI300X: 192, MI325X: 256}}}}
  mi35x: {{title: MI35x, isa: gfx950, products: {{MI355X: 288}}}}
pools:
  small: {{label: mi30x-2gpu, hardware: mi30x, gpus: 2}}
  large: {{label: mi30x-8gpu, hardware: mi30x, product: MI325X, gpus: 8}}
  new: {{label: mi35x-8gpu, hardware: mi35x, gpus: 8}}
quantizations:
  bf16: {{runs_on: [gfx942, gfx950], native: [gfx942, gfx950]}}
  mxfp8: {{runs_on: [gfx942, gfx950], native: [gfx950], converted: {{gfx942: bf16}}}}
models:
  old: {{family: line, repository: owner/old, quantization: bf16}}
workflows:
  nightly: {{name: Nightly, schedule: ["30 17 * * *"]}}
lanes:
  rocm700: {{title: ROCm 7.0, software: {{rocm: "7.0"}}, workflow: nightly, pools: [small, new, large]}}
  rocm720: {{title: ROCm 7.2, software: {{rocm: "7.2"}}, workflow: nightly, pools: [small, large, new]}}
variables:
  FAST: {{read_by: server}}
sites:
  bare:
    container: none
    before:
      - {{id: cache, name: Look at the cache, timeout_minutes: 2, option: cache, run: test -d /cache}}
defaults:
  gpus: 8
  site: bare
  suite_command: python3 run.py {{suite}} {{per_file_timeout_s}}
cells:
  accuracy:
    model: old
    hardware: [mi30x]
    checks:
      accuracy: {{suite: accuracy, gate: 0.9, per_file_timeout_s: 600}}
"""


def changed(*changes: tuple[str, str]) -> str:
    """The base with each first text replaced by the second; it must be there, once."""
    text = BASE
    for old, new in changes:
        assert text.count(old) == 1, f"{text.count(old)} times: {old}"
        text = text.replace(old, new)
    return text


def read(text: str) -> Matrix | tuple[Finding, ...]:
    return matrix_from(Source(path="m.yaml", text=text))


def matrix(*changes: tuple[str, str]) -> Matrix:
    """The matrix that differs so; it must be right."""
    found = read(changed(*changes))
    assert isinstance(found, Matrix), found
    return found


def cell(matrix_: Matrix, row: str = "accuracy", hardware: str = "mi30x", lane: str = "rocm700") -> Cell:
    (found,) = (
        each
        for each in matrix_.cells
        if (each.key, each.hardware.key, each.lane.key) == (row, hardware, lane)
    )
    return found


def location(text: str, offset: int) -> str:
    """A place in a text, as file:line:column."""
    return f"m.yaml:{text.count(chr(10), 0, offset) + 1}:{offset - text.rfind(chr(10), 0, offset)}"


def said(text: str) -> list[str]:
    """What is wrong with a matrix, one line a finding: place, id, message, help."""
    found = read(text)
    assert not isinstance(found, Matrix)
    return [f"{each.location}: {each.id}: {each.message} | {each.help}" for each in found]
