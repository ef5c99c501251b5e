"""`<function_call>` with a JSON object whose arguments are called `parameters`: Gemma 3, when its prompt asks for that.

    <function_call>
    {"name": "get_weather", "parameters": {"city": "Rome"}}
    </function_call>

A convention of the prompt, not a trained format. Stopping at the closing tag would forbid a second call, so no stop sequence
is sent; whoever sends one gets replies without it, and it may be missing. Source: requirement K1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.formats.kit.envelope import Envelope
from workbench.formats.kit.prompt import sample_call, tool_prompt
from workbench.formats.kit.spec import FormatSpec, compact, result_json
from workbench.formats.kit.tag_json import TagJson

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.calls import ParsedCall
    from workbench.core.tools import ToolResult, ToolSpec


class GemmaFunction(TagJson):
    """The grammar."""

    format = "gemma_function"
    bare_start = True
    envelope = Envelope("name", ("parameters",))
    opens = ("<function_call>",)
    closes = ("</function_call>",)
    close_optional = True


def write_call(call: ParsedCall) -> str:
    """Write one call in its tag."""
    return f"<function_call>\n{compact({'name': call.name, 'parameters': call.arguments})}\n</function_call>"


def write_result(call: ParsedCall, result: ToolResult) -> str:
    """Write one result for the user's turn."""
    return f"Result of `{call.name}`:\n{result_json(result)}"


def teach(tools: Sequence[ToolSpec]) -> str:
    """Teach the format with the user's tools."""
    first = sample_call(tools[0])
    return tool_prompt(
        tools,
        "IMPORTANT: When you need to use a tool, call it like this:\n"
        '<function_call>\n{"name": "tool_name", "parameters": {"param": "value"}}\n</function_call>\n\n'
        f"Example - Call {first.name}:\n{write_call(first)}",
    )


FORMATS = (
    FormatSpec(
        id="gemma_function", family="gemma_function", models="Gemma 3 when asked so", grammar=GemmaFunction(),
        write_call=write_call, write_result=write_result, teach=teach,
    ),
)  # fmt: skip
