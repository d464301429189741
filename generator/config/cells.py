"""From rows of the matrix to cells: one for each hardware and lane of a row."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from generator.config.assignment import look_at_image, look_at_steps, pool_for, site_for
from generator.config.checks import CellSettings, read_checks, read_server
from generator.config.days import read_disabled
from generator.config.entry import Entry
from generator.config.levels import Levels, Settings, flatten
from generator.config.named import Named
from generator.config.names import Problems
from generator.domain.cell import Cell, Disabled, Server
from generator.domain.check import Check, CheckKind, Harness
from generator.domain.hardware import Hardware, Pool
from generator.domain.lane import Lane
from generator.domain.location import Location
from generator.domain.model import Model
from generator.domain.setting import Level
from generator.domain.site import Site

_KINDS = frozenset(kind.value for kind in CheckKind)


def read_cells(root: Entry, named: Named, problems: Problems) -> tuple[Cell, ...]:
    """The cells of all rows, in the order of the file; what is wrong is noted, and the row left out."""
    levels = Levels(root)
    pattern = root.entry("naming").text("job_id", "nightly-{gpus}-gpu-{hardware}-{cell}-{lane}")
    pool_rows = dict(root.entries("pools"))
    rows = root.entry("cells")
    cells: list[Cell] = []
    for key, entry in root.entries("cells"):
        row = Row(key, entry, rows.key_location(key), pattern, named, levels, problems, pool_rows)
        before = len(problems.findings)
        found = tuple(row.cells())
        if len(problems.findings) > before or (not found and not row.is_complete()):
            problems.broken("row", key)
        elif not found:
            row.say_that_it_is_empty()
        cells.extend(found)
    return tuple(cells)


@dataclass(slots=True)
class Row:
    """One row of the matrix, on its way to cells."""

    key: str
    entry: Entry
    location: Location
    pattern: str
    named: Named
    levels: Levels
    problems: Problems
    pool_rows: Mapping[str, Entry]

    def cells(self) -> Iterator[Cell]:
        """A cell for each hardware and lane of the row."""
        model = None
        node = self.entry.scalar("model")
        if node is not None:
            model = self.problems.look_up("model", node, self.named.models)
            if model is None:
                return
        own = flatten(self.entry, Level.CELL)
        overrides = [(entry, flatten(entry, Level.OVERRIDE)) for entry in self.entry.items("overrides")]
        excepted = tuple(self.entry.items("except"))
        self._look_at_places([*excepted, *(entry.entry("for") for entry, _ in overrides)])
        wanted = self._wanted_lanes()
        for hardware in self.problems.look_up_all(
            "hardware", self.entry.scalars("hardware"), self.named.hardware
        ):
            for lane in self._lanes(hardware, wanted):
                if any(_fits(entry, hardware, lane) for entry in excepted):
                    continue
                fitting = [pair for pair in overrides if _fits(pair[0].entry("for"), hardware, lane)]
                cell = self._cell(model, hardware, lane, own, fitting)
                if cell is not None:
                    yield cell

    def is_complete(self) -> bool:
        """Whether all that the row names could be read, so that what it makes can be told."""
        lanes = self.named.lanes
        return (
            all(name in self.named.hardware for name in self.entry.texts("hardware"))
            and all(name in lanes for name in self.entry.texts("lanes"))
            and not any(self.problems.is_broken("lane pools", lane) for lane in lanes)
        )

    def say_that_it_is_empty(self) -> None:
        """Note that the row makes no cell: it would be tested nowhere, and nobody would miss it."""
        where = ", ".join(self.entry.texts("hardware"))
        self.problems.add(
            "empty-row",
            self.location,
            f"`{self.key}` is tested nowhere: no lane with a pool of {where} is left to it",
            "Add a pool to a lane, change `hardware`, `lanes` or `except`, or take the row out.",
        )

    def _wanted_lanes(self) -> frozenset[str] | None:
        if "lanes" not in self.entry:
            return None
        lanes = self.problems.look_up_all("lane", self.entry.scalars("lanes"), self.named.lanes)
        return frozenset(lane.key for lane in lanes)

    def _lanes(self, hardware: Hardware, wanted: frozenset[str] | None) -> Iterator[Lane]:
        """The lanes of the row; one that is merely like a lane of the row must have the hardware."""
        for lane in self.named.lanes.values():
            named = wanted is not None and lane.key in wanted
            meant = wanted is None or not wanted.isdisjoint(lane.like)
            if named or (meant and any(pool.hardware is hardware for pool in lane.pools)):
                yield lane

    def _cell(
        self,
        model: Model | None,
        hardware: Hardware,
        lane: Lane,
        own: Settings,
        fitting: list[tuple[Entry, Settings]],
    ) -> Cell | None:
        entries = [self.entry, *(entry for entry, _ in fitting)]
        kinds = self._kinds(entries)
        defaults = self.levels.defaults(lane.like, hardware.key, "" if model is None else model.key)
        settings = _merged(defaults.for_checks(kinds), own, *(more for _, more in fitting))
        values = CellSettings(settings, self.location)
        self._look_at_variables(settings)
        checks = read_checks(kinds, values, self.problems)
        server = self._server(model, checks, values)
        place = self._place(hardware, lane, checks, values)
        if place is None:
            return None
        pool, site = place
        return Cell(
            key=self.key,
            section=self.entry.text("section", self.key),
            model=model,
            hardware=hardware,
            lane=lane,
            pool=pool,
            gpus=values.integer("gpus"),
            id_pattern=self.entry.text("job_id", self.pattern),
            checks=checks,
            server=server,
            site=site,
            options=frozenset(values.texts("options")),
            env=values.below("env"),
            after=self.entry.texts("after"),
            job_timeout_minutes=values.integer("job_timeout_minutes"),
            disabled=self._disabled(entries, pool),
            settings=settings,
            location=self.location,
        )

    def _place(
        self, hardware: Hardware, lane: Lane, checks: tuple[Check, ...], values: CellSettings
    ) -> tuple[Pool, Site] | None:
        pool = pool_for(self.key, hardware, lane, values, self.problems)
        site = site_for(self.key, values, self.named.sites, self.problems)
        if pool is None or site is None:
            return None
        look_at_image(self.key, lane, site, self.problems)
        look_at_steps(site, checks, values, self.problems)
        return pool, site

    def _server(self, model: Model | None, checks: tuple[Check, ...], values: CellSettings) -> Server | None:
        accuracy = [check for check in checks if check.kind is CheckKind.ACCURACY]
        if not any(isinstance(check.by, Harness) for check in accuracy):
            return None
        return read_server(model, values, self.problems)

    def _kinds(self, entries: list[Entry]) -> tuple[tuple[str, str], ...]:
        kinds: dict[str, str] = {}
        for entry in entries:
            for key, check in entry.entries("checks"):
                kind = check.text("check", kinds.get(key, key if key in _KINDS else "suite"))
                kinds[key] = kind
        return tuple(kinds.items())

    def _disabled(self, entries: list[Entry], pool: Pool) -> Disabled | None:
        for entry in [*reversed(entries), self.pool_rows[pool.key]]:
            if "disabled" in entry:
                return read_disabled(entry.entry("disabled"))
        return None

    def _look_at_variables(self, settings: Settings) -> None:
        for path, setting in settings.items():
            name = _variable(path)
            if name and name not in self.named.variables:
                self.problems.unknown("variable", name, setting.location, self.named.variables)

    def _look_at_places(self, places: list[Entry]) -> None:
        for place in places:
            for noun, valid in (("hardware", self.named.hardware), ("lane", self.named.lanes)):
                node = place.scalar(noun)
                if node is not None:
                    self.problems.look_up(noun, node, valid)


def _merged(*widest_first: Settings) -> Settings:
    settings: Settings = {}
    for each in widest_first:
        settings |= each
    return settings


def _fits(where: Entry, hardware: Hardware, lane: Lane) -> bool:
    lane_fits = "lane" not in where or where.text("lane") in lane.like
    return lane_fits and where.text("hardware", hardware.key) == hardware.key


def _variable(path: str) -> str:
    """The environment variable that a path sets; empty where it sets none."""
    if path.startswith("env."):
        return path[4:]
    if path.startswith("checks.") and ".env." in path:
        return path.split(".env.", 1)[1]
    return ""
