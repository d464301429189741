"""GitHub's lock file of actions, as `gh actions-lock` writes it (format v0.0.2, a preview)."""

from generator.config.compose import compose
from generator.config.entry import Entry
from generator.config.source import Source, source_of
from generator.config.tree import MappingNode, Tree
from generator.domain.facts import ActionsLock


def read_actions_lock(path: str, data: bytes) -> ActionsLock:
    """For each workflow that takes part, the actions that are locked; none where the file cannot be read.

    Args:
        path: of the file, as messages show it.
        data: its bytes; empty where there is none.
    """
    source = source_of(data, path)
    tree = compose(source) if isinstance(source, Source) else None
    if not isinstance(tree, Tree) or not isinstance(tree.root, MappingNode):
        return ActionsLock(workflows={})
    workflows = Entry(tree, tree.root).entry("workflows")
    return ActionsLock(
        path=path, workflows={name: frozenset(workflows.texts(name)) for name in workflows.node.values}
    )
