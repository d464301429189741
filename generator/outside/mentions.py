"""Where source trees name something: a search for whole words, fast and within bounds."""

import re
from collections.abc import Collection
from pathlib import Path
from typing import Final

from generator.outside.trees import Bounds, files_below

# Code alone: a file that merely sets a variable, such as a workflow, reads nothing.
SOURCES: Final = frozenset(
    (
        *(".py", ".pyi", ".pyx", ".sh", ".bash", ".rs", ".go", ".cmake", ".mk"),
        *(".c", ".cc", ".cpp", ".cxx", ".cu", ".hip", ".h", ".hh", ".hpp", ".cuh", ".inl", ".S"),
    )
)


def first_mentions(root: Path, names: Collection[str], bounds: Bounds) -> dict[str, str]:
    """For each name that is found in a source file, the first place as path:line; the rest is left out.

    Raises:
        OutsideError: there is no such folder, or it is far too large.
    """
    found: dict[str, str] = {}
    if not names:
        return found
    pattern = re.compile(
        rb"(?<![A-Za-z0-9_])(" + b"|".join(map(re.escape, _encoded(names))) + rb")(?![A-Za-z0-9_])"
    )
    for path, data in files_below(root, ".", SOURCES, bounds):
        for match in pattern.finditer(data):
            name = match[1].decode()
            if name not in found:
                line = data.count(b"\n", 0, match.start()) + 1
                found[name] = f"{path.removeprefix('./')}:{line}"
        if len(found) == len(names):
            break
    return found


def _encoded(names: Collection[str]) -> list[bytes]:
    return [name.encode() for name in sorted(names)]
