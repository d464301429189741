"""Five levels that may say a value, and what they say together for one cell."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from generator.config.entry import Entry
from generator.config.tree import MappingNode, Node, ScalarNode, Tree
from generator.domain.setting import Level, Setting

Settings = dict[str, Setting]

# What a row or an override holds that is no value to be inherited.
_NOT_SETTINGS = frozenset(
    {"model", "hardware", "lanes", "section", "job_id", "after", "disabled", "except", "overrides", "for"}
)


def flatten(entry: Entry, level: Level) -> Settings:
    """Each value of a block of settings by its dotted path, with its place."""
    found: Settings = {}
    for name, node in entry.node.values.items():
        if name not in _NOT_SETTINGS:
            _gather(entry.tree, name, node, level, found)
    return found


def _gather(tree: Tree, path: str, node: Node, level: Level, found: Settings) -> None:
    if isinstance(node, MappingNode):
        for name, value in node.values.items():
            _gather(tree, f"{path}.{name}", value, level, found)
    elif isinstance(node, ScalarNode):
        if node.value is not None:
            found[path] = Setting(node.value, level, tree.at(node))
    else:
        texts = tuple(str(item.value) for item in node.items if isinstance(item, ScalarNode))
        found[path] = Setting(texts, level, tree.at(node))


@dataclass(frozen=True, slots=True)
class Defaults:
    """What the levels above a cell say: of the cell itself, and of each kind of check."""

    of_cell: Settings
    of_check: dict[str, Settings]

    def for_checks(self, checks: Iterable[tuple[str, str]]) -> Settings:
        """Settings for a cell with these (key, kind) checks."""
        merged = dict(self.of_cell)
        for key, kind in checks:
            for rest, setting in self.of_check.get(kind, {}).items():
                merged[f"checks.{key}.{rest}"] = setting
        return merged


@dataclass(slots=True)
class Levels:
    """The levels above the cells; each block is read once, each combination is merged once."""

    root: Entry
    _blocks: dict[tuple[Level, str], Settings] = field(default_factory=dict)
    _merged: dict[tuple[tuple[str, ...], str, str], Defaults] = field(default_factory=dict)

    def defaults(self, lanes: tuple[str, ...], hardware: str, model: str) -> Defaults:
        """What holds for a cell before its own row speaks.

        Args:
            lanes: the cell's lane, then the lanes that it is like.
            hardware: key of the hardware.
            model: key of the model; empty for none.
        """
        key = (lanes, hardware, model)
        if key not in self._merged:
            merged = dict(self._block(Level.MATRIX, ""))
            for lane in reversed(lanes):
                merged |= self._block(Level.LANE, lane)
            merged |= self._block(Level.HARDWARE, hardware)
            merged |= self._block(Level.MODEL, model)
            self._merged[key] = _split(merged)
        return self._merged[key]

    def _block(self, level: Level, key: str) -> Settings:
        if (level, key) not in self._blocks:
            self._blocks[level, key] = flatten(self._entry(level, key).entry("defaults"), level)
        return self._blocks[level, key]

    def _entry(self, level: Level, key: str) -> Entry:
        match level:
            case Level.LANE:
                return self.root.entry("lanes").entry(key)
            case Level.HARDWARE:
                return self.root.entry("hardware").entry(key)
            case Level.MODEL:
                return self.root.entry("models").entry(key)
            case _:
                return self.root


def _split(merged: Settings) -> Defaults:
    of_cell: Settings = {}
    of_check: dict[str, Settings] = {}
    for path, setting in merged.items():
        if path.startswith("checks."):
            _, kind, rest = path.split(".", 2)
            of_check.setdefault(kind, {})[rest] = setting
        else:
            of_cell[path] = setting
    return Defaults(of_cell, of_check)
