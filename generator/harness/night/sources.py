"""Where a command's JSON comes from: an environment variable, or a file.

Linux takes at most 128 KiB in one variable; a larger night is handed over in a file.
"""

from generator.harness.outcome import HarnessError, Outcome
from generator.harness.world import World


def read_source(world: World, variable: str, file: str) -> str:
    """The text of the file where one is named, else of the variable.

    Raises:
        HarnessError: INVALID, when the file cannot be read as UTF-8.
    """
    if not file:
        return world.environment.get(variable, "")
    try:
        return (world.folder / file).read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as problem:
        raise HarnessError(Outcome.INVALID, f"{file} cannot be read: {problem}") from problem
