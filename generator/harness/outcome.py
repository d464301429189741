"""What a command of the harness tells its caller; the generator says the same with the same numbers."""

from enum import IntEnum


class Outcome(IntEnum):
    """The outcome of a command, one number a class of outcome."""

    FINE = 0
    REGRESSED = 1
    INVALID = 2
    NOT_MEASURED = 3
    OUTSIDE = 4


class HarnessError(Exception):
    """Something that ends a command, with the outcome that it ends in and what a person can do."""

    def __init__(self, outcome: Outcome, message: str, help_: str = "") -> None:
        super().__init__(message)
        self.outcome = outcome
        self.message = message
        self.help = help_
