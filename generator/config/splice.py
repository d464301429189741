"""Edits put into a file: the characters of their places change and no other, and the result is proved."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from generator.config.compose import compose
from generator.config.source import Source, source_of
from generator.config.tree import JsonValue, Tree, to_data
from generator.domain.finding import Finding


class SpliceError(ValueError):
    """An edit cannot be made here, or did not make what was meant; the file was not touched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """The characters of a source from `start` to before `end`, and what stands there instead."""

    start: int
    end: int
    text: str


def apply_edits(tree: Tree, edits: Iterable[Edit], meant: JsonValue) -> Tree:
    """The tree of the changed text; its `source.data` is what to write to the file.

    Raises:
        SpliceError: edits overlap, or the new text does not say exactly what is meant.
    """
    source = tree.source
    changed = _reread(source, _spliced(source.text, edits))
    if _canonical(to_data(changed.root)) != _canonical(meant):
        raise SpliceError(f"the edit of {source.path} would change more or less than was meant")
    return changed


def _spliced(text: str, edits: Iterable[Edit]) -> str:
    in_order = sorted(edits, key=lambda edit: (edit.start, edit.end))
    for one, next_one in pairwise(in_order):
        if next_one.start < one.end:
            raise SpliceError(f"two edits want the same characters, at {next_one.start}")
    parts: list[str] = []
    done = 0
    for edit in in_order:
        parts += (text[done : edit.start], edit.text)
        done = edit.end
    return "".join((*parts, text[done:]))


def _reread(source: Source, text: str) -> Tree:
    try:
        data = (source.bom + text).encode()
    except UnicodeEncodeError as problem:
        raise SpliceError(f"the new text for {source.path} is not Unicode: {problem}") from problem
    changed = source_of(data, source.path)
    tree = (changed,) if isinstance(changed, Finding) else compose(changed)
    findings = tree.findings if isinstance(tree, Tree) else tree
    if isinstance(tree, Tree) and not findings:
        return tree
    first = findings[0]
    raise SpliceError(f"the edit would break the file: {first.location}: {first.message}")


def _canonical(data: JsonValue) -> str:
    """One text for one meaning: 1, 1.0 and true are three, the order of keys is none."""
    return json.dumps(data, sort_keys=True)
