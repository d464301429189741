import gc
from time import monotonic

import pytest

from generator.config import compose as compose_module
from generator.config.compose import compose
from generator.config.refusals import MAX_DEPTH
from generator.config.source import Source
from generator.config.tree import MappingNode, Node, ScalarNode, SequenceNode, Style, Tree, to_data
from generator.domain.finding import Finding


def tree_of(text: str) -> Tree:
    tree = compose(Source(path="m.yaml", text=text))
    assert isinstance(tree, Tree), tree
    return tree


def refused(text: str) -> tuple[Finding, ...]:
    findings = compose(Source(path="m.yaml", text=text))
    assert isinstance(findings, tuple)
    assert findings
    return findings


def told(findings: tuple[Finding, ...]) -> list[tuple[str, str]]:
    return [(str(finding.location).removeprefix("m.yaml:"), finding.id) for finding in findings]


def written(tree: Tree, node: Node) -> str:
    return tree.source.text[node.start : node.end]


def test_values_keep_their_text() -> None:
    tree = tree_of("version: 7.20\nother: '7.20'\nyes: no\nblock: |\n  7.20\nnone:\n")
    assert to_data(tree.root) == {
        "version": 7.2,
        "other": "7.20",
        "yes": "no",
        "block": "7.20\n",
        "none": None,
    }
    version, block = tree.find(["version"]), tree.find(["block"])
    assert isinstance(version, ScalarNode)
    assert (version.text, version.style) == ("7.20", Style.PLAIN)
    assert isinstance(block, ScalarNode)
    assert block.style is Style.BLOCK


@pytest.mark.parametrize(
    ("text", "path", "says"),
    [
        ("a: one two  # c\n", ["a"], "one two"),
        ("a:   'x y'\n", ["a"], "'x y'"),
        ("é: 😀😀\nb: [1, {c: d}, 2]\n", ["b"], "[1, {c: d}, 2]"),
        ("é: 😀😀\nb: [1, {c: d}, 2]\n", ["b", 1, "c"], "d"),
        ("a:\n  b: 1\n  c: 2\n\n# end\n\nd: 3\n", ["a"], "b: 1\n  c: 2"),
        ("a:\n  - b\n  - c: d\n\n# end\nd: 3\n", ["a"], "- b\n  - c: d"),
        ("a:\n- b\n- c\nd: 3\n", ["a"], "- b\n- c"),
        ("a: |\n  x\n  y\n\n\nb: 1\n", ["a"], "|\n  x\n  y"),
        ("a: &q [1]\nb:\n  c: *q\nd: 1\n", ["b"], "c: *q"),
        ("a: {\n  b: [1]\n}\nc: d\n", ["a"], "{\n  b: [1]\n}"),
        ("a: 1\r\nb:\r\n  c: 2\r\n\r\nd: 3\r\n", ["b"], "c: 2"),
        ("a: b\n  c\nd: 1\n", ["a"], "b\n  c"),
        ("a: &x one\n", ["a"], "&x one"),
    ],
)
def test_a_node_spans_what_is_written(text: str, path: list[str | int], says: str) -> None:
    tree = tree_of(text)
    assert written(tree, tree.find(path)) == says


def test_a_key_is_its_text() -> None:
    tree = tree_of("7.0: a\n'7.20': b\ntrue: c\n? d\n: e\n")
    assert isinstance(tree.root, MappingNode)
    assert list(tree.root.values) == ["7.0", "7.20", "true", "d"] == [key.text for key in tree.root.keys]
    assert str(tree.at(tree.root.key("7.20"))) == "m.yaml:2:1"
    with pytest.raises(KeyError):
        tree.root.key("7.2")


def test_find_leads_nowhere_with_a_lookup_error() -> None:
    tree = tree_of("a: [1]\n")
    paths: list[list[str | int]] = [["b"], ["a", 1], ["a", "x"], [0], ["a", 0, 0]]
    for path in paths:
        with pytest.raises(LookupError):
            tree.find(path)


def test_duplicate_keys_are_all_told_with_both_places() -> None:
    tree = tree_of("a: 1\nb: {c: 1, c: 2}\n'a': 3\nb: 1\n")
    assert told(tree.findings) == [
        ("2:11", "duplicate-key"),
        ("3:1", "duplicate-key"),
        ("4:1", "duplicate-key"),
    ]
    assert tree.findings[1].message == "the key `a` is written twice; first at m.yaml:1:1"
    assert to_data(tree.root) == {"a": 1, "b": {"c": 1}}


def test_an_alias_is_the_node_of_its_anchor() -> None:
    tree = tree_of("a: &x {b: 1}\nc: *x\nd: &x 5\ne: *x\n")
    assert tree.find(["a"]) is tree.find(["c"])
    assert to_data(tree.root) == {"a": {"b": 1}, "c": {"b": 1}, "d": 5, "e": 5}


def test_aliases_are_copied_into_data() -> None:
    data = to_data(tree_of("a: &x [1]\nb: *x\n").root)
    assert isinstance(data, dict)
    assert data["a"] is not data["b"]


def test_an_alias_as_a_key_stands_where_it_is_written() -> None:
    tree = tree_of("a: &x b\n*x : 1\n")
    assert isinstance(tree.root, MappingNode)
    assert to_data(tree.root) == {"a": "b", "b": 1}
    assert str(tree.at(tree.root.key("b"))) == "m.yaml:2:1"


def test_merges() -> None:
    tree = tree_of(
        "one: &one {a: 1, b: 1}\ntwo: &two {b: 2, c: 2}\n"
        "x:\n  c: own\n  <<: [*one, *two]\ny:\n  <<: *one\n  a: own\nz:\n  <<: {q: 1}\n"
    )
    data = to_data(tree.root)
    assert isinstance(data, dict)
    assert data["x"] == {"c": "own", "a": 1, "b": 1}
    assert data["y"] == {"a": "own", "b": 1}
    assert data["z"] == {"q": 1}
    merged = tree.find(["x", "b"])
    assert str(tree.at(merged)) == "m.yaml:1:21"
    assert merged is tree.find(["one", "b"])


def test_quoted_it_is_no_merge() -> None:
    assert to_data(tree_of("'<<': {a: 1}\n").root) == {"<<": {"a": 1}}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<<: 3\n", [("1:1", "yaml-alias")]),
        ("a: &x 1\nb: {<<: [*x, {c: 1}]}\n", [("2:5", "yaml-alias")]),
        ("a: *nope\nb: *no\n", [("1:4", "yaml-alias"), ("2:4", "yaml-alias")]),
        ("a: &x\n  b: [*x]\n", [("2:7", "yaml-alias")]),
        ("a: &x\n  <<: *x\n", [("2:3", "yaml-alias"), ("2:7", "yaml-alias")]),
        ("&x a: *x\n", []),
        ("? [a]\n: b\n? {c: d}\n: e\n", [("1:3", "yaml-key"), ("3:3", "yaml-key")]),
        ("? \n: x\na: {? : b}\n", [("1:2", "yaml-key"), ("3:7", "yaml-key")]),
        ("a: !!python/name:os.system x\nb: !mine [1]\n", [("1:4", "yaml-tag"), ("2:4", "yaml-tag")]),
        ("a: !!int '3'\n", [("1:4", "yaml-tag")]),
        (
            "a: .inf\nb: [1e999, .inf]\n",
            [("1:4", "wrong-value"), ("2:5", "wrong-value"), ("2:12", "wrong-value")],
        ),
        ("a: 1\n---\nb: 2\n", [("2:1", "yaml-syntax")]),
        ("a: 1\n...\n---\n", [("3:1", "yaml-syntax")]),
        ("a: 1\na: *x\n", [("2:1", "duplicate-key"), ("2:4", "yaml-alias")]),
        ("<<: {a: 1}\n<<: {b: 1}\nc: *x\n", [("2:1", "duplicate-key"), ("3:4", "yaml-alias")]),
    ],
)
def test_what_no_tree_can_be_made_of(text: str, expected: list[tuple[str, str]]) -> None:
    outcome = compose(Source(path="m.yaml", text=text))
    assert told(() if isinstance(outcome, Tree) else outcome) == expected


def test_an_alias_inside_its_anchor_is_told_from_an_unknown_one() -> None:
    (finding,) = refused("a: &x\n  b: [*x]\n")
    assert finding.message == "the alias `*x` stands inside its own anchor `&x`, so it would never end"
    (finding,) = refused("a: &gfx94 1\nb: *gfx95\n")
    assert finding.message == "the alias `*gfx95` has no anchor `&gfx95` above it"
    assert finding.help == "did you mean `gfx94`? valid: gfx94"


def test_the_collector_is_left_as_it_was() -> None:
    assert gc.isenabled()
    refused("a: [")
    assert gc.isenabled()
    gc.disable()
    try:
        tree_of("a: 1")
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_core_tags_of_plain_data_are_taken() -> None:
    tree = tree_of("a: !!str 7.20\nb: ! 7\nc: !!map {}\nd: !!seq []\ne: !!str\n")
    assert to_data(tree.root) == {"a": "7.20", "b": "7", "c": {}, "d": [], "e": ""}


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("a: b: c\n", "1:5", "a `:` makes a key here, where no key can stand"),
        ("a: - b\n", "1:4", "a list item cannot start here"),
        ("a:\n\t- b\n", "2:1", "a tab cannot indent YAML"),
        ("a: [1, 2\nb: c\n", "2:2", "a `,` or `]` is missing before this"),
        ("a: {b: 1\n", "2:1", "a `,` or `}` is missing before this"),
        ("x: 1\na: 'x\n", "2:4", "this quote is never closed"),
        ('a: "x\n---\n', "2:1", "`---` or `...` may not stand inside a quoted text"),
        ("- a\nb: c\n", "2:1", "this line does not belong to the list above it"),
        ("a:\n  b: 1\n c: 2\n", "3:2", "a key is expected here"),
        ("a: @x\n", "1:4", "a text without quotes cannot start with `@`"),
        ("a: 1\nb\nc: 2\n", "2:1", "this line is no `key: value`"),
        ("a: [1,,2]\n", "1:7", "a value is expected here"),
        ('a: "\\q"\n', "1:5", "double quotes do not know this escape"),
        ('a: "\\ud800"\n', "1:7", "this escape names no character"),
        ('a: "\\xZZ"\n', "1:7", "this escape is too short"),
        ("a: |x\n  y\n", "1:5", "a text block starts on the line below `|` or `>`"),
        ("a: &\n", "1:5", "an anchor or alias needs a name here"),
        ("a: !x!y 1\n", "1:4", "this tag means nothing here"),
        ("%YAML 1.1\n%YAML 1.1\n---\na: 1\n", "2:1", "this is not YAML: found duplicate %YAML directive"),
    ],
)
def test_syntax_errors_in_plain_words(text: str, place: str, message: str) -> None:
    (finding,) = refused(text)
    assert finding.id == "yaml-syntax"
    assert str(finding.location) == f"m.yaml:{place}"
    assert finding.message == message
    assert finding.help


def test_a_bracket_that_is_not_closed_names_where_it_opens() -> None:
    (finding,) = refused("a:\n  - [1, 2\n  - b: c\n")
    assert finding.help == "look at the bracket that opens at 2:5"


def test_errors_before_the_syntax_error_are_not_lost() -> None:
    assert told(refused("a: 1\na: 2\nb: *x\nc: ]\n")) == [
        ("2:1", "duplicate-key"),
        ("3:4", "yaml-alias"),
        ("4:4", "yaml-syntax"),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        (" \n\n", "the file is empty"),
        ("# a\n# b\n", "the file holds no data, only comments"),
        ("---\n...\n", "the file holds no data, only comments"),
        ("--- # a\n", "the file holds no data, only comments"),
    ],
)
def test_nothing_in_the_file(text: str, message: str) -> None:
    (finding,) = refused(text)
    assert (finding.id, finding.message) == ("file-unreadable", message)


def test_nesting_up_to_the_limit_and_over_it() -> None:
    assert isinstance(tree_of("[" * MAX_DEPTH + "]" * MAX_DEPTH).root, SequenceNode)
    for text in ("[" * 100_000, "{a: " * 65 + "}" * 65, "- " * 70 + "a"):
        (finding,) = refused(text)
        assert finding.message == "this is nested deeper than 64 levels"


def test_more_values_than_any_matrix_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compose_module, "MAX_NODES", 5)
    assert to_data(tree_of("[1, 2, 3, 4]").root) == [1, 2, 3, 4]
    (finding,) = refused("[1, 2, 3, 4, 5]")
    assert (finding.id, str(finding.location)) == ("file-unreadable", "m.yaml:1:14")


def test_a_long_list_is_not_a_deep_one() -> None:
    assert to_data(tree_of("- [x]\n" * 100).root) == [["x"]] * 100


@pytest.mark.parametrize(
    ("seed", "level"),
    [
        ("[x, y]", "[*a, *a, *a, *a, *a, *a, *a, *a, *a]"),
        ("{x: 1, y: 2}", "{b: *a, c: *a, d: {<<: *a}, e: [*a]}"),
    ],
)
def test_alias_bombs_end_at_once(seed: str, level: str) -> None:
    lines = [f"- &a {seed}", *(f"- &a {level}" for _ in range(40))]
    lines = [line.replace("*a", f"*a{at - 1}").replace("&a", f"&a{at}") for at, line in enumerate(lines)]
    started = monotonic()
    (finding,) = refused("\n".join(lines))
    assert finding.id == "yaml-alias"
    assert "more than 1,000,000 values" in finding.message
    assert monotonic() - started < 5


def test_crlf_and_lf_make_the_same_tree_with_the_same_places() -> None:
    text = "a: 1\nb:\n  - x\n  - |\n    q\n    r\n\nc: 'd\n  e'\n"
    lf, crlf = tree_of(text), tree_of(text.replace("\n", "\r\n"))
    assert to_data(lf.root) == to_data(crlf.root)
    paths: list[list[str | int]] = [["a"], ["b", 1], ["c"]]
    for path in paths:
        assert lf.at(lf.find(path)) == crlf.at(crlf.find(path))
