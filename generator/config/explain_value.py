"""The right place, the wrong content: types and values that the schema does not take."""

import re
from collections.abc import Sequence
from typing import Final

from jsonschema_rs import ValidationError
from jsonschema_rs import ValidationErrorKind as Kind

from generator.config import wording
from generator.config.ids import InputId
from generator.config.scalars import resolve
from generator.config.suggest import one_of
from generator.config.tree import MappingNode, Node, ScalarNode, SequenceNode, Tree, to_data
from generator.domain.finding import Finding, error

_VERSION: Final = re.compile(r"[0-9]+\.[0-9]+")
_OLD_TRUTHS: Final = {"yes": "true", "on": "true", "no": "false", "off": "false"}
_BOUNDS: Final = {
    "minimum": "{} is the least",
    "maximum": "{} is the most",
    "exclusiveMinimum": "it must be more than {}",
    "exclusiveMaximum": "it must be less than {}",
    "multipleOf": "it must be a multiple of {}",
    "minItems": "it needs {} or more entries",
    "maxItems": "it may have {} entries and no more",
    "minProperties": "it needs {} or more keys",
    "maxProperties": "it may have {} keys and no more",
    "minLength": "it needs {} or more characters",
    "maxLength": "it may have {} characters and no more",
    "pattern": "it must match {}",
    "format": "it is no {}",
}
_NUMBERS: Final = frozenset(("integer", "number"))


def explain_type(tree: Tree, path: Sequence[str | int], wanted: Sequence[str], purpose: str) -> Finding:
    """A value of another type than the schema takes; a version that lost its quotes is named as such."""
    node = tree.find(path)
    if "string" in wanted and wording.unquoted(node) and isinstance(node, ScalarNode) and node.text:
        return _without_quotes(tree, path, node, purpose)
    return mistyped(tree, path, wanted, purpose)


def mistyped(tree: Tree, path: Sequence[str | int], wanted: Sequence[str], purpose: str) -> Finding:
    """A value of another type than the schema takes, which no quotes would mend."""
    node = tree.find(path)
    message = f"{wording.subject(path)} needs {wording.types(wanted)}, and this is {wording.shown(node)}"
    return error(InputId.WRONG_TYPE, tree.at(node), message, _joined(_remedy(node, wanted), purpose))


def explain_value(
    tree: Tree, path: Sequence[str | int], failed: ValidationError, words: str, purpose: str
) -> Finding:
    """A value that is out of its bounds or not among the valid ones; `words` are the schema's own."""
    node = tree.find(path)
    match failed.kind:
        case Kind.Enum(options=options):
            return explain_options(tree, path, options, purpose)
        case Kind.Constant(expected_value=value):
            return explain_options(tree, path, (value,), purpose)
        case Kind.UniqueItems() if isinstance(node, SequenceNode):
            return _twice(tree, path, node)
        case _:
            message = f"{_refused(path, node)}: {words or _bound(failed)}"
            return error(InputId.WRONG_VALUE, tree.at(node), message, purpose)


def explain_options(
    tree: Tree, path: Sequence[str | int], options: Sequence[object], purpose: str
) -> Finding:
    """A value that is none of those that the schema lists."""
    node = tree.find(path)
    if isinstance(node, ScalarNode) and node.text in options and node.value != node.text:
        return _without_quotes(tree, path, node, purpose)
    written = [wording.plainly(option) for option in options]
    help_ = one_of(node.text if isinstance(node, ScalarNode) else "", written)
    return error(InputId.WRONG_VALUE, tree.at(node), _refused(path, node), help_)


def _without_quotes(tree: Tree, path: Sequence[str | int], node: ScalarNode, purpose: str) -> Finding:
    loses = isinstance(node.value, int | float) and wording.plainly(node.value) != node.text
    read_as = f"the number {node.value}" if loses else _kind(node)
    message = f"{wording.subject(path)} needs a text, and {node.text} without quotes is {read_as}"
    id_ = InputId.FLOAT_VERSION if _VERSION.fullmatch(node.text) else InputId.WRONG_TYPE
    return error(id_, tree.at(node), message, _joined(f'write "{node.text}"', purpose))


def _kind(node: ScalarNode) -> str:
    match node.value:
        case bool():
            return "true or false"
        case None:
            return "nothing"
        case _:
            return "a number"


def _refused(path: Sequence[str | int], node: Node) -> str:
    subject = wording.subject(path)
    match node:
        case ScalarNode() if node.text:
            return f"{subject} cannot be {wording.code(node.text)}"
        case ScalarNode():
            return f"{subject} cannot be empty"
        case _:
            return f"{subject} is wrong here"


def _bound(failed: ValidationError) -> str:
    words = _BOUNDS.get(failed.kind.name)
    return words.format(failed.kind.value) if words else failed.message


def _twice(tree: Tree, path: Sequence[str | int], node: SequenceNode) -> Finding:
    first: dict[str, Node] = {}
    for item in node.items:
        # Only JSON tells 1 from true, and a mapping has no hash.
        same = repr(to_data(item))
        if same in first:
            place = tree.at(first[same])
            message = f"{wording.shown(item)} stands twice in {wording.subject(path)}; first at {place}"
            return error(InputId.WRONG_VALUE, tree.at(item), message, "keep one of the two")
        first[same] = item
    return error(InputId.WRONG_VALUE, tree.at(node), f"{wording.subject(path)} holds something twice")


def _remedy(node: Node, wanted: Sequence[str]) -> str:
    match node:
        case ScalarNode():
            return _scalar_remedy(node, wanted)
        case MappingNode() if "array" in wanted:
            return "begin each entry of the list with `- `"
        case SequenceNode() if "object" in wanted:
            return "write `key: value` lines without the `- `"
        case _:
            return ""


def _scalar_remedy(node: ScalarNode, wanted: Sequence[str]) -> str:
    text = node.text
    if not text:
        return "write a value, or remove the key"
    if "boolean" in wanted and text.lower() in _OLD_TRUTHS:
        return f"write `{_OLD_TRUTHS[text.lower()]}`"
    if _NUMBERS & set(wanted) and isinstance(node.value, str) and type(resolve(text)) is int:
        return "remove the quotes"
    return f"write `[{text}]` for a list of one" if "array" in wanted and "\n" not in text else ""


def _joined(remedy: str, purpose: str) -> str:
    return "; ".join(filter(None, (remedy, purpose)))
