"""nightgrid explain: each value of a job, who said it and where, and how its limits add up."""

import json
from collections.abc import Iterator

import typer

from generator.cli.build import Build, build
from generator.cli.jobs import find_job
from generator.cli.options import ListFormat
from generator.cli.session import Session
from generator.domain.cell import Cell
from generator.domain.exit_code import ExitCode
from generator.domain.job import Job
from generator.domain.location import Location
from generator.domain.matrix import Margins
from generator.domain.setting import SettingValue
from generator.plan.sums import limits_of
from generator.report.table import Align, Column, render_table


def explain(session: Session, id_: str, format_: ListFormat) -> ExitCode:
    """Say where each value of a job comes from."""
    result = build(session)
    if not isinstance(result, Build):
        session.show(result)
        return ExitCode.INVALID
    job = find_job(result, id_)
    if job is None or job.cell is None:
        return ExitCode.INVALID
    match format_:
        case ListFormat.JSON:
            typer.echo(json.dumps(_data(job, job.cell, result.matrix.margins), indent=2, ensure_ascii=False))
        case ListFormat.TABLE:
            typer.echo(_text(session, job, job.cell, result.matrix.margins), nl=False)
    return ExitCode.FINE


def _values(job: Job, cell: Cell) -> Iterator[tuple[str, str, str, Location]]:
    yield "id", job.id, "naming", cell.location
    yield "hardware", f"{cell.hardware.key} ({cell.hardware.isa.key})", "cell", cell.hardware.location
    yield "lane", f"{cell.lane.key} ({cell.lane.title})", "cell", cell.lane.location
    yield "runner", f"{job.runs_on} ({cell.pool.gpus} GPUs)", "pool", cell.pool.label_location
    if cell.model is not None:
        yield "model", cell.model.repository or cell.model.key, "cell", cell.model.location
    for need in job.needs:
        yield "needs", need, "cell", cell.location
    for path, setting in sorted(cell.settings.items()):
        yield path, _shown(setting.value), setting.level.value, setting.location


def _text(session: Session, job: Job, cell: Cell, margins: Margins) -> str:
    values = render_table(
        [Column(heading=name) for name in ("VALUE OF", "IS", "SAID BY", "AT")],
        [[name, value, level, str(place)] for name, value, level, place in _values(job, cell)],
        session.colour,
    )
    limits = render_table(
        [Column(heading="LIMIT"), Column(heading="MINUTES", align=Align.RIGHT), Column(heading="BECAUSE")],
        [[limit.name, str(limit.minutes), limit.because] for limit in limits_of(job, margins)],
        session.colour,
    )
    return f"{values}\n{limits}"


def _data(job: Job, cell: Cell, margins: Margins) -> dict[str, object]:
    return {
        "job": job.id,
        "values": [
            {"path": name, "value": value, "level": level, "at": str(place)}
            for name, value, level, place in _values(job, cell)
        ],
        "limits": [
            {"name": limit.name, "minutes": limit.minutes, "because": limit.because}
            for limit in limits_of(job, margins)
        ],
    }


def _shown(value: SettingValue) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case tuple():
            return ", ".join(value)
        case _:
            return str(value)
