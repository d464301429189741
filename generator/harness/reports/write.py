"""Writing a results folder: each file by itself, so that one that cannot be written costs no other."""

import contextlib
import json
from collections.abc import Callable
from pathlib import Path

from generator.harness.reports.html import page
from generator.harness.reports.junit import junit
from generator.harness.reports.record import Finished, as_record
from generator.harness.reports.summary import summary
from generator.harness.serve import logs, state

_TAIL_LINES = 200

FILES: tuple[tuple[str, Callable[[Finished], str]], ...] = (
    ("results.json", lambda finished: json.dumps(as_record(finished), indent=1, ensure_ascii=False) + "\n"),
    ("summary.md", summary),
    ("junit.xml", junit),
    ("report.html", page),
)


def write_results(folder: Path, finished: Finished) -> tuple[str, ...]:
    """Write all files; returns what went wrong, most often nothing."""
    troubles = []
    for name, render in FILES:
        try:
            state.write_atomically(folder / name, render(finished))
        except OSError as problem:  # noqa: PERF203 one file that fails must not cost the others
            troubles.append(f"{folder / name} could not be written: {problem.strerror}")
    return tuple(troubles)


def copy_server_log_tail(server_folder: Path, folder: Path) -> None:
    """Put the end of the server's log beside the results; without a log nothing happens."""
    lines = logs.tail(server_folder / state.LOG_NAME, _TAIL_LINES)
    if lines:
        with contextlib.suppress(OSError):
            state.write_atomically(folder / state.TAIL_NAME, "\n".join(lines) + "\n")


def clear_results(folder: Path) -> None:
    """Remove what an earlier run concluded, so that nobody reads it as this one's."""
    for name, _ in FILES:
        (folder / name).unlink(missing_ok=True)
    (folder / state.TAIL_NAME).unlink(missing_ok=True)
