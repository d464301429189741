"""Types, values and places as a person says them."""

from collections.abc import Iterable, Sequence
from typing import Final, assert_never

from generator.config.tree import MappingNode, Node, ScalarNode, SequenceNode, Style

_MAX_SHOWN_CHARACTERS: Final = 60

_TYPES: Final = {
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping (`key: value`)",
    "null": "nothing",
}


def listed(parts: Iterable[str], last: str) -> str:
    """`a, b or c`, with the word that stands before the last."""
    all_parts = tuple(dict.fromkeys(parts))
    return f" {last} ".join(filter(None, (", ".join(all_parts[:-1]), *all_parts[-1:])))


def types(names: Iterable[str]) -> str:
    """JSON Schema's type names in words."""
    return listed((_TYPES[name] for name in _TYPES if name in set(names)), "or")


def subject(path: Sequence[str | int]) -> str:
    """What a path points at, as the beginning of a sentence."""
    match path:
        case []:
            return "the file"
        case [*_, str(key)]:
            return f"`{key}`"
        case [*_, str(key), int(index)]:
            return f"item {index + 1} of `{key}`"
        case _:
            return f"item {int(path[-1]) + 1}"


def code(text: str) -> str:
    """A text between backticks, on one line and not too long."""
    flat = text.replace("\r", "").replace("\n", "⏎")
    return f"`{flat[:_MAX_SHOWN_CHARACTERS]}…`" if len(flat) > _MAX_SHOWN_CHARACTERS else f"`{flat}`"


def shown(node: Node) -> str:
    """What stands there, with its type where that is not plain to see."""
    match node:
        case MappingNode():
            return "a mapping"
        case SequenceNode():
            return "a list"
        case ScalarNode(value=str()):
            return f"the text {code(node.text)}" if node.text else "an empty text"
        case ScalarNode(value=bool() | None):
            return code(node.text) if node.text else "nothing"
        case ScalarNode():
            return f"the number {node.text}"
        case _:
            assert_never(node)


def plainly(value: object) -> str:
    """A value of the schema as it would be written in YAML."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case _:
            return str(value)


def unquoted(node: Node) -> bool:
    """Whether quotes would make a text of what stands there."""
    return isinstance(node, ScalarNode) and node.style is Style.PLAIN and not isinstance(node.value, str)
