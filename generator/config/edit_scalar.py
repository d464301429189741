"""Edits of one value and of the comment behind it."""

import json
import re
from typing import Final

from generator.config.scalars import resolve
from generator.config.splice import Edit, SpliceError
from generator.config.tree import MappingNode, Node, ScalarNode, SequenceNode, Style, Tree

_SAFE_PLAIN: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./@+-]*")
_SAFE_SINGLE: Final = re.compile(r"[ -~\xa0-\ud7ff\ue000-\ufefe]*")
_NEEDS_ESCAPE: Final = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_PROPERTIES: Final = re.compile(r"(?:[&!]\S*(?:\s+|\Z))*")
_REST_OF_LINE: Final = re.compile(
    r"(?P<comma>[ \t]*,)?(?P<gap>[ \t]*)(?P<sign>(?<=[ \t])#[ \t]*)?(?P<text>(?(sign)[^\r\n]*))(?=[\r\n]|\Z)"
)


def content_start(tree: Tree, node: Node) -> int:
    """Where a node begins behind its anchor and its tag."""
    properties = _PROPERTIES.match(tree.source.text, node.start, node.end)
    return node.start if properties is None else properties.end()


def replace_scalar(tree: Tree, node: ScalarNode, value: str) -> Edit:
    """Another text in the place of a scalar, quoted as it was where that can hold it, else in double quotes.

    Where the node came by an alias or a merge, its anchor changes.
    """
    text = tree.source.text
    start = content_start(tree, node)
    written = _written_like(text[start : start + 1], value)
    # An empty value begins right behind its colon, dash or anchor.
    gap = "" if start == 0 or text[start - 1] in " \t\r\n" or start < node.end else " "
    return Edit(start=start, end=node.end, text=gap + written)


def replace_text(tree: Tree, node: Node, yaml: str) -> Edit:
    """Any YAML in the place of a scalar or of a collection in brackets.

    Raises:
        SpliceError: the node is a collection without brackets, whose place has no clear end.
    """
    start = content_start(tree, node)
    if isinstance(node, MappingNode | SequenceNode) and not in_brackets(tree, node):
        raise SpliceError(f"{tree.at(node)}: only a value on one line can be replaced")
    return Edit(start=start, end=node.end, text=yaml)


def in_brackets(tree: Tree, node: MappingNode | SequenceNode) -> bool:
    """Whether a collection is written `{...}` or `[...]`."""
    start = content_start(tree, node)
    return tree.source.text[start : start + 1] in {"{", "["}


def comment_behind(tree: Tree, node: ScalarNode) -> str:
    """The comment on the line where a value ends, without its `#`; empty for none."""
    rest = _rest_of_line(tree, node)
    return rest["text"].rstrip()


def replace_comment(tree: Tree, node: ScalarNode, comment: str) -> Edit:
    """Another comment behind a value; an empty one takes it away, and none becomes one.

    Raises:
        SpliceError: the comment has more than one line, or something else stands behind the value.
    """
    if "\n" in comment or "\r" in comment:
        raise SpliceError("a comment behind a value has one line")
    rest = _rest_of_line(tree, node)
    start = rest.start("gap")
    if not comment:
        return Edit(start=start, end=rest.end(), text="")
    sign = rest["gap"] + rest["sign"] if rest["sign"] else "  # "
    return Edit(start=start, end=rest.end(), text=sign + comment)


def _rest_of_line(tree: Tree, node: ScalarNode) -> re.Match[str]:
    rest = _REST_OF_LINE.match(tree.source.text, node.end)
    if rest is None or node.style is Style.BLOCK:
        raise SpliceError(f"{tree.at(node)}: no comment can stand behind this value alone")
    return rest


def _written_like(old_sign: str, value: str) -> str:
    if old_sign == "'" and _SAFE_SINGLE.fullmatch(value):
        return "'" + value.replace("'", "''") + "'"
    is_plain = old_sign not in {"'", '"'}
    if is_plain and _SAFE_PLAIN.fullmatch(value) and isinstance(resolve(value), str):
        return value
    # JSON's escapes are YAML's too; what only YAML forbids comes on top.
    quoted = json.dumps(value, ensure_ascii=False)
    return _NEEDS_ESCAPE.sub(lambda found: f"\\u{ord(found.group()):04x}", quoted)
