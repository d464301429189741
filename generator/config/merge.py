"""The merge key `<<` (yaml.org/type/merge.html): what is written out wins, then the first mapping named."""

from collections.abc import Iterable

from generator.config.refusals import Refusals
from generator.config.tree import MappingNode, Node, ScalarNode, SequenceNode


def merge_into(
    keys: list[ScalarNode],
    values: dict[str, Node],
    merges: list[tuple[ScalarNode, Node]],
    refusals: Refusals,
) -> None:
    """Adds to keys and values what they lack; the nodes added keep the place where they are written."""
    first_key, merged = merges[0]
    for again, _ in merges[1:]:
        refusals.duplicate(again, first_key)
    for mapping in _mappings(first_key, merged, refusals):
        for key in mapping.keys:
            if key.text not in values:
                keys.append(key)
                values[key.text] = mapping.values[key.text]


def _mappings(merge_key: ScalarNode, merged: Node, refusals: Refusals) -> Iterable[MappingNode]:
    for node in merged.items if isinstance(merged, SequenceNode) else (merged,):
        if isinstance(node, MappingNode):
            yield node
        else:
            refusals.merge(merge_key.start)
