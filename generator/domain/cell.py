"""A cell: a model on a hardware in a lane, with what is measured there."""

from collections.abc import Mapping
from dataclasses import dataclass

from generator.domain.check import Check
from generator.domain.hardware import Hardware, Pool
from generator.domain.lane import Lane
from generator.domain.location import Location
from generator.domain.model import Model
from generator.domain.setting import Setting
from generator.domain.site import Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """How the bundled harness starts the model's server.

    Attributes:
        program: the engine's program; empty for the one that the engine is known by.
        arguments: the engine's own command line, in order.
        port: where it listens.
        launch_timeout_s: seconds from start to healthy.
    """

    engine: str
    program: str
    model: str
    arguments: tuple[str, ...]
    port: int
    launch_timeout_s: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Disabled:
    """A job that is off: why, and until which day (ISO 8601, that day included)."""

    because: str
    until: str
    location: Location


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A model on a hardware in a lane.

    Attributes:
        key: the row of the matrix that it comes from.
        model: None where the project itself is tested and no model.
        gpus: how many the checks need; the pool's machines may have more.
        id_pattern: how its job is called, with {gpus}, {hardware}, {cell} and {lane}.
        server: how to serve the model; None where no check of the bundled harness asks for it.
        options: the site's options that it asks for.
        after: rows of the matrix that must pass first, on the same hardware and lane.
        job_timeout_minutes: limit of the job as the matrix says it; 0 to derive it.
        settings: every value with its origin, by dotted path.
    """

    key: str
    section: str
    model: Model | None
    hardware: Hardware
    lane: Lane
    pool: Pool
    gpus: int
    id_pattern: str
    checks: tuple[Check, ...]
    server: Server | None
    site: Site
    options: frozenset[str]
    env: Mapping[str, str]
    after: tuple[str, ...]
    job_timeout_minutes: int
    disabled: Disabled | None
    settings: Mapping[str, Setting]
    location: Location

    def place(self, *paths: str) -> Location:
        """Where the first of the settings is written that is written at all; else where the row begins."""
        for path in paths:
            if path in self.settings:
                return self.settings[path].location
        return self.location
