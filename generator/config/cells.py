"""From rows of the matrix to cells: one for each hardware and lane of a row."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from generator.config.checks import CellSettings, read_checks, read_server
from generator.config.entry import Entry
from generator.config.levels import Levels, Settings, flatten
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """Everything that rows refer to by name."""

    hardware: Mapping[str, Hardware]
    pools: Mapping[str, Pool]
    lanes: Mapping[str, Lane]
    models: Mapping[str, Model]
    sites: Mapping[str, Site]
    variables: Mapping[str, object]


def read_cells(root: Entry, named: Named, problems: Problems) -> tuple[Cell, ...]:
    """The cells of all rows, in the order of the file; what is wrong is noted, and the row left out."""
    levels = Levels(root)
    pattern = root.entry("naming").text("job_id", "nightly-{gpus}-gpu-{hardware}-{cell}-{lane}")
    pool_rows = dict(root.entries("pools"))
    rows = root.entry("cells")
    cells: list[Cell] = []
    for key, entry in root.entries("cells"):
        row = Row(key, entry, rows.key_location(key), pattern, named, levels, problems, pool_rows)
        cells.extend(row.cells())
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

    def _wanted_lanes(self) -> frozenset[str] | None:
        if "lanes" not in self.entry:
            return None
        lanes = self.problems.look_up_all("lane", self.entry.scalars("lanes"), self.named.lanes)
        return frozenset(lane.key for lane in lanes)

    def _lanes(self, hardware: Hardware, wanted: frozenset[str] | None) -> Iterator[Lane]:
        for lane in self.named.lanes.values():
            if wanted is None:
                if any(pool.hardware is hardware for pool in lane.pools):
                    yield lane
            elif not wanted.isdisjoint(lane.like):
                yield lane

    def _cell(
        self,
        model: Model | None,
        hardware: Hardware,
        lane: Lane,
        own: Settings,
        fitting: list[tuple[Entry, Settings]],
    ) -> Cell | None:
        kinds = self._kinds([self.entry, *(entry for entry, _ in fitting)])
        defaults = self.levels.defaults(lane.like, hardware.key, "" if model is None else model.key)
        settings = defaults.for_checks(kinds) | own
        for _, more in fitting:
            settings |= more
        values = CellSettings(settings, self.location)
        pool, site = self._pool(hardware, lane, values), self._site(values)
        self._look_at_variables(settings)
        checks = read_checks(kinds, values, self.problems)
        server = self._server(model, checks, values)
        if pool is None or site is None:
            return None
        self._look_at_options(site, values)
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
            disabled=self._disabled([self.entry, *(entry for entry, _ in fitting)], pool),
            settings=settings,
            location=self.location,
        )

    def _server(self, model: Model | None, checks: tuple[Check, ...], values: CellSettings) -> Server | None:
        if not any(isinstance(check.by, Harness) for check in checks):
            return None
        return read_server(model, values, self.problems)

    def _kinds(self, entries: list[Entry]) -> tuple[tuple[str, str], ...]:
        kinds: dict[str, str] = {}
        for entry in entries:
            for key, check in entry.entries("checks"):
                kind = check.text("check", kinds.get(key, key if key in _KINDS else "suite"))
                kinds[key] = kind
        return tuple(kinds.items())

    def _pool(self, hardware: Hardware, lane: Lane, values: CellSettings) -> Pool | None:
        needed = values.integer("gpus")
        there = [pool for pool in lane.pools if pool.hardware is hardware]
        enough = [pool for pool in there if pool.gpus >= needed]
        if enough:
            return min(enough, key=lambda pool: pool.gpus)
        largest = max((pool.gpus for pool in there), default=None)
        message = (
            f"lane `{lane.key}` has no pool of {hardware.key}"
            if largest is None
            else f"`{self.key}` needs {needed} GPUs, and the largest pool of {hardware.key} "
            f"in lane `{lane.key}` has {largest}"
        )
        self.problems.add(
            "no-pool", values.at("gpus"), message, f"Add a pool to lane `{lane.key}`, or change the row."
        )
        return None

    def _site(self, values: CellSettings) -> Site | None:
        name = values.text("site")
        if name in self.named.sites:
            return self.named.sites[name]
        if name:
            self.problems.unknown("site", name, values.at("site"), self.named.sites)
        else:
            self.problems.add(
                "missing-key",
                self.location,
                f"`{self.key}` does not say at which site it runs",
                "Write `site` under `defaults`, in the lane or in the hardware.",
            )
        return None

    def _disabled(self, entries: list[Entry], pool: Pool) -> Disabled | None:
        pool_entry = self.pool_rows[pool.key]
        for entry in [*reversed(entries), pool_entry]:
            if "disabled" in entry:
                off = entry.entry("disabled")
                return Disabled(because=off.text("because"), until=off.text("until"), location=off.location)
        return None

    def _look_at_options(self, site: Site, values: CellSettings) -> None:
        for option in values.texts("options"):
            if option not in site.options:
                valid = dict.fromkeys(sorted(site.options))
                self.problems.unknown(f"option of site `{site.key}`", option, values.at("options"), valid)

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
