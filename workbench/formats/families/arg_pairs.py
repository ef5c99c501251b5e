"""Key and value between markers of their own, in families beside GLM.

    <tool_calls><tool_call>get_weather<tool_sep><arg_key>city</arg_key><arg_value>Rome</arg_value></tool_call></tool_calls>   hy_v3
    <longcat_tool_call>get_weather⏎<longcat_arg_key>city</longcat_arg_key>⏎<longcat_arg_value>Rome</longcat_arg_value>        longcat,
      or <longcat_tool_call>{"name": "get_weather", "arguments": {"city": "Rome"}}</longcat_tool_call>
    <|tool_call:start|>get_weather<|tool_arg:start|>city<|tool_arg:value|>Rome<|tool_arg:end|><|tool_call:end|>               solar_open2

Source: the models' chat templates.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from workbench.formats.kit.pairs import Pairs
from workbench.formats.kit.spec import FormatSpec, compact
from workbench.formats.kit.toolcall_tag import ToolCallTag

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workbench.core.calls import ParsedCall

_HY = Pairs("<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>", ("<tool_call>",), ("</tool_call>",), "<tool_sep>")
_LONGCAT = Pairs(
    "<longcat_arg_key>", "</longcat_arg_key>", "<longcat_arg_value>", "</longcat_arg_value>",
    ("<longcat_tool_call>",), ("</longcat_tool_call>",),
)  # fmt: skip
_SOLAR = Pairs(
    "<|tool_arg:start|>", "", "<|tool_arg:value|>", "<|tool_arg:end|>", ("<|tool_call:start|>",), ("<|tool_call:end|>",)
)


class HyV3(ToolCallTag):
    """The grammar of Hunyuan 3."""

    format = "hy_v3"
    bodies = ("pairs",)
    own_pairs = _HY
    near_misses: Mapping[str, str] = {
        key: value for key, value in ToolCallTag.near_misses.items() if "calls" not in key
    }

    def literals(self) -> Mapping[str, str]:
        """The outer tags say nothing by themselves."""
        return {**super().literals(), "<tool_calls>": "orphan", "</tool_calls>": "orphan"}


class LongCat(ToolCallTag):
    """The grammar of LongCat-Flash: both bodies occur."""

    format = "longcat"
    opens = ("<longcat_tool_call>",)
    closes = ("</longcat_tool_call>",)
    bodies = ("json", "pairs")
    own_pairs = _LONGCAT


class SolarOpen2(ToolCallTag):
    """The grammar of Solar Open2."""

    format = "solar_open2"
    opens = ("<|tool_call:start|>",)
    closes = ("<|tool_call:end|>",)
    bodies = ("pairs",)
    own_pairs = _SOLAR


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def write_hy(calls: Sequence[ParsedCall]) -> str:
    """Write calls in their outer tag."""
    body = "".join(
        f"<tool_call>{call.name}<tool_sep>"
        + "".join(
            f"<arg_key>{key}</arg_key><arg_value>{_text(value)}</arg_value>" for key, value in call.arguments.items()
        )
        + "</tool_call>"
        for call in calls
    )
    return f"<tool_calls>{body}</tool_calls>"


def write_longcat(call: ParsedCall) -> str:
    """Write one call as JSON."""
    return f"<longcat_tool_call>{compact({'name': call.name, 'arguments': call.arguments})}</longcat_tool_call>"


def write_solar(call: ParsedCall) -> str:
    """Write one call in its tokens."""
    pairs = "".join(
        f"<|tool_arg:start|>{key}<|tool_arg:value|>{_text(value)}<|tool_arg:end|>"
        for key, value in call.arguments.items()
    )
    return f"<|tool_call:start|>{call.name}{pairs}<|tool_call:end|>"


FORMATS = (
    FormatSpec(
        id="hy_v3", family="arg_pairs", models="Hunyuan 3", grammar=HyV3(), write_call=lambda call: write_hy([call]),
        write_calls=write_hy,
    ),
    FormatSpec(id="longcat", family="arg_pairs", models="LongCat-Flash", grammar=LongCat(), write_call=write_longcat),
    FormatSpec(id="solar_open2", family="arg_pairs", models="Solar Open2", grammar=SolarOpen2(), write_call=write_solar),
)  # fmt: skip
