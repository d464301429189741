"""Copies what a step uploads into the folder of this run's artifacts."""

import glob
import os
import shutil
import sys
from pathlib import Path


def say(text: str) -> None:
    """One line in the job's log."""
    sys.stdout.write(f"{text}\n")


def files(pattern: str) -> list[Path]:
    """The files that a line of the input stands for."""
    if pattern.startswith("!"):
        sys.exit(f"::error::a pattern that leaves files out is not understood here: {pattern}")
    hidden = os.environ["HIDDEN"] == "true"
    found: list[Path] = []
    for name in glob.glob(pattern, recursive=True):  # noqa: PTH207 Path.glob knows no absolute patterns
        path = Path(name)
        found += [path] if path.is_file() else [below for below in path.rglob("*") if below.is_file()]
    return [path for path in found if hidden or not any(part.startswith(".") for part in path.parts)]


def main() -> int:
    """Uploads, and says what it did as the real action does."""
    name = os.environ["NAME"]
    patterns = [line.strip() for line in os.environ["PATHS"].splitlines() if line.strip()]
    found = sorted({path for pattern in patterns for path in files(pattern)})
    if not found:
        level = {"warn": "warning", "error": "error", "ignore": "debug"}[os.environ["NONE_FOUND"]]
        say(f"::{level}::No files were found with the provided path: {' '.join(patterns)}.")
        return int(level == "error")
    target = Path(os.environ["ACT_ARTIFACTS"], name)
    if target.exists():
        if os.environ["OVERWRITE"] != "true":
            say(f"::error::an artifact with the name {name} already exists")
            return 1
        shutil.rmtree(target)
    base = Path(os.path.commonpath([path.absolute().parent for path in found]))
    for path in found:
        copy = target / path.absolute().relative_to(base)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    say(f"{name}: {len(found)} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
