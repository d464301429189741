"""Typed reading of a mapping whose structure the schema has already approved."""

from collections.abc import Iterator
from dataclasses import dataclass

from generator.config.tree import MappingNode, Node, ScalarNode, SequenceNode, Tree
from generator.domain.location import Location

_EMPTY = MappingNode((), {}, 0, 0)


@dataclass(frozen=True, slots=True)
class Entry:
    """A mapping of the matrix; what is left out reads as the default that the caller names."""

    tree: Tree
    node: MappingNode

    def __contains__(self, name: str) -> bool:
        return name in self.node.values

    def node_at(self, name: str) -> Node:
        """The node behind a key.

        Raises:
            KeyError: there is none.
        """
        return self.node.values[name]

    def scalar(self, name: str) -> ScalarNode | None:
        """The scalar behind a key, if any."""
        node = self.node.values.get(name)
        return node if isinstance(node, ScalarNode) else None

    def text(self, name: str, default: str = "") -> str:
        """A text."""
        node = self.scalar(name)
        return default if node is None else str(node.value)

    def integer(self, name: str, default: int = 0) -> int:
        """A whole number; 60.0 counts as 60, as it does for the schema."""
        node = self.scalar(name)
        return int(node.value) if node is not None and isinstance(node.value, int | float) else default

    def number(self, name: str, default: float = 0.0) -> float:
        """A number."""
        node = self.scalar(name)
        return float(node.value) if node is not None and isinstance(node.value, int | float) else default

    def flag(self, name: str, default: bool) -> bool:  # noqa: FBT001 - the value that a file leaves out
        """A truth value."""
        node = self.scalar(name)
        return node.value if node is not None and isinstance(node.value, bool) else default

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts."""
        return tuple(str(node.value) for node in self.scalars(name))

    def scalars(self, name: str) -> tuple[ScalarNode, ...]:
        """The nodes of a list of texts."""
        node = self.node.values.get(name)
        if not isinstance(node, SequenceNode):
            return ()
        return tuple(item for item in node.items if isinstance(item, ScalarNode))

    def pairs(self, name: str) -> tuple[tuple[str, ScalarNode], ...]:
        """The keys and scalars of a mapping."""
        node = self.node.values.get(name)
        if not isinstance(node, MappingNode):
            return ()
        return tuple((key, value) for key, value in node.values.items() if isinstance(value, ScalarNode))

    def entry(self, name: str) -> "Entry":
        """A mapping; an empty one where there is none."""
        node = self.node.values.get(name)
        return Entry(self.tree, node if isinstance(node, MappingNode) else _EMPTY)

    def entries(self, name: str) -> Iterator[tuple[str, "Entry"]]:
        """The mappings in a mapping, by their keys."""
        node = self.node.values.get(name)
        if isinstance(node, MappingNode):
            for key, value in node.values.items():
                if isinstance(value, MappingNode):
                    yield key, Entry(self.tree, value)

    def items(self, name: str) -> Iterator["Entry"]:
        """The mappings in a list."""
        node = self.node.values.get(name)
        if isinstance(node, SequenceNode):
            for value in node.items:
                if isinstance(value, MappingNode):
                    yield Entry(self.tree, value)

    @property
    def location(self) -> Location:
        """Where the mapping begins."""
        return self.tree.at(self.node)

    def key_location(self, name: str) -> Location:
        """Where a key of the mapping is written."""
        return self.tree.at(self.node.key(name))

    def location_of(self, name: str) -> Location:
        """Where the value behind a key is written; where the mapping begins if there is none."""
        node = self.node.values.get(name)
        return self.location if node is None else self.tree.at(node)
