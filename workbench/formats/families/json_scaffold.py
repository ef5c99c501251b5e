"""A bare JSON object with `tool` and `arguments`: the scaffold for models that no row of the table knows.

    {"tool": "get_weather", "arguments": {"city": "Rome"}}

The prompt asks for nothing else on that turn, so text around the object is a repair. Source: requirement A2.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from workbench.formats.kit.bare_json import BareJson
from workbench.formats.kit.envelope import Envelope
from workbench.formats.kit.prompt import definitions, sample_call
from workbench.formats.kit.spec import FormatSpec, compact, result_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.calls import ParsedCall
    from workbench.core.tools import ToolResult, ToolSpec


class JsonScaffold(BareJson):
    """The grammar."""

    format = "json_scaffold"
    envelope = Envelope("tool", ("arguments",))
    single = True
    lonely = "both"
    own_key = True


def write_call(call: ParsedCall) -> str:
    """Write one call as the object."""
    return compact({"tool": call.name, "arguments": call.arguments})


def write_result(call: ParsedCall, result: ToolResult) -> str:
    """Write one result for the user's turn."""
    return f"Tool result for `{call.name}`:\n{result_json(result)}"


def teach(tools: Sequence[ToolSpec]) -> str:
    """Teach the format with the user's tools."""
    listed = "\n".join(
        f"- `{tool.name}`: {tool.description}" if tool.description else f"- `{tool.name}`" for tool in tools
    )
    first = sample_call(tools[0])
    return (
        f"Available tools:\n{listed}\n\n"
        "When you need one of the above functions, reply with a JSON block:\n"
        '{ "tool": "<name>", "arguments": { ... } }\n'
        "and nothing else on that turn.\n\n"
        f"Tool definitions (JSON):\n{definitions(tools)}\n\n"
        f"Example:\n{json.dumps({'tool': first.name, 'arguments': first.arguments}, ensure_ascii=False)}"
    )


FORMATS = (
    FormatSpec(
        id="json_scaffold", family="json_scaffold", models="any, unknown models",
        grammar=JsonScaffold(), write_call=write_call, teach=teach, write_result=write_result,
    ),
)  # fmt: skip
