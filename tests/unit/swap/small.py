"""A small matrix in a folder of its own, and the commands run on it."""

import contextlib
import datetime as dt
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from generator.cli import disable_command, swap_command
from generator.cli.build import Build, build
from generator.cli.session import Session
from generator.cli.version import __version__
from generator.domain.exit_code import ExitCode

TODAY = dt.date(2030, 6, 15)

TEXT = f"""\
nightgrid: "{__version__}"
project: {{repository: owner/name}}
pins:
  actions/checkout: {{version: v6.0.1, commit: 8e8c483db84b4bee98b60c0593521ed34d9990e8}}
  actions/upload-artifact: {{version: v5, commit: 330a01c490aca151604b8cf639adc76d48f6c5d4}}
isas:
  gfx942: {{family: gfx94x, vendor: amd}}
  gfx950: {{family: gfx95x, vendor: amd}}
hardware:
  mi30x: {{title: MI30x, isa: gfx942, products: {{MI300X: 192}}}}
  mi35x: {{title: MI35x, isa: gfx950, products: {{MI355X: 288}}}}
pools:
  mi30x: {{label: mi30x-8, hardware: mi30x, gpus: 8}} # the older ones
  mi35x:
    label: mi35x-8
    hardware: mi35x
    gpus: 8
quantizations:
  bf16: {{runs_on: [gfx942, gfx950], native: [gfx942, gfx950]}}
  mxfp4: {{runs_on: [gfx950], native: [gfx950], because: the server registers it on gfx95x alone}}
workflows:
  nightly: {{name: Nightly}}
lanes:
  r70: {{title: ROCm 7.0, software: {{rocm: "7.0"}}, workflow: nightly, pools: [mi30x, mi35x]}}
  r72: {{title: ROCm 7.2, software: {{rocm: "7.2"}}, workflow: nightly, pools: [mi30x, mi35x]}}
models:
  old: {{title: Old, family: line, quantization: bf16}}
  new:
    title: New
    family: line
    quantization: mxfp4
    requires: {{rocm: "7.2"}}
    defaults:
      checks: {{accuracy: {{gate: 0.8, questions: 100, deadline_minutes: 20}}}}
      server: {{model: weights}}
  huge: {{title: Huge, family: line, quantization: bf16, checkpoint_gb: 2304}}
  bare: {{title: Bare, family: line, repository: owner/bare, quantization: bf16}}
sites:
  bare: {{container: none}}
defaults:
  gpus: 8
  site: bare
  suite_command: python3 run.py --suite {{suite}}
  server: {{engine: sglang}}
coverage:
  required:
    - {{family: line, isas: [gfx942, gfx950], lanes: [r70, r72], checks: [accuracy]}}
cells:
  # The one that everybody knows.
  old:
    model: old
    hardware: [mi30x, mi35x] # both
    checks:
      accuracy: {{suite: accuracy-old, gate: 0.9, per_file_timeout_s: 3600}}

  # The last one.
  tests:
    hardware: [mi30x]
    lanes: [r72]
    checks:
      tests: {{suite: tests, per_file_timeout_s: 600}}
"""


@dataclass(frozen=True, kw_only=True)
class Told:
    """What a command said and did."""

    code: ExitCode
    out: str
    err: str


@dataclass(frozen=True, kw_only=True)
class Place:
    """A folder with a matrix."""

    root: Path

    @classmethod
    def of(cls, root: Path, text: str = TEXT) -> "Place":
        """The folder, with this matrix in it."""
        (root / "matrix.yaml").write_bytes(text.encode())
        return cls(root=root)

    @property
    def matrix(self) -> Path:
        return self.root / "matrix.yaml"

    @property
    def text(self) -> str:
        return self.matrix.read_bytes().decode()

    @property
    def workflow(self) -> str:
        return (self.root / ".github/workflows/nightly.yml").read_text(encoding="utf-8")

    def build(self) -> Build:
        """What the matrix comes to."""
        result = build(Session(matrix=self.matrix, environment={}))
        assert isinstance(result, Build), result
        return result

    def swap(self, asked: swap_command.Asked) -> Told:
        """`nightgrid swap`."""
        session = Session(matrix=self.matrix, environment={})
        with _heard() as (out, err):
            code = swap_command.swap(session, asked, clock=lambda: TODAY)
        return Told(code=code, out=out.getvalue(), err=err.getvalue())

    def disable(self, asked: disable_command.Asked) -> Told:
        """`nightgrid disable`."""
        session = Session(matrix=self.matrix, environment={})
        with _heard() as (out, err):
            code = disable_command.disable(session, asked, clock=lambda: TODAY)
        return Told(code=code, out=out.getvalue(), err=err.getvalue())


@contextlib.contextmanager
def _heard() -> Iterator[tuple[io.StringIO, io.StringIO]]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        yield out, err
