"""Other people's source trees, read file by file and within bounds; nothing in them is run."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from generator.outside.problem import OutsideError, failed

_SKIPPED = frozenset({".git", ".hg", ".svn", ".venv", "venv", "node_modules", "__pycache__"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """How much is read: files, and bytes of one file; what is larger is passed over."""

    files: int = 200_000
    bytes_per_file: int = 4_000_000


def files_below(
    root: Path, folder: str, endings: frozenset[str], bounds: Bounds
) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of each file with such an ending, in the order of names; links are not followed.

    Paths are shown from the root, with forward slashes. A file that vanishes meanwhile, or that may
    not be read, is passed over.

    Raises:
        OutsideError: there is no such folder, or it holds more files than the bounds allow.
    """
    top = root / folder
    if not top.is_dir():
        raise OutsideError(f"{top}: there is no such folder; name the root of a source tree")
    count = 0
    for inside, folders, names in os.walk(top, onerror=_raise):
        folders[:] = sorted(name for name in folders if name not in _SKIPPED)
        for name in sorted(names):
            if Path(name).suffix not in endings:
                continue
            count += 1
            if count > bounds.files:
                raise OutsideError(f"{top}: more than {bounds.files} source files; name a smaller folder")
            file = Path(inside) / name
            data = _read(file, bounds.bytes_per_file)
            if data:
                yield f"{Path(folder).as_posix()}/{file.relative_to(top).as_posix()}", data


def _raise(problem: OSError) -> None:
    raise failed(str(problem.filename), problem) from problem


def _read(file: Path, limit: int) -> bytes:
    try:
        if file.is_symlink() or not file.is_file() or file.stat().st_size > limit:
            return b""
        return file.read_bytes()
    except OSError:
        return b""
