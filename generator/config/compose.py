"""Events to tree, in one pass that collects all that is wrong between syntax and schema."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any, Final

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    StreamEndEvent,
)

from generator.config.collector import collector_paused
from generator.config.merge import merge_into
from generator.config.refusals import MAX_DEPTH, MAX_NODES, Refusals
from generator.config.scalars import resolve
from generator.config.source import Source
from generator.config.syntax import explain_syntax
from generator.config.tree import MappingNode, Node, ScalarNode, ScalarValue, SequenceNode, Style, Tree
from generator.domain.finding import Finding, by_place

_TEXT_TAGS: Final = frozenset(("!", "tag:yaml.org,2002:str"))
_COLLECTION_TAGS: Final = frozenset(("!", "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"))
_STYLES: Final = {
    "": Style.PLAIN,
    "'": Style.QUOTED,
    '"': Style.QUOTED,
    "|": Style.BLOCK,
    ">": Style.BLOCK,
}


def compose(source: Source) -> Tree | tuple[Finding, ...]:
    """The tree of the one document in a text, or every finding where no tree can be trusted."""
    refusals = Refusals(source)
    with collector_paused():
        root = _Composer(refusals).document()
    if refusals.fatal:
        return by_place((*refusals.fatal, *refusals.duplicates))
    return Tree(source=source, root=root, findings=by_place(refusals.duplicates))


class _StopError(Exception):
    """The rest of the file is not worth reading; the reason is among the refusals."""


@dataclass(frozen=True, slots=True)
class _Anchored:
    node: Node
    inner_nodes: int


def _events(text: str) -> Iterator[Any]:
    # From the C parser: the pure one needs twenty times longer for the same events.
    yield from YAML(typ="safe").parse(text)


class _Composer:
    """The state of one pass: where it is, how deep, which anchors are known."""

    def __init__(self, refusals: Refusals) -> None:
        self._refusals = refusals
        self._text = refusals.source.text
        self._next: Callable[[], Any] = _events(self._text).__next__
        self._anchors: dict[str, _Anchored] = {}
        self._open_anchors: list[str] = []
        self._depth = 0
        self._nodes = 0
        self._plain_values: dict[str, ScalarValue] = {}
        self._end = 0

    def document(self) -> Node:
        """The root; an empty scalar where a refusal says why there is none."""
        nothing = ScalarNode("", Style.PLAIN, None, 0, 0)
        try:
            self._next()
            if type(self._next()) is StreamEndEvent:
                self._refusals.empty()
                return nothing
            root = self._node(self._next())
            self._next()
            after = self._next()
        except YAMLError as problem:
            self._refusals.fatal.append(explain_syntax(self._refusals.source, problem))
            return nothing
        except _StopError:
            return nothing
        if type(after) is DocumentStartEvent:
            self._refusals.second_document(after.start_mark.index)
        if type(root) is ScalarNode and root.style is Style.PLAIN and not root.text:
            self._refusals.empty()
        return root

    def _node(self, event: Any) -> Node:  # noqa: ANN401 - events share no useful type
        self._nodes += 1
        if self._nodes > MAX_NODES:
            self._refusals.too_many(event.start_mark.index)
            raise _StopError
        kind = type(event)
        if kind is AliasEvent:
            return self._alias(event)
        if event.anchor is not None:
            return self._anchored(event)
        return self._scalar(event) if kind is ScalarEvent else self._collection(event)

    def _anchored(self, event: Any) -> Node:  # noqa: ANN401
        before = self._nodes
        self._open_anchors.append(event.anchor)
        node = self._scalar(event) if type(event) is ScalarEvent else self._collection(event)
        self._open_anchors.pop()
        self._anchors[event.anchor] = _Anchored(node, self._nodes - before)
        return node

    def _alias(self, event: Any) -> Node:  # noqa: ANN401
        offset, name = event.start_mark.index, event.anchor
        self._end = event.end_mark.index
        placeholder = ScalarNode("*", Style.PLAIN, None, offset, self._end)
        if name in self._open_anchors:
            self._refusals.alias_in_itself(offset, name)
            return placeholder
        if name not in self._anchors:
            self._refusals.unknown_alias(offset, name, self._anchors)
            return placeholder
        found = self._anchors[name]
        self._nodes += found.inner_nodes
        if self._nodes > MAX_NODES:
            self._refusals.too_many_aliased(offset)
            raise _StopError
        return found.node

    def _scalar(self, event: Any) -> ScalarNode:  # noqa: ANN401
        text, start, end = event.value, event.start_mark.index, event.end_mark.index
        style = _STYLES[event.style]
        if style is Style.BLOCK:
            # The parser lets a block end where the next token starts.
            end = start + len(self._text[start:end].rstrip("\r\n"))
        self._end = end
        if event.ctag is not None:
            if event.ctag not in _TEXT_TAGS:
                self._refusals.tag(start, event.ctag)
            return ScalarNode(text, Style.QUOTED if style is Style.PLAIN else style, text, start, end)
        if style is not Style.PLAIN:
            return ScalarNode(text, style, text, start, end)
        if text in self._plain_values:
            return ScalarNode(text, style, self._plain_values[text], start, end)
        return ScalarNode(text, style, self._resolved(text, start), start, end)

    def _resolved(self, text: str, offset: int) -> ScalarValue:
        value = resolve(text)
        if type(value) is float and not isfinite(value):
            self._refusals.endless(offset, text)
        else:
            self._plain_values[text] = value
        return value

    def _collection(self, event: Any) -> MappingNode | SequenceNode:  # noqa: ANN401
        if event.ctag is not None and event.ctag not in _COLLECTION_TAGS:
            self._refusals.tag(event.start_mark.index, event.ctag)
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self._refusals.too_deep(event.start_mark.index)
            raise _StopError
        node = self._mapping(event) if type(event) is MappingStartEvent else self._sequence(event)
        self._depth -= 1
        return node

    def _sequence(self, start: Any) -> SequenceNode:  # noqa: ANN401
        items = []
        while type(event := self._next()) is not SequenceEndEvent:
            items.append(self._node(event))
        return SequenceNode(tuple(items), start.start_mark.index, self._closed(start, event))

    def _mapping(self, start: Any) -> MappingNode:  # noqa: ANN401
        keys: list[ScalarNode] = []
        values: dict[str, Node] = {}
        merges: list[tuple[ScalarNode, Node]] = []
        firsts: dict[str, ScalarNode] = {}
        while type(event := self._next()) is not MappingEndEvent:
            key = self._key(event)
            value = self._node(self._next())
            if key.text == "<<" and key.style is Style.PLAIN:
                merges.append((key, value))
            elif key.text not in values:
                keys.append(key)
                values[key.text] = value
            else:
                firsts.update((first.text, first) for first in keys[len(firsts) :])
                self._refusals.duplicate(key, firsts[key.text])
        if merges:
            merge_into(keys, values, merges, self._refusals)
        return MappingNode(tuple(keys), values, start.start_mark.index, self._closed(start, event))

    def _key(self, event: Any) -> ScalarNode:  # noqa: ANN401
        offset = event.start_mark.index
        node = self._node(event)
        if type(node) is not ScalarNode or (not node.text and node.style is Style.PLAIN):
            self._refusals.key(offset)
            # No tree comes of this; the name only has to differ from every other.
            return ScalarNode(f"?{offset}", Style.QUOTED, "", offset, self._end)
        # A key that is an alias stands here, whatever it repeats.
        return node if node.start == offset else replace(node, start=offset, end=self._end)

    def _closed(self, start: Any, end: Any) -> int:  # noqa: ANN401
        """Where a collection ends: its bracket, or its last piece, not the next token."""
        if start.flow_style:
            self._end = end.end_mark.index
        return self._end
