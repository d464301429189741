"""Suites of the project under test: what its tests register, and what its runner knows."""

from dataclasses import dataclass

from generator.domain.finding import Finding
from generator.domain.location import Location


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """A test file that asks to be run in a suite.

    Attributes:
        backend: for whose machines, such as `amd` or `cuda`.
        estimate_s: how long its author expects it to take; 0 where that could not be read.
        nightly: whether it runs at night, and not with every change.
        disabled: why it is not run; empty where it is.
    """

    suite: str
    backend: str
    estimate_s: float
    nightly: bool
    disabled: str
    location: Location


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteRegistry:
    """All that was read below one folder.

    Attributes:
        path: the folder; empty where none was looked at.
        known: names on the runner's own lists; empty where it keeps none.
        unreadable: what could not be read.
    """

    path: str = ""
    registrations: tuple[Registration, ...] = ()
    known: frozenset[str] = frozenset()
    unreadable: tuple[Finding, ...] = ()


NO_SUITES = SuiteRegistry()


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedSuite:
    """A step that runs a suite.

    Attributes:
        backend: for whose machines the project registers what this hardware runs.
        nightly: whether the command asks for what runs at night.
        step_s: limit of the step, in seconds.
        per_file_s: limit of one test file, in seconds.
    """

    suite: str
    job: str
    backend: str
    nightly: bool
    step_s: int
    per_file_s: int
    location: Location
