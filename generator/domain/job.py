"""Jobs as GitHub sees them, decided to the last word; a template only lays them out."""

from dataclasses import dataclass
from typing import TypeAlias

from generator.domain.cell import Cell

Pairs: TypeAlias = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStep:
    """A step that runs a script.

    Attributes:
        id: unique in its job.
        condition: GitHub's `if`; empty for GitHub's default, after success only.
        timeout_minutes: limit in minutes; every step has one.
        advisory: whether the job goes on as if nothing had happened.
    """

    id: str
    name: str
    run: str
    timeout_minutes: int
    condition: str = ""
    env: Pairs = ()
    advisory: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class UsesStep:
    """A step that runs an action.

    Attributes:
        uses: action@commit.
        version: the version a person knows the commit by, written behind it as a comment.
        inputs: the action's `with`.
    """

    id: str
    name: str
    uses: str
    version: str
    timeout_minutes: int
    condition: str = ""
    inputs: Pairs = ()


Step: TypeAlias = RunStep | UsesStep


@dataclass(frozen=True, slots=True, kw_only=True)
class Container:
    """GitHub's `container:` of a job."""

    image: str
    options: str
    volumes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A job of a workflow.

    Attributes:
        condition: GitHub's `if`, with its ${{ }}.
        timeout_minutes: above the sum of its steps' limits.
        permissions: (scope, access) pairs; nothing else is granted.
        cell: the cell that it measures; None for the first and the last job of a night.
    """

    id: str
    name: str
    needs: tuple[str, ...]
    condition: str
    runs_on: str
    timeout_minutes: int
    permissions: Pairs
    steps: tuple[Step, ...]
    outputs: Pairs = ()
    env: Pairs = ()
    container: Container | None = None
    cell: Cell | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Workflow:
    """A workflow file, decided to the last word.

    Attributes:
        options: what the dropdown offers, in order.
        jobs: all of them, the first and the last included.
        continue_on_error: what a night does where nobody says.
    """

    path: str
    name: str
    group: str
    schedule: tuple[str, ...]
    push_branches: tuple[str, ...]
    push_paths: tuple[str, ...]
    continue_on_error: bool
    options: tuple[str, ...]
    jobs: tuple[Job, ...]
