"""An outer limit that fires before, or with, the one inside: the summary is lost, the server left running."""

import re
from collections.abc import Iterator

from generator.domain.cell import Cell
from generator.domain.check import Check, Harness, Runner
from generator.domain.facts import Facts
from generator.domain.finding import Finding, error
from generator.domain.matrix import Margins
from generator.domain.workflow_facts import StepFacts
from generator.plan import limits

ID = "outer-not-above-inner"

_SECONDS = re.compile(r"--timeout-per-file[ =]+(\d+)|--launch-timeout-s[ =]+(\d+)")
_MINUTES = re.compile(r"--deadline-minutes[ =]+(\d+)")


def check(facts: Facts) -> Iterator[Finding]:
    """A finding for each step, planned or committed, whose limit is not above the limit within."""
    for job in facts.measuring():
        if job.cell is not None:
            for each in job.cell.checks:
                yield from _planned(job.id, job.cell, each, facts.matrix.margins)
    for workflow in facts.ours():
        for read in workflow.jobs:
            for step in read.steps:
                yield from _committed(read.id, step)


def _planned(id_: str, cell: Cell, check_: Check, margins: Margins) -> Iterator[Finding]:
    base = f"checks.{check_.key}"
    inner_s = limits.inner_seconds(check_, margins)
    outer = limits.step_minutes(check_, margins)
    inner_name = "deadline_minutes" if isinstance(check_.by, Harness) else "per_file_timeout_s"
    place = cell.place(f"{base}.timeout_minutes", f"{base}.{inner_name}")
    if outer * 60 <= inner_s:
        yield error(
            ID,
            place,
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


def _committed(id_: str, step: StepFacts) -> Iterator[Finding]:
    if not step.timeout_minutes:
        return
    inner = [int(one or other) for one, other in _SECONDS.findall(step.run)]
    inner += [int(minutes) * 60 for minutes in _MINUTES.findall(step.run)]
    if inner and step.timeout_minutes * 60 <= max(inner):
        yield error(
            ID,
            step.timeout_location,
            f"a step of `{id_}` ends after {step.timeout_minutes} minutes, and the command in it "
            f"after {max(inner)} s: the step ends it first, and what it found is lost",
        )
