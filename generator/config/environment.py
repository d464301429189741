"""The environment variables of a matrix with every place that sets them."""

from collections.abc import Iterable

from generator.config.entry import Entry
from generator.config.tree import MappingNode, Tree
from generator.domain.cell import Cell
from generator.domain.setting import Setting
from generator.domain.variable import Variable


def read_environment(tree: Tree, cells: Iterable[Cell]) -> tuple[Variable, ...]:
    """The declared variables in the order of the file; the cells are those of the same tree."""
    if not isinstance(tree.root, MappingNode):
        raise TypeError(tree.root)  # the schema refuses anything else
    root = Entry(tree, tree.root)
    settings: dict[str, list[Setting]] = {}
    for cell in cells:
        for path, setting in cell.settings.items():
            name = _name(path)
            if name:
                settings.setdefault(name, []).append(setting)
    return tuple(
        Variable(
            name=name,
            read_by=entry.text("read_by"),
            note=entry.text("note"),
            location=root.entry("variables").key_location(name),
            settings=_by_place(settings.get(name, ())),
        )
        for name, entry in root.entries("variables")
    )


def _by_place(settings: Iterable[Setting]) -> tuple[Setting, ...]:
    """Each place once: a row's value holds in many cells."""
    by_place = {setting.location: setting for setting in settings}
    return tuple(by_place[place] for place in sorted(by_place))


def _name(path: str) -> str:
    """The variable that a dotted path sets; empty where it sets none."""
    parts = path.split(".")
    match parts:
        case ["env", name]:
            return name
        case ["checks", _, "env", name]:
            return name
        case _:
            return ""
