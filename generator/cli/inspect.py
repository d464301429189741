"""Everything that the checks look at, gathered from the repository."""

import datetime as dt
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

from generator.cli.build import Build
from generator.cli.read_suites import suites_below
from generator.cli.version import __version__
from generator.config.actions_lock import read_actions_lock
from generator.config.source import Source, source_of
from generator.config.workflow_file import read_workflow
from generator.domain.facts import Facts
from generator.domain.finding import Finding
from generator.domain.workflow_facts import WorkflowFacts
from generator.outside.workspace import LOCK, read_lock, read_workflows

Clock: TypeAlias = Callable[[], dt.date]


def today_utc() -> dt.date:
    """The day by which waivers end and jobs come back."""
    return dt.datetime.now(dt.UTC).date()


def gather(build: Build, root: Path, today: dt.date) -> tuple[Facts, tuple[Finding, ...]]:
    """The facts, and what keeps a committed file from being read."""
    committed = read_workflows(root)
    read, findings = _read(build.expected, committed)
    lock = read_actions_lock(LOCK, read_lock(root))
    suites = suites_below(root, build.matrix.project.suites)
    facts = Facts(
        matrix=build.matrix,
        workflows=build.workflows,
        expected=build.expected,
        committed=committed,
        read=read,
        lock=lock,
        today=today.isoformat(),
        running_version=__version__,
        suites=suites,
    )
    return facts, (*findings, *suites.unreadable)


def _read(
    expected: Mapping[str, bytes], committed: Mapping[str, bytes]
) -> tuple[dict[str, WorkflowFacts], tuple[Finding, ...]]:
    read: dict[str, WorkflowFacts] = {}
    findings: list[Finding] = []
    for path, data in committed.items():
        if expected.get(path) == data:
            continue
        source = source_of(data, path)
        facts = read_workflow(source) if isinstance(source, Source) else (source,)
        if isinstance(facts, WorkflowFacts):
            read[path] = facts
        elif path in expected:
            findings.extend(facts)
    return read, tuple(findings)
