"""JSON calls without markers: the list object of the Straico proxy, and plain objects of small and coder models.

    {"function_calls": [{"name": "get_weather", "arguments": {"city": "Rome"}}]}       function_calls_json
    {"name": "get_weather", "arguments": {"city": "Rome"}}                             bare_json, also fenced

Source: requirement S2 for the first; Qwen2.5-Coder's habit (ollama/ollama#12174) for the second.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from workbench.formats.kit.bare_json import BareJson
from workbench.formats.kit.envelope import Envelope
from workbench.formats.kit.prompt import sample_call
from workbench.formats.kit.spec import FormatSpec, compact, result_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.calls import ParsedCall
    from workbench.core.tools import ToolResult, ToolSpec


class FunctionCalls(BareJson):
    """The grammar of the list object."""

    format = "function_calls_json"
    envelope = Envelope("name", ("arguments",), many="function_calls")
    own_key = True
    lonely = "both"


class PlainJson(BareJson):
    """The grammar of plain objects."""

    format = "bare_json"
    envelope = Envelope("name", ("arguments", "parameters"))
    fenced_is_strict = True


def write_list(calls: Sequence[ParsedCall]) -> str:
    """Write calls as the list object."""
    return compact({"function_calls": [{"name": call.name, "arguments": call.arguments} for call in calls]})


def write_plain(call: ParsedCall) -> str:
    """Write one call as a plain object."""
    return compact({"name": call.name, "arguments": call.arguments})


def write_output(call: ParsedCall, result: ToolResult) -> str:
    """Write one result as the proxy does."""
    return f"Tool output for {call.id}: {result_json(result)}"


def write_result(call: ParsedCall, result: ToolResult) -> str:
    """Write one result for the user's turn."""
    return f"Result of `{call.name}`:\n{result_json(result)}"


def teach_list(tools: Sequence[ToolSpec]) -> str:
    """Teach the list object with the user's tools."""
    listed = json.dumps([tool.to_openai() for tool in tools], ensure_ascii=False, indent=2)
    return (
        f"You have access to following tools:\n{listed}\n\n"
        "When calling a function, respond with:\n"
        '{"function_calls": [{"name": "func_name", "arguments": {...}}]}\n\n'
        f"For example:\n{write_list([sample_call(tools[0])])}"
    )


FORMATS = (
    FormatSpec(
        id="function_calls_json", family="plain_json", models="any, through proxies in the style of Straico",
        grammar=FunctionCalls(), write_call=lambda call: write_list([call]), write_calls=write_list, teach=teach_list,
        write_result=write_output, stop_sequences=("\nTool output for",),
    ),
    FormatSpec(
        id="bare_json", family="plain_json", models="Qwen2.5-Coder, many small models", grammar=PlainJson(),
        write_call=write_plain, write_result=write_result,
    ),
)  # fmt: skip
