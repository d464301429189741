"""A case: a small repository with one thing wrong (err-) or just not wrong (ok-), and what check says of it.

case.yaml says how the repository differs from the one of base.yaml, which is rendered and right:

    matrix:      lines of base.yaml that are other ones, before the workflows are written
    later:       the same, after they are written
    workflow:    lines of the written .github/workflows/nightly.yml that are other ones
    files:       further files, by their paths
    bytes:       nightly.yml is made this long by a comment at its end
    line_ends:   crlf: nightly.yml is written as on Windows
    unwritten:   true: no workflow is written
    beside:      ids of other findings that cannot but come with this one; drift always may

A line is named by how it begins, and by the mapping that it is `in` where that is not enough; it must be
the only one. It `becomes` other lines, or goes where they are empty.
"""

import contextlib
import datetime as dt
import io
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from generator.checks.registry import MENDED_BY_RENDER
from generator.cli.build import Build, build
from generator.cli.check_command import check
from generator.cli.session import Session
from generator.cli.version import __version__
from generator.domain.exit_code import ExitCode

HERE = Path(__file__).parent
TODAY = dt.date(2030, 6, 15)
WORKFLOW = ".github/workflows/nightly.yml"

_KEYS = {"matrix", "later", "workflow", "files", "bytes", "line_ends", "unwritten", "beside"}
_BASE_VERSION = "0.0.0"
_FINDING = re.compile(r"^\S.*?: (?:error|warning)\[(?P<id>[a-z0-9-]+)\]: ")
_PLACE = re.compile(rf"^({re.escape(WORKFLOW)}):(\d+):")


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What check says of a case: its exit code, and the lines below each id that it names, without diffs."""

    code: ExitCode
    by_id: dict[str, str]


def cases() -> list[Path]:
    """The folders of all cases."""
    return sorted(path.parent for path in HERE.glob("*/*/case.yaml"))


def expected(case: Path) -> str:
    """What check must say under the id of the case; nothing for an ok case."""
    file = case / "expected.txt"
    return file.read_text(encoding="utf-8") if file.exists() else ""


def beside(case: Path) -> frozenset[str]:
    """Ids that may be found beside the one of the case."""
    return MENDED_BY_RENDER | set(_described(case).get("beside", ()))


def said(case: Path, root: Path) -> Said:
    """What check says of the repository of a case, laid out in an empty folder."""
    lay_out(case, root)
    code, text = checked(root)
    workflow = root / WORKFLOW
    lines = workflow.read_text(encoding="utf-8").splitlines() if workflow.exists() else []
    return Said(code=code, by_id=_by_id(text, lines))


def checked(root: Path) -> tuple[ExitCode, str]:
    """Exit code and text of `nightgrid check` in a folder."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        code = check(Session(matrix=root / "matrix.yaml", environment={}), clock=lambda: TODAY)
    return code, printed.getvalue()


def lay_out(case: Path, root: Path) -> None:
    """Write the repository of a case into an empty folder."""
    described = _described(case)
    matrix = root / "matrix.yaml"
    base = (HERE / "base.yaml").read_text(encoding="utf-8").replace(_BASE_VERSION, __version__)
    before = _edited(base, described.get("matrix", ()))
    matrix.write_text(before, encoding="utf-8")
    if not described.get("unwritten"):
        _write_workflows(matrix, described)
    matrix.write_text(_edited(before, described.get("later", ())), encoding="utf-8")
    for path, text in described.get("files", {}).items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text.replace(_BASE_VERSION, __version__), encoding="utf-8")


def _write_workflows(matrix: Path, described: dict[str, Any]) -> None:
    result = build(Session(matrix=matrix))
    if not isinstance(result, Build):
        return
    for path, data in result.expected.items():
        text = data.decode()
        if path == WORKFLOW:
            text = _edited(text, described.get("workflow", ()))
            text += _comment(described.get("bytes", 0) - len(text.encode()))
            if described.get("line_ends") == "crlf":
                text = text.replace("\n", "\r\n")
        file = matrix.parent / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())


def _comment(length: int) -> str:
    return "" if length <= 0 else f"#{'.' * (length - 2)}\n"


def _edited(text: str, edits: Any) -> str:  # noqa: ANN401 - what YAML holds
    for edit in edits:
        assert set(edit) <= {"in", "line", "becomes"}, edit
        lines = text.split("\n")
        first, last = _block(lines, edit["in"]) if "in" in edit else (0, len(lines))
        found = [index for index in range(first, last) if lines[index].startswith(edit["line"])]
        assert len(found) == 1, f"{len(found)} lines begin so: {edit}"
        lines[found[0] : found[0] + 1] = edit["becomes"].rstrip("\n").split("\n") if edit["becomes"] else []
        text = "\n".join(lines)
    return text


def _block(lines: list[str], key: str) -> tuple[int, int]:
    first = lines.index(f"  {key}:")
    after = (index for index in range(first + 1, len(lines)) if re.match(r" {0,2}[^ ]", lines[index]))
    return first, next(after, len(lines))


def _described(case: Path) -> dict[str, Any]:
    described: dict[str, Any] = YAML(typ="safe").load(case / "case.yaml") or {}
    assert set(described) <= _KEYS, case
    return described


def _by_id(text: str, workflow: list[str]) -> dict[str, str]:
    """The printed findings by their ids, without what changes with each template or version."""
    found: dict[str, str] = {}
    id_ = ""
    for line in text.splitlines():
        match = _FINDING.match(line)
        if match:
            id_ = match["id"]
        elif not line.startswith("  "):
            id_ = ""
        if id_ and not line.startswith("  |"):
            lasting = _PLACE.sub(lambda place: f"{place[1]}:<{_key(workflow[int(place[2]) - 1])}>:", line)
            found[id_] = found.get(id_, "") + lasting.replace(__version__, _BASE_VERSION) + "\n"
    return found


def _key(line: str) -> str:
    """What a line of a workflow is about: its key, which stays when lines are added above it."""
    return line.strip().split(": ")[0].rstrip(":")
