"""A Llama, small enough to train on a processor; parameter names are those of a checkpoint on the hub."""

from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional

VOCABULARY = 448
HEAD_WIDTH = 64
EPSILON = 1e-5


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
        turn = turning(tokens.shape[1], tokens.device)
        for layer in self.layers:
            x = layer(x, turn)
        return self.norm(x) @ self.embed_tokens.weight.T


def turning(length: int, device: torch.device) -> tuple[torch.Tensor, torch.Tensor]:
    speeds = 10000.0 ** (-torch.arange(0, HEAD_WIDTH, 2, device=device) / HEAD_WIDTH)
    angles = torch.outer(torch.arange(length, device=device).float(), speeds).repeat(1, 2)
    return angles.cos(), angles.sin()


def rotate(x: torch.Tensor, turn: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
    first, second = x.chunk(2, dim=-1)
    return x * turn[0] + torch.cat((-second, first), dim=-1) * turn[1]
