"""One more in a list or a mapping however it is written, in brackets or over several lines."""

from collections.abc import Sequence

from generator.config.edit_lines import append_entry, append_item
from generator.config.edit_scalar import content_start, in_brackets
from generator.config.splice import Edit, SpliceError
from generator.config.tree import MappingNode, ScalarNode, SequenceNode, Tree


def add_items(tree: Tree, sequence: SequenceNode, items: Sequence[str]) -> tuple[Edit, ...]:
    """Items behind the last one, each given as YAML on one line.

    Raises:
        SpliceError: the last item is an alias, so that its end is not known.
    """
    if not in_brackets(tree, sequence):
        return tuple(append_item(tree, sequence, (item,)) for item in items)
    written = ", ".join(items)
    if not sequence.items:
        start = content_start(tree, sequence) + 1
        return (Edit(start=start, end=start, text=written),)
    last = sequence.items[-1]
    if not sequence.start <= last.start < last.end <= sequence.end:
        raise SpliceError(f"{tree.at(sequence)}: a list that ends in an alias is not edited")
    return (Edit(start=last.end, end=last.end, text=f", {written}"),)


def add_entry(tree: Tree, mapping: MappingNode, lines: Sequence[str]) -> Edit:
    """An entry behind the last one; in brackets it must be a single line.

    Raises:
        SpliceError: several lines cannot stand in brackets.
    """
    if not in_brackets(tree, mapping):
        return append_entry(tree, mapping, lines)
    if len(lines) != 1:
        raise SpliceError(f"{tree.at(mapping)}: write this mapping over several lines first")
    end = mapping.end - 1
    while end > mapping.start and tree.source.text[end - 1] in " \t\r\n":
        end -= 1
    comma = "" if tree.source.text[end - 1] in "{," else ","
    blank = " " if tree.source.text[end - 1] != "{" else ""
    return Edit(start=end, end=end, text=f"{comma}{blank}{lines[0]}")


def own_entry_end(tree: Tree, mapping: MappingNode, key: str) -> int:
    """Where an entry ends on its own line; behind its key where its value is an alias.

    Raises:
        SpliceError: the entry came by a merge.
    """
    name, value = mapping.key(key), mapping.values[key]
    if not mapping.start <= name.start < mapping.end:
        raise SpliceError(f"{tree.at(name)}: `{key}` came by a merge")
    is_own = name.end <= value.start <= mapping.end and not _is_nothing(value)
    return value.end if is_own else name.end


def _is_nothing(value: object) -> bool:
    return isinstance(value, ScalarNode) and value.start == value.end


def line_end(text: str, offset: int) -> int:
    """The end of the line that a character is on, before its line break."""
    ends = (text.find(sign, offset) for sign in "\r\n")
    return min((end for end in ends if end >= 0), default=len(text))


def line_start(text: str, offset: int) -> int:
    """The start of the line that a character is on."""
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
