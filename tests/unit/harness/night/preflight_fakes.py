"""A night for preflight, the world that it asks, and what it handed on."""

import json
from collections.abc import Callable
from pathlib import Path

from unit.harness.night.night_fakes import Asked, Bench, Reply, bench, job, reply_json

TAG = r"v\S+-mi30x-(?P<date>\d{8})"
OTHER = r"v\S+-mi35x-(?P<date>\d{8})"
RULE = {"repository": "rocm/sgl-dev", "tag": TAG, "max_age_days": 7}
RULES = {"mi30x": RULE, "mi35x": {**RULE, "tag": OTHER}}
DIGEST = "sha256:" + "cd" * 32
HOME = "sgl-project/sglang"
JOBS = [
    job("kimi", groups=["family: kimi"], image="mi30x", models=["moonshotai/Kimi-K2.6"]),
    job("kimi-perf", groups=["family: kimi"], image="mi30x", models=["moonshotai/Kimi-K2.6"], needs=["kimi"]),
    job("glm", hardware="mi35x", image="mi35x", models=["zai-org/GLM-5"]),
    job("grok", off={"because": "loader is broken", "until": "2026-12-31"}),
    job("unit"),
]


def world_outside(*tags: str, models: Reply | None = None) -> Callable[[Asked], Reply]:
    def respond(asked: Asked) -> Reply:
        if asked.path.startswith("/api/models/"):
            return models or reply_json({"gated": False})
        if "/manifests/" in asked.path:
            return Reply(headers={"Docker-Content-Digest": DIGEST})
        return reply_json({"tags": list(tags)})

    return respond


def preflight(folder: Path, night: str, address: str = "http://127.0.0.1:9", **environment: str) -> Bench:
    here = bench(
        folder,
        {
            "NIGHT": night,
            "REPOSITORY": HOME,
            "EVENT": "schedule",
            "NIGHTGRID_REGISTRY": address,
            "HF_ENDPOINT": address,
            **environment,
        },
    )
    (folder / "code").write_text(str(here.run("preflight")))
    return here


def code(here: Bench) -> int:
    return int((here.folder / "code").read_text())


def expected(here: Bench) -> dict[str, str]:
    return {entry["id"]: entry["expected"] for entry in json.loads(here.outputs["night"])["jobs"]}


def why(here: Bench, id_: str) -> str:
    return str(
        next(entry["why"] for entry in json.loads(here.outputs["night"])["jobs"] if entry["id"] == id_)
    )
