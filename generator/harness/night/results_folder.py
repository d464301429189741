"""The folder that a job's checks write into, emptied before the first of them."""

import shutil
from pathlib import Path

from generator.harness.outcome import HarnessError, Outcome
from generator.harness.world import World


def clear_results(world: World, name: str) -> Path:
    """Make an empty folder; what an earlier job left in it would be published as tonight's.

    Raises:
        HarnessError: INVALID, for a folder that holds more than results; OUTSIDE, when it cannot be emptied.
    """
    path = world.folder / name
    refuse_more_than_results(world, path, name)
    try:
        if path.is_symlink():
            path.unlink()
        elif path.exists():
            shutil.rmtree(path)
        path.mkdir(parents=True)
    except OSError as problem:
        raise HarnessError(
            Outcome.OUTSIDE,
            f"the results folder {name} cannot be emptied: {problem}",
            "A container that ran as root has left files of its own there: remove them on the machine.",
        ) from problem
    return path


def refuse_more_than_results(world: World, path: Path, name: str) -> None:
    """Never empty the working folder, what is above it, a home, or a checkout."""
    if path.is_symlink():
        return
    target = path.resolve()
    here = world.folder.resolve()
    kept = {here, *here.parents, Path.home()}
    if target in kept or (target / ".git").exists():
        raise HarnessError(
            Outcome.INVALID, f"--results {name} is not a folder of results alone", "Name a folder of its own."
        )
    if target.exists() and not target.is_dir():
        raise HarnessError(Outcome.INVALID, f"--results {name} is a file", "Name a folder of its own.")
