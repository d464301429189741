"""Edits of whole entries: one more in a mapping or a list, or one less."""

from collections.abc import Sequence
from typing import NamedTuple

from generator.config.edit_scalar import content_start, in_brackets
from generator.config.splice import Edit, SpliceError
from generator.config.tree import MappingNode, SequenceNode, Tree


class _Piece(NamedTuple):
    """An entry of a collection as it is written: from its key or dash to the end of its value."""

    start: int
    end: int


def append_entry(tree: Tree, mapping: MappingNode, lines: Sequence[str]) -> Edit:
    """Lines such as `key: value` behind the last entry of a mapping, indented as its keys are.

    Raises:
        SpliceError: the mapping is written in brackets.
    """
    return _append(tree, mapping, lines)


def append_item(tree: Tree, sequence: SequenceNode, lines: Sequence[str]) -> Edit:
    """One more item of a list, its lines given without the dash.

    Raises:
        SpliceError: the list is written in brackets.
    """
    dashed = (("- " if number == 0 else "  ") + line for number, line in enumerate(lines))
    return _append(tree, sequence, tuple(dashed))


def delete_entry(tree: Tree, mapping: MappingNode, key: str) -> Edit:
    """An entry goes, and with it the comment lines directly above it.

    Raises:
        KeyError: there is no such key.
        SpliceError: the entry came by a merge, is the only one, or is not clearly apart from others.
    """
    own = [name for name in mapping.keys if mapping.start <= name.start < mapping.end]
    names = [name.text for name in own]
    if mapping.key(key).text not in names:
        raise SpliceError(f"{tree.at(mapping.key(key))}: `{key}` came by a merge")
    pieces = []
    for name in own:
        value = mapping.values[name.text]
        is_alias = not name.end <= value.start <= mapping.end
        pieces.append(_Piece(name.start, _line_end(tree, name.end) if is_alias else max(name.end, value.end)))
    return _delete(tree, mapping, pieces, names.index(key))


def delete_item(tree: Tree, sequence: SequenceNode, index: int) -> Edit:
    """An item goes, and with it the comment lines directly above it.

    Raises:
        IndexError: there is no such item.
        SpliceError: an item is an alias, the only one, or not clearly apart from others.
    """
    text, flow = tree.source.text, in_brackets(tree, sequence)
    sequence.items[index]
    pieces = []
    behind = sequence.start
    for item in sequence.items:
        if not behind <= item.start <= item.end <= sequence.end:
            raise SpliceError(f"{tree.at(sequence)}: a list that holds aliases is not edited")
        behind = item.end
        start = item.start if flow else text.rfind("-", sequence.start, max(item.start, sequence.start + 1))
        pieces.append(_Piece(start, item.end))
    return _delete(tree, sequence, pieces, index % len(pieces))


def _append(tree: Tree, node: MappingNode | SequenceNode, lines: Sequence[str]) -> Edit:
    source = tree.source
    if in_brackets(tree, node):
        raise SpliceError(
            f"{tree.at(node)}: nothing can be added in brackets; write it over several lines first"
        )
    indent = " " * (source.location(content_start(tree, node)).column - 1)
    end = _line_end(tree, node.end)
    written = [source.newline + (indent + line if line else "") for line in lines]
    return Edit(start=end, end=end, text="".join(written))


def _delete(tree: Tree, node: MappingNode | SequenceNode, pieces: Sequence[_Piece], index: int) -> Edit:
    if len(pieces) == 1:
        raise SpliceError(f"{tree.at(node)}: the only entry cannot be deleted alone")
    text, piece = tree.source.text, pieces[index]
    line_start = _line_start(text, piece.start)
    if not in_brackets(tree, node) and not text[line_start : piece.start].strip():
        return _delete_lines(tree, line_start, piece)
    if index + 1 < len(pieces):
        start, end = piece.start, pieces[index + 1].start
        between = text[piece.end : end]
    else:
        start, end = pieces[index - 1].end, piece.end
        between = text[start : piece.start]
    if between.strip(", \t\r\n"):
        raise SpliceError(f"{tree.at(node)}: a comment stands between this entry and the next")
    return Edit(start=start, end=end, text="")


def _delete_lines(tree: Tree, line_start: int, piece: _Piece) -> Edit:
    text = tree.source.text
    start, end = line_start, _line_end(tree, piece.end)
    indent = text[line_start : piece.start]
    while start > 0:
        above = _line_start(text, start - (2 if text.endswith("\r\n", 0, start) else 1))
        line = text[above:start]
        if not line.startswith(indent + "#"):
            break
        start = above
    if end < len(text):
        # The line break is `\r\n`, `\n` or `\r`.
        end += 2 if text.startswith("\r\n", end) else 1
    elif start > 0:
        start -= 2 if text.endswith("\r\n", 0, start) else 1
    return Edit(start=start, end=end, text="")


def _line_start(text: str, offset: int) -> int:
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1


def _line_end(tree: Tree, offset: int) -> int:
    text = tree.source.text
    ends = (text.find(sign, offset) for sign in "\r\n")
    return min((end for end in ends if end >= 0), default=len(text))
