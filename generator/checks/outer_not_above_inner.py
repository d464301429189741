"""An outer limit that fires before, or with, the one inside: the summary is lost, the server left running."""

import re
from collections.abc import Iterator

from generator.checks.step_over_job import GITHUB_DEFAULT
from generator.domain.cell import Cell
from generator.domain.check import Check, Harness, Runner
from generator.domain.facts import Facts
from generator.domain.finding import Finding, error
from generator.domain.matrix import Margins
from generator.domain.workflow_facts import JobFacts, StepFacts
from generator.plan import limits

ID = "outer-not-above-inner"

_SECONDS = re.compile(r"--(?:timeout-per-file|launch-timeout-s)[ =]+(\d+)")
_MINUTES = re.compile(r"--deadline-minutes[ =]+(\d+)")
# GNU timeout: options, then a number and its unit, then the command.
_TIMEOUT = re.compile(
    r"(?<![\w-])timeout(?: +(?:-k|-s|--kill-after|--signal)[ =]\S+| +-[-a-z]+)* +(\d+)([smhd]?) "
)
_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86_400}


def check(facts: Facts) -> Iterator[Finding]:
    """A finding for each step, planned or committed, whose limit is not above the limit within."""
    for job in facts.measuring():
        if job.cell is not None:
            for each in job.cell.checks:
                yield from _planned(job.id, job.cell, each, facts.matrix.margins)
    for workflow in facts.ours():
        for read in workflow.jobs:
            for step in read.steps:
                yield from _committed(read, step)


def _planned(id_: str, cell: Cell, check_: Check, margins: Margins) -> Iterator[Finding]:
    base = f"checks.{check_.key}"
    inner_s = limits.inner_seconds(check_, margins)
    outer = limits.step_minutes(check_, margins)
    inner_name = "deadline_minutes" if isinstance(check_.by, Harness) else "per_file_timeout_s"
    if outer * 60 <= inner_s:
        yield error(
            ID,
            cell.place(f"{base}.timeout_minutes", f"{base}.{inner_name}"),
            f"`{check_.key}` of `{id_}` ends by itself after {inner_s} s, and its step after {outer} "
            "minutes: the step ends it first, and what it found is lost",
            "Leave `timeout_minutes` out, and it is derived.",
        )
    match check_.by:
        case Runner(launch_timeout_s=launch, launches=launches) if launch * launches >= inner_s:
            yield error(
                ID,
                cell.place(f"{base}.launch_timeout_s", f"{base}.{inner_name}"),
                f"`{check_.key}` of `{id_}` may spend {launch * launches} s on starting its server, and "
                f"has {inner_s} s for all: nothing would be left to measure in",
                "Raise `per_file_timeout_s`.",
            )
        case _:
            pass


def _committed(job: JobFacts, step: StepFacts) -> Iterator[Finding]:
    # A step without a limit of its own is cut by its job.
    outer = step.timeout_minutes or job.timeout_minutes or GITHUB_DEFAULT
    inner_s = _inner_seconds(step.run)
    if outer * 60 <= inner_s:
        yield error(
            ID,
            step.timeout_location,
            f"a step of `{job.id}` ends after {outer} minutes, and the command in it after {inner_s} s: "
            "the step ends it first, and what it found is lost",
            "Give the step a limit above the command's, as `nightgrid render` does.",
        )


def _inner_seconds(script: str) -> int:
    line = script.replace("\\\n", " ")
    found = [int(seconds) for seconds in _SECONDS.findall(line)]
    found += [int(minutes) * 60 for minutes in _MINUTES.findall(line)]
    found += [int(number) * _UNITS[unit] for number, unit in _TIMEOUT.findall(line)]
    return max(found, default=0)
