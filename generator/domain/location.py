"""A place in a file, as editors and people count: lines and columns from 1."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """Where something is written; line 0 stands for the file as a whole."""

    path: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        if self.line == 0:
            return self.path
        return f"{self.path}:{self.line}:{self.column}"
