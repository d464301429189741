"""Results for a person, in Markdown or plain text."""

from collections.abc import Iterator, Sequence

from benchmarks.machine import Machine
from benchmarks.measure import Result

_HEAD = ("program", "wall s, median", "wall s, least", "CPU s, least", "peak MB", "output MB", "runs")


def report(machine: Machine, results: Sequence[Result]) -> str:
    """All of it in Markdown, which reads well on a terminal too."""
    versions = ", ".join(f"{name} {number}" for name, number in machine.versions)
    lines = [
        f"{machine.processor}, {machine.cores} cores, {machine.system}, load {machine.load:.1f} before.",
        f"{versions}.",
    ]
    for result in results:
        jobs = f"{result.jobs:,} jobs with {result.steps:,} steps in {result.files} files"
        lines += [
            "",
            f"### {result.size.name}: {jobs}",
            "",
            *_table(_HEAD, [_cells(row) for row in result.rows]),
        ]
    lines += ["", "### Where the time goes: CPU seconds of `nightgrid render`", "", *_phases(results)]
    return "\n".join(lines) + "\n"


def _cells(row: dict[str, object]) -> tuple[str, ...]:
    if "given_up" in row:
        return (str(row["program"]), str(row["given_up"]), "", "", "", "", "")
    size_bytes = row["output_bytes"]
    size = f"{size_bytes / 1e6:.2f}" if isinstance(size_bytes, int) else ""
    return (
        str(row["program"]),
        *(f"{row[name]:.2f}" for name in ("wall_median_s", "wall_least_s", "cpu_least_s")),
        f"{row['peak_mb']:.0f}",
        size,
        str(row["runs"]),
    )


def _phases(results: Sequence[Result]) -> Iterator[str]:
    names = dict.fromkeys(name for result in results for name, _ in result.phases)
    rows = [(name, *(f"{dict(result.phases).get(name, 0):.3f}" for result in results)) for name in names]
    total = ("all", *(f"{sum(took_s for _, took_s in result.phases):.3f}" for result in results))
    yield from _table(("phase", *(result.size.name for result in results)), [*rows, total])


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The first column to the left, the others to the right."""
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    for row in (head, rule, *rows):
        first, *others = (
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield f"| {' | '.join((first, *others))} |"
