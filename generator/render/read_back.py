"""What was rendered, read again: it must hold the planned jobs, exactly, with every text a text."""

import re
from collections.abc import Iterator
from typing import TypeAlias

from ruamel.yaml import YAML
from ruamel.yaml.events import (
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from generator.domain.job import Job, RunStep, Step, Workflow
from generator.domain.layout_error import LayoutError

Data: TypeAlias = "dict[str, Data] | list[Data] | str | int | bool"

_NUMBER = re.compile(r"[-+]?[0-9]+")
# What a reader of YAML 1.1 or 1.2 may take for something else than a text.
_NO_TEXT = re.compile(
    r"(?i)y|n|yes|no|on|off|true|false|null|~|[-+]?\.?[0-9][0-9_.:eoxa-f+-]*|[-+]?\.(inf|nan)|"
)


def verify(workflow: Workflow, text: str) -> None:
    """Make sure that a text holds a workflow's jobs and nothing else under `jobs`, and starts when it should.

    Raises:
        LayoutError: it does not.
    """
    read = _read(text)
    jobs: Data = {job.id: _job(job) for job in workflow.jobs}
    head: Data = _head(workflow)
    for expected, there, path in ((head, _read_head(read), ""), (jobs, read.get("jobs", {}), "jobs")):
        if expected != there:
            raise LayoutError(f"{workflow.path}: {_first_difference(expected, there, path)}")


def _head(workflow: Workflow) -> dict[str, Data]:
    """When the workflow starts, what it offers, and what it may do."""
    started: dict[str, Data] = {"name": workflow.name, "group": workflow.group, "permissions": {}}
    if workflow.schedule:
        started["schedule"] = [{"cron": cron} for cron in workflow.schedule]
    if workflow.push_paths:
        started["push"] = {"branches": list(workflow.push_branches), "paths": list(workflow.push_paths)}
    return started | {
        "options": list(workflow.options),
        "default": workflow.options[0],
        "continue_on_error": workflow.continue_on_error,
    }


def _read_head(read: dict[str, Data]) -> dict[str, Data]:
    events = _under(read, "on")
    inputs = _under(events, "workflow_dispatch", "inputs")
    found: dict[str, Data] = {name: events[name] for name in ("schedule", "push") if name in events}
    return found | {
        "name": read.get("name", ""),
        "group": _under(read, "concurrency").get("group", ""),
        "permissions": read.get("permissions", ""),
        "options": _under(inputs, "job_select").get("options", ""),
        "default": _under(inputs, "job_select").get("default", ""),
        "continue_on_error": _under(inputs, "continue_on_error").get("default", ""),
    }


def _under(data: dict[str, Data], *keys: str) -> dict[str, Data]:
    for key in keys:
        inner = data.get(key)
        data = inner if isinstance(inner, dict) else {}
    return data


def _job(job: Job) -> Data:
    data: dict[str, Data] = {"name": job.name}
    if job.needs:
        data["needs"] = list(job.needs)
    if job.condition:
        data["if"] = job.condition
    data["runs-on"] = job.runs_on
    data["timeout-minutes"] = job.timeout_minutes
    data["permissions"] = {**dict(job.permissions)}
    if job.outputs:
        data["outputs"] = {**dict(job.outputs)}
    if job.container is not None:
        container: dict[str, Data] = {"image": job.container.image}
        if job.container.options:
            container["options"] = job.container.options
        if job.container.volumes:
            container["volumes"] = list(job.container.volumes)
        data["container"] = container
    if job.env:
        data["env"] = {**dict(job.env)}
    data["steps"] = [_step(step) for step in job.steps]
    return data


def _step(step: Step) -> Data:
    data: dict[str, Data] = {"id": step.id, "name": step.name, "timeout-minutes": step.timeout_minutes}
    if step.condition:
        data["if"] = step.condition
    if isinstance(step, RunStep):
        data["run"] = step.run
        if step.advisory:
            data["continue-on-error"] = True
        if step.env:
            data["env"] = {**dict(step.env)}
    else:
        data["uses"] = step.uses
        data["with"] = {**dict(step.inputs)}
    return data


def _read(text: str) -> dict[str, Data]:
    events: Iterator[object] = iter(YAML(typ="safe").parse(text))
    for event in events:
        if isinstance(event, MappingStartEvent):
            break
    return _mapping(events)


def _value(event: object, events: Iterator[object]) -> Data:
    if type(event) is ScalarEvent:
        text: str = event.value
        if not event.implicit[0] or not _NO_TEXT.fullmatch(text):
            return text
        if _NUMBER.fullmatch(text):
            return int(text)
        return text == "true" if text in ("true", "false") else f"no text: {text}"
    if type(event) is MappingStartEvent:
        return _mapping(events)
    if type(event) is SequenceStartEvent:
        return _sequence(events)
    raise LayoutError(f"an alias or a second document, which no template writes: {event}")


def _mapping(events: Iterator[object]) -> dict[str, Data]:
    found: dict[str, Data] = {}
    for event in events:
        if type(event) is MappingEndEvent:
            return found
        key = getattr(event, "value", None)
        if not isinstance(key, str) or key in found:
            raise LayoutError(f"a key that is no text, or is written twice: {key}")
        found[key] = _value(next(events), events)
    raise LayoutError("the text ends within a mapping")


def _sequence(events: Iterator[object]) -> list[Data]:
    found: list[Data] = []
    for event in events:
        if type(event) is SequenceEndEvent:
            return found
        found.append(_value(event, events))
    raise LayoutError("the text ends within a list")


def _first_difference(expected: Data, read: Data, path: str) -> str:
    if isinstance(expected, dict) and isinstance(read, dict):
        for key in (*expected, *read):
            if key not in read or key not in expected:
                return f"{_below(path, key)} is {'lost' if key not in read else 'not planned'}"
            if expected[key] != read[key]:
                return _first_difference(expected[key], read[key], _below(path, key))
    if isinstance(expected, list) and isinstance(read, list) and len(expected) == len(read):
        for index, (one, other) in enumerate(zip(expected, read, strict=True)):
            if one != other:
                return _first_difference(one, other, f"{path}[{index}]")
    return f"{path} should be {expected!r} and reads as {read!r}"


def _below(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key
