"""Make tiny-target and tiny-draft: two small Llamas that solve made-up word problems, from a fixed seed.

    pip install torch==2.13.0 safetensors tokenizers gguf numpy
    python models/make.py OUTPUT_FOLDER [--steps-target 1400] [--steps-draft 400]

The same versions on the same kind of processor with the same number of threads give the same files.
"""

import argparse
import json
import math
import random
import time
from dataclasses import dataclass
from pathlib import Path

import gguf
import numpy
import torch
from problems import as_lines, distinct, problem, shown
from safetensors.torch import save_file
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from torch import nn
from torch.nn import functional

SEED = 20261130
VOCABULARY = 448
HEAD_WIDTH = 64
CONTEXT = 2048
END = "<|endoftext|>"
EPSILON = 1e-5
BATCH, LENGTH = 6, 576  # five worked examples, a question and its answer fit into that
QUESTION_WEIGHT = 0.1  # questions are random: there is little to learn in them beyond their form


@dataclass(frozen=True, kw_only=True)
class Shape:
    """Size of a model and of its training."""

    name: str
    layers: int
    width: int
    inner: int
    steps: int
    peak_rate: float

    @property
    def heads(self) -> int:
        return self.width // HEAD_WIDTH


class Norm(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + EPSILON) * self.weight


class Attention(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.heads = shape.heads
        for name in ("q_proj", "k_proj", "v_proj", "o_proj"):
            setattr(self, name, nn.Linear(shape.width, shape.width, bias=False))

    def forward(self, x: torch.Tensor, turn: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
        batch, length, width = x.shape
        q, k, v = (
            getattr(self, name)(x).view(batch, length, self.heads, HEAD_WIDTH).transpose(1, 2)
            for name in ("q_proj", "k_proj", "v_proj")
        )
        mixed = functional.scaled_dot_product_attention(rotate(q, turn), rotate(k, turn), v, is_causal=True)
        return self.o_proj(mixed.transpose(1, 2).reshape(batch, length, width))


class Mlp(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.gate_proj = nn.Linear(shape.width, shape.inner, bias=False)
        self.up_proj = nn.Linear(shape.width, shape.inner, bias=False)
        self.down_proj = nn.Linear(shape.inner, shape.width, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.down_proj(functional.silu(self.gate_proj(x)) * self.up_proj(x))


class Layer(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.input_layernorm = Norm(shape.width)
        self.self_attn = Attention(shape)
        self.post_attention_layernorm = Norm(shape.width)
        self.mlp = Mlp(shape)

    def forward(self, x: torch.Tensor, turn: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
        x = x + self.self_attn(self.input_layernorm(x), turn)
        return x + self.mlp(self.post_attention_layernorm(x))


class Llama(nn.Module):
    """Parameter names are those of a checkpoint on the hub."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.embed_tokens = nn.Embedding(VOCABULARY, shape.width)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))
        self.norm = Norm(shape.width)
        for parameter in self.parameters():
            if parameter.dim() > 1:
                nn.init.normal_(parameter, std=0.02)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        x = self.embed_tokens(tokens)
        turn = turning(tokens.shape[1])
        for layer in self.layers:
            x = layer(x, turn)
        return self.norm(x) @ self.embed_tokens.weight.T


def turning(length: int) -> tuple[torch.Tensor, torch.Tensor]:
    speeds = 10000.0 ** (-torch.arange(0, HEAD_WIDTH, 2) / HEAD_WIDTH)
    angles = torch.outer(torch.arange(length).float(), speeds).repeat(1, 2)
    return angles.cos(), angles.sin()


def rotate(x: torch.Tensor, turn: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
    first, second = x.chunk(2, dim=-1)
    return x * turn[0] + torch.cat((-second, first), dim=-1) * turn[1]


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
    dice = random.Random(SEED)
    tokenizer.train_from_iterator((shown(problem(dice)) for _ in range(3000)), trainer)
    return tokenizer


class Feed:
    """Sequences of problems one after the other, as few-shot prompts are."""

    def __init__(self, tokenizer: Tokenizer, unlike: frozenset[str], seed: int) -> None:
        self.tokenizer, self.unlike, self.dice = tokenizer, unlike, random.Random(seed)

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


def train(shape: Shape, feed: Feed) -> Llama:
    torch.manual_seed(SEED)
    model = Llama(shape)
    optimizer = torch.optim.AdamW(model.parameters(), betas=(0.9, 0.98), weight_decay=0.01)
    began = time.monotonic()
    for step in range(shape.steps):
        warm = min(1.0, (step + 1) / 100)
        rate = shape.peak_rate * warm * (0.02 + 0.98 * (1 + math.cos(math.pi * step / shape.steps)) / 2)
        for group in optimizer.param_groups:
            group["lr"] = rate
        tokens, weights = feed.batch()
        logits = model(tokens[:, :-1])
        losses = functional.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten(), reduction="none")
        loss = (losses * weights[:, 1:].flatten()).sum() / weights[:, 1:].sum()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % 50 == 0 or step == shape.steps - 1:
            print(f"{shape.name} step {step} loss {loss.item():.4f} after {time.monotonic() - began:.0f} s", flush=True)
    return model


def save_checkpoint(model: Llama, shape: Shape, tokenizer: Tokenizer, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    tensors = {f"model.{name}": value.detach().contiguous() for name, value in model.state_dict().items()}
    save_file(tensors, str(folder / "model.safetensors"), metadata={"format": "pt"})
    config = {
        "architectures": ["LlamaForCausalLM"],
        "attention_bias": False,
        "bos_token_id": 0,
        "eos_token_id": 0,
        "pad_token_id": 0,
        "dtype": "float32",
        "head_dim": HEAD_WIDTH,
        "hidden_act": "silu",
        "hidden_size": shape.width,
        "intermediate_size": shape.inner,
        "max_position_embeddings": CONTEXT,
        "mlp_bias": False,
        "model_type": "llama",
        "num_attention_heads": shape.heads,
        "num_hidden_layers": shape.layers,
        "num_key_value_heads": shape.heads,
        "rms_norm_eps": EPSILON,
        "rope_theta": 10000.0,
        "rope_parameters": {"rope_theta": 10000.0, "rope_type": "default"},
        "tie_word_embeddings": True,
        "vocab_size": VOCABULARY,
    }
    names = {"bos_token": END, "eos_token": END, "pad_token": END, "tokenizer_class": "PreTrainedTokenizerFast"}
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    (folder / "generation_config.json").write_text(json.dumps({"bos_token_id": 0, "eos_token_id": 0}) + "\n")
    (folder / "tokenizer_config.json").write_text(json.dumps(names, indent=2) + "\n")
    tokenizer.save(str(folder / "tokenizer.json"))


def interleaved(weight: numpy.ndarray, heads: int) -> numpy.ndarray:
    """Rows in the order in which llama.cpp turns them: pairs side by side instead of halves."""
    rows, columns = weight.shape
    return weight.reshape(heads, 2, rows // heads // 2, columns).swapaxes(1, 2).reshape(rows, columns)


def write_tokenizer(writer: gguf.GGUFWriter, tokenizer: Tokenizer) -> None:
    described = json.loads(tokenizer.to_str())["model"]
    known = {number: token for token, number in described["vocab"].items()}
    tokens = [known.get(number, f"[PAD{number}]") for number in range(VOCABULARY)]
    kinds = [gguf.TokenType.NORMAL if number in known else gguf.TokenType.UNUSED for number in range(VOCABULARY)]
    kinds[0] = gguf.TokenType.CONTROL
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")  # GPT-2's pattern with every digit by itself
    writer.add_token_list(tokens)
    writer.add_token_types(kinds)
    writer.add_token_merges([merge if isinstance(merge, str) else " ".join(merge) for merge in described["merges"]])
    writer.add_bos_token_id(0)
    writer.add_eos_token_id(0)
    writer.add_pad_token_id(0)
    writer.add_add_bos_token(False)


def save_gguf(model: Llama, shape: Shape, tokenizer: Tokenizer, path: Path) -> None:
    writer = gguf.GGUFWriter(str(path), "llama")
    writer.add_name(shape.name)
    writer.add_block_count(shape.layers)
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(shape.width)
    writer.add_feed_forward_length(shape.inner)
    writer.add_head_count(shape.heads)
    writer.add_head_count_kv(shape.heads)
    writer.add_rope_freq_base(10000.0)
    writer.add_rope_dimension_count(HEAD_WIDTH)
    writer.add_layer_norm_rms_eps(EPSILON)
    writer.add_key_length(HEAD_WIDTH)
    writer.add_value_length(HEAD_WIDTH)
    writer.add_vocab_size(VOCABULARY)
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)
    write_tokenizer(writer, tokenizer)
    weights = {name: value.detach().numpy() for name, value in model.state_dict().items()}
    writer.add_tensor("token_embd.weight", weights["embed_tokens.weight"])
    writer.add_tensor("output_norm.weight", weights["norm.weight"])
    for layer in range(shape.layers):
        for theirs, ours in BLOCK_NAMES:
            weight = weights[f"layers.{layer}.{ours}.weight"]
            if theirs in {"attn_q", "attn_k"}:
                weight = numpy.ascontiguousarray(interleaved(weight, shape.heads))
            writer.add_tensor(f"blk.{layer}.{theirs}.weight", weight)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


BLOCK_NAMES = (
    ("attn_norm", "input_layernorm"),
    ("attn_q", "self_attn.q_proj"),
    ("attn_k", "self_attn.k_proj"),
    ("attn_v", "self_attn.v_proj"),
    ("attn_output", "self_attn.o_proj"),
    ("ffn_norm", "post_attention_layernorm"),
    ("ffn_gate", "mlp.gate_proj"),
    ("ffn_up", "mlp.up_proj"),
    ("ffn_down", "mlp.down_proj"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--steps-target", type=int, default=1400)
    parser.add_argument("--steps-draft", type=int, default=400)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    torch.use_deterministic_algorithms(mode=True)
    arguments.folder.mkdir(parents=True, exist_ok=True)
    dice = random.Random(SEED + 1)
    problems = distinct(dice, 300, frozenset())
    shots = distinct(dice, 5, frozenset(question for question, _ in problems))
    unlike = frozenset(question for question, _ in problems + shots)
    (arguments.folder / "problems.jsonl").write_text(as_lines(problems))
    (arguments.folder / "shots.jsonl").write_text(as_lines(shots))
    tokenizer = make_tokenizer()
    for shape in (
        Shape(name="tiny-draft", layers=1, width=128, inner=384, steps=arguments.steps_draft, peak_rate=3e-3),
        Shape(name="tiny-target", layers=3, width=192, inner=576, steps=arguments.steps_target, peak_rate=3e-3),
    ):
        model = train(shape, Feed(tokenizer, unlike, SEED + 2))
        save_checkpoint(model, shape, tokenizer, arguments.folder / shape.name)
        save_gguf(model, shape, tokenizer, arguments.folder / f"{shape.name}.gguf")


if __name__ == "__main__":
    main()
