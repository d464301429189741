"""What the matrix requires to be covered, and what it lets off."""

from collections.abc import Mapping

from generator.config.entry import Entry
from generator.config.named import Named
from generator.config.names import Problems
from generator.domain.check import CheckKind
from generator.domain.coverage import Point, Requirement, Waiver
from generator.domain.hardware import Isa
from generator.domain.model import Model


def read_required(
    root: Entry, isas: Mapping[str, Isa], named: Named, problems: Problems
) -> tuple[Requirement, ...]:
    """The floor of coverage; unknown names are noted."""
    families = _families(named)
    found = []
    for entry in root.entry("coverage").items("required"):
        _look_at_family(entry, families, problems)
        found.append(
            Requirement(
                family=entry.text("family"),
                isas=tuple(isa.key for isa in problems.look_up_all("ISA", entry.scalars("isas"), isas)),
                lanes=tuple(
                    lane.key for lane in problems.look_up_all("lane", entry.scalars("lanes"), named.lanes)
                ),
                checks=tuple(CheckKind(kind) for kind in entry.texts("checks")),
                location=entry.location,
            )
        )
    return tuple(found)


def read_waivers(
    root: Entry, isas: Mapping[str, Isa], named: Named, problems: Problems
) -> tuple[Waiver, ...]:
    """The points that are let off; unknown names are noted."""
    found = []
    for entry in root.entry("coverage").items("waivers"):
        for noun, name, valid in (("ISA", "isa", isas), ("lane", "lane", named.lanes)):
            node = entry.scalar(name)
            if node is not None:
                problems.look_up(noun, node, valid)
        found.append(
            Waiver(
                point=Point(entry.text("family"), entry.text("isa"), entry.text("lane"), entry.text("check")),
                because=entry.text("because"),
                until=entry.text("until"),
                location=entry.location,
            )
        )
    return tuple(found)


def _families(named: Named) -> dict[str, Model]:
    """The families that the models make up, each with one of its models."""
    return {model.family: model for model in named.models.values()}


def _look_at_family(entry: Entry, families: Mapping[str, Model], problems: Problems) -> None:
    node = entry.scalar("family")
    if node is not None:
        problems.look_up("family", node, families)
