"""nightgrid env: each environment variable, where it is set, who reads it, and whether anybody does."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import typer

from generator.cli.build import Build, build
from generator.cli.edited import refuse
from generator.cli.options import ListFormat
from generator.cli.session import Session
from generator.config.environment import read_environment
from generator.domain.exit_code import ExitCode
from generator.domain.finding import Finding, error, warning
from generator.domain.variable import Variable
from generator.outside.mentions import first_mentions
from generator.outside.trees import Bounds
from generator.report.table import Column, render_table

Found = Mapping[str, Mapping[str, str]]
"""For each tree by its name, the variables that it mentions, and where."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """What the trees say of one variable.

    Attributes:
        reader: the place in its reader's tree; `not there` where that tree does not name it, and empty
            where its reader's tree was not given.
        others: further trees that name it, with the place.
    """

    reader: str
    others: tuple[str, ...]


def env(session: Session, sources: tuple[str, ...], format_: ListFormat) -> ExitCode:
    """Print a table, and a finding for each variable that is set and that nobody reads."""
    result = build(session)
    if not isinstance(result, Build):
        session.show(result)
        return ExitCode.INVALID
    trees = [_named(source) for source in sources]
    names = [name for name, _ in trees]
    for name in names:
        if names.count(name) > 1:
            return refuse(f"two sources are called `{name}`", "Write NAME=PATH for each.")
    variables = read_environment(result.tree, result.matrix.cells)
    wanted = frozenset(variable.name for variable in variables)
    found = {name: first_mentions(path, wanted, Bounds()) for name, path in trees}
    match format_:
        case ListFormat.JSON:
            typer.echo(json.dumps([_data(each, found) for each in variables], indent=2, ensure_ascii=False))
        case ListFormat.TABLE:
            typer.echo(_table(session, variables, found), nl=False)
    findings = [finding for variable in variables for finding in _look_at(variable, found)]
    for finding in findings:
        typer.echo(
            f"{finding.location}: {finding.severity.value}[{finding.id}]: {finding.message}"
            + (f"\n  help: {finding.help}" if finding.help else ""),
            err=True,
        )
    return ExitCode.FINDINGS if any(each.id == "variable-not-read" for each in findings) else ExitCode.FINE


def _named(source: str) -> tuple[str, Path]:
    name, sign, path = source.partition("=")
    if sign and name and "/" not in name:
        return name, Path(path)
    return Path(source).resolve().name, Path(source)


def _seen(variable: Variable, found: Found) -> _Seen:
    own = found.get(variable.read_by)
    return _Seen(
        reader="" if own is None else own.get(variable.name, "not there"),
        others=tuple(
            f"{name} ({places[variable.name]})"
            for name, places in found.items()
            if name != variable.read_by and variable.name in places
        ),
    )


def _look_at(variable: Variable, found: Found) -> Iterator[Finding]:
    seen = _seen(variable, found)
    if not variable.settings:
        yield warning(
            "variable-not-set",
            variable.location,
            f"`{variable.name}` is declared, and nothing sets it",
            "Take it out of `variables`, or set it.",
        )
    if seen.reader == "not there":
        elsewhere = f"; {', '.join(seen.others)} names it" if seen.others else ""
        yield error(
            "variable-not-read",
            variable.location,
            f"`{variable.name}` is not named anywhere in the tree of {variable.read_by}{elsewhere}",
            "Correct the name or `read_by`; a variable that nobody reads changes nothing.",
        )


def _table(session: Session, variables: tuple[Variable, ...], found: Found) -> str:
    headings = ["VARIABLE", "VALUES", "READ BY", "SET AT", *(["FOUND AT", "ALSO IN"] if found else [])]
    rows = []
    for variable in variables:
        seen = _seen(variable, found)
        places = [str(setting.location) for setting in variable.settings]
        more = f" and {len(places) - 1} more" if len(places) > 1 else ""
        row = [variable.name, ", ".join(variable.values), variable.read_by, "".join((*places[:1], more))]
        if found:
            row += [seen.reader or "not looked at", ", ".join(seen.others)]
        rows.append(row)
    return render_table([Column(heading=heading) for heading in headings], rows, session.colour)


def _data(variable: Variable, found: Found) -> dict[str, object]:
    seen = _seen(variable, found)
    return {
        "name": variable.name,
        "values": variable.values,
        "read_by": variable.read_by,
        "note": variable.note,
        "set_at": [str(setting.location) for setting in variable.settings],
        "found_at": seen.reader,
        "also_in": seen.others,
    }
