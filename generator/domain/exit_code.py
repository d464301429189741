"""What a process tells its caller; the harness says the same with the same numbers."""

from enum import IntEnum


class ExitCode(IntEnum):
    """The outcome of a command, one number a class of outcome."""

    FINE = 0
    FINDINGS = 1
    INVALID = 2
    NOTHING = 3
    OUTSIDE = 4
