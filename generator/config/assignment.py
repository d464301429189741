"""Where a cell runs: the smallest pool that is large enough, and the site with its steps."""

from collections.abc import Mapping

from generator.config.checks import CellSettings
from generator.config.names import Problems
from generator.config.sites import RESERVED_STEPS
from generator.domain.check import Check
from generator.domain.hardware import Hardware, Pool
from generator.domain.lane import Lane
from generator.domain.site import GithubContainer, Site


def pool_for(
    row: str, hardware: Hardware, lane: Lane, values: CellSettings, problems: Problems
) -> Pool | None:
    """The smallest pool of the lane with enough GPUs; nothing, and a problem noted, where there is none."""
    needed = values.integer("gpus")
    there = [pool for pool in lane.pools if pool.hardware is hardware]
    enough = [pool for pool in there if pool.gpus >= needed]
    if enough:
        return min(enough, key=lambda pool: pool.gpus)
    if problems.is_broken("lane pools", lane.key):
        return None
    largest = max((pool.gpus for pool in there), default=None)
    message = (
        f"lane `{lane.key}` has no pool of {hardware.key}"
        if largest is None
        else f"`{row}` needs {needed} GPUs, and the largest pool of {hardware.key} "
        f"in lane `{lane.key}` has {largest}"
    )
    help_ = f"Add a pool to lane `{lane.key}`, or change the row."
    problems.add("no-pool", values.at("gpus"), message, help_)
    return None


def site_for(row: str, values: CellSettings, sites: Mapping[str, Site], problems: Problems) -> Site | None:
    """The site that the cell names; nothing, and a problem noted, where there is none."""
    name = values.text("site")
    if name in sites:
        return sites[name]
    if name:
        problems.unknown("site", name, values.at("site"), sites)
    else:
        problems.add(
            "missing-key",
            values.place,
            f"`{row}` does not say at which site it runs",
            "Write `site` under `defaults`, in the lane or in the hardware.",
        )
    return None


def look_at_image(row: str, lane: Lane, site: Site, problems: Problems) -> None:
    """Note a cell in GitHub's container whose lane has no image to start it from."""
    if isinstance(site.entry, GithubContainer) and not lane.images:
        problems.add(
            "no-image",
            lane.location,
            f"`{row}` runs in GitHub's container at site `{site.key}`, and lane `{lane.key}` has no image",
            "Write `image` in the lane, or name another site.",
        )


def look_at_steps(site: Site, checks: tuple[Check, ...], values: CellSettings, problems: Problems) -> None:
    """Note an option that the site does not have, and a check whose step would have the id of another."""
    options = values.texts("options")
    for option in options:
        if option not in site.options:
            valid = dict.fromkeys(sorted(site.options))
            problems.unknown(f"option of site `{site.key}`", option, values.at("options"), valid)
    taken = {
        step.id.lower()
        for step in (*site.clean, *site.before, *site.after)
        if not step.option or step.option in options
    }
    for check in checks:
        id_ = check.key.lower()
        if id_ in taken or id_ in RESERVED_STEPS:
            whose = f"a step of site `{site.key}` or another check" if id_ in taken else "a step of every job"
            problems.add(
                "duplicate-step",
                check.location,
                f"the check `{check.key}` becomes a step, and its id is taken by {whose}",
                "Call the check by another name; `check` says what it measures.",
            )
        taken.add(id_)
