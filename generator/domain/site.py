"""What a site does around a test, and how a command gets into its container."""

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias


class Where(Enum):
    """Whether a step of the site runs on the runner's host or inside the container."""

    HOST = "host"
    CONTAINER = "container"


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteStep:
    """A step before or after the checks.

    Attributes:
        option: the cell's option that asks for it; empty when every job has it.
    """

    id: str
    name: str
    run: str
    where: Where
    timeout_minutes: int
    option: str


@dataclass(frozen=True, slots=True)
class Prefix:
    """A command that carries another one into a container.

    Attributes:
        command: the command; `{env}` in it becomes an option for each variable.
        variable: that option, with `{name}`.
    """

    command: str
    variable: str


@dataclass(frozen=True, slots=True)
class GithubContainer:
    """GitHub's own `container:`; every step of the job runs inside.

    Attributes:
        options: further options of `docker create`.
        volumes: mounts, as `host:container`.
    """

    options: str
    volumes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OnHost:
    """No container: commands run on the runner itself."""


Entry: TypeAlias = Prefix | GithubContainer | OnHost


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """How jobs begin and end on a kind of machine.

    Attributes:
        clean: steps that remove what an earlier job left behind, before the machine is looked at.
        before: steps once the machine is what its label says.
        after: steps that always run.
    """

    key: str
    entry: Entry
    clean: tuple[SiteStep, ...]
    before: tuple[SiteStep, ...]
    after: tuple[SiteStep, ...]

    @property
    def options(self) -> frozenset[str]:
        """The options that a cell may ask for here."""
        return frozenset(step.option for step in (*self.clean, *self.before, *self.after) if step.option)
