"""A trained model as files: a checkpoint folder for the hub's libraries, and GGUF for llama.cpp."""

import json
from pathlib import Path

import gguf
import numpy as np
from network import EPSILON, HEAD_WIDTH, VOCABULARY, Llama, Shape
from safetensors.torch import save_file
from tokenizers import Tokenizer

CONTEXT = 2048
END = "<|endoftext|>"


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
    names = {
        "bos_token": END,
        "eos_token": END,
        "pad_token": END,
        "tokenizer_class": "PreTrainedTokenizerFast",
    }
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    (folder / "generation_config.json").write_text(json.dumps({"bos_token_id": 0, "eos_token_id": 0}) + "\n")
    (folder / "tokenizer_config.json").write_text(json.dumps(names, indent=2) + "\n")
    tokenizer.save(str(folder / "tokenizer.json"))


def interleaved(weight: np.ndarray, heads: int) -> np.ndarray:
    """Rows in the order in which llama.cpp turns them: pairs side by side instead of halves."""
    rows, columns = weight.shape
    return weight.reshape(heads, 2, rows // heads // 2, columns).swapaxes(1, 2).reshape(rows, columns)


def write_tokenizer(writer: gguf.GGUFWriter, tokenizer: Tokenizer) -> None:
    described = json.loads(tokenizer.to_str())["model"]
    known = {number: token for token, number in described["vocab"].items()}
    tokens = [known.get(number, f"[PAD{number}]") for number in range(VOCABULARY)]
    kinds = [
        gguf.TokenType.NORMAL if number in known else gguf.TokenType.UNUSED for number in range(VOCABULARY)
    ]
    kinds[0] = gguf.TokenType.CONTROL
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")  # GPT-2's pattern with every digit by itself
    writer.add_token_list(tokens)
    writer.add_token_types(kinds)
    writer.add_token_merges(
        [merge if isinstance(merge, str) else " ".join(merge) for merge in described["merges"]]
    )
    writer.add_bos_token_id(0)
    writer.add_eos_token_id(0)
    writer.add_pad_token_id(0)
    writer.add_add_bos_token(False)  # noqa: FBT003 the writer's own interface


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
                weight = np.ascontiguousarray(interleaved(weight, shape.heads))
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
