"""All formats by id, in table order. A family's module is imported when one of its formats is first asked for."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, cast

from workbench.core.errors import InvalidInput, UnknownName
from workbench.formats import families

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workbench.core.protocols import Format

_SOURCE = re.compile(r"Source: [^.]*(?:\.\w[^.]*)*\.")
_PLACED: dict[str, str] = {
    "native_openai": "native_openai",
    "native_anthropic": "native_anthropic",
    "native_gemini": "native_gemini",
    "react": "react",
    "json_scaffold": "json_scaffold",
    "function_calls_json": "plain_json",
    "bare_json": "plain_json",
    "qwen_xml": "qwen_xml",
    "generic_xml": "generic_xml",
    "qwen3_coder_xml": "qwen3_coder",
    "glm45": "glm",
    "glm47": "glm",
    "glm4_legacy": "glm",
    "mistral_json": "mistral",
    "mistral_args": "mistral",
    "gemma_function": "gemma_function",
    "gemma_tool_code": "pythonic",
    "functiongemma": "gemma_call",
    "gemma4": "gemma_call",
    "llama3_json": "llama3",
    "llama31_function": "llama3",
    "functionary_v32": "functionary",
    "pythonic": "pythonic",
    "lfm2": "pythonic",
    "olmo3": "pythonic",
    "harmony": "harmony",
    "deepseek_v3": "deepseek",
    "deepseek_v31": "deepseek",
    "deepseek_dsml": "invoke",
    "kimi_k2": "kimi_k2",
    "kimi_k3": "kimi_k3",
    "minimax_m2": "invoke",
    "minimax_m3": "minimax_m3",
    "minimax_m1": "json_lists",
    "tool_calls_json": "json_lists",
    "granite": "json_lists",
    "granite_20b": "json_lists",
    "phi4_functools": "json_lists",
    "command_a": "cohere",
    "command_r": "cohere",
    "cohere_xml": "cohere",
    "anthropic_xml": "invoke",
    "xlam": "xlam",
    "internlm": "json_lists",
    "hy_v3": "arg_pairs",
    "seed_oss": "qwen3_coder",
    "nemotron_toolcall": "json_lists",
    "longcat": "arg_pairs",
    "step3": "invoke",
    "apertus": "json_lists",
    "solar_open2": "arg_pairs",
    "gigachat3": "json_lists",
    "openpangu": "json_lists",
    "minicpm5": "invoke",
    "iquest_coder_v2": "arg_pairs",
    "beam": "harmony",
    "openfunctions": "pythonic",
}
"""Family module of each format id that shares its file or whose place matters."""


def _table() -> dict[str, str]:
    """The placed formats, then those that are the only one of their file and bear its name."""
    found = (module.name for module in iter_modules(families.__path__))
    alone = sorted(set(found) - set(_PLACED.values()))
    return {**_PLACED, **{name: name for name in alone}}


TABLE = _table()
"""Family module of each format id. The order is that of every list and of every choice between readings."""

ALIASES = {
    "native": "native_openai", "openai": "native_openai", "xml": "qwen_xml", "xml_legacy": "qwen_xml",
    "json": "json_scaffold",
    "hermes": "qwen_xml", "llama_31_function": "llama31_function", "gpt_oss": "harmony",
}  # fmt: skip
"""Other names that the requirement documents and configuration files use."""


_added: dict[str, Format] = {}
"""A user's own formats, in the order they came."""


def get_format(name: str) -> Format:
    """Return the format of that id or alias; raise UnknownName."""
    key = str(name).strip().lower().replace("-", "_")
    if key in _added:
        return _added[key]
    key = key if key in TABLE else ALIASES.get(key, key)
    if key not in TABLE:
        raise UnknownName("format", str(name), (*TABLE, *_added))
    return _family(TABLE[key])[key]


def documented_shape(name: str) -> str:
    """What the documentation of a format asks, as its family's module tells it: the literal shape and its source.

    Empty for a user's own format; raise UnknownName.
    """
    spec = get_format(name)
    if spec.id not in TABLE:
        return ""
    told = import_module(f"workbench.formats.families.{TABLE[spec.id]}").__doc__ or ""
    shape = [line[4:] for line in told.splitlines() if line.startswith("    ")]
    source = _SOURCE.search(" ".join(told.split()))
    told_source = source[0] if source and "requirement" not in source[0] else ""
    return "\n".join((*shape, "", told_source)).strip()


def list_formats() -> tuple[Format, ...]:
    """Return all formats in table order, a user's own ones at the end."""
    return (*_shipped(), *_added.values())


@cache
def _shipped() -> tuple[Format, ...]:
    return tuple(get_format(name) for name in TABLE)


def add_formats(formats: Iterable[Format]) -> None:
    """Make a user's own formats known, in place of those added before; raise InvalidInput if an id is taken."""
    made: dict[str, Format] = {}
    for spec in formats:
        if spec.id in TABLE or spec.id in ALIASES or spec.id in made:
            raise InvalidInput(f"The format id {spec.id!r} is taken.", hint="Give it another id.")
        made[spec.id] = spec
    _added.clear()
    _added.update(made)


@cache
def _family(module: str) -> dict[str, Format]:
    loaded = import_module(f"workbench.formats.families.{module}")
    return {spec.id: spec for spec in cast("tuple[Format, ...]", loaded.FORMATS)}


def models_table(formats: Iterable[Format]) -> str:
    """Return the rows of the README: one line of Markdown for each format."""
    return "\n".join(("| format | models |", "|---|---|", *(f"| `{spec.id}` | {spec.models} |" for spec in formats)))
