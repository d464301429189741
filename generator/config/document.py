"""From a file to a tree that can be trusted, or to everything that is wrong with it."""

from pathlib import Path

from generator.config.compose import compose
from generator.config.source import Source, read_source
from generator.config.structure import check_structure
from generator.config.subschema import Schema
from generator.config.tree import Tree
from generator.domain.finding import Finding, by_place


def read_document(file: Path, shown_as: str, schema: Schema) -> Tree | tuple[Finding, ...]:
    """The tree of a file on disk; `shown_as` is its name in messages."""
    source = read_source(file, shown_as)
    if isinstance(source, Finding):
        return (source,)
    return document_of(source, schema)


def document_of(source: Source, schema: Schema) -> Tree | tuple[Finding, ...]:
    """The same from a text in memory; duplicate keys and the schema's findings come together."""
    tree = compose(source)
    if not isinstance(tree, Tree):
        return tree
    findings = by_place((*tree.findings, *check_structure(tree, schema)))
    return findings or tree
