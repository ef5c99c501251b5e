"""Which text format a prompt asks for: by the formats' own prompts, else by the markers that stand in it."""

from __future__ import annotations

import json
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from workbench.core.json_text import parse_json
from workbench.core.tools import ToolResult, ToolSpec, tools_from_json
from workbench.formats import list_formats
from workbench.simulate.reply_draft import DraftCall

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.protocols import Format

_PROBES = (
    (ToolSpec("alpha_probe", "First.", {"type": "object", "properties": {"one": {"type": "string"}}, "required": ["one"]}),),
    (ToolSpec("beta_test", "Second.", {"type": "object", "properties": {"two": {"type": "integer"}}, "required": ["two"]}),),
)  # fmt: skip
_PROBE_CALLS = (DraftCall("alpha_probe", {"one": "x"}).parsed(1, ""), DraftCall("beta", {"two": 2}).parsed(27, ""))
_PROBE_RESULTS = (ToolResult(success=True, result="yes"), ToolResult(success=False, error="no"))
_ENOUGH = 0.6
"""Share of a format's own prompt lines, rare lines counting more, that must stand in the text; the most lines win."""

_MARKERS = (
    ("function_calls_json", ('"function_calls"',)),
    ("json_scaffold", ('"tool":', '"arguments"')),
    ("json_scaffold", ('"tool" :',)),
    ("react", ("Action Input:",)),
    ("mistral_args", ("[ARGS]",)),
    ("mistral_json", ("[TOOL_CALLS]",)),
    ("gemma_tool_code", ("```tool_code",)),
    ("gemma_function", ("<function_call>",)),
    ("qwen3_coder_xml", ("<function=", "<parameter=")),
    ("llama31_function", ("<function=",)),
    ("glm45", ("<arg_key>",)),
    ("qwen_xml", ("<tool_call>",)),
    ("anthropic_xml", ("<invoke name=",)),
    ("llama3_json", ('"name"', '"parameters"', "JSON")),
    ("bare_json", ('"name"', '"arguments"')),
    ("pythonic", ("[func_name",)),
)
"""Marks of prompts that others wrote; all of a row must be there, the first row wins."""


def format_asked_for(text: str, tools: Sequence[ToolSpec]) -> str:
    """Return the id of the text format that a prompt teaches, or an empty string."""
    return _asked_for(text, json.dumps([tool.to_openai() for tool in tools])) if text.strip() else ""


@lru_cache(maxsize=128)
def _asked_for(text: str, defined: str) -> str:
    """The answer for one text; conversations ask for the same again and again."""
    tools = tools_from_json(parse_json(defined))
    prompts = {fmt.id: fmt.prompt(tools).strip() for fmt in text_formats()} if tools else {}
    if exact := [name for name, prompt in prompts.items() if prompt and prompt in text]:
        return max(exact, key=lambda name: len(prompts[name]))
    seen = _lines(text)
    own = {name: frozenset(_lines(prompt)) for name, prompt in prompts.items()} or _own_lines()
    spread = Counter(line for lines in own.values() for line in lines)
    best, best_found, best_share = "", 0.0, 0.0
    for name, lines in own.items():
        whole = sum(1 / spread[line] for line in lines)
        found = sum(1 / spread[line] for line in lines & seen)
        if whole and found / whole >= _ENOUGH and (found, found / whole) > (best_found, best_share):
            best, best_found, best_share = name, found, found / whole
    return best or _by_markers(text)


def text_formats() -> tuple[Format, ...]:
    """Return all formats that write calls as text."""
    return tuple(fmt for fmt in list_formats() if not fmt.native)


@lru_cache(maxsize=1)
def _own_lines() -> dict[str, frozenset[str]]:
    """The lines of each format's prompt that do not depend on the tools."""
    out = {}
    for fmt in text_formats():
        first, second = (_lines(fmt.prompt(probe)) for probe in _PROBES)
        out[fmt.id] = frozenset(first & second)
    return out


def _lines(text: str) -> set[str]:
    return {line.strip() for line in text.splitlines()} - {""}


@lru_cache(maxsize=1)
def result_heads() -> tuple[str, ...]:
    """Return how the messages begin in which text formats carry results back."""
    heads = set()
    for fmt in text_formats():
        texts = [
            message.text.strip()
            for call, result in zip(_PROBE_CALLS, _PROBE_RESULTS, strict=True)
            for message in fmt.result_messages([(call, result)])[:1]
            if message.role == "user"
        ]
        if len(texts) == 2 and len(head := _common_head(*texts).strip()) > 3:
            heads.add(head)
    return tuple(sorted(heads, key=len, reverse=True))


def _common_head(one: str, other: str) -> str:
    size = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return one[:size]


def _by_markers(text: str) -> str:
    known = {fmt.id for fmt in text_formats()}
    for name, marks in _MARKERS:
        if name in known and all(mark in text for mark in marks):
            return name
    return ""
