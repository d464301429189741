"""What a matrix declares, whether or not a cell uses it."""

from generator.config.entry import Entry
from generator.config.machines import read_isas, read_quantizations
from generator.config.models import read_models
from generator.config.names import Problems
from generator.config.tree import MappingNode, Tree
from generator.domain.model import Model


def models_of(tree: Tree) -> dict[str, Model]:
    """The models of a tree that has been read without a finding."""
    if not isinstance(tree.root, MappingNode):
        raise TypeError(tree.root)  # the schema refuses anything else
    root, problems = Entry(tree, tree.root), Problems(tree)
    return read_models(root, read_quantizations(root, read_isas(root), problems), problems)
