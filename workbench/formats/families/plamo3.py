"""PLaMo 3: name and JSON between tags of its own.

    <|plamo:begin_tool_requests:plamo|><|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>get_weather
      <|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|>{"city": "Rome"}<|plamo:end_tool_arguments:plamo|>
      <|plamo:end_tool_request:plamo|><|plamo:end_tool_requests:plamo|>

Source: the parser of vLLM (its tests, not a chat template).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.formats.kit.grammar import Grammar
from workbench.formats.kit.markers import Marker, MarkerShape
from workbench.formats.kit.prefix_patterns import lit
from workbench.formats.kit.spec import FormatSpec
from workbench.formats.kit.token_call import TokenCall

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.calls import ParsedCall


def _tag(words: str) -> str:
    return f"<|plamo:{words}:plamo|>"


class Plamo3(TokenCall):
    """The grammar."""

    format = "plamo3"
    outer = (_tag("begin_tool_requests"), _tag("end_tool_requests"))
    begin, end = _tag("begin_tool_request"), _tag("end_tool_request")
    name_open, name_close = _tag("begin_tool_name"), _tag("end_tool_name")
    args_open, args_close = _tag("begin_tool_arguments"), _tag("end_tool_arguments")
    turn_tokens = (*Grammar.turn_tokens, "<|plamo:tag|>")


_GRAMMAR = Plamo3()


def write_calls(calls: Sequence[ParsedCall]) -> str:
    """Write calls in one block."""
    return _GRAMMAR.outer[0] + "".join(map(_GRAMMAR.written, calls)) + _GRAMMAR.outer[1]


def marker_shapes() -> tuple[MarkerShape, ...]:
    """The block's tags enclose nothing by themselves."""
    return tuple(MarkerShape(tag, lit(tag), Marker("mark")) for tag in _GRAMMAR.outer)


FORMATS = (
    FormatSpec(
        id="plamo3", family="plamo3", models="PLaMo 3", grammar=_GRAMMAR,
        write_call=lambda call: write_calls([call]), write_calls=write_calls, special_tokens=True,
        marker_shapes=marker_shapes,
    ),
)  # fmt: skip
