"""The union of the tag forms, for models whose own tag is not known: requirement K1's fallback.

<tool_call>{"name": "get_weather", "arguments": {"city": "Rome"}}</tool_call>
<function_call>{"name": "get_weather", "parameters": {"city": "Rome"}}</function_call>
<tool_call><function=get_weather><parameter=city>Rome</parameter></function></tool_call>
<tool_call>get_weather<arg_key>city</arg_key><arg_value>Rome</arg_value></tool_call>
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.formats.kit.envelope import Envelope
from workbench.formats.kit.spec import FormatSpec, compact, result_json
from workbench.formats.kit.toolcall_tag import ToolCallTag

if TYPE_CHECKING:
    from workbench.core.calls import ParsedCall
    from workbench.core.tools import ToolResult


class GenericXml(ToolCallTag):
    """The grammar."""

    format = "generic_xml"
    envelope = Envelope("name", ("arguments", "parameters"))
    opens = ("<tool_call>", "<function_call>")
    closes = ("</tool_call>", "</function_call>")
    bodies = ("json", "coder", "pairs")
    bare_function = True


def write_call(call: ParsedCall) -> str:
    """Write one call in its tag."""
    return f"<tool_call>\n{compact({'name': call.name, 'arguments': call.arguments})}\n</tool_call>"


def write_result(_call: ParsedCall, result: ToolResult) -> str:
    """Write one result in its tag."""
    return f"<tool_response>\n{result_json(result)}\n</tool_response>"


FORMATS = (
    FormatSpec(
        id="generic_xml", family="generic_xml", models="unknown models that like tags",
        grammar=GenericXml(), write_call=write_call, write_result=write_result, stop_sequences=("<tool_response>",),
    ),
)  # fmt: skip
