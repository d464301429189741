"""Options that several commands have."""

from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer


class Format(str, Enum):
    """Forms of findings."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"
    SARIF = "sarif"


class ListFormat(str, Enum):
    """Forms of lists."""

    TABLE = "table"
    JSON = "json"


class Kind(str, Enum):
    """What can be listed."""

    JOBS = "jobs"
    CELLS = "cells"


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterOptions:
    """What a list is narrowed to; an empty text narrows nothing."""

    hardware: str
    lane: str
    family: str
    check: str


MatrixOption = Annotated[
    Path, typer.Option("--matrix", "-m", help="The matrix; its folder is the root of the repository.")
]
FormatOption = Annotated[Format, typer.Option("--format", "-f", help="Form of the findings.")]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing where all is well.")]
VerboseOption = Annotated[bool, typer.Option("--verbose", "-v", help="Say more: each file, whole diffs.")]

MATRIX = Path("matrix.yaml")
