"""Whether a tree has the shape that its schema wants: a yes in milliseconds, a no with every reason."""

from typing import Final

from jsonschema_rs import validator_for

from generator.config.collector import collector_paused
from generator.config.ids import InputId
from generator.config.subschema import Schema
from generator.config.tree import Tree, to_data
from generator.domain.finding import Finding, by_place, error

_OUR_FAULT: Final = "this is a fault of nightgrid: please report it with the file"


def check_structure(tree: Tree, schema: Schema) -> tuple[Finding, ...]:
    """All that the schema refuses, each once; nothing when the tree is valid.

    A node that aliases show in many places is told of where it is written.
    """
    validator = validator_for(dict(schema))
    with collector_paused():
        data = to_data(tree.root)
    if validator.is_valid(data):
        return ()
    # A valid file need not pay for the words.
    from generator.config.explain import explain  # noqa: PLC0415

    findings = by_place(set(explain(tree, schema, validator.iter_errors(data))))
    if findings:
        return findings
    message = "the schema refuses this file, and no reason could be found"
    return (error(InputId.SCHEMA_MISMATCH, tree.at(tree.root), message, _OUR_FAULT),)
