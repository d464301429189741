"""What a YAML file says, each piece with the place where it is written."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from generator.config.source import Source
from generator.domain.finding import Finding
from generator.domain.location import Location

ScalarValue: TypeAlias = str | int | float | bool | None
JsonValue: TypeAlias = "dict[str, JsonValue] | list[JsonValue] | ScalarValue"


class Style(Enum):
    """How a scalar is written; only a plain one can be anything else than a text."""

    PLAIN = "plain"
    QUOTED = "quoted"
    BLOCK = "block"


@dataclass(frozen=True, slots=True)
class ScalarNode:
    """A text, number, truth value or nothing; `text` keeps what `value` loses (7.20, 0x1F, ~).

    `start` and `end` are offsets into the source and include an anchor or a tag.
    """

    text: str
    style: Style
    value: ScalarValue
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class SequenceNode:
    """A list; an item that is an alias is the very node of its anchor."""

    items: "tuple[Node, ...]"
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class MappingNode:
    """Keys and values in one order, merges done; a key is its text (`7.0:` and `"7.0":` are one).

    What came by a merge stands last, and its nodes lie where they are really written.
    """

    keys: tuple[ScalarNode, ...]
    values: "dict[str, Node]"
    start: int
    end: int

    def key(self, name: str) -> ScalarNode:
        """Where a key is written.

        Raises:
            KeyError: the mapping has no such key.
        """
        for key in self.keys:
            if key.text == name:
                return key
        raise KeyError(name)


Node: TypeAlias = ScalarNode | MappingNode | SequenceNode


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """One file, composed.

    Attributes:
        source: the text that all offsets count in.
        root: the outermost node.
        findings: keys that are written twice; the first one counts, and the tree can be used.
    """

    source: Source
    root: Node
    findings: tuple[Finding, ...] = ()

    def at(self, node: Node) -> Location:
        """Where a node is written."""
        return self.source.location(node.start)

    def find(self, path: Iterable[str | int]) -> Node:
        """The node at the end of a path of keys and indices from the root.

        Raises:
            LookupError: the path leads nowhere.
        """
        node = self.root
        for step in path:
            match node, step:
                case MappingNode(values=values), str():
                    node = values[step]
                case SequenceNode(items=items), int():
                    node = items[step]
                case _:
                    raise LookupError(step)
        return node


def to_data(node: Node) -> JsonValue:
    """The same as plain data; each alias becomes a copy of its own, so that it can be changed alone."""
    if type(node) is ScalarNode:
        return node.value
    if type(node) is MappingNode:
        return {
            key: value.value if type(value) is ScalarNode else to_data(value)
            for key, value in node.values.items()
        }
    if type(node) is SequenceNode:
        return [item.value if type(item) is ScalarNode else to_data(item) for item in node.items]
    raise TypeError(node)
