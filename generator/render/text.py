"""Planned workflows as text: the template lays out, this fills in, and what came out is read back."""

import codecs
import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from generator.domain.job import Workflow
from generator.render.quoting import block, value

MARK: Final = "# Written by nightgrid"
_SUM: Final = "# sha256 of all that follows: "
_TEXTS = {
    "job_select": "Jobs to run: all, a group, a section with all its jobs, or one job",
    "job_filter": "Names of jobs, separated by commas or blanks; * and ? stand for anything; empty: all",
    "continue_on_error": "Go on with the next test after one has failed; the night is red all the same",
    "commit": "Commit, branch or tag under test; empty: the one that the night started from",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """A workflow file as it must be, byte for byte."""

    path: str
    data: bytes


def render(workflow: Workflow, matrix_path: str, version: str) -> Rendered:
    """The text of a workflow, with the header that says where it comes from.

    Args:
        workflow: what was planned.
        matrix_path: the matrix, from the root of the repository.
        version: version of the generator, as the matrix pins it.
    """
    body = _template().render(workflow=workflow, texts=_TEXTS).encode() + b"\n"
    head = (
        f"{MARK} {version} from {matrix_path}. Edit that file, never this one; then run\n"
        f"#     nightgrid render\n"
        f"{_SUM}{hashlib.sha256(body).hexdigest()}\n"
    )
    return Rendered(path=workflow.path, data=head.encode() + body)


def carries_mark(data: bytes) -> bool:
    """Whether a file says of itself that nightgrid wrote it."""
    return data.removeprefix(codecs.BOM_UTF8).startswith(MARK.encode())


def is_untouched(data: bytes) -> bool:
    """Whether a file is still what nightgrid wrote, by the sum in its own header."""
    head, separator, rest = data.partition(_SUM.encode())
    if not separator or head.count(b"\n") > 3:
        return False
    sum_, _, body = rest.partition(b"\n")
    return sum_ == hashlib.sha256(body).hexdigest().encode()


def starting_matrix(version: str) -> str:
    """A small matrix for a project that has none, pinned to a version of the generator."""
    return _environment().get_template("init/matrix.yaml").render(version=version) + "\n"


def _template() -> Template:
    return _environment().get_template("workflow.yml.j2")


@cache
def _environment() -> Environment:
    here = Path(__file__).parent.parent
    folders = [here.parent / "templates", here / "_templates"]
    environment = Environment(
        loader=FileSystemLoader(folders),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 - YAML, not HTML: each value goes through its own filter
        keep_trailing_newline=False,
        block_start_string="«%",
        block_end_string="%»",
        variable_start_string="«",
        variable_end_string="»",
        comment_start_string="«#",
        comment_end_string="#»",
    )
    environment.filters |= {"value": value, "block": block}
    return environment
