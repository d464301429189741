"""An ISA named in one place and another in the next: the label lies, and failures look like kernel bugs."""

import re
from collections.abc import Iterator

from generator.domain.facts import Facts
from generator.domain.finding import Finding, error
from generator.domain.hardware import Hardware, Pool
from generator.domain.location import Location

ID = "isa-label"


def check(facts: Facts) -> Iterator[Finding]:
    """A finding for each label that names other hardware than its pool, or than the job that asks for it."""
    hardware = facts.matrix.hardware
    for pool in facts.matrix.pools:
        for other in _named(pool.label, hardware):
            if other.isa.key != pool.hardware.isa.key:
                yield error(
                    ID,
                    pool.label_location,
                    f"pool `{pool.key}` is {pool.hardware.key} ({pool.hardware.isa.key}), and its label "
                    f"`{pool.label}` names {other.key} ({other.isa.key})",
                    "Correct `hardware` or `label`; the first step of each job asks the machine itself.",
                )
    pools = {pool.label: pool for pool in facts.matrix.pools}
    for id_, label, place in _asked(facts):
        known: Pool | None = pools.get(label)
        for other in _named(id_, hardware):
            if known is not None and other.isa.key != known.hardware.isa.key:
                yield error(
                    ID,
                    place,
                    f"`{id_}` names {other.key} ({other.isa.key}) and runs on `{label}`, which is "
                    f"{known.hardware.key} ({known.hardware.isa.key})",
                )


def _asked(facts: Facts) -> Iterator[tuple[str, str, Location]]:
    for job in facts.measuring():
        if job.cell is not None:
            yield job.id, job.runs_on, job.cell.location
    for workflow in facts.ours():
        for read in workflow.jobs:
            for label in read.runs_on:
                yield read.id, label.text, label.location


def _named(text: str, hardware: tuple[Hardware, ...]) -> Iterator[Hardware]:
    words = {word.lower() for word in re.split(r"[^A-Za-z0-9]+", text)}
    for each in hardware:
        names = {each.key, each.isa.key, *(product.key for product in each.products)}
        short = {name.lower().removesuffix("x") for name in names if name.lower().startswith("mi")}
        if words & ({name.lower() for name in names} | short):
            yield each
