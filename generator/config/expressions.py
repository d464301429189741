"""GitHub's expressions have no place in the matrix: GitHub would evaluate them, wherever they are written.

In a script that is template injection: the value becomes part of the program. In a title or a variable it
would be a value that nobody reviewed, the token of the run, say.
"""

from collections.abc import Iterator
from typing import Final

from generator.config.entry import Entry
from generator.config.names import Problems
from generator.config.tree import MappingNode, Node, ScalarNode

_OPENS: Final = "${{"
_SCRIPTS: Final = frozenset(
    {"run", "prefix", "variable", "suite_command", "file_command", "continue_flag", "options"}
)


def look_at_expressions(root: MappingNode, problems: Problems) -> None:
    """Note each text that holds the beginning of an expression."""
    text = problems.tree.source.text
    if _OPENS not in text and "\\" not in text:
        return  # only an escape could still make one
    for key, node in _opening(root, ""):
        place = problems.tree.at(node)
        if key in _SCRIPTS:
            problems.add(
                "expression-in-script",
                place,
                f"`{key}` holds an expression, and GitHub would write its value into the script",
                "Use a variable: GitHub's own are there, such as $GITHUB_SHA, and a cell has its `env`.",
            )
        else:
            problems.add(
                "expression-in-text",
                place,
                f"`{key}` holds `{_OPENS}`, and GitHub would evaluate it",
                "Write the value itself; what differs from run to run comes from the runner's environment.",
            )


def look_at_prefixes(root: Entry, problems: Problems) -> None:
    """Note a prefix that would make an expression once its variables are filled in."""
    for _, site in root.entries("sites"):
        container = site.entry("container")
        prefix, variable = container.text("prefix"), container.text("variable")
        if _OPENS in prefix.replace("{env}", variable) and _OPENS not in prefix:
            problems.add(
                "expression-in-script",
                container.location_of("prefix"),
                f"`prefix` and `variable` make `{_OPENS}` together, and GitHub would evaluate it",
                "Write a blank before {env}.",
            )


def _opening(node: Node, key: str) -> Iterator[tuple[str, ScalarNode]]:
    """The scalars that hold the beginning of an expression, each with the nearest key above it."""
    if isinstance(node, ScalarNode):
        if _OPENS in node.text:
            yield key, node
    elif isinstance(node, MappingNode):
        for name, value in node.values.items():
            yield from _opening(value, name)
    else:
        for item in node.items:
            yield from _opening(item, key)
