"""Names that one part of the matrix gives and another part uses."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from generator.config.suggest import one_of
from generator.config.tree import ScalarNode, Tree
from generator.domain.finding import Finding, error
from generator.domain.location import Location

T = TypeVar("T")


@dataclass(slots=True)
class Problems:
    """What is wrong with the names and values of one matrix, gathered so that all is said at once.

    A row that is wrong itself is called broken: whoever names it is not told that it is not there.
    """

    tree: Tree
    findings: list[Finding] = field(default_factory=list)
    _broken: dict[str, list[str]] = field(default_factory=dict)

    def add(self, id_: str, location: Location, message: str, help_: str = "") -> None:
        """Note one problem."""
        self.findings.append(error(id_, location, message, help_))

    def unknown(self, noun: str, name: str, location: Location, valid: Mapping[str, object]) -> None:
        """Note a name that nothing carries."""
        names = (*valid, *self._broken.get(noun, ()))
        self.add("unknown-name", location, f"there is no {noun} `{name}`", one_of(name, names))

    def broken(self, noun: str, name: str) -> None:
        """Note that a row was left out because of a problem of its own."""
        self._broken.setdefault(noun, []).append(name)

    def is_broken(self, noun: str, name: str) -> bool:
        """Whether the row of this name was left out."""
        return name in self._broken.get(noun, ())

    def look_up(self, noun: str, node: ScalarNode, valid: Mapping[str, T]) -> T | None:
        """What the name at this node stands for; nothing, and a problem noted, where it is unknown."""
        name = str(node.value)
        if name in valid:
            return valid[name]
        if not self.is_broken(noun, name):
            self.unknown(noun, name, self.tree.at(node), valid)
        return None

    def look_up_all(self, noun: str, nodes: tuple[ScalarNode, ...], valid: Mapping[str, T]) -> tuple[T, ...]:
        """What the names stand for, without the unknown ones, which are noted."""
        found = (self.look_up(noun, node, valid) for node in nodes)
        return tuple(item for item in found if item is not None)
