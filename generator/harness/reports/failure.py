"""The results of a check that could not do its work: a verdict too, so that nobody reads an older one."""

import contextlib
import json
from pathlib import Path

from generator.harness.outcome import HarnessError
from generator.harness.serve import state

_SCHEMA = 1


def write_failure(folder: Path, check: str, problem: HarnessError) -> None:
    """Write the short form of `results.json` and a summary; what cannot be written stays as it is."""
    summary = f"not measured: {problem.message}"
    record = {
        "schema": _SCHEMA,
        "check": check,
        "verdict": "not measured",
        "exit_code": int(problem.outcome),
        "summary": summary,
        "help": problem.help,
    }
    text = f"### ⚠️ {check}: not measured\n\n{problem.message}\n\n**What to do:** {problem.help}\n"
    with contextlib.suppress(OSError):
        state.write_atomically(
            folder / "results.json", json.dumps(record, indent=1, ensure_ascii=False) + "\n"
        )
        state.write_atomically(folder / "summary.md", text)
