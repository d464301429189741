"""Running `accuracy` against a peer, with problems whose answers a script can know."""

import io
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.harness.cli import main
from generator.harness.world import World
from unit.harness.fake_peer import Asked


@dataclass(frozen=True, kw_only=True)
class Ran:
    """What a command came to."""

    code: int
    text: str
    folder: Path

    @property
    def results(self) -> dict[str, Any]:
        record = json.loads((self.folder / "results.json").read_text())
        assert isinstance(record, dict)
        return record

    @property
    def samples(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in (self.folder / "samples.jsonl").read_text().splitlines()]


def write_problems(path: Path, count: int, first: int = 0) -> Path:
    """Problems: what is n plus n?"""
    lines = [
        json.dumps(
            {
                "question": f"What is {n} plus {n}?",
                "answer": f"It is {n}+{n}=<<{n}+{n}={2 * n}>>{2 * n}.\n#### {2 * n}",
            }
        )
        for n in range(first, first + count)
    ]
    path.write_text("\n".join(lines) + "\n")
    return path


def question_of(asked: Asked) -> int:
    """The n of the last question asked."""
    text = json.dumps(asked.body)
    return int(re.findall(r"What is (\d+) plus", text)[-1])


def right(asked: Asked) -> str:
    """The right answer in GSM8K's form."""
    n = question_of(asked)
    return f" It is {n}+{n}=<<{n}+{n}={2 * n}>>{2 * n}.\n#### {2 * n}"


def accuracy(folder: Path, url: str, *options: str, questions: int = 40, engine: str = "openai") -> Ran:
    """Run `accuracy` on `questions` problems with two shots; later options win."""
    data = folder / "problems.jsonl"
    if not data.exists():
        write_problems(data, questions, first=100)
    shots = folder / "shots.jsonl"
    if not shots.exists():
        write_problems(shots, 2)
    out = io.StringIO()
    world = World(folder=folder, out=out, environment={"HOME": str(folder)})
    arguments = [
        "accuracy",
        "--url",
        url,
        "--engine",
        engine,
        "--data",
        "problems.jsonl",
        "--shots-from",
        "shots.jsonl",
        "--shots",
        "2",
        "--gate",
        "0.9",
        "--output",
        "out",
        "--concurrency",
        "4",
        "--attempts",
        "2",
        *options,
    ]
    code = main(arguments, world)
    return Ran(code=int(code), text=out.getvalue(), folder=folder / "out")
