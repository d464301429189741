"""The whole of matrix.yaml, every name resolved."""

from dataclasses import dataclass

from generator.domain.cell import Cell
from generator.domain.coverage import Requirement, Waiver
from generator.domain.hardware import Hardware, Pool
from generator.domain.lane import Lane, WorkflowFile
from generator.domain.location import Location


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """An action, the commit that is run, and the version that a person knows it by."""

    action: str
    commit: str
    version: str
    location: Location
    commit_location: Location
    version_location: Location


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookup:
    """How preflight asks the outside: seconds per attempt, and attempts; what is off is not asked."""

    timeout_s: int
    attempts: int
    images: bool
    models: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HarnessSource:
    """Where the harness comes from, for a project that does not carry it in its own tree.

    Attributes:
        repository: owner/name; empty where the harness lies in the checkout.
        commit: full commit hash.
    """

    repository: str
    commit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Margins:
    """Room that an outer limit leaves around an inner one, in minutes.

    Attributes:
        check: between a check's own limit and its step's.
        job: between the sum of the steps and the job.
    """

    check: int
    job: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """The project whose nights these are.

    Attributes:
        repository: owner/name; anywhere else preflight stops the night.
        hosted_runner: label of the cheap machine for the first and the last job.
        suites: folder of the project's tests, from the matrix; empty where suites are not compared.
    """

    repository: str
    hosted_runner: str
    suites: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """Everything that a night is made of.

    Attributes:
        path: the file as it was named.
        generator_version: the version that writes the workflows.
    """

    path: str
    generator_version: str
    version_location: Location
    project: Project
    harness: HarnessSource
    lookup: Lookup
    margins: Margins
    pins: tuple[Pin, ...]
    hardware: tuple[Hardware, ...]
    pools: tuple[Pool, ...]
    lanes: tuple[Lane, ...]
    workflows: tuple[WorkflowFile, ...]
    cells: tuple[Cell, ...]
    required: tuple[Requirement, ...]
    waivers: tuple[Waiver, ...]

    def pin(self, action: str) -> Pin:
        """The pin of an action.

        Raises:
            KeyError: the matrix has none.
        """
        for pin in self.pins:
            if pin.action == action:
                return pin
        raise KeyError(action)
