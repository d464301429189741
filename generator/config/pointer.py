"""Paths as the schema validator gives them, put right.

jsonschema_rs makes a number of every step that looks like one, also where it is a key: the key
`10` comes as 10, and so does `010`.
"""

from collections.abc import Collection, Sequence

from generator.config.tree import MappingNode, Tree


def real_path(tree: Tree, path: Sequence[str | int]) -> tuple[str | int, ...]:
    """The path with each key as it is written; only items of lists stay numbers."""
    real: list[str | int] = []
    node = tree.root
    for step in path:
        real.append(real_key(node.values, step) if isinstance(node, MappingNode) else step)
        node = tree.find(real)
    return tuple(real)


def real_key(keys: Collection[str], step: str | int) -> str:
    """The key that a step means; one written without leading zeros comes first.

    Raises:
        KeyError: none of the keys can be meant.
    """
    plain = str(step)
    if plain in keys:
        return plain
    for key in keys:
        if key.removeprefix("+").isdecimal() and key.isascii() and int(key) == step:
            return key
    raise KeyError(plain)
