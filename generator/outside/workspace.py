"""The files of a repository that nightgrid looks at, read as bytes."""

import errno
from collections.abc import Mapping
from pathlib import Path

from generator.outside.problem import OutsideError

WORKFLOWS = ".github/workflows"
LOCK = ".github/workflows/actions.lock"
_ENDINGS = (".yml", ".yaml")


def read_workflows(root: Path) -> Mapping[str, bytes]:
    """The workflow files of a repository by their paths from its root, in the order of their names.

    Raises:
        OutsideError: the folder or a file cannot be read.
    """
    folder = root / WORKFLOWS
    try:
        names = sorted(path.name for path in folder.iterdir() if path.suffix in _ENDINGS and path.is_file())
        return {f"{WORKFLOWS}/{name}": (folder / name).read_bytes() for name in names}
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as problem:
        raise OutsideError(f"{problem.filename}: {problem.strerror}") from problem


def read_lock(root: Path) -> bytes:
    """GitHub's lock file of actions; empty where the repository has none.

    Raises:
        OutsideError: it is there and cannot be read.
    """
    try:
        return (root / LOCK).read_bytes()
    except OSError as problem:
        if problem.errno in (errno.ENOENT, errno.ENOTDIR):
            return b""
        raise OutsideError(f"{problem.filename}: {problem.strerror}") from problem
