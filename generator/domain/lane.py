"""Lanes and the workflows that they are written to."""

from dataclasses import dataclass

from generator.domain.hardware import Pool
from generator.domain.location import Location


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageLine:
    """Which image of a registry is tonight's.

    Attributes:
        repository: registry and name, without a tag.
        tag: regular expression for a whole tag; its group `date` is the age. Empty with `fixed`.
        max_age_days: an older image is refused.
        fixed: a full reference to use without looking; empty to look.
    """

    repository: str
    tag: str
    max_age_days: int
    fixed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """One software stack.

    Attributes:
        software: (name, version) pairs, such as ("rocm", "7.2").
        workflow: key of the workflow it is written to.
        id_suffix: how job ids name it; empty for the lane that ids leave out.
        pools: where its jobs run.
        images: (hardware key, line) pairs; a hardware without one needs no image.
        like: keys of the lanes whose cells it takes over, itself first.
    """

    key: str
    title: str
    software: tuple[tuple[str, str], ...]
    workflow: str
    id_suffix: str
    pools: tuple[Pool, ...]
    images: tuple[tuple[str, ImageLine], ...]
    like: tuple[str, ...]
    location: Location

    def version(self, software: str) -> str:
        """The lane's version of a piece of software; empty where the lane has none of it."""
        return dict(self.software).get(software, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowFile:
    """A workflow and when it runs.

    Attributes:
        key: the file's name without ending.
        schedule: cron lines, in UTC.
        push_branches, push_paths: a push to one of the branches that touches one of the paths starts it.
        continue_on_error: what a night does where nobody says.
    """

    key: str
    name: str
    schedule: tuple[str, ...]
    push_branches: tuple[str, ...]
    push_paths: tuple[str, ...]
    continue_on_error: bool
    location: Location

    @property
    def path(self) -> str:
        """Path of the file, from the root of the repository, with forward slashes."""
        return f".github/workflows/{self.key}.yml"
