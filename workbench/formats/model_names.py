"""Cleaning a model's name: which of its parts says something, and in one spelling.

models--Qwen--Qwen3-8B/snapshots/9c925d…       → qwen, qwen3-8b
accounts/fireworks/models/deepseek-v3p1        → accounts, fireworks, deepseek-v3.1
us.anthropic.claude-3-7-sonnet-20250219-v1:0   → claude-3-7-sonnet-20250219-v1:0
gpt-oss-120b-mxfp4-00001-of-00003.gguf         → gpt-oss-120b-mxfp4
"""

from __future__ import annotations

import re

_ENDINGS = re.compile(r"\.(?:gguf|safetensors|bin|llamafile)$")
_SHARD = re.compile(r"-\d{5}-of-\d{5}$")
_ROUTER = re.compile(r":(?:free|nitro|floor|exacto|latest|thinking|beta)$")
_POINT = re.compile(r"(?<=\d)[p_](?=\d)")
_REGION = re.compile(r"^(?:us|eu|apac|global)\.(?=[a-z])")
_VENDOR = re.compile(
    r"^(anthropic|meta|mistral|amazon|cohere|qwen|openai|deepseek|ai21|google|moonshot|moonshotai|minimax|zai|nvidia"
    r"|writer|luma|stability|twelvelabs)\.(?=[a-z])"
)
_VERSION = re.compile(r"v?\d")
_SILENT = frozenset(
    "models weights snapshots blobs resolve main gguf model llama.cpp llamafile ollama ggml-model accounts".split()
)
_HASH = re.compile(r"(?:sha256[-:])?[0-9a-f]{12,64}$")
_QUANT = re.compile(r"(?:ud-)?(?:i?q\d(?:-[0-9a-z]{1,3}){0,3}|b?f(?:16|32)|fp(?:8|16)|mxfp4|int[48]|\d-?bit)$")


def clean_name(name: str) -> tuple[str, ...]:
    """Return the telling parts of a model's name, folders first; empty if nothing tells."""
    path = name.strip().lower().replace("\\", "/")
    parts: list[str] = []
    for part in path.split("/"):
        if part.startswith("models--"):
            parts += part.removeprefix("models--").split("--")
        else:
            parts.append(part)
    cleaned = (_clean_part(part) for part in parts)
    return tuple(part for part in cleaned if part and not _says_nothing(part))


def _clean_part(part: str) -> str:
    part = _ROUTER.sub("", part.strip())
    part = _ENDINGS.sub("", part)
    part = _SHARD.sub("", part)
    part = _POINT.sub(".", part)
    part = re.sub(r"[_\s]+", "-", part)
    part = _REGION.sub("", part)
    vendor = _VENDOR.match(part)
    if vendor is None:
        return part
    rest = part[vendor.end() :]
    return f"{vendor.group(1)}-{rest}" if _VERSION.match(rest) else rest


def _says_nothing(part: str) -> bool:
    silent = part in _SILENT or part.startswith("ggml-model-")
    return silent or bool(_HASH.fullmatch(part)) or bool(_QUANT.fullmatch(part))
