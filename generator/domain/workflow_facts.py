"""What a workflow file says, as far as its faults can be told from it, each piece with its place."""

from dataclasses import dataclass

from generator.domain.location import Location


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A text and where it is written."""

    text: str
    location: Location


@dataclass(frozen=True, slots=True, kw_only=True)
class StepFacts:
    """A step; 0 minutes where it has no limit of its own."""

    id: str
    run: str
    timeout_minutes: int
    location: Location
    timeout_location: Location


@dataclass(frozen=True, slots=True, kw_only=True)
class JobFacts:
    """A job.

    Attributes:
        name: what GitHub shows; the id where it has no name.
        runs_on: the labels it asks for.
        timeout_minutes: 0 where it has no limit of its own.
        continue_on_error: whether its failure is shown as success.
        matrix_jobs: how many jobs its strategy matrix makes; 1 without one.
    """

    id: str
    name: Named
    needs: tuple[Named, ...]
    condition: Named
    runs_on: tuple[Named, ...]
    timeout_minutes: int
    continue_on_error: Named
    matrix_jobs: int
    steps: tuple[StepFacts, ...]
    location: Location


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowFacts:
    """A workflow file.

    Attributes:
        options: what the dropdown `job_select` offers.
        floats: versions and other values that YAML reads as fractions.
        uses: actions, as owner/name@ref.
    """

    path: str
    jobs: tuple[JobFacts, ...]
    options: tuple[Named, ...]
    floats: tuple[Named, ...]
    uses: tuple[Named, ...]
    location: Location
