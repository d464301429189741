"""Where a path of the repository really leads."""

import os
from pathlib import Path, PurePosixPath

from generator.outside.problem import OutsideError, failed


def place_of(root: Path, path: str) -> Path:
    """The place of a file that may be written: below the root, reached without a link out of it.

    Raises:
        OutsideError: the path leads out of the root, or the file itself is a symbolic link.
    """
    pure = PurePosixPath(path)
    if pure.is_absolute() or ".." in pure.parts or not pure.parts or "\x00" in path:
        raise OutsideError(f"{path!r} leads out of {root}; name a file in it")
    place = root / pure
    try:
        if place.is_symlink():
            raise OutsideError(
                f"{path} is a symbolic link to {place.readlink()}; put a file in its place, or name the file"
            )
        return _inside(root, place, path)
    except OSError as problem:
        raise failed(path, problem) from problem


def real_file(root: Path, path: str) -> Path:
    """The place of a file that may be read: a link may lead to it, as long as it stays below the root.

    Raises:
        OutsideError: it leads out of the root.
    """
    try:
        return _inside(root, root / path, path)
    except OSError as problem:
        raise failed(path, problem) from problem


def _inside(root: Path, place: Path, path: str) -> Path:
    """The place, if its folder, with every link followed, is still below the root."""
    real = Path(os.path.realpath(place))  # Path.resolve breaks down on a link to itself
    if not real.is_relative_to(os.path.realpath(root)):
        raise OutsideError(f"{path} leads to {real}, out of {root}; put a file in the place of the link")
    return place
