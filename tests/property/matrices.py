"""Whole matrices that are right, as data; dumped as JSON they are YAML.

They have several lanes, hardware and workflows, sites of all ways into a container, checks of all kinds, and
texts as hostile as the schema lets them be.
"""

import copy
import json
from typing import Any

from hypothesis import strategies as st

from generator.cli.version import __version__

Data = dict[str, Any]

# What a person could write, and what a template, a shell, YAML or GitHub could take for something else.
_BITES = (
    *(
        "'",
        '"',
        "`",
        "\\",
        "$",
        "$x",
        "{{",
        "}}",
        "{",
        "}",
        "#",
        " #",
        ": ",
        ":",
        "-",
        "- ",
        "|",
        ">",
        "!",
        "%",
    ),
    *(
        "@",
        "*x",
        "&y",
        "~",
        "null",
        "true",
        "on",
        "7.20",
        "0x1f",
        "\t",
        "ü",
        "测试",
        "🚀",
        "a",
        "b c",
        "  ",
        "«",
    ),
    *("»", "%»", "«%", "::error::", "<!--", "\u00a0", "\u200b", "$ {{ x }}", "${x}", "}} ${"),
)


def _without_expression(text: str) -> bool:
    return "${{" not in text


LINES = st.lists(st.sampled_from(_BITES), min_size=1, max_size=6).map("".join).filter(_without_expression)
SCRIPTS = st.lists(LINES, min_size=1, max_size=4).map("\n".join)
_VALUES = st.sampled_from(
    ["1", "", "a b", "it's", '"quoted"', "$HOME `id`", "x" * 300, "7.20", "yes", "{a: b}"]
)

_ISAS = {"gfx942": "amd", "gfx950": "amd", "sm_103": "nvidia", "x86_64": "none"}
_SITES: dict[str, Any] = {
    "bare": {"container": "none"},
    "prefixed": {"container": {"prefix": "docker exec {env} box", "variable": "--env {name}"}},
    "github": {"container": {"github": {"options": "--device /dev/kfd", "volumes": ["/models:/models:ro"]}}},
}


@st.composite
def matrices(draw: st.DrawFn) -> Data:
    """A matrix that reads, plans and checks without an error."""
    hardware = {f"hw{index}": isa for index, isa in enumerate(draw(_some(list(_ISAS))))}
    lanes = [f"lane{index}" for index in range(draw(st.integers(1, 3)))]
    workflows = [f"nightly{index}" for index in range(draw(st.integers(1, 2)))]
    pools = {
        f"{key}-{gpus}gpu": {"label": f"runner-{key}-{gpus}", "hardware": key, "gpus": gpus}
        for key, isa in hardware.items()
        for gpus in ([0] if isa == "x86_64" else [2, 8])
    }
    return {
        "nightgrid": __version__,
        "project": {"repository": "owner/name"},
        "margins": {"check_minutes": draw(st.integers(1, 20)), "job_minutes": draw(st.integers(1, 20))},
        "pins": {
            "actions/checkout": {"version": "v6.0.1", "commit": "8e8c483db84b4bee98b60c0593521ed34d9990e8"},
            "actions/upload-artifact": {
                "version": "v5",
                "commit": "330a01c490aca151604b8cf639adc76d48f6c5d4",
            },
        },
        **draw(st.sampled_from([{}, {"harness": {"repository": "owner/nightgrid", "commit": "0" * 40}}])),
        "isas": {isa: {"vendor": vendor} for isa, vendor in _ISAS.items()},
        "hardware": {
            key: {"title": draw(LINES), "isa": isa, "products": {"any": 192}} for key, isa in hardware.items()
        },
        "pools": pools,
        "models": {"first": _model("line", 1), "second": _model("line", 2), "third": _model("other", 3)},
        "workflows": {key: draw(_workflow(key)) for key in workflows},
        "lanes": {
            key: draw(_lane(workflows[index % len(workflows)], list(pools)))
            for index, key in enumerate(lanes)
        },
        "variables": {"FAST": {"read_by": "server"}, "ON": {"read_by": "server"}},
        "sites": {key: {**copy.deepcopy(site), **draw(_steps())} for key, site in _SITES.items()},
        "defaults": {
            "suite_command": "python3 run.py --suite {suite} --limit {per_file_timeout_s}",
            "file_command": "timeout {per_file_timeout_s} python3 {file}",
            "server": {"engine": draw(st.sampled_from(["sglang", "vllm", "llama.cpp"]))},
        },
        "naming": {"job_id": "{cell}-{hardware}-{gpus}-{lane}"},
        "cells": draw(_rows(hardware)),
    }


def as_text(data: Data) -> str:
    """The matrix as JSON, which is YAML."""
    return json.dumps(data, ensure_ascii=False, indent=1)


def _some(of: list[str]) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(of), min_size=1, max_size=3, unique=True)


def _model(family: str, number: int) -> Data:
    return {"family": family, "repository": f"owner/model-{number}"}


@st.composite
def _workflow(draw: st.DrawFn, key: str) -> Data:
    push = {"push": {"branches": ["main", "release-1"], "paths": ["version.py", "docs/**"]}}
    return {
        "name": f"{key} {draw(LINES)}",
        "schedule": draw(st.sampled_from([[], ["30 17 * * *"], ["0 5 * * sat", "15 5 1 jan *"]])),
        "continue_on_error": draw(st.booleans()),
        **draw(st.sampled_from([{}, push])),
    }


@st.composite
def _lane(draw: st.DrawFn, workflow: str, pools: list[str]) -> Data:
    looked_up = {
        "repository": "docker.io/o/i",
        "tag": r"v\S+'\"-{hardware}-(?P<date>\d{8})",
        "max_age_days": 3,
    }
    return {
        "title": draw(LINES),
        "workflow": workflow,
        "software": {"rocm": "7.2"},
        "pools": pools,
        "image": draw(st.sampled_from([looked_up, {"fixed": "docker.io/owner/image:v1@sha256"}])),
    }


@st.composite
def _steps(draw: st.DrawFn) -> Data:
    made: Data = {}
    for part in ("clean", "before", "after"):
        made[part] = [
            {
                "id": f"{part}-{index}",
                "name": draw(LINES),
                "run": draw(SCRIPTS),
                "timeout_minutes": draw(st.integers(1, 30)),
                "where": "host" if part == "clean" else draw(st.sampled_from(["host", "container"])),
                **draw(st.sampled_from([{}, {"option": "extra"}])),
            }
            for index in range(draw(st.integers(0, 2)))
        ]
    made["before"].append(
        {"id": "extra", "name": "x", "run": "true", "timeout_minutes": 1, "option": "extra"}
    )
    return made


@st.composite
def _rows(draw: st.DrawFn, hardware: dict[str, str]) -> Data:
    rows: Data = {}
    for index in range(draw(st.integers(1, 4))):
        key = f"row{index}"
        on = draw(_some(list(hardware)))
        rows[key] = {
            "hardware": on,
            "gpus": 0 if "x86_64" in (hardware[each] for each in on) else draw(st.sampled_from([1, 2, 8])),
            "site": draw(st.sampled_from(list(_SITES))),
            "checks": draw(_checks()),
            "server": draw(_server()),
            "section": draw(LINES),
            "env": draw(st.dictionaries(st.sampled_from(["FAST", "ON"]), _VALUES)),
            **draw(st.sampled_from([{}, {"options": ["extra"]}])),
            **draw(st.sampled_from([{}, {"disabled": {"because": draw(LINES), "until": "2999-12-31"}}])),
            **_model_of(draw),
        }
        before = [other for other, row in rows.items() if other != key and set(on) <= set(row["hardware"])]
        if before:
            rows[key]["after"] = draw(st.lists(st.sampled_from(before), unique=True, max_size=2))
    return rows


def _model_of(draw: st.DrawFn) -> Data:
    return {"model": draw(st.sampled_from(["first", "second", "third"]))}


@st.composite
def _server(draw: st.DrawFn) -> Data:
    values = st.one_of(st.booleans(), st.integers(0, 99), LINES)
    names = st.sampled_from(["tp", "trust-remote-code", "chat_template", "extra"])
    return {
        "arguments": draw(st.dictionaries(names, values, max_size=3)),
        "port": draw(st.integers(1024, 65535)),
    }


@st.composite
def _checks(draw: st.DrawFn) -> Data:
    harness = {"gate": draw(st.floats(0, 1)), "questions": draw(st.integers(1, 2000))}
    kinds: list[tuple[str, Data]] = [
        ("accuracy", harness),
        ("chat", {**harness, "check": "accuracy", "path": "chat", "even_after_failure": True}),
        ("speculative", {"suite": "spec", "per_file_timeout_s": 600}),
        ("performance", {"suite": "perf", "per_file_timeout_s": 60, "advisory": True, "env": {"ON": "it's"}}),
        ("tests", {"file": "tests/all.py", "timeout_minutes": 60}),
    ]
    chosen = draw(st.lists(st.sampled_from(range(len(kinds))), min_size=1, unique=True))
    return {kinds[index][0]: kinds[index][1] for index in chosen}
