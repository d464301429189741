"""What a swap comes to, for a person and for a program."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from generator.cli.build import Build
from generator.domain.cell import Cell
from generator.domain.coverage import Point
from generator.plan.coverage import covered
from generator.plan.swap import Decision, Wish, gpu_minutes
from generator.report.colour import Colour
from generator.report.table import Align, Column, render_table


@dataclass(frozen=True, slots=True, kw_only=True)
class Swap:
    """A swap, before and after.

    Attributes:
        lost: points without a gate afterwards.
        uncovered: those of them that no waiver lets off.
        note: what a person should know besides; empty for nothing.
    """

    wish: Wish
    decisions: tuple[Decision, ...]
    before: Build
    after: Build
    lost: tuple[Point, ...] = ()
    uncovered: tuple[Point, ...] = ()
    note: str = ""

    @property
    def models(self) -> frozenset[str]:
        """Keys of the two models."""
        return frozenset((self.wish.old, self.wish.new.key))


def as_text(swap: Swap, colour: Colour) -> str:
    """Tables of cells, coverage, limits and machine time."""
    parts = [_cells(swap, colour), _coverage(swap, colour), _limits(swap, colour), _hours(swap, colour)]
    if swap.after is not swap.before:
        parts.append(
            f"{swap.wish.new.key} has gates of its own; those of {swap.wish.old} stay with its rows.\n"
        )
    if swap.note:
        parts.append(f"note: {swap.note}\n")
    return "\n".join(part for part in parts if part)


def as_json(swap: Swap) -> str:
    """The same as data."""
    before, after = _minutes(swap)
    data = {
        "old": swap.wish.old,
        "new": swap.wish.new.key,
        "cells": [
            {"row": each.cell.key, "hardware": each.place[0], "lane": each.place[1]}
            | {"moves": not each.stays_because, "because": each.stays_because}
            for each in swap.decisions
        ],
        "coverage": [
            {"point": str(point), "before": _names(there), "after": _names(then)}
            for point, there, then in _points(swap)
        ],
        "limits": [
            {"job": id_, "minutes_before": was, "minutes_after": is_} for id_, was, is_ in _jobs(swap)
        ],
        "gpu_hours_before": round(before / 60, 1),
        "gpu_hours_after": round(after / 60, 1),
        "lost": [str(point) for point in swap.lost],
        "uncovered": [str(point) for point in swap.uncovered],
        "note": swap.note,
    }
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def _cells(swap: Swap, colour: Colour) -> str:
    rows = [
        [each.cell.key, *each.place, "stays" if each.stays_because else "moves", each.stays_because]
        for each in swap.decisions
    ]
    columns = [Column(heading=name) for name in ("ROW", "HARDWARE", "LANE", "IT", "BECAUSE")]
    return render_table(columns, rows, colour)


def _points(swap: Swap) -> Iterator[tuple[Point, tuple[Cell, ...], tuple[Cell, ...]]]:
    there, then = covered(swap.before.matrix.cells), covered(swap.after.matrix.cells)
    families = {cell.model.family for each in swap.decisions if (cell := each.cell).model is not None}
    families.add(swap.wish.new.family)
    for point in sorted({*there, *then}):
        if point.family in families:
            yield point, there.get(point, ()), then.get(point, ())


def _coverage(swap: Swap, colour: Colour) -> str:
    rows = [
        [str(point), ", ".join(_names(there)) or "—", ", ".join(_names(then)) or "—"]
        for point, there, then in _points(swap)
    ]
    return render_table([Column(heading=name) for name in ("COVERAGE OF", "BEFORE", "AFTER")], rows, colour)


def _names(cells: tuple[Cell, ...]) -> list[str]:
    return list(dict.fromkeys(cell.model.key for cell in cells if cell.model is not None))


def _jobs(swap: Swap) -> Iterator[tuple[str, int, int]]:
    was, is_ = (
        {
            job.id: job.timeout_minutes
            for workflow in build.workflows
            for job in workflow.jobs
            if job.cell is not None and job.cell.model is not None and job.cell.model.key in swap.models
        }
        for build in (swap.before, swap.after)
    )
    for id_ in dict.fromkeys((*was, *is_)):
        yield id_, was.get(id_, 0), is_.get(id_, 0)


def _limits(swap: Swap, colour: Colour) -> str:
    columns = [Column(heading="LIMIT OF"), *_numbers("MINUTES BEFORE", "AFTER")]
    rows = [[id_, str(was or "—"), str(is_ or "—")] for id_, was, is_ in _jobs(swap)]
    return render_table(columns, rows, colour)


def _minutes(swap: Swap) -> tuple[int, int]:
    before, after = swap.before.workflows, swap.after.workflows
    return gpu_minutes(before, swap.models), gpu_minutes(after, swap.models)


def _hours(swap: Swap, colour: Colour) -> str:
    pair, night = _minutes(swap), (gpu_minutes(swap.before.workflows), gpu_minutes(swap.after.workflows))
    rows = [
        [f"{swap.wish.old} and {swap.wish.new.key}", *(f"{minutes / 60:.1f}" for minutes in pair)],
        ["all jobs of the matrix", *(f"{minutes / 60:.1f}" for minutes in night)],
    ]
    columns = [Column(heading="GPU HOURS AT MOST"), *_numbers("BEFORE", "AFTER")]
    return render_table(columns, rows, colour)


def _numbers(*headings: str) -> tuple[Column, ...]:
    return tuple(Column(heading=heading, align=Align.RIGHT) for heading in headings)
