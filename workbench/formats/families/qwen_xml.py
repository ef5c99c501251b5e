"""`<tool_call>` with a JSON object inside: Qwen 2.5 and 3, Hermes 2 Pro to 4, Granite 4, ERNIE 4.5 and many more.

    <tool_call>
    {"name": "get_weather", "arguments": {"city": "Rome"}}
    </tool_call>

Results come back in a user turn as `<tool_response>…</tool_response>`. Source: the chat templates of Qwen2.5 and Hermes.
The prompt's sentence and its one-line example are those of requirement K4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.formats.kit.spec import FormatSpec, compact, result_json
from workbench.formats.kit.toolcall_tag import ToolCallTag

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.calls import ParsedCall
    from workbench.core.tools import ToolResult, ToolSpec


class QwenXml(ToolCallTag):
    """The grammar."""

    format = "qwen_xml"
    bare_start = True


def write_call(call: ParsedCall) -> str:
    """Write one call in its tag."""
    return f"<tool_call>\n{compact({'name': call.name, 'arguments': call.arguments})}\n</tool_call>"


def write_result(_call: ParsedCall, result: ToolResult) -> str:
    """Write one result in its tag."""
    return f"<tool_response>\n{result_json(result)}\n</tool_response>"


def teach(tools: Sequence[ToolSpec]) -> str:
    """Teach the format with the user's tools."""
    from workbench.formats.kit.prompt import sample_call, tool_prompt

    first = sample_call(tools[0])
    body = compact({"name": first.name, "arguments": first.arguments})
    return tool_prompt(
        tools,
        "IMPORTANT: When you need to use a tool, output EXACTLY this XML format:\n"
        '<tool_call>{"name": "tool_name", "arguments": {"param": "value"}}</tool_call>\n\n'
        f"Example - Call {first.name}:\n<tool_call>{body}</tool_call>\n\n"
        "Results come back as <tool_response>…</tool_response>. Never write a <tool_response> yourself.",
    )


FORMATS = (
    FormatSpec(
        id="qwen_xml", family="qwen_xml",
        models="Qwen2.5, Qwen3, QwQ, Hermes 2 Pro–4, Granite 4, ERNIE 4.5, Trinity, Bielik",
        grammar=QwenXml(), write_call=write_call, teach=teach, write_result=write_result,
        stop_sequences=("<tool_response>",),
    ),
)  # fmt: skip
