"""Writes what check says now into the expected.txt of each err case."""

import tempfile
from pathlib import Path

from checks.case import cases, said

for case in cases():
    if not case.name.startswith("err-"):
        continue
    with tempfile.TemporaryDirectory() as folder:
        text = said(case, Path(folder)).by_id.get(case.parent.name, "")
    (case / "expected.txt").write_text(text, encoding="utf-8")
