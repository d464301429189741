"""Workflows and lanes of a matrix."""

import re

from generator.config.entry import Entry
from generator.config.names import Problems
from generator.domain.hardware import Hardware, Pool
from generator.domain.lane import ImageLine, Lane, WorkflowFile


def read_workflows(root: Entry) -> dict[str, WorkflowFile]:
    """Workflow files by key."""
    return {
        key: WorkflowFile(
            key=key,
            name=entry.text("name"),
            schedule=entry.texts("schedule"),
            push_branches=entry.entry("push").texts("branches"),
            push_paths=entry.entry("push").texts("paths"),
            continue_on_error=entry.flag("continue_on_error", default=False),
            location=root.entry("workflows").key_location(key),
        )
        for key, entry in root.entries("workflows")
    }


def read_lanes(
    root: Entry, pools: dict[str, Pool], workflows: dict[str, WorkflowFile], problems: Problems
) -> dict[str, Lane]:
    """Lanes by key, without what names an unknown workflow."""
    rows = dict(root.entries("lanes"))
    found = {}
    for key, entry in rows.items():
        own = problems.look_up_all("pool", entry.scalars("pools"), pools)
        workflow = entry.scalar("workflow")
        if len(own) < len(entry.scalars("pools")):
            problems.broken("lane pools", key)
        if workflow is None or problems.look_up("workflow", workflow, workflows) is None:
            problems.broken("lane", key)
            continue
        hardware = {pool.hardware.key: pool.hardware for pool in own}
        found[key] = Lane(
            key=key,
            title=entry.text("title"),
            software=tuple((name, str(node.value)) for name, node in entry.pairs("software")),
            workflow=entry.text("workflow"),
            id_suffix=entry.text("id_suffix", key),
            pools=own,
            images=_images(entry, hardware, problems),
            like=_like(key, rows, problems),
            location=root.entry("lanes").key_location(key),
        )
    return found


def _like(key: str, rows: dict[str, Entry], problems: Problems) -> tuple[str, ...]:
    chain = [key]
    node = rows[key].scalar("like")
    while node is not None:
        name = str(node.value)
        if name in chain:
            problems.add(
                "lane-circle",
                problems.tree.at(node),
                f"lane `{key}` is like itself, by way of {' → '.join([*chain, name])}",
                "Leave `like` out of one of them.",
            )
            break
        if problems.look_up("lane", node, rows) is None:
            break
        chain.append(name)
        node = rows[name].scalar("like")
    return tuple(chain)


def _images(
    entry: Entry, hardware: dict[str, Hardware], problems: Problems
) -> tuple[tuple[str, ImageLine], ...]:
    if "image" not in entry:
        return ()
    image = entry.entry("image")
    lines = []
    for key in hardware:
        tag = image.text("tag").replace("{hardware}", re.escape(key))
        lines.append(
            (
                key,
                ImageLine(
                    repository=image.text("repository"),
                    tag=tag,
                    max_age_days=image.integer("max_age_days"),
                    fixed=image.text("fixed"),
                ),
            )
        )
    if "tag" in image:
        _look_at_tag(image, problems)
    return tuple(lines)


def _look_at_tag(image: Entry, problems: Problems) -> None:
    try:
        groups = re.compile(image.text("tag").replace("{hardware}", "x")).groupindex
    except re.error as broken:
        problems.add("wrong-value", image.location_of("tag"), f"this is no regular expression: {broken}", "")
        return
    if "date" not in groups:
        problems.add(
            "wrong-value",
            image.location_of("tag"),
            "the tag has no group `date`, so nobody could tell how old an image is",
            r"Write the day as (?P<date>\d{8}).",
        )
