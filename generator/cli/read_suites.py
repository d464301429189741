"""The suites of the project under test, read from the folder of its tests."""

from pathlib import Path

from generator.config.suite_source import read_suites
from generator.domain.suite import NO_SUITES, SuiteRegistry
from generator.outside.trees import Bounds, files_below

_PYTHON = frozenset({".py"})


def suites_below(root: Path, folder: str) -> SuiteRegistry:
    """What is registered below a folder, given from the root; nothing where none is named.

    Raises:
        OutsideError: there is no such folder, or it is far too large.
    """
    if not folder:
        return NO_SUITES
    return read_suites(folder, files_below(root, folder, _PYTHON, Bounds()))
