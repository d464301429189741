"""An ISA named in one place and another in the next: the label lies, and failures look like kernel bugs."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from generator.checks.isa_names import Mention, Names, names_of
from generator.domain.check import Runner
from generator.domain.facts import Facts
from generator.domain.finding import Finding, error
from generator.domain.hardware import Isa, Pool
from generator.domain.location import Location

ID = "isa-label"

_ASSERTED = re.compile(r"--isa[ =]+([\w.-]+)")
_HELP = "Correct `hardware` or `label`; the first step of each job asks the machine itself."


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A text that may name hardware, the label of the machine that it runs on, and where that is said."""

    text: str
    label: str
    location: Location


def check(facts: Facts) -> Iterator[Finding]:
    """A finding for each label that names other hardware than its pool, or than the job that asks for it."""
    names = names_of(facts.matrix.hardware)
    pools: dict[str, list[Pool]] = {}
    for pool in facts.matrix.pools:
        pools.setdefault(pool.label, []).append(pool)
    yield from _pools(facts.matrix.pools, names)
    for asked in (*_planned(facts), *_committed(facts)):
        yield from _compared(asked, names, pools)
    yield from _asserted(facts, pools)


def _pools(pools: Iterable[Pool], names: Names) -> Iterator[Finding]:
    owners: dict[str, Pool] = {}
    for pool in pools:
        isa = pool.hardware.isa.key
        what = f"pool `{pool.key}` is {pool.hardware.key} ({isa}), and its label `{pool.label}`"
        for named in names.mentions(pool.label):
            if isa not in named.isas:
                yield error(ID, pool.label_location, f"{what} names {named}", _HELP)
        owner = owners.setdefault(pool.label, pool)
        if owner.hardware.isa.key != isa:
            message = f"{what} is that of `{owner.key}` too, which is {_known_as(owner)}"
            yield error(ID, pool.label_location, message, _HELP)


def _planned(facts: Facts) -> Iterator[Asked]:
    for job in facts.measuring():
        if job.cell is None:
            continue
        yield Asked(text=job.id, label=job.runs_on, location=job.cell.location)
        for each in job.cell.checks:
            if isinstance(each.by, Runner):
                yield Asked(text=each.by.asked, label=job.runs_on, location=each.location)


def _committed(facts: Facts) -> Iterator[Asked]:
    for workflow in facts.ours():
        for job in workflow.jobs:
            for label in job.runs_on:
                yield Asked(text=job.id, label=label.text, location=label.location)


def _compared(asked: Asked, names: Names, pools: Mapping[str, list[Pool]]) -> Iterator[Finding]:
    named = names.mentions(asked.text)
    if not named:
        return
    if asked.label in pools:
        behind = pools[asked.label]
        there = {pool.hardware.isa.key for pool in behind}
        known_as = _known_as(behind[0])
    else:
        known = names.mentions(asked.label)
        there = {isa for each in known for isa in each.isas}
        known_as = _listed(known)
    # One name that fits is enough: `from-mi30x-to-mi35x` is right on either.
    if there and all(there.isdisjoint(each.isas) for each in named):
        yield error(
            ID,
            asked.location,
            f"`{asked.text}` names {_listed(named)} and runs on `{asked.label}`, which is {known_as}",
            "Let it run where its name says, or correct the name.",
        )


def _asserted(facts: Facts, pools: Mapping[str, list[Pool]]) -> Iterator[Finding]:
    steps = [(job, step) for workflow in facts.ours() for job in workflow.jobs for step in job.steps]
    for job, step in steps:
        there = [pool for label in job.runs_on for pool in pools.get(label.text, ())]
        for asserted in _ASSERTED.findall(step.run):
            if there and all(asserted != _asserted_as(pool.hardware.isa) for pool in there):
                yield error(
                    ID,
                    step.location,
                    f"`{job.id}` makes sure that its machine is {asserted}, and its label is that of "
                    f"{_known_as(there[0])}",
                    "`nightgrid render` writes both from the matrix.",
                )


def _asserted_as(isa: Isa) -> str:
    return "none" if isa.vendor == "none" else isa.key


def _known_as(pool: Pool) -> str:
    return f"{pool.hardware.key} ({pool.hardware.isa.key})"


def _listed(named: Iterable[Mention]) -> str:
    return " and ".join(str(each) for each in named)
