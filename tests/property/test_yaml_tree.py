"""Laws of the located tree: what it says, where it says it, and what an edit leaves alone."""

import json
from collections.abc import Iterator, Sequence
from random import Random

from hypothesis import assume, given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from generator.config.compose import compose
from generator.config.edit_scalar import comment_behind, replace_comment, replace_scalar
from generator.config.ids import InputId
from generator.config.source import Source, source_of
from generator.config.splice import SpliceError, apply_edits
from generator.config.tree import JsonValue, MappingNode, Node, ScalarNode, SequenceNode, Style, Tree, to_data
from generator.domain.finding import Finding

NEWLINES = ("\n", "\r\n")
BLOCKS = ("b: ", "- ", ": ", "? ", "\n", "\n  ", "\n    ", "\r\n", "|\n", ">-\n", "---\n")
MARKS = ("&x ", "*x", "<<: ", "!t ", " # ", "7.20")
WORDS = st.text("abcxyz", min_size=1, max_size=6)
TEXTS = st.text(
    st.characters(
        codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp"), exclude_characters="\ufeff\ufffe\uffff"
    )
)
PLAIN = st.one_of(
    WORDS,
    st.integers(-(10**30), 10**30),
    st.floats(-1e6, 1e6).map(lambda number: round(number, 3)),
    st.booleans(),
    st.none(),
)
VALUES = st.recursive(
    PLAIN | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS | TEXTS, inner, max_size=4),
    max_leaves=12,
)


def scalar_text(draw: st.DrawFn, value: object) -> str:
    """One value on one line, in any style that can hold it."""
    if not isinstance(value, str):
        return json.dumps(value)
    styles = [json.dumps(value, ensure_ascii=draw(st.booleans()) and value.isascii())]
    if value.isprintable():
        styles.append("'" + value.replace("'", "''") + "'")
    if value.isalpha() and value.isascii() and value.lower() not in {"null", "true", "false"}:
        styles.append(value)
    return draw(st.sampled_from(styles))


def flow_text(draw: st.DrawFn, value: object) -> str:
    if isinstance(value, dict):
        pairs = [f"{scalar_text(draw, key)}: {flow_text(draw, inner)}" for key, inner in value.items()]
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(flow_text(draw, inner) for inner in value) + "]"
    return scalar_text(draw, value)


def block_lines(draw: st.DrawFn, value: object) -> list[str]:
    """A value as block lines, with comments, blank lines and deeper indents where they may stand."""
    if not isinstance(value, dict | list) or not value or draw(st.booleans()):
        return [flow_text(draw, value) + draw(st.sampled_from(("", "  # about: it", " ")))]
    lines: list[str] = []
    entries = value.items() if isinstance(value, dict) else [("-", inner) for inner in value]
    for key, inner in entries:
        lines += draw(st.sampled_from(([], [""], ["# above"])))
        head = "-" if isinstance(value, list) else scalar_text(draw, key) + ":"
        below = block_lines(draw, inner)
        is_short = len(below) == 1 and not (
            isinstance(inner, dict | list) and below[0].startswith(("-", "#"))
        )
        if is_short and not is_block(below[0], inner):
            lines.append(f"{head} {below[0]}")
        else:
            indent = " " * draw(st.integers(1, 3))
            lines += [head, *(indent + line if line else "" for line in below)]
    return lines


def is_block(line: str, value: object) -> bool:
    return isinstance(value, dict | list) and not line.startswith(("{", "["))


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, JsonValue]:
    """A text and what it says."""
    value = draw(st.dictionaries(WORDS, VALUES, min_size=1, max_size=5))
    newline = draw(st.sampled_from(NEWLINES))
    lines = ["# head", *block_lines(draw, value)]
    return newline.join(lines) + draw(st.sampled_from(("", newline))), value


def tree_of(text: str) -> Tree:
    source = source_of(text.encode(), "m.yaml")
    assert isinstance(source, Source), source
    tree = compose(source)
    assert isinstance(tree, Tree), (tree, text)
    return tree


def nodes(node: Node) -> Iterator[Node]:
    yield node
    match node:
        case MappingNode():
            yield from node.keys
            for value in node.values.values():
                yield from nodes(value)
        case SequenceNode():
            for item in node.items:
                yield from nodes(item)
        case ScalarNode():
            pass


def same(one: object, other: object) -> bool:
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def with_texts_for_keys(data: object) -> object:
    """What another loader made, with keys as they are told by us: texts."""
    if isinstance(data, dict):
        return {str(key): with_texts_for_keys(value) for key, value in data.items()}
    return [with_texts_for_keys(item) for item in data] if isinstance(data, list) else data


@given(documents())
def test_the_tree_says_what_was_written_and_what_another_loader_reads(
    document: tuple[str, JsonValue],
) -> None:
    text, meant = document
    data = to_data(tree_of(text).root)
    assert same(data, meant)
    assert same(data, with_texts_for_keys(YAML(typ="safe").load(text)))


@given(documents())
def test_each_node_spans_the_text_that_says_it(document: tuple[str, JsonValue]) -> None:
    tree = tree_of(document[0])
    lines = tree.source.text.splitlines(keepends=True)
    for node in nodes(tree.root):
        written = tree.source.text[node.start : node.end]
        place = tree.at(node)
        assert lines[place.line - 1][place.column - 1 :].startswith(
            written.splitlines()[0] if written else ""
        )
        if isinstance(node, ScalarNode) and node.style is Style.PLAIN:
            assert written == node.text
        if written and not written.startswith(("?", "-")) and "\n" not in written:
            alone = compose(
                Source(path="m", text=f"x: {written}" if isinstance(node, ScalarNode) else written)
            )
            assert isinstance(alone, Tree)
            found = alone.find(["x"]) if isinstance(node, ScalarNode) else alone.root
            assert same(to_data(found), to_data(node))


@given(documents(), TEXTS, st.randoms(use_true_random=False))
def test_an_edit_changes_its_place_and_no_other(
    document: tuple[str, JsonValue], value: str, random: Random
) -> None:
    tree = tree_of(document[0])
    paths = list(scalar_paths(tree.root))
    assume(paths)
    path = random.choice(paths)
    node = tree.find(path)
    assert isinstance(node, ScalarNode)
    meant = put(to_data(tree.root), path, value)
    changed = apply_edits(tree, [replace_scalar(tree, node, value)], meant)
    before, now = tree.source.text, changed.source.text
    assert now.startswith(before[: node.start])
    assert now.endswith(before[node.end :])


@given(documents(), WORDS)
def test_a_comment_changes_no_data(document: tuple[str, JsonValue], comment: str) -> None:
    tree = tree_of(document[0])
    for path in scalar_paths(tree.root):
        node = tree.find(path)
        assert isinstance(node, ScalarNode)
        try:
            edit = replace_comment(tree, node, comment)
        except SpliceError:
            continue
        changed = apply_edits(tree, [edit], to_data(tree.root))
        again = changed.find(path)
        assert isinstance(again, ScalarNode)
        assert comment_behind(changed, again) == comment


def scalar_paths(node: Node, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    match node:
        case ScalarNode():
            yield path
        case MappingNode(values=values):
            for key, value in values.items():
                yield from scalar_paths(value, (*path, key))
        case SequenceNode(items=items):
            for index, item in enumerate(items):
                yield from scalar_paths(item, (*path, index))


def put(data: JsonValue, path: Sequence[str | int], value: str) -> JsonValue:
    if not path:
        return value
    if isinstance(data, dict):
        key = str(path[0])
        return {**data, key: put(data[key], path[1:], value)}
    assert isinstance(data, list)
    index = int(path[0])
    return [*data[:index], put(data[index], path[1:], value), *data[index + 1 :]]


GARBAGE = st.lists(st.sampled_from((*"a[]{},?#~%@'é\"\\\t\x00\ufeff", *BLOCKS, *MARKS)), max_size=40).map(
    "".join
)


@given(GARBAGE)
def test_no_text_makes_it_stumble(text: str) -> None:
    source = source_of(text.encode(), "m.yaml")
    if isinstance(source, Finding):
        assert source.id == InputId.FILE_UNREADABLE
        return
    outcome = compose(source)
    findings = outcome.findings if isinstance(outcome, Tree) else outcome
    assert isinstance(outcome, Tree) or findings
    lines = source.text.splitlines() or [""]
    for finding in findings:
        assert finding.id in set(InputId)
        assert 1 <= finding.location.line <= len(lines) + 1
        assert finding.location.column >= 1
    if isinstance(outcome, Tree):
        data = to_data(outcome.root)
        assert same(to_data(tree_of(json.dumps(data, ensure_ascii=False)).root), data)
