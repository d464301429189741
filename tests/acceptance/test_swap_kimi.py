"""The swap that the project began with: Kimi-K3 takes a place of Kimi-K2.6 (sglang pull request 32568).

K3's MXFP4 weights need gfx95x, so on MI30x Kimi-K2.6 must stay, and in ROCm 7.0 nothing may change. Before
and after are the shipped matrix: without the place of Kimi-K3, and with it.
"""

import contextlib
import io
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from generator.cli.check_command import check
from generator.cli.render_command import Foreign, render
from generator.cli.session import Session
from generator.cli.swap_command import Asked, Doing, swap
from generator.domain.exit_code import ExitCode

SHIPPED = (Path(__file__).parents[2] / "matrix.yaml").read_text(encoding="utf-8")
EXCEPT = "    except: [{hardware: mi35x, lane: rocm720}] # there Kimi-K3 has its place\n"
ROWS = re.compile(r"  # Takes the MI35x place of Kimi-K2\.6.*?(?=  qwen3-235b:\n)", re.DOTALL)
ASKED = Asked(old="kimi-k26", new="kimi-k3", lane="rocm720")
WORKFLOWS = ("nightly-test-amd", "nightly-test-amd-rocm720", "nightly-test-nvidia-b300", "nightly-test-demo")
OLD_ON_MI30X = "nightly-8-gpu-kimi-k26-rocm720"
OLD_ON_MI35X = "nightly-8-gpu-mi35x-kimi-k26-rocm720"
NEW_ON_MI35X = "nightly-8-gpu-mi35x-kimi-k3-rocm720"


@dataclass(frozen=True, kw_only=True)
class Repository:
    """A folder with a matrix and the workflows rendered from it."""

    root: Path

    @property
    def session(self) -> Session:
        return Session(matrix=self.root / "matrix.yaml", environment={})

    @property
    def matrix(self) -> str:
        return (self.root / "matrix.yaml").read_text(encoding="utf-8")

    def write(self, text: str) -> None:
        (self.root / "matrix.yaml").write_text(text, encoding="utf-8")

    def workflow(self, key: str) -> str:
        return (self.root / f".github/workflows/{key}.yml").read_text(encoding="utf-8")

    def swap(self, asked: Asked) -> tuple[ExitCode, str]:
        heard = io.StringIO()
        with contextlib.redirect_stdout(heard), contextlib.redirect_stderr(heard):
            code = swap(self.session, asked)
        return code, heard.getvalue()

    def check(self) -> tuple[ExitCode, str]:
        heard = io.StringIO()
        with contextlib.redirect_stdout(heard):
            code = check(self.session)
        return code, heard.getvalue()


def without_k3() -> str:
    """The shipped matrix before Kimi-K3 had its place."""
    assert EXCEPT in SHIPPED
    assert len(ROWS.findall(SHIPPED)) == 1
    return ROWS.sub("", SHIPPED.replace(EXCEPT, ""))


def rows_at_the_end() -> str:
    """The same with the rows of Kimi-K3 written below the others, and both models at one place."""
    rows = ROWS.search(SHIPPED)
    assert rows is not None
    return without_k3().rstrip("\n") + "\n\n" + rows[0].rstrip("\n") + "\n"


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(root=tmp_path)
    made.write(without_k3())
    (tmp_path / "models").mkdir()
    with contextlib.redirect_stdout(io.StringIO()):
        assert render(made.session, dry_run=False, foreign=Foreign.KEEP) is ExitCode.FINE
    return made


def test_first_it_says_which_row_must_be_written(repository: Repository) -> None:
    code, said = repository.swap(ASKED)

    assert code is ExitCode.INVALID
    assert "no row tests `kimi-k3` on mi35x in rocm720, and its defaults hold no gate" in said
    assert (
        '  kimi-k3:\n    model: kimi-k3\n    section: "8-GPU Kimi-K3 (MI35x)"\n    hardware: [mi35x]\n'
        in said
    )
    assert "kimi-k3-b300: {accuracy: {gate: 0.95, questions: 200" in said
    assert repository.matrix == without_k3()


def test_kimi_k26_stays_on_mi30x_because_of_the_weights(repository: Repository) -> None:
    repository.write(rows_at_the_end())

    code, said = repository.swap(ASKED)

    cells = [" ".join(line.split()) for line in said.splitlines()[1:5]]
    assert code is ExitCode.FINE
    assert cells[0].startswith("kimi-k26 mi30x rocm700 stays only lane rocm720 was asked for")
    assert cells[1].startswith(
        "kimi-k26 mi30x rocm720 stays kimi-k3 is mxfp4, which does not run on gfx942: "
    )
    assert cells[2] == "kimi-k26 mi35x rocm700 stays only lane rocm720 was asked for"
    assert cells[3] == "kimi-k26 mi35x rocm720 moves"


def test_coverage_limits_and_hours_stand_side_by_side(repository: Repository) -> None:
    repository.write(rows_at_the_end())

    _, said = repository.swap(ASKED)

    lines = {" ".join(line.split()) for line in said.splitlines()}
    assert "kimi on gfx942 in rocm720: accuracy kimi-k26 kimi-k26" in lines
    assert "kimi on gfx950 in rocm720: accuracy kimi-k26, kimi-k3 kimi-k3" in lines
    assert f"{OLD_ON_MI35X} 257 —" in lines
    assert f"{NEW_ON_MI35X} 300 300" in lines
    assert any(line.startswith("kimi-k26 and kimi-k3 ") for line in lines)


def test_writing_it_adds_one_line_to_the_matrix(repository: Repository) -> None:
    repository.write(rows_at_the_end())

    code, _ = repository.swap(Asked(old="kimi-k26", new="kimi-k3", lane="rocm720", doing=Doing.WRITE))

    line = "    except: [{hardware: mi35x, lane: rocm720}]\n"
    before, after = rows_at_the_end().splitlines(keepends=True), repository.matrix.splitlines(keepends=True)
    assert code is ExitCode.FINE
    added = next(number for number, text in enumerate(after) if text != before[number])
    assert after[added] == line
    assert after[added - 1] == "    hardware: [mi30x, mi35x]\n"
    assert after[:added] + after[added + 1 :] == before


def test_in_rocm_700_and_elsewhere_nothing_changes(repository: Repository) -> None:
    before = {key: repository.workflow(key) for key in WORKFLOWS}
    repository.write(rows_at_the_end())
    repository.swap(Asked(old="kimi-k26", new="kimi-k3", lane="rocm720", doing=Doing.WRITE))
    after = {key: repository.workflow(key) for key in WORKFLOWS}

    changed = [key for key in WORKFLOWS if before[key] != after[key]]
    night = after["nightly-test-amd-rocm720"]
    assert changed == ["nightly-test-amd-rocm720"]
    assert f"  {OLD_ON_MI30X}:\n" in night
    assert f"  {NEW_ON_MI35X}:\n" in night
    assert f"  {OLD_ON_MI35X}:\n" not in night
    assert f"  {OLD_ON_MI35X}:\n" in before["nightly-test-amd-rocm720"]


def test_check_is_green_after_it_and_red_without_kimi_k26_on_mi30x(repository: Repository) -> None:
    repository.write(rows_at_the_end())
    repository.swap(Asked(old="kimi-k26", new="kimi-k3", lane="rocm720", doing=Doing.WRITE))
    green, said_green = repository.check()
    careless = repository.matrix.replace(
        "    hardware: [mi30x, mi35x]\n    except: [{hardware: mi35x, lane: rocm720}]\n",
        "    hardware: [mi35x]\n    except: [{hardware: mi35x, lane: rocm720}]\n",
    )
    repository.write(careless)
    red, said_red = repository.check()

    assert green is ExitCode.FINE, said_green
    assert red is ExitCode.FINDINGS
    for lane in ("rocm700", "rocm720"):
        assert (
            f"error[coverage-missing]: tonight there is no gate for kimi on gfx942 in {lane}: accuracy"
            in said_red
        )


def test_the_shipped_matrix_goes_back_and_forth_byte_for_byte(repository: Repository) -> None:
    repository.write(SHIPPED)
    waived = ("kimi/gfx950/rocm720/performance",)
    there = Asked(
        old="kimi-k3",
        new="kimi-k26",
        lane="rocm720",
        waive=waived,
        because="K2.6 has no performance job",
        until="2999-12-31",
        doing=Doing.SHOW,
    )
    refused, _ = repository.swap(Asked(old="kimi-k3", new="kimi-k26", lane="rocm720", doing=Doing.WRITE))
    shown, said = repository.swap(there)

    assert refused is ExitCode.FINDINGS
    assert shown is ExitCode.FINE
    assert "+#:  kimi-k3:" in said
    assert "swapping back would not restore" not in said
    assert repository.matrix == SHIPPED
