"""Spark 2.5: GLM's key and value tags between tokens of its own, or between GLM's own tags.

    <|tool_call|>
    get_weather<arg_key>city</arg_key><arg_value>Rome</arg_value>
    <|/tool_call|>

    <tool_call>get_weather<arg_key>city</arg_key><arg_value>Rome</arg_value></tool_call>

Source: theroyallab/tabbyAPI#480 for the tokens, the model's chat template for the tags.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from workbench.formats.kit.call_progress import CALL_NAME
from workbench.formats.kit.pairs_so_far import Pairs
from workbench.formats.kit.spec import FormatSpec
from workbench.formats.kit.toolcall_tag import ToolCallTag

if TYPE_CHECKING:
    from workbench.core.calls import ParsedCall


class Spark25(ToolCallTag):
    """The grammar."""

    format = "spark25"
    name_shapes = (rf"<\|?tool_call\|?>\s{{0,9}}{CALL_NAME}(?=\s{{0,9}}<)",)
    reach = 112
    opens = ("<|tool_call|>", "<tool_call>")
    closes = ("<|/tool_call|>", "</tool_call>")
    bodies = ("pairs",)
    own_pairs = Pairs("<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>", opens, closes)


def write_call(call: ParsedCall) -> str:
    """Write one call in its tokens."""
    pairs = "".join(
        f"<arg_key>{key}</arg_key><arg_value>"
        f"{value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}</arg_value>"
        for key, value in call.arguments.items()
    )
    return f"<|tool_call|>\n{call.name}{pairs}\n<|/tool_call|>"


FORMATS = (
    FormatSpec(
        id="spark25", family="spark25", models="Spark X2.5", grammar=Spark25(), write_call=write_call, special_tokens=True,
    ),
)  # fmt: skip
