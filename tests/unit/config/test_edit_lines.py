import pytest

from generator.config.compose import compose
from generator.config.edit_lines import append_entry, append_item, delete_entry, delete_item
from generator.config.source import Source, source_of
from generator.config.splice import Edit, SpliceError, apply_edits
from generator.config.tree import JsonValue, MappingNode, SequenceNode, Tree, to_data


def tree_of(text: str) -> Tree:
    source = source_of(text.encode(), "m.yaml")
    assert isinstance(source, Source)
    tree = compose(source)
    assert isinstance(tree, Tree), tree
    return tree


def mapping(tree: Tree, *path: str | int) -> MappingNode:
    node = tree.find(path)
    assert isinstance(node, MappingNode)
    return node


def sequence(tree: Tree, *path: str | int) -> SequenceNode:
    node = tree.find(path)
    assert isinstance(node, SequenceNode)
    return node


def after(tree: Tree, *edits: Edit) -> str:
    """The new text, without proof."""
    text = tree.source.text
    for edit in sorted(edits, key=lambda each: each.start, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def data_of(text: str) -> JsonValue:
    return to_data(tree_of(text).root)


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("a:\n  b: 1  # c\n\nd: 2\n", ["a"], "a:\n  b: 1  # c\n  n: {\n    m: 1}\n\nd: 2\n"),
        ("a:\n  b: 1", ["a"], "a:\n  b: 1\n  n: {\n    m: 1}"),
        ("a:\r\n  b: |\r\n    x\r\n", ["a"], "a:\r\n  b: |\r\n    x\r\n  n: {\r\n    m: 1}\r\n"),
        ("a: 1\n", [], "a: 1\nn: {\n  m: 1}\n"),
        ("a:\n- b: 1\n- c: 1\n", ["a", 0], "a:\n- b: 1\n  n: {\n    m: 1}\n- c: 1\n"),
        ("a: &x\n  b: 1\nc: *x\n", ["a"], "a: &x\n  b: 1\n  n: {\n    m: 1}\nc: *x\n"),
        ("x: &x {q: 1}\na:\n   <<: *x\n", ["a"], "x: &x {q: 1}\na:\n   <<: *x\n   n: {\n     m: 1}\n"),
        ("a:\n  b:\n# end\n", ["a"], "a:\n  b:\n  n: {\n    m: 1}\n# end\n"),
    ],
)
def test_append_entry(text: str, path: list[str | int], expected: str) -> None:
    tree = tree_of(text)
    edit = append_entry(tree, mapping(tree, *path), ["n: {", "  m: 1}"])
    assert after(tree, edit) == expected
    assert apply_edits(tree, [edit], data_of(expected)).source.text == expected


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("a:\n  - b\nc: 1\n", ["a"], "a:\n  - b\n  - n: 1\n    m: 2\nc: 1\n"),
        ("a:\n- b\nc: 1\n", ["a"], "a:\n- b\n- n: 1\n  m: 2\nc: 1\n"),
        ("- - x\n- y\n", [0], "- - x\n  - n: 1\n    m: 2\n- y\n"),
    ],
)
def test_append_item(text: str, path: list[str | int], expected: str) -> None:
    tree = tree_of(text)
    edit = append_item(tree, sequence(tree, *path), ["n: 1", "m: 2"])
    assert after(tree, edit) == expected
    assert apply_edits(tree, [edit], data_of(expected)).source.text == expected


def test_nothing_is_appended_in_brackets() -> None:
    tree = tree_of("a: {b: 1}\nc: [1]\n")
    with pytest.raises(SpliceError, match=r"m\.yaml:1:4"):
        append_entry(tree, mapping(tree, "a"), ["x: 1"])
    with pytest.raises(SpliceError, match=r"m\.yaml:2:4"):
        append_item(tree, sequence(tree, "c"), ["x"])


@pytest.mark.parametrize(
    ("text", "path", "key", "expected"),
    [
        ("a: 1\nb: 2  # c\nc: 3\n", [], "b", "a: 1\nc: 3\n"),
        ("a: 1\n\n# one\n# two\nb:\n  x: [1]\n  # in\n  y: |\n    z\n\nc: 3\n", [], "b", "a: 1\n\n\nc: 3\n"),
        ("a: 1\nb: 2", [], "b", "a: 1"),
        ("a: 1\r\n# c\r\nb: 2\r\nc: 3\r\n", [], "b", "a: 1\r\nc: 3\r\n"),
        ("a: 1\r\nb: 2", [], "b", "a: 1"),
        ("k:\n  # head\n  a: 1\n  b: 2\n", ["k"], "a", "k:\n  b: 2\n"),
        ("# far\nk:\n  a: 1\n # less\n  b: 2\n", ["k"], "b", "# far\nk:\n  a: 1\n # less\n"),
        ("- a: 1\n  b: 2\n- c\n", [0], "a", "- b: 2\n- c\n"),
        ("- a: 1\n  b: 2\n- c\n", [0], "b", "- a: 1\n- c\n"),
        ("{a: 1, b: 2, c: 3}\n", [], "b", "{a: 1, c: 3}\n"),
        ("{a: 1, b: 2, c: 3}\n", [], "c", "{a: 1, b: 2}\n"),
        ("{a: 1, b: 2, c: 3}\n", [], "a", "{b: 2, c: 3}\n"),
        ("x: &x 1\na: *x\nb: 2\n", [], "a", "x: &x 1\nb: 2\n"),
        ("a:\nb: 2\n", [], "a", "b: 2\n"),
    ],
)
def test_delete_entry(text: str, path: list[str | int], key: str, expected: str) -> None:
    tree = tree_of(text)
    edit = delete_entry(tree, mapping(tree, *path), key)
    assert after(tree, edit) == expected
    assert apply_edits(tree, [edit], data_of(expected)).source.text == expected


@pytest.mark.parametrize(
    ("text", "path", "index", "expected"),
    [
        ("- a\n- b\n- c\n", [], 1, "- a\n- c\n"),
        ("- a\n- b\n- c\n", [], -1, "- a\n- b\n"),
        ("k:\n  # about\n  - a: 1\n    b: 2\n\n  - c\n", ["k"], 0, "k:\n\n  - c\n"),
        ("-\n- b\n", [], 0, "- b\n"),
        ("- a\n-\n- c\n", [], 1, "- a\n- c\n"),
        ("[a, b-c, d]\n", [], 1, "[a, d]\n"),
        ("[a, b-c, d]\n", [], 2, "[a, b-c]\n"),
        ("- - a\n  - b\n- c\n", [0], 0, "- - b\n- c\n"),
        ("- -1\n- -2\n", [], 1, "- -1\n"),
        ("-\n  a: 1\n-\n  b: x-y\n", [], 1, "-\n  a: 1\n"),
    ],
)
def test_delete_item(text: str, path: list[str | int], index: int, expected: str) -> None:
    tree = tree_of(text)
    edit = delete_item(tree, sequence(tree, *path), index)
    assert after(tree, edit) == expected
    assert apply_edits(tree, [edit], data_of(expected)).source.text == expected


def test_what_cannot_be_deleted() -> None:
    tree = tree_of(
        "a: {b: 1}\nm: &m {x: 1}\nn:\n  <<: *m\n  y: 1\n  z: 2\n"
        "l: [*m, 1]\nf: {p: 1, # c\n  q: 2}\no:\n- only\n"
    )
    with pytest.raises(SpliceError, match="only entry"):
        delete_entry(tree, mapping(tree, "a"), "b")
    with pytest.raises(SpliceError, match="came by a merge"):
        delete_entry(tree, mapping(tree, "n"), "x")
    with pytest.raises(KeyError):
        delete_entry(tree, mapping(tree, "n"), "nope")
    with pytest.raises(SpliceError, match="aliases"):
        delete_item(tree, sequence(tree, "l"), 1)
    with pytest.raises(SpliceError, match="comment"):
        delete_entry(tree, mapping(tree, "f"), "p")
    with pytest.raises(SpliceError, match="only entry"):
        delete_item(tree, sequence(tree, "o"), 0)
    with pytest.raises(IndexError):
        delete_item(tree, sequence(tree, "o"), 1)


def test_a_kept_block_is_not_pulled_apart() -> None:
    tree = tree_of("a:\n  b: |+\n    x\n\nc: 1\n")
    edit = append_entry(tree, mapping(tree, "a"), ["n: 1"])
    with pytest.raises(SpliceError, match="meant"):
        apply_edits(tree, [edit], {"a": {"b": "x\n\n", "n": 1}, "c": 1})
