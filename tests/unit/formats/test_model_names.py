"""A model's name, cleaned."""

from __future__ import annotations

import pytest

from workbench.formats.model_names import clean_name


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("Qwen/Qwen3-8B", ("qwen", "qwen3-8b")),
        ("models--Qwen--Qwen3-8B/snapshots/9c925d64d72725edaf899c6cb9c377fd0709d9c5", ("qwen", "qwen3-8b")),
        (r"C:\models\Qwen3-8B\qwen3-8b.gguf", ("c:", "qwen3-8b", "qwen3-8b")),
        ("gpt-oss-120b-mxfp4-00001-of-00003.gguf", ("gpt-oss-120b-mxfp4",)),
        ("accounts/fireworks/models/deepseek-v3p1", ("fireworks", "deepseek-v3.1")),
        ("nvidia/Llama-3_3-Nemotron-Super-49B-v1_5", ("nvidia", "llama-3.3-nemotron-super-49b-v1.5")),
        ("deepseek/deepseek-r1:free", ("deepseek", "deepseek-r1")),
        ("deepseek-r1:14b", ("deepseek-r1:14b",)),
        ("us.anthropic.claude-3-7-sonnet-v1:0", ("claude-3-7-sonnet-v1:0",)),
        ("deepseek.v3.2", ("deepseek-v3.2",)),
        ("llama.cpp/ggml-model-q4.gguf", ()),
        ("Qwen3-8B/Q4_K_M.gguf", ("qwen3-8b",)),
        ("my model_name", ("my-model-name",)),
        ("", ()),
        ("///", ()),
    ],
)
def test_clean(name: str, parts: tuple[str, ...]) -> None:
    assert clean_name(name) == parts
