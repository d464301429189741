"""The shipped matrix, changed as a project changes: each time few lines of it, and of nothing else."""

import difflib
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.cli.build import Build, build
from generator.cli.check_command import check
from generator.cli.render_command import Foreign, render
from generator.cli.session import Session, Voice
from generator.domain.exit_code import ExitCode

ROOT = Path(__file__).parents[3]
SHIPPED = (ROOT / "matrix.yaml").read_text(encoding="utf-8")

Edited = Callable[..., Build]


def changed_lines(before: str, after: str) -> int:
    """Lines that were added or changed, or that went."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")
    marks = [line[0] for line in lines if line[:3] not in ("---", "+++") and line[0] in "+-"]
    return max(marks.count("+"), marks.count("-"))


def with_lines(text: str, behind: str, lines: str) -> str:
    """The text with lines put in behind a line that is in it once."""
    assert text.count(behind) == 1, behind
    return text.replace(behind, behind + lines)


@pytest.fixture
def edited(tmp_path: Path) -> Edited:
    """Renders and checks a copy of the repository's workflows under another matrix."""

    def run(text: str, *, lines: int) -> Build:
        assert changed_lines(SHIPPED, text) == lines
        shutil.copytree(ROOT / ".github" / "workflows", tmp_path / ".github" / "workflows")
        (tmp_path / "matrix.yaml").write_text(text, encoding="utf-8")
        session = Session(matrix=tmp_path / "matrix.yaml", voice=Voice.QUIET)
        assert render(session, dry_run=False, foreign=Foreign.KEEP) is ExitCode.FINE
        assert check(session) is ExitCode.FINE
        result = build(session)
        assert isinstance(result, Build)
        return result

    return run


def ids(result: Build, workflow: str) -> set[str]:
    return {
        job.id
        for each in result.workflows
        if each.path == f".github/workflows/{workflow}.yml"
        for job in each.jobs
        if job.cell is not None
    }


@pytest.fixture(scope="module")
def shipped() -> Build:
    result = build(Session(matrix=ROOT / "matrix.yaml"))
    assert isinstance(result, Build)
    return result


POOLS = "pools: [mi300-1gpu, mi300-2gpu, mi300-4gpu, mi300-8gpu, mi35x-1gpu, mi35x-2gpu, mi35x-8gpu"
LANE_724 = """\
  rocm724:
    title: ROCm 7.2.4
    software: {rocm: "7.2.4"}
    workflow: nightly-test-amd-rocm720
    like: rocm720
    image:
      repository: docker.io/rocm/sgl-dev
      tag: v[0-9.]+(rc\\d+|\\.?post\\d+)?-rocm724-{hardware}-(?P<date>\\d{8})
      max_age_days: 7
"""


def test_a_third_lane_in_the_file_of_the_second(edited: Edited, shipped: Build) -> None:
    text = SHIPPED.replace("  cuda130:\n", f"{LANE_724}    {POOLS}]\n  cuda130:\n", 1)

    result = edited(text, lines=10)

    before = ids(shipped, "nightly-test-amd-rocm720")
    more = ids(result, "nightly-test-amd-rocm720") - before
    assert len(more) == len(before)
    assert all("rocm724" in id_ for id_ in more)


def test_a_third_lane_in_five_lines_in_a_file_of_its_own(edited: Edited, shipped: Build) -> None:
    text = with_lines(
        SHIPPED, "workflows:\n", "  nightly-test-amd-rocm724: {name: Nightly Test (AMD ROCm 7.2.4)}\n"
    )
    text = text.replace(
        "  cuda130:\n",
        "  rocm724: {title: ROCm 7.2.4, workflow: nightly-test-amd-rocm724, like: rocm720,\n"
        f'    software: {{rocm: "7.2.4"}}, {POOLS}],\n'
        "    image: {repository: docker.io/rocm/sgl-dev, max_age_days: 7,\n"
        "      tag: 'v[0-9.]+-rocm724-{hardware}-(?P<date>\\d{8})'}}\n"
        "  cuda130:\n",
        1,
    )

    result = edited(text, lines=5)

    assert len(ids(result, "nightly-test-amd-rocm724")) == len(ids(shipped, "nightly-test-amd-rocm720"))
    for path, data in shipped.expected.items():
        assert result.expected[path] == data


def test_a_fourth_hardware(edited: Edited, shipped: Build) -> None:
    text = with_lines(SHIPPED, "isas:\n", "  gfx1250: {family: gfx125x, vendor: amd}\n")
    text = with_lines(
        text, "\nhardware:\n", "  mi45x: {title: MI45x, isa: gfx1250, products: {MI450X: 432}}\n"
    )
    text = with_lines(
        text, "\npools:\n", "  mi45x-8gpu: {label: linux-mi45x-gpu-8, hardware: mi45x, gpus: 8}\n"
    )
    text = text.replace(
        "  mxfp4:\n    runs_on: [gfx950, sm_103]", "  mxfp4:\n    runs_on: [gfx950, gfx1250, sm_103]"
    )
    text = text.replace(f"{POOLS}]", f"{POOLS}, mi45x-8gpu]")
    text = with_lines(
        text,
        "\ncells:\n",
        "  k3: {model: kimi-k3, hardware: [mi45x], checks: {accuracy: {gate: 0.95, deadline_minutes: 40}}}\n",
    )

    result = edited(text, lines=6)

    more = ids(result, "nightly-test-amd-rocm720") - ids(shipped, "nightly-test-amd-rocm720")
    assert more == {"nightly-8-gpu-mi45x-k3-rocm720"}
    assert ids(result, "nightly-test-amd") == ids(shipped, "nightly-test-amd")


def test_a_pool_renamed(edited: Edited, shipped: Build) -> None:
    text = SHIPPED.replace("label: linux-mi35x-gpu-8,", "label: linux-mi355x-8gpu,")

    result = edited(text, lines=1)

    for path, data in shipped.expected.items():
        assert result.expected[path].replace(b"linux-mi355x-8gpu", b"linux-mi35x-gpu-8")[300:] == data[300:]


def test_rocm_7_0_retired(edited: Edited, shipped: Build, tmp_path: Path) -> None:
    text = without_block(SHIPPED, "  nightly-test-amd:\n")
    text = without_block(text, "  rocm700:\n")
    text = text.replace("lanes: [rocm700, rocm720]", "lanes: [rocm720]")
    for row in rows_of(text, "    lanes: [rocm700]\n"):
        text = without_block(text, row)

    result = edited(text, lines=changed_lines(SHIPPED, text))

    # The lane and its workflow, the seven lines of the floor, and the rows that were tested there alone.
    assert changed_lines(SHIPPED, text) <= 40
    assert not (tmp_path / ".github/workflows/nightly-test-amd.yml").exists()
    assert ids(result, "nightly-test-amd-rocm720") == ids(shipped, "nightly-test-amd-rocm720")


def without_block(text: str, head: str) -> str:
    """The text without a line and all that is indented below it."""
    start = text.index(head)
    lines = text[start + len(head) :].splitlines(keepends=True)
    inner = 0
    while inner < len(lines) and (lines[inner].startswith("   ") or not lines[inner].strip()):
        inner += 1
    return text[:start] + "".join(lines[inner:])


def rows_of(text: str, line: str) -> list[str]:
    """The heads of the rows that hold a line."""
    heads = []
    for start in (at for at in range(len(text)) if text.startswith(line, at)):
        before = text[:start].splitlines(keepends=True)
        heads.append(next(each for each in reversed(before) if each.startswith("  ") and each[2] != " "))
    return heads
