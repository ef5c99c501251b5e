"""Which text format a prompt asks for: by the formats' own prompts, else by the markers that stand in it."""

from __future__ import annotations

import json
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from workbench.core.tools import ToolSpec, tools_from_json
from workbench.formats import list_formats

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.protocols import Format

_PROBES = (
    (ToolSpec("alpha_probe", "First.", {"type": "object", "properties": {"one": {"type": "string"}}, "required": ["one"]}),),
    (ToolSpec("beta_test", "Second.", {"type": "object", "properties": {"two": {"type": "integer"}}, "required": ["two"]}),),
)  # fmt: skip
_ENOUGH = 0.6
"""Share of a format's own prompt lines, rare lines counting more, that must stand in the text."""

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
    tools = tools_from_json(json.loads(defined))
    prompts = {fmt.id: fmt.prompt(tools).strip() for fmt in text_formats()} if tools else {}
    if exact := [name for name, prompt in prompts.items() if prompt and prompt in text]:
        return max(exact, key=lambda name: len(prompts[name]))
    seen = {line.strip() for line in text.splitlines()}
    own = _own_lines()
    spread = Counter(line for lines in own.values() for line in lines)
    best, best_score = "", 0.0
    for name, lines in own.items():
        whole = sum(1 / spread[line] for line in lines)
        score = sum(1 / spread[line] for line in lines & seen) / whole if whole else 0.0
        if score > best_score:
            best, best_score = name, score
    return best if best_score >= _ENOUGH else _by_markers(text)


def text_formats() -> tuple[Format, ...]:
    """Return all formats that write calls as text."""
    return tuple(fmt for fmt in list_formats() if not fmt.native)


@lru_cache(maxsize=1)
def _own_lines() -> dict[str, frozenset[str]]:
    """The lines of each format's prompt that do not depend on the tools."""
    out = {}
    for fmt in text_formats():
        first, second = ({line.strip() for line in fmt.prompt(probe).splitlines()} for probe in _PROBES)
        out[fmt.id] = frozenset(first & second - {""})
    return out


def _by_markers(text: str) -> str:
    known = {fmt.id for fmt in text_formats()}
    for name, marks in _MARKERS:
        if name in known and all(mark in text for mark in marks):
            return name
    return ""
