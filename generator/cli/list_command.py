"""nightgrid list: jobs or cells, narrowed to what a person looks for."""

import json
from collections.abc import Iterator

import typer

from generator.cli.build import Build, build
from generator.cli.options import FilterOptions, Kind, ListFormat
from generator.cli.session import Session
from generator.config.entry import Entry
from generator.config.suggest import one_of
from generator.config.tree import MappingNode
from generator.domain.cell import Cell
from generator.domain.check import CheckKind
from generator.domain.exit_code import ExitCode
from generator.domain.job import Job
from generator.report.table import Column, render_table


def list_(session: Session, kind: Kind, wanted: FilterOptions, format_: ListFormat) -> ExitCode:
    """Print what fits; an empty list is no error, and says so on standard error."""
    result = build(session)
    if not isinstance(result, Build):
        session.show(result)
        return ExitCode.INVALID
    unknown = tuple(_unknown(result, wanted))
    for noun, name, valid in unknown:
        typer.echo(f"error: there is no {noun} `{name}`\nhelp: {one_of(name, valid)}", err=True)
    if unknown:
        return ExitCode.INVALID
    rows = [
        _of_job(workflow.path, job, job.cell) if kind is Kind.JOBS else _of_cell(job.cell)
        for workflow in result.workflows
        for job in workflow.jobs
        if job.cell is not None and _fits(job.cell, wanted)
    ]
    match format_:
        case ListFormat.JSON:
            typer.echo(json.dumps(rows, indent=2, ensure_ascii=False))
        case ListFormat.TABLE:
            typer.echo(_table(session, rows), nl=False)
    typer.echo(f"{len(rows)} {kind.value}", err=True)
    return ExitCode.FINE


def _unknown(result: Build, wanted: FilterOptions) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """What is asked for and cannot be there: what it is, its name, and the names that there are."""
    if not isinstance(result.tree.root, MappingNode):
        raise TypeError(result.tree.root)  # the schema refuses anything else
    models = (entry for _, entry in Entry(result.tree, result.tree.root).entries("models"))
    there = {
        "hardware": (wanted.hardware, (hardware.key for hardware in result.matrix.hardware)),
        "lane": (wanted.lane, (lane.key for lane in result.matrix.lanes)),
        "family": (wanted.family, (model.text("family") for model in models)),
        "check": (wanted.check, (kind.value for kind in CheckKind)),
    }
    for noun, (name, names) in there.items():
        valid = tuple(dict.fromkeys(names))
        if name and name not in valid:
            yield noun, name, valid


def _of_job(path: str, job: Job, cell: Cell) -> dict[str, object]:
    return {
        "job": job.id,
        "runner": job.runs_on,
        "checks": [check.key for check in cell.checks],
        "limit_minutes": job.timeout_minutes,
        "needs": [need for need in job.needs if need != "preflight"],
        "off": _off(cell),
        "workflow": path,
    }


def _of_cell(cell: Cell) -> dict[str, object]:
    model = cell.model
    return {
        "row": cell.key,
        "model": "" if model is None else model.key,
        "family": "" if model is None else model.family,
        "quantization": "" if model is None or model.quantization is None else model.quantization.key,
        "hardware": cell.hardware.key,
        "isa": cell.hardware.isa.key,
        "lane": cell.lane.key,
        "gpus": cell.gpus,
        "checks": [check.key for check in cell.checks],
        "off": _off(cell),
    }


def _off(cell: Cell) -> str:
    return "" if cell.disabled is None else f"until {cell.disabled.until}: {cell.disabled.because}"


def _fits(cell: Cell, wanted: FilterOptions) -> bool:
    family = "" if cell.model is None else cell.model.family
    return (
        wanted.hardware in ("", cell.hardware.key)
        and wanted.lane in ("", cell.lane.key)
        and wanted.family in ("", family)
        and (not wanted.check or wanted.check in {check.kind.value for check in cell.checks})
    )


def _table(session: Session, rows: list[dict[str, object]]) -> str:
    if not rows:
        return ""
    shown = [name for name in rows[0] if any(row[name] not in ("", []) for row in rows)]
    return render_table(
        [Column(heading=name.replace("_", " ").upper()) for name in shown],
        [list(_cells(row, shown)) for row in rows],
        session.colour,
    )


def _cells(row: dict[str, object], shown: list[str]) -> Iterator[str]:
    for name in shown:
        value = row[name]
        yield ", ".join(map(str, value)) if isinstance(value, list) else str(value)
