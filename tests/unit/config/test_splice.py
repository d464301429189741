import pytest

from generator.config.compose import compose
from generator.config.edit_scalar import comment_behind, replace_comment, replace_scalar, replace_text
from generator.config.source import Source, source_of
from generator.config.splice import Edit, SpliceError, apply_edits
from generator.config.tree import JsonValue, ScalarNode, Tree, to_data

PINS = """# the actions
pins:
  # checkout first
  actions/checkout: 1111  # v4.2.2
  actions/cache: "2222"   # v4

  actions/upload: 'it''s'
last: {a: 1, b: [x, y]}   # flow
"""


def tree_of(text: str) -> Tree:
    source = source_of(text.encode(), "m.yaml")
    assert isinstance(source, Source)
    tree = compose(source)
    assert isinstance(tree, Tree), tree
    return tree


def scalar(tree: Tree, *path: str | int) -> ScalarNode:
    node = tree.find(path)
    assert isinstance(node, ScalarNode)
    return node


def after(tree: Tree, *edits: Edit) -> str:
    """The new text, without proof."""
    text = tree.source.text
    for edit in sorted(edits, key=lambda each: each.start, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def data_of(text: str) -> JsonValue:
    return to_data(tree_of(text).root)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_a_pin_is_bumped_and_nothing_else_changes(newline: str, bom: str) -> None:
    tree = tree_of(bom + PINS.replace("\n", newline))
    pin = scalar(tree, "pins", "actions/cache")
    meant = to_data(tree.root)
    assert isinstance(meant, dict)
    assert isinstance(meant["pins"], dict)
    meant["pins"]["actions/cache"] = "abcd"
    changed = apply_edits(tree, [replace_comment(tree, pin, "v5"), replace_scalar(tree, pin, "abcd")], meant)
    expected = PINS.replace('"2222"   # v4', '"abcd"   # v5').replace("\n", newline)
    assert changed.source.data == (bom + expected).encode()
    assert comment_behind(changed, scalar(changed, "pins", "actions/cache")) == "v5"


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("a: x # c\n", "y", "a: y # c\n"),
        ("a: x\n", "7.20", 'a: "7.20"\n'),
        ("a: x\n", "true", 'a: "true"\n'),
        ("a: x\n", "", 'a: ""\n'),
        ("a: x\n", "b: c", 'a: "b: c"\n'),
        ("a: x\n", "b #c", 'a: "b #c"\n'),
        ("a: x\n", "- b", 'a: "- b"\n'),
        ("a: 'x'\n", "it's", "a: 'it''s'\n"),
        ("a: 'x'\n", "two\nlines", 'a: "two\\nlines"\n'),
        ('a: "x"\n', 'q"\\\t😀', 'a: "q\\"\\\\\\t😀"\n'),
        ("a: x\n", "\u2028\x7f", 'a: "\\u2028\\u007f"\n'),
        ("a:\nb: 1\n", "y", "a: y\nb: 1\n"),
        ("a: # c\nb: 1\n", "y", "a: y # c\nb: 1\n"),
        ("a:", "y", "a: y"),
        ("a: &x\nb: *x\n", "y", "a: &x y\nb: *x\n"),
        ("a: &x one\nb: *x\n", "y", "a: &x y\nb: *x\n"),
        ("a: !!str 7.20\n", "7.0", 'a: !!str "7.0"\n'),
        ("{a: x, b: y}\n", "a, b", '{a: "a, b", b: y}\n'),
        ("{a: , b: y}\n", "z", "{a: z, b: y}\n"),
        ("a: |\n  x\n  y\n\nb: 1\n", "z", "a: z\n\nb: 1\n"),
        ("a: 'x\n  y'\nb: 1\n", "z", "a: 'z'\nb: 1\n"),
        ("a: x\n  y\nb: 1\n", "z", "a: z\nb: 1\n"),
    ],
)
def test_replace_scalar(text: str, value: str, expected: str) -> None:
    tree = tree_of(text)
    edit = replace_scalar(tree, scalar(tree, "a"), value)
    assert after(tree, edit) == expected
    changed = data_of(expected)
    assert isinstance(changed, dict)
    assert changed["a"] == value
    assert apply_edits(tree, [edit], changed).source.text == expected


def test_replace_scalar_right_behind_a_bracket() -> None:
    tree = tree_of("a: [x,y]\n")
    edits = [replace_scalar(tree, scalar(tree, "a", 0), "p"), replace_scalar(tree, scalar(tree, "a", 1), "q")]
    assert after(tree, *edits) == "a: [p,q]\n"


@pytest.mark.parametrize(
    ("text", "comment", "was", "expected"),
    [
        ("a: x\n", "v1", "", "a: x  # v1\n"),
        ("a: x   \n", "v1", "", "a: x  # v1\n"),
        ("a: x", "v1", "", "a: x  # v1"),
        ("a: x   #v0  \r\nb: 1\r\n", "v1", "v0", "a: x   #v1\r\nb: 1\r\n"),
        ("a: x # v0\n", "", "v0", "a: x\n"),
        ("a: 'x#y' # v0\n", "v1", "v0", "a: 'x#y' # v1\n"),
        ("{\n a: x, # v0\n b: y\n}\n", "v1", "v0", "{\n a: x, # v1\n b: y\n}\n"),
        ("{\n a: x\n}\n", "v1", "", "{\n a: x  # v1\n}\n"),
    ],
)
def test_replace_comment(text: str, comment: str, was: str, expected: str) -> None:
    tree = tree_of(text)
    node = scalar(tree, "a")
    assert comment_behind(tree, node) == was
    edit = replace_comment(tree, node, comment)
    assert after(tree, edit) == expected
    assert apply_edits(tree, [edit], to_data(tree.root)).source.text == expected


@pytest.mark.parametrize("text", ["{a: x, b: y}\n", "a: |\n  x\nb: 1\n", "{a: x}\n"])
def test_no_comment_where_something_else_follows(text: str) -> None:
    tree = tree_of(text)
    with pytest.raises(SpliceError, match="no comment can stand behind"):
        replace_comment(tree, scalar(tree, "a"), "v1")


@pytest.mark.parametrize("comment", ["a\nb: c", "a\rb"])
def test_a_comment_cannot_smuggle_a_line(comment: str) -> None:
    tree = tree_of("a: x\n")
    with pytest.raises(SpliceError, match="one line"):
        replace_comment(tree, scalar(tree, "a"), comment)


def test_replace_text_puts_any_yaml_in_brackets() -> None:
    tree = tree_of("a: [x, y]  # c\nb:\n  c: 1\n")
    assert after(tree, replace_text(tree, tree.find(["a"]), "[z]")) == "a: [z]  # c\nb:\n  c: 1\n"
    with pytest.raises(SpliceError, match=r"m\.yaml:3:3"):
        replace_text(tree, tree.find(["b"]), "{}")


def test_an_edit_that_says_something_else_is_refused() -> None:
    tree = tree_of("a: 1\nb: x\n")
    edit = Edit(start=3, end=4, text="2")
    with pytest.raises(SpliceError, match="more or less than was meant"):
        apply_edits(tree, [edit], {"a": 1, "b": "x"})
    with pytest.raises(SpliceError, match="more or less than was meant"):
        apply_edits(tree, [], {"a": True, "b": "x"})
    with pytest.raises(SpliceError, match="more or less than was meant"):
        apply_edits(tree, [], {"a": 1.0, "b": "x"})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[", "m.yaml:3:1"),
        ("1\na: 2", "the key `a` is written twice"),
        ("*x", "no anchor"),
        ("\x07", "U+0007"),
        ("\ud800", "not Unicode"),
    ],
)
def test_an_edit_that_breaks_the_file_is_refused(text: str, says: str) -> None:
    tree = tree_of("a: 1\nb: x\n")
    with pytest.raises(SpliceError) as raised:
        apply_edits(tree, [Edit(start=3, end=4, text=text)], {})
    assert says in str(raised.value)


def test_edits_may_not_overlap() -> None:
    tree = tree_of("a: 123\n")
    with pytest.raises(SpliceError, match="same characters"):
        apply_edits(tree, [Edit(start=3, end=5, text="1"), Edit(start=4, end=6, text="2")], {"a": 12})
