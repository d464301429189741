"""Make tiny-target and tiny-draft: two small Llamas that solve made-up word problems, from a fixed seed.

    pip install torch safetensors tokenizers gguf numpy
    python models/make.py OUTPUT_FOLDER [--device cuda] [--steps-target 3600] [--steps-draft 1200]

The same versions on the same kind of machine give the same files; README.md says what was seen.
"""

import argparse
import math
import random
import time
from pathlib import Path

import torch
from files import END, save_checkpoint, save_gguf
from network import VOCABULARY, Llama, Shape
from problems import as_lines, distinct, problem, shown
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from torch import nn
from torch.nn import functional

SEED = 20261130
BATCH, LENGTH = 16, 576  # five worked examples, a question and its answer fit into that
QUESTION_WEIGHT = 0.1  # questions are random: there is little to learn in them beyond their form


def make_tokenizer() -> Tokenizer:
    """Byte-level BPE in which every digit stands alone, so that arithmetic can be learnt."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        special_tokens=[END],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    dice = random.Random(SEED)  # noqa: S311 no secret
    tokenizer.train_from_iterator((shown(problem(dice)) for _ in range(3000)), trainer)
    return tokenizer


class Feed:
    """Sequences of problems one after the other, as few-shot prompts are."""

    def __init__(self, tokenizer: Tokenizer, unlike: frozenset[str], seed: int) -> None:
        self.tokenizer, self.unlike = tokenizer, unlike
        self.dice = random.Random(seed)  # noqa: S311 no secret

    def sequence(self) -> tuple[list[int], list[float]]:
        tokens: list[int] = []
        weights: list[float] = []
        while len(tokens) <= LENGTH:
            question, answer = problem(self.dice)
            if question in self.unlike:
                continue
            # The next question's first word belongs to the answer: it is where an answer must stop.
            asked = self.tokenizer.encode(f": {question}\nAnswer:").ids
            given = self.tokenizer.encode(f" {answer}\n\nQuestion").ids
            tokens += asked + given
            weights += [QUESTION_WEIGHT] * len(asked) + [1.0] * len(given)
        opening = self.tokenizer.encode("Question").ids
        return (opening + tokens)[: LENGTH + 1], ([QUESTION_WEIGHT] * len(opening) + weights)[: LENGTH + 1]

    def batch(self) -> tuple[torch.Tensor, torch.Tensor]:
        rows = [self.sequence() for _ in range(BATCH)]
        return torch.tensor([tokens for tokens, _ in rows]), torch.tensor([weights for _, weights in rows])


def train(shape: Shape, feed: Feed, device: str) -> Llama:
    torch.manual_seed(SEED)
    model = Llama(shape).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), betas=(0.9, 0.98), weight_decay=0.01)
    began = time.monotonic()
    for step in range(shape.steps):
        warm = min(1.0, (step + 1) / 100)
        rate = shape.peak_rate * warm * (0.02 + 0.98 * (1 + math.cos(math.pi * step / shape.steps)) / 2)
        for group in optimizer.param_groups:
            group["lr"] = rate
        tokens, weights = (rows.to(device) for rows in feed.batch())
        logits = model(tokens[:, :-1])
        losses = functional.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten(), reduction="none")
        loss = (losses * weights[:, 1:].flatten()).sum() / weights[:, 1:].sum()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % 50 == 0 or step == shape.steps - 1:
            took_s = time.monotonic() - began
            print(f"{shape.name} step {step} loss {loss.item():.4f} after {took_s:.0f} s", flush=True)
    return model.cpu()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--steps-target", type=int, default=3600)
    parser.add_argument("--steps-draft", type=int, default=1200)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", default="cpu")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    torch.use_deterministic_algorithms(mode=True)
    arguments.folder.mkdir(parents=True, exist_ok=True)
    dice = random.Random(SEED + 1)  # noqa: S311 no secret
    problems = distinct(dice, 300, frozenset())
    shots = distinct(dice, 5, frozenset(question for question, _ in problems))
    unlike = frozenset(question for question, _ in problems + shots)
    (arguments.folder / "problems.jsonl").write_text(as_lines(problems))
    (arguments.folder / "shots.jsonl").write_text(as_lines(shots))
    tokenizer = make_tokenizer()
    for shape in (
        Shape(name="tiny-draft", layers=1, width=128, inner=384, steps=arguments.steps_draft, peak_rate=3e-3),
        Shape(
            name="tiny-target", layers=3, width=192, inner=576, steps=arguments.steps_target, peak_rate=3e-3
        ),
    ):
        model = train(shape, Feed(tokenizer, unlike, SEED + 2), arguments.device)
        save_checkpoint(model, shape, tokenizer, arguments.folder / shape.name)
        save_gguf(model, shape, tokenizer, arguments.folder / f"{shape.name}.gguf")


if __name__ == "__main__":
    main()
