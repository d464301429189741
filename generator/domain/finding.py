"""One thing that is wrong: where it is, what it is, what to do next."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from generator.domain.location import Location


class Severity(Enum):
    """How much a finding weighs: an error makes the exit code 1 or 2, a warning does not."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A result of a check, or an error of the input.

    Attributes:
        id: the check that found it; also its heading in the docs and its test folder.
        severity: whether it stops a night.
        location: where it is written.
        message: what is wrong, one sentence without a full stop.
        help: what to do next; empty where the message says it all.
        detail: lines that belong below the message, such as a diff; empty for none.
    """

    id: str
    severity: Severity
    location: Location
    message: str
    help: str = ""
    detail: str = ""


def error(id_: str, location: Location, message: str, help_: str = "") -> Finding:
    """A finding that stops a night."""
    return Finding(id=id_, severity=Severity.ERROR, location=location, message=message, help=help_)


def warning(id_: str, location: Location, message: str, help_: str = "") -> Finding:
    """A finding that a person should look at, and that stops nothing."""
    return Finding(id=id_, severity=Severity.WARNING, location=location, message=message, help=help_)


def by_place(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The same findings in the order in which a reader meets them in the files."""
    return tuple(sorted(findings, key=lambda finding: (finding.location, finding.id, finding.message)))
