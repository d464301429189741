"""nightgrid pins: what a bot bumped in a generated file belongs into the matrix."""

import re
from collections.abc import Iterable, Iterator, Mapping

from generator.cli.build import Build, build, build_tree
from generator.cli.render_command import write
from generator.cli.session import Session
from generator.config.edit_scalar import replace_scalar
from generator.config.source import Source, source_of
from generator.config.splice import Edit, apply_edits
from generator.config.tree import MappingNode, ScalarNode, Tree, to_data
from generator.config.workflow_file import read_workflow
from generator.domain.exit_code import ExitCode
from generator.domain.finding import Finding, error
from generator.domain.location import Location
from generator.domain.matrix import Pin
from generator.domain.workflow_facts import WorkflowFacts
from generator.outside.files import Change, write_all
from generator.outside.workspace import read_workflows

_PINNED = re.compile(r"([\w./-]+)@([0-9a-f]{40})")
_VERSION = re.compile(r" # (\S+)\s*$")


def pins(session: Session) -> ExitCode:
    """Take bumped actions back into the matrix, and render."""
    result = build(session)
    if not isinstance(result, Build):
        session.show(result)
        return ExitCode.INVALID
    bumped = _bumped(result, read_workflows(session.root))
    if isinstance(bumped, Finding):
        session.show([bumped])
        return ExitCode.FINDINGS
    if not bumped:
        session.say("no workflow holds another commit of an action than the matrix")
        return ExitCode.FINE
    changed = _changed(result.tree, bumped)
    again = build_tree(changed)
    if not isinstance(again, Build):
        session.show(again)
        return ExitCode.INVALID
    write_all(
        session.root,
        [
            Change(
                verb="change",
                path=session.matrix.name,
                old=result.tree.source.data,
                new=changed.source.data,
            )
        ],
    )
    for pin, (commit, version) in bumped.items():
        session.say(f"{session.matrix.name}: {pin.action} {pin.version} → {version} ({commit[:12]})")
    return write(session, again, dry_run=False)


def _bumped(result: Build, committed: Mapping[str, bytes]) -> dict[Pin, tuple[str, str]] | Finding:
    pinned = {pin.action: pin for pin in result.matrix.pins}
    found: dict[Pin, tuple[str, str]] = {}
    for path, data in committed.items():
        if path not in result.expected:
            continue
        for action, commit, version in _uses(path, data):
            pin = pinned.get(action)
            if pin is None or pin.commit == commit:
                continue
            there = (commit, version or pin.version)
            if found.setdefault(pin, there) != there:
                return error(
                    "pins-disagree",
                    Location(path),
                    f"the workflows hold two new commits of {action}: {found[pin][0][:12]} and {commit[:12]}",
                    "Write the one that you want into `pins` by hand, and render.",
                )
    return found


def _uses(path: str, data: bytes) -> Iterator[tuple[str, str, str]]:
    """The actions of a workflow, each with its commit and the version behind it; none where it is no YAML."""
    source = source_of(data, path)
    facts = read_workflow(source) if isinstance(source, Source) else None
    if not isinstance(source, Source) or not isinstance(facts, WorkflowFacts):
        return
    lines = source.text.splitlines()
    for use in facts.uses:
        pinned = _PINNED.fullmatch(use.text)
        version = _VERSION.search(lines[use.location.line - 1])
        if pinned is not None:
            yield pinned[1], pinned[2], version[1] if version is not None else ""


def _changed(tree: Tree, bumped: Mapping[Pin, tuple[str, str]]) -> Tree:
    edits: list[Edit] = []
    meant = to_data(tree.root)
    for pin, (commit, version) in bumped.items():
        node = tree.find(("pins", pin.action))
        for key, text in (("commit", commit), ("version", version)):
            edits.append(_edit(tree, node, key, text))
            _set(meant, ("pins", pin.action, key), text)
    return apply_edits(tree, edits, meant)


def _edit(tree: Tree, node: object, key: str, text: str) -> Edit:
    if isinstance(node, MappingNode):
        value = node.values[key]
        if isinstance(value, ScalarNode):
            return replace_scalar(tree, value, text)
    raise TypeError(key)  # the schema has approved both


def _set(data: object, path: Iterable[str], text: str) -> None:
    *parents, last = path
    for step in parents:
        if isinstance(data, dict):
            data = data[step]
    if isinstance(data, dict):
        data[last] = text
