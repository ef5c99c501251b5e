"""A language model of half a megabyte, made on the spot: random weights, steered so that it calls tools.

It is a two-block llama with a byte tokenizer. Noise alone would never open a call, because a server's tool grammar
lets free text come first. So the first columns of embedding and output matrix are not noise: column 0 carries a bias
for each token, and one column per rule says "after this token, that one". The blocks leave these columns alone.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import gguf
import numpy as np
from numpy.typing import NDArray

WIDTH, BLOCKS, HEADS, INNER, CONTEXT = 64, 2, 4, 128, 8192
CONTROL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
MARKERS = ("<tool_call>", "</tool_call>", "[TOOL_CALLS]")
MERGE = "ĠĠ"
"""The tokenizer must have one merge; two blanks it is."""

TEMPLATE = """\
{%- if tools %}<|im_start|>system
You may call these functions:
{%- for tool in tools %}
{{ tool | tojson }}
{%- endfor %}
Write each call as <tool_call>
{"name": NAME, "arguments": OBJECT}
</tool_call><|im_end|>
{% endif -%}
{%- for message in messages %}<|im_start|>{{ message.role }}
{{ message.content or '' }}
{%- for call in message.tool_calls or [] %}
<tool_call>
{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}
</tool_call>
{%- endfor %}<|im_end|>
{% endfor -%}
{%- if add_generation_prompt %}<|im_start|>assistant
{% endif -%}
"""


class Rule(NamedTuple):
    """After `before`, `after` becomes likelier by `strength`."""

    before: str
    after: str
    strength: float


RULES = (
    Rule("\n", "<tool_call>", 9),
    Rule("<tool_call>", "\n", 14),
    Rule("</tool_call>", "<|im_end|>", 12),
    Rule(">", "<|im_end|>", 14),
    Rule("}", "\n", 3),
    Rule("}", "<|im_end|>", 3),
)

BIASES = {'"': 1.2, "}": 1.0, "]": 1.0, " ": 0.2, "\n": -3.0, "\\": -6.0}


def byte_names() -> list[str]:
    """The printable character that stands for each byte in this kind of tokenizer."""
    printable = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    names, spare = [], 0x100
    for byte in range(256):
        if byte in printable:
            names.append(chr(byte))
        else:
            names.append(chr(spare))
            spare += 1
    return names


def vocabulary() -> tuple[list[str], list[int]]:
    """All tokens in order with their types; the first 256 are the bytes themselves."""
    kinds = gguf.TokenType
    tokens = [*byte_names(), MERGE, *CONTROL, *MARKERS]
    types = [kinds.NORMAL] * 257 + [kinds.CONTROL] * len(CONTROL) + [kinds.USER_DEFINED] * len(MARKERS)
    return tokens, [int(kind) for kind in types]


def write_model(path: Path, seed: int = 0) -> Path:
    """Write the model file; the same seed gives the same bytes."""
    tokens, types = vocabulary()
    numbers = {token: index for index, token in enumerate(tokens) if index > 256} | {chr(b): b for b in range(128)}
    writer = gguf.GGUFWriter(path, "llama")
    _describe(writer, tokens, types, numbers)
    noise = np.random.default_rng(seed)
    embedding, output, steering = _steered(noise, len(tokens), numbers)
    writer.add_tensor("token_embd.weight", embedding)
    writer.add_tensor("output.weight", output)
    writer.add_tensor("output_norm.weight", np.ones(WIDTH, np.float32))
    for block in range(BLOCKS):
        _add_block(writer, block, noise, steering)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _describe(writer: gguf.GGUFWriter, tokens: list[str], types: list[int], numbers: dict[str, int]) -> None:
    writer.add_name("tiny-tool-caller")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(BLOCKS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_vocab_size(len(tokens))
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    writer.add_token_types(types)
    writer.add_token_merges(["Ġ Ġ"])
    writer.add_bos_token_id(numbers["<|endoftext|>"])
    writer.add_eos_token_id(numbers["<|im_end|>"])
    writer.add_eot_token_id(numbers["<|im_end|>"])
    writer.add_add_bos_token(False)
    writer.add_chat_template(TEMPLATE)


def _noise(noise: np.random.Generator, rows: int, columns: int, scale: float) -> NDArray[np.float32]:
    return (noise.standard_normal((rows, columns)) * scale).astype(np.float32)


def _steered(
    noise: np.random.Generator, count: int, numbers: dict[str, int]
) -> tuple[NDArray[np.float32], NDArray[np.float32], int]:
    """Embedding and output matrix, and how many columns steer."""
    embedding, output = _noise(noise, count, WIDTH, 0.3), _noise(noise, count, WIDTH, 0.6)
    befores = list(dict.fromkeys(rule.before for rule in RULES))
    steering = 1 + len(befores)
    embedding[:, :steering] = output[:, :steering] = 0
    embedding[:, 0], output[:, 0] = 4.0, _bias(count, numbers)
    for rule in RULES:
        column = 1 + befores.index(rule.before)
        embedding[numbers[rule.before], column] = 8.0
        output[numbers[rule.after], column] = rule.strength
    return embedding, output, steering


def _bias(count: int, numbers: dict[str, int]) -> NDArray[np.float32]:
    bias = np.full(count, -2.0, np.float32)
    bias[:32] = bias[127:256] = -9.0
    for byte in range(128):
        if chr(byte).isalnum():
            bias[byte] = 0.2
    for character, value in BIASES.items():
        bias[ord(character)] = value
    for token in (*CONTROL, *MARKERS):
        bias[numbers[token]] = -9.0 if token in CONTROL else -7.0
    bias[numbers["<|im_end|>"]] = 0.6
    return bias


def _add_block(writer: gguf.GGUFWriter, block: int, noise: np.random.Generator, steering: int) -> None:
    shapes = {
        "attn_q": (WIDTH, WIDTH),
        "attn_k": (WIDTH, WIDTH),
        "attn_v": (WIDTH, WIDTH),
        "attn_output": (WIDTH, WIDTH),
        "ffn_gate": (INNER, WIDTH),
        "ffn_up": (INNER, WIDTH),
        "ffn_down": (WIDTH, INNER),
    }
    for name, (rows, columns) in shapes.items():
        weights = _noise(noise, rows, columns, 0.1)
        if name in ("attn_output", "ffn_down"):
            weights[:steering] = 0
        writer.add_tensor(f"blk.{block}.{name}.weight", weights)
    for name in ("attn_norm", "ffn_norm"):
        writer.add_tensor(f"blk.{block}.{name}.weight", np.ones(WIDTH, np.float32))
