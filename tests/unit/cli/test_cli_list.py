"""`list` and its filters; a name that nothing carries is an error, an empty list is none."""

import json
from pathlib import Path

import pytest

from unit.cli.conftest import Run

ROOT = Path(__file__).parents[3]
SHIPPED = ("--matrix", str(ROOT / "matrix.yaml"))


def listed(run: Run, *arguments: str) -> list[dict[str, object]]:
    done = run("list", *arguments, *SHIPPED, "--format", "json")
    assert done.code == 0, done.err
    rows: list[dict[str, object]] = json.loads(done.out)
    assert done.err == f"{len(rows)} {'cells' if 'cells' in arguments else 'jobs'}\n"
    return rows


def test_filters_narrow_together(run: Run) -> None:
    everything = listed(run, "cells")
    kimi = listed(run, "cells", "--family", "kimi")
    narrow = listed(run, "cells", "--family", "kimi", "--hardware", "mi35x", "--lane", "rocm720")

    assert len(everything) > len(kimi) > len(narrow) > 0
    assert {row["family"] for row in kimi} == {"kimi"}
    assert {(row["hardware"], row["lane"]) for row in narrow} == {("mi35x", "rocm720")}


def test_a_kind_of_check_is_found_whatever_it_is_called(run: Run) -> None:
    jobs = {row["job"] for row in listed(run, "--check", "accuracy")}

    assert "nightly-accuracy-8-gpu" in jobs
    assert "nightly-test-1-gpu-unit" not in jobs


def test_what_fits_nothing_is_an_empty_list(run: Run) -> None:
    assert listed(run, "--hardware", "cpu", "--lane", "rocm700") == []


@pytest.mark.parametrize(
    ("option", "name", "noun", "meant"),
    [
        ("--family", "kimmi", "family", "kimi"),
        ("--hardware", "mi35", "hardware", "mi35x"),
        ("--lane", "rocm-720", "lane", "rocm720"),
        ("--check", "acuracy", "check", "accuracy"),
    ],
)
def test_an_unknown_name_is_an_error_with_what_was_meant(
    run: Run, option: str, name: str, noun: str, meant: str
) -> None:
    done = run("list", option, name, *SHIPPED)

    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"error: there is no {noun} `{name}`\nhelp: did you mean `{meant}`? valid: ")


def test_all_unknown_names_are_said_at_once(run: Run) -> None:
    done = run("list", "--family", "nope", "--lane", "nope", *SHIPPED)

    assert done.err.count("error: there is no") == 2


def test_a_table_leaves_out_columns_without_a_value(run: Run) -> None:
    head, *rows = run("list", "--hardware", "b300", *SHIPPED).out.splitlines()

    assert head.split() == ["JOB", "RUNNER", "CHECKS", "LIMIT", "MINUTES", "WORKFLOW"]
    assert len(rows) == 1
