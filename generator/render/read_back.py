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
    """Make sure that a text holds a workflow's jobs and nothing else under `jobs`.

    Raises:
        LayoutError: it does not.
    """
    jobs = _read_jobs(text)
    expected = {job.id: _job(job) for job in workflow.jobs}
    if jobs == expected:
        return
    raise LayoutError(f"{workflow.path}: {_first_difference(expected, jobs, 'jobs')}")


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


def _read_jobs(text: str) -> Data:
    events: Iterator[object] = iter(YAML(typ="safe").parse(text))
    for event in events:
        if isinstance(event, MappingStartEvent):
            break
    top = _mapping(events)
    return top.get("jobs", {})


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
                return f"{path}.{key} is {'lost' if key not in read else 'not planned'}"
            if expected[key] != read[key]:
                return _first_difference(expected[key], read[key], f"{path}.{key}")
    if isinstance(expected, list) and isinstance(read, list) and len(expected) == len(read):
        for index, (one, other) in enumerate(zip(expected, read, strict=True)):
            if one != other:
                return _first_difference(one, other, f"{path}[{index}]")
    return f"{path} should be {expected!r} and reads as {read!r}"
