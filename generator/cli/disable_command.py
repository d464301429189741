"""nightgrid disable: a job or a pool that is off for a while, with a reason; it comes back by itself."""

import datetime as dt
from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import Enum

import typer

from generator.cli.asked_period import PeriodError, asked_period
from generator.cli.build import Build, build, build_tree
from generator.cli.edited import refuse, show_edit, write_edited
from generator.cli.inspect import Clock, today_utc
from generator.cli.session import Session
from generator.config.edit_periods import (
    Period,
    has_override_off,
    let_off,
    switch_place_off,
    switch_pool_off,
    switch_row_off,
)
from generator.config.splice import SpliceError
from generator.config.suggest import one_of
from generator.config.tree import Tree
from generator.domain.cell import Cell
from generator.domain.coverage import Point
from generator.domain.exit_code import ExitCode
from generator.domain.finding import Finding
from generator.domain.matrix import Matrix
from generator.plan.coverage import covered
from generator.plan.ids import job_id


class Doing(Enum):
    """Whether the change is only looked at."""

    SHOW = "show"
    WRITE = "write"


class Required(Enum):
    """What becomes of a required point that has no gate while the job is off."""

    KEEP = "keep"
    LET_OFF = "let off"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What was typed: id of a job or key of a pool, why, and until when."""

    name: str
    because: str
    until: str
    doing: Doing = Doing.WRITE
    required: Required = Required.KEEP


@dataclass(frozen=True, slots=True)
class _Open:
    """Required points that would have no gate."""

    points: tuple[Point, ...]


def disable(session: Session, asked: Asked, clock: Clock = today_utc) -> ExitCode:
    """Write `disabled` into the row or the pool, and render."""
    before = build(session)
    if not isinstance(before, Build):
        session.show(before)
        return ExitCode.INVALID
    cells = [cell for cell in before.matrix.cells if job_id(cell) == asked.name]
    pools = [pool.key for pool in before.matrix.pools]
    if not cells and asked.name not in pools:
        valid = [*pools, *dict.fromkeys(map(job_id, before.matrix.cells))]
        return refuse(f"there is no job and no pool `{asked.name}`", one_of(asked.name, valid))
    today = clock()
    try:
        after = _edited(before, asked, cells, today)
    except (PeriodError, SpliceError) as problem:
        return refuse(str(problem), "Nothing was written.")
    if isinstance(after, _Open):
        return _explain(after.points, asked)
    if not isinstance(after, Build):
        session.show(after)
        return ExitCode.INVALID
    return _finish(session, asked, before, after, today)


def _finish(session: Session, asked: Asked, before: Build, after: Build, today: dt.date) -> ExitCode:
    match asked.doing:
        case Doing.SHOW:
            show_edit(session, before, after)
            return ExitCode.FINE
        case Doing.WRITE:
            return write_edited(session, before, after, today)


def _edited(
    before: Build, asked: Asked, cells: Collection[Cell], today: dt.date
) -> Build | _Open | tuple[Finding, ...]:
    period = asked_period(asked.because, asked.until, today)
    tree = _switched_off(before, asked.name, cells, period)
    after = build_tree(tree)
    if not isinstance(after, Build):
        return after
    points = _open_points(asked.name, after.matrix, asked.until)
    if points and asked.required is Required.KEEP:
        return _Open(points)
    return build_tree(let_off(tree, points, period)) if points else after


def _switched_off(before: Build, name: str, cells: Collection[Cell], period: Period) -> Tree:
    tree = before.tree
    if not cells:
        return switch_pool_off(tree, name, period)
    for cell in cells:
        of_row = [each for each in before.matrix.cells if each.key == cell.key]
        place = (cell.hardware.key, cell.lane.key)
        if len(of_row) == 1 and not has_override_off(tree, cell.key):
            tree = switch_row_off(tree, cell.key, period)
        else:
            tree = switch_place_off(tree, cell.key, place, period)
    return tree


def _open_points(name: str, after: Matrix, until: str) -> tuple[Point, ...]:
    """Required points that only what is off would cover, and that no waiver lets off for as long."""
    there = covered(after.cells)
    on = [
        replace(cell, disabled=None) if name in (job_id(cell), cell.pool.key) else cell
        for cell in after.cells
    ]
    required = {point for requirement in after.required for point in requirement.points()}
    waived = {waiver.point for waiver in after.waivers if waiver.until >= until}
    return tuple(
        sorted(
            point for point in covered(on) if point in required and point not in there and point not in waived
        )
    )


def _explain(lost: Collection[Point], asked: Asked) -> ExitCode:
    for point in lost:
        typer.echo(f"error: until {asked.until} nothing would test {point}, which is required", err=True)
    typer.echo(
        "help: add --waive to let it off for the same reason and the same time; nothing was written", err=True
    )
    return ExitCode.FINDINGS
