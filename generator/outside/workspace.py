"""The files of a repository that nightgrid looks at, read as bytes."""

from collections.abc import Mapping
from pathlib import Path

from generator.outside.place import real_file
from generator.outside.problem import failed

WORKFLOWS = ".github/workflows"
LOCK = ".github/workflows/actions.lock"
_ENDINGS = (".yml", ".yaml")


def read_workflows(root: Path) -> Mapping[str, bytes]:
    """The workflow files of a repository by their paths from its root, in the order of their names.

    Raises:
        OutsideError: the folder or a file cannot be read, or is a link out of the repository.
    """
    paths = [f"{WORKFLOWS}/{name}" for name in _names(root)]
    read = {path: _bytes(root, path) for path in paths}
    return {path: data for path, data in read.items() if data is not None}


def read_lock(root: Path) -> bytes:
    """GitHub's lock file of actions; empty where the repository has none.

    Raises:
        OutsideError: it is there and cannot be read.
    """
    return _bytes(root, LOCK) or b""


def _names(root: Path) -> list[str]:
    folder = root / WORKFLOWS
    try:
        return sorted(path.name for path in folder.iterdir() if path.suffix in _ENDINGS and not path.is_dir())
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as problem:
        raise failed(WORKFLOWS, problem) from problem


def _bytes(root: Path, path: str) -> bytes | None:
    """What a file holds; None where there is no such file, or none any more."""
    try:
        return real_file(root, path).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as problem:
        raise failed(path, problem) from problem
