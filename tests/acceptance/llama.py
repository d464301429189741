"""A real llama-server, started and ended by `serve`, and the commands that ask it."""

import io
import json
import os
import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.harness.cli import main
from generator.harness.serve import processes, state
from generator.harness.world import World

ROOT = Path(__file__).parents[2]
MODELS = ROOT / "models"
PROGRAM = Path(sys.executable).with_name("llama-server-vulkan")
PROTOCOL = (
    "--data",
    str(MODELS / "problems.jsonl"),
    "--shots-from",
    str(MODELS / "shots.jsonl"),
    "--max-new-tokens",
    "96",
)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


@dataclass(frozen=True, kw_only=True)
class Said:
    code: int
    text: str


@dataclass(frozen=True, kw_only=True)
class Bench:
    """A folder with at most one server."""

    folder: Path

    def call(self, *words: str) -> Said:
        out = io.StringIO()
        code = main(words, World(folder=self.folder, out=out))
        return Said(code=int(code), text=out.getvalue())

    def start(self, *engine_arguments: str, model: str = "tiny-target.gguf") -> Said:
        return self.call(
            "serve",
            "start",
            "--engine",
            "llama.cpp",
            "--model",
            str(MODELS / model),
            "--state",
            "server",
            "--program",
            str(PROGRAM),
            "--port",
            str(free_port()),
            "--launch-timeout-s",
            "60",
            "--",
            "--device",
            "none",
            "-ngl",
            "0",
            "-np",
            "4",
            "-c",
            "8192",
            *engine_arguments,
        )

    def stop(self) -> Said:
        return self.call("serve", "stop", "--state", "server")

    def accuracy(self, *options: str, output: str = "out") -> Said:
        return self.call(
            "accuracy", "--server", "server", "--output", output, *PROTOCOL, "--concurrency", "4", *options
        )

    def spawn(self, *words: str) -> subprocess.Popen[str]:
        """Run the harness as a program of its own, to be killed."""
        return subprocess.Popen(
            [sys.executable, "-m", "generator.harness", *words],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    @property
    def state(self) -> state.ServerState:
        return state.load(self.folder / "server")

    @property
    def is_clear(self) -> bool:
        return not processes.marked(state.marker(self.folder / "server"))

    def results(self, output: str = "out") -> dict[str, Any]:
        record = json.loads((self.folder / output / "results.json").read_text())
        assert isinstance(record, dict)
        return record

    def samples(self, output: str = "out") -> list[dict[str, Any]]:
        lines = (self.folder / output / "samples.jsonl").read_text().splitlines()
        return sorted((json.loads(line) for line in lines), key=lambda sample: int(sample["index"]))
