"""nightgrid swap: one model for another, and what that would cost before anybody pays it."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import Enum

import typer

from generator.cli.asked_period import PeriodError, asked_period
from generator.cli.build import Build, build, build_tree
from generator.cli.edited import refuse, show_edit, write_edited
from generator.cli.inspect import Clock, today_utc
from generator.cli.options import ListFormat
from generator.cli.session import Session
from generator.cli.swap_help import missing_model, missing_row
from generator.cli.swap_report import Swap, as_json, as_text
from generator.config.declared import models_of
from generator.config.edit_periods import let_off
from generator.config.splice import SpliceError
from generator.config.suggest import one_of
from generator.config.swap_rows import BrokenSwapError, NoRowError, SwapEdit, leads_back, swapped
from generator.domain.coverage import Point
from generator.domain.exit_code import ExitCode
from generator.domain.finding import Finding
from generator.domain.model import Model
from generator.plan.swap import Decision, Wish, decide, lost_points, places_of

_BROKEN = "the matrix would not be right after the swap; nothing was written"


class Doing(Enum):
    """Whether a swap is only looked at."""

    SHOW = "show"
    WRITE = "write"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A swap as it was typed.

    Attributes:
        hardware, lane: keys; empty for all.
        waive: points as family/ISA/lane/check.
        because, until: why they are let off, and until when.
    """

    old: str
    new: str
    hardware: str = ""
    lane: str = ""
    waive: tuple[str, ...] = ()
    because: str = ""
    until: str = ""
    doing: Doing = Doing.SHOW
    format: ListFormat = ListFormat.TABLE


class _RefusedError(Exception):
    """The swap cannot be made as it was asked for: a message, what to do, findings of the matrix."""

    def __init__(self, message: str, help_: str = "", findings: Collection[Finding] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.help = help_
        self.findings = findings


def swap(session: Session, asked: Asked, clock: Clock = today_utc) -> ExitCode:
    """Show what a swap moves, keeps and costs; write it where nothing is lost that is not let off."""
    before = build(session)
    if not isinstance(before, Build):
        session.show(before)
        return ExitCode.INVALID
    try:
        wish = _wish(asked, before, models_of(before.tree))
        decisions = decide(before.matrix.cells, wish)
        if not places_of(decisions):
            _show(session, asked, Swap(wish=wish, decisions=decisions, before=before, after=before))
            typer.echo("nothing can move", err=True)
            return ExitCode.NOTHING
        return _carry_out(session, asked, _planned(wish, decisions, before), clock)
    except _RefusedError as problem:
        session.show(problem.findings)
        return refuse(problem.message, problem.help)


def _wish(asked: Asked, before: Build, models: dict[str, Model]) -> Wish:
    hardware = [each.key for each in before.matrix.hardware]
    lanes = [each.key for each in before.matrix.lanes]
    for noun, name, valid in (
        ("model", asked.old, list(models)),
        ("hardware", asked.hardware or hardware[0], hardware),
        ("lane", asked.lane or lanes[0], lanes),
    ):
        if name not in valid:
            raise _RefusedError(f"there is no {noun} `{name}`", one_of(name, valid))
    if asked.old == asked.new:
        raise _RefusedError(f"`{asked.old}` is on both sides", "Name another model.")
    if asked.new not in models:
        raise _RefusedError(*missing_model(asked.new, models[asked.old], tuple(models)))
    if not any(cell.model is not None and cell.model.key == asked.old for cell in before.matrix.cells):
        raise _RefusedError(f"no cell tests `{asked.old}`", "See nightgrid list cells.")
    return Wish(old=asked.old, new=models[asked.new], hardware=asked.hardware, lane=asked.lane)


def _planned(wish: Wish, decisions: tuple[Decision, ...], before: Build) -> Swap:
    edit = SwapEdit(old=wish.old, new=wish.new.key, places=places_of(decisions))
    try:
        tree = swapped(before.tree, edit)
    except NoRowError as problem:
        cells = [each.cell for each in decisions if not each.stays_because and each.place in problem.places]
        raise _RefusedError(*missing_row(before.tree, wish.new, cells)) from problem
    except BrokenSwapError as problem:
        raise _RefusedError(_BROKEN, findings=problem.findings) from problem
    except SpliceError as problem:
        raise _RefusedError(f"{problem}; nothing was written", "Make the swap by hand.") from problem
    after = build_tree(tree)
    if not isinstance(after, Build):
        raise _RefusedError(_BROKEN, findings=after)
    back = (
        "" if leads_back(before.tree, tree, edit) else "swapping back would not restore the file as it is now"
    )
    return Swap(wish=wish, decisions=decisions, before=before, after=after, note=back)


def _carry_out(session: Session, asked: Asked, planned: Swap, clock: Clock) -> ExitCode:
    today = clock()
    waived = _waived(asked, planned)
    let_off_before = {
        waiver.point for waiver in planned.before.matrix.waivers if waiver.until >= today.isoformat()
    }
    if waived:
        try:
            period = asked_period(asked.because, asked.until, today)
            tree = let_off(planned.after.tree, waived, period)
        except (PeriodError, SpliceError) as problem:
            raise _RefusedError(str(problem)) from problem
        after = build_tree(tree)
        if not isinstance(after, Build):
            raise _RefusedError(_BROKEN, findings=after)
        planned = replace(planned, after=after)
    elif asked.because or asked.until:
        raise _RefusedError("--because and --until belong to --waive", "Name the point that is let off.")
    lost = lost_points(planned.before.matrix, planned.after.matrix)
    open_ = tuple(point for point in lost if point not in let_off_before and point not in waived)
    planned = replace(planned, lost=lost, uncovered=open_)
    _show(session, asked, planned)
    if open_:
        _explain(open_, asked.doing)
        return ExitCode.FINDINGS
    if asked.doing is Doing.WRITE:
        return write_edited(session, planned.before, planned.after, today)
    return ExitCode.FINE


def _show(session: Session, asked: Asked, planned: Swap) -> None:
    match asked.format:
        case ListFormat.JSON:
            typer.echo(as_json(planned), nl=False)
        case ListFormat.TABLE:
            typer.echo(as_text(planned, session.colour), nl=False)
            show_edit(session, planned.before, planned.after)


def _explain(uncovered: Collection[Point], doing: Doing) -> None:
    for point in uncovered:
        typer.echo(f"error: nothing would test {point}", err=True)
    first = next(iter(uncovered))
    typer.echo(
        "help: keep a cell there, or let the point off for a while: "
        f"--waive {first.family}/{first.isa}/{first.lane}/{first.check} --because … --until YYYY-MM-DD",
        err=True,
    )
    if doing is Doing.WRITE:
        typer.echo("nothing was written", err=True)


def _waived(asked: Asked, planned: Swap) -> tuple[Point, ...]:
    lost = lost_points(planned.before.matrix, planned.after.matrix)
    points = []
    for text in dict.fromkeys(asked.waive):
        parts = text.split("/")
        if len(parts) != 4:
            raise _RefusedError(f"`{text}` is no point", "Write family/ISA/lane/check.")
        point = Point(*parts)
        if point not in lost:
            valid = [f"{each.family}/{each.isa}/{each.lane}/{each.check}" for each in lost]
            raise _RefusedError(
                f"the swap does not lose `{text}`, so there is nothing to let off",
                one_of(text, valid) or "Leave --waive out.",
            )
        points.append(point)
    return tuple(points)
