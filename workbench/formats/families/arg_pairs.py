"""Key and value between markers of their own, in families beside GLM.

    <tool_calls><tool_call>get_weather<tool_sep><arg_key>city</arg_key><arg_value>Rome</arg_value></tool_call></tool_calls>   hy_v3
    <longcat_tool_call>get_weather⏎<longcat_arg_key>city</longcat_arg_key>⏎<longcat_arg_value>Rome</longcat_arg_value>        longcat,
      or <longcat_tool_call>{"name": "get_weather", "arguments": {"city": "Rome"}}</longcat_tool_call>
    <iquestcoder_tool_call>get_weather<arg_key>city</arg_key><arg_value>Rome</arg_value></iquestcoder_tool_call>             iquest_coder_v2
    <|tool_call:start|>get_weather<|tool_arg:start|>city<|tool_arg:value|>Rome<|tool_arg:end|><|tool_call:end|>               solar_open2

Hunyuan's tags may all carry a suffix, such as `<tool_call:opensource>`. Source: the models' chat templates.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING

from workbench.formats.kit.grammar import REASONING
from workbench.formats.kit.pairs_so_far import Pairs
from workbench.formats.kit.spec import FormatSpec, compact
from workbench.formats.kit.toolcall_tag import ToolCallTag

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping, Sequence

    from workbench.core.calls import ParsedCall
    from workbench.formats.kit.grammar import Attempt
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step

_SUFFIX = r":[^<>\s/:]{1,24}"
_LONGCAT = Pairs(
    "<longcat_arg_key>", "</longcat_arg_key>", "<longcat_arg_value>", "</longcat_arg_value>",
    ("<longcat_tool_call>",), ("</longcat_tool_call>",),
)  # fmt: skip
_IQUEST = Pairs(
    "<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>",
    ("<iquestcoder_tool_call>", "<iquest_tool_call>"), ("</iquestcoder_tool_call>", "</iquest_tool_call>"),
)  # fmt: skip
_SOLAR = Pairs(
    "<|tool_arg:start|>", "", "<|tool_arg:value|>", "<|tool_arg:end|>", ("<|tool_call:start|>",), ("<|tool_call:end|>",)
)


def _hunyuan(suffix: str) -> Pairs:
    """Return Hunyuan's tags, which may all carry a suffix."""
    key, end_key, value, end_value, call, end_call, sep = (
        f"<{name}{suffix}>"
        for name in ("arg_key", "/arg_key", "arg_value", "/arg_value", "tool_call", "/tool_call", "tool_sep")
    )
    return Pairs(key, end_key, value, end_value, (call,), (end_call,), sep, f"</tool_calls{suffix}>")


class HyV3(ToolCallTag):
    """The grammar of Hunyuan 3."""

    format = "hy_v3"
    reads = ("suffixed",)
    reach = 112
    bodies = ("pairs",)
    own_pairs = _hunyuan("")
    near_misses: Mapping[str, str] = {
        key: value for key, value in ToolCallTag.near_misses.items() if "calls" not in key
    }
    reasoning: Mapping[str, str] = {**REASONING, "<think:opensource>": "</think:opensource>"}
    preludes = ("<tool_calls",)

    def inside(self) -> tuple[str, ...]:
        """The tags of keys and values, and how those with a suffix begin."""
        return (*super().inside(), "<arg_key:", "<arg_value:")

    def literals(self) -> Mapping[str, str]:
        """The outer tags say nothing by themselves."""
        return {**super().literals(), "<tool_calls>": "orphan", "</tool_calls>": "orphan"}

    def patterns(self) -> tuple[tuple[str, str, str], ...]:
        """Look for tags with a suffix."""
        part = r"(?:t(?:o(?:o(?:l(?:_(?:c(?:a(?:l(?:ls?(?::[^<>\s/:]{0,24})?)?)?)?)?)?)?)?)?)?"
        return (
            *super().patterns(),
            ("suffixed", rf"<tool_call{_SUFFIX}>", f"<{part}"),
            ("orphan", rf"<tool_calls{_SUFFIX}>|</tool_calls?{_SUFFIX}>", f"</{part}"),
        )

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read one opener's body, whose tags have the opener's suffix."""
        if kind != "suffixed":
            return (yield from super().read(scan, match, kind))
        start, at = match.span()
        tags = _suffixed(match.group().lower().removeprefix("<tool_call").removesuffix(">"))
        match = None  # type: ignore[assignment]
        return (yield from tags.body(scan, start, at))


class _Suffixed(HyV3):
    """The same grammar with a suffix at each tag."""

    def __init__(self, suffix: str) -> None:
        self.own_pairs = _hunyuan(suffix)
        self.opens, self.closes = self.own_pairs.opens, self.own_pairs.closes

    def body(self, scan: Scanner, start: int, at: int) -> Step[Attempt | None]:
        """Read what follows an opener."""
        return (yield from self._body(scan, start, at, "call"))


_suffixed = lru_cache(maxsize=16)(_Suffixed)


class LongCat(ToolCallTag):
    """The grammar of LongCat-Flash: both bodies occur."""

    format = "longcat"
    reach = 112
    opens = ("<longcat_tool_call>",)
    closes = ("</longcat_tool_call>",)
    bodies = ("json", "pairs")
    own_pairs = _LONGCAT


class IquestCoder(ToolCallTag):
    """The grammar of IQuest-Coder V2 and IQuest-Q1: GLM's pairs in a tag of their own."""

    format = "iquest_coder_v2"
    reach = 112
    opens, closes = _IQUEST.opens, _IQUEST.closes
    bodies = ("pairs",)
    own_pairs = _IQUEST
    turn_tokens = (*ToolCallTag.turn_tokens, "<|iquest_end|>")


class SolarOpen2(ToolCallTag):
    """The grammar of Solar Open2."""

    format = "solar_open2"
    reach = 112
    opens = ("<|tool_call:start|>",)
    closes = ("<|tool_call:end|>",)
    bodies = ("pairs",)
    own_pairs = _SOLAR
    reasoning: Mapping[str, str] = {**REASONING, "<|think:start|>": "<|think:end|>"}


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


def write_iquest(call: ParsedCall) -> str:
    """Write one call in its tag."""
    pairs = "".join(
        f"<arg_key>{key}</arg_key><arg_value>{_text(value)}</arg_value>" for key, value in call.arguments.items()
    )
    return f"<iquestcoder_tool_call>{call.name}{pairs}</iquestcoder_tool_call>"


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
        tags=("tool_sep",),
    ),
    FormatSpec(
        id="longcat", family="arg_pairs", models="LongCat-Flash", grammar=LongCat(), write_call=write_longcat,
        tags=("longcat_tool_call", "longcat_arg_key", "longcat_arg_value", "longcat_think"),
    ),
    FormatSpec(
        id="iquest_coder_v2", family="arg_pairs", models="IQuest-Coder V2, IQuest-Q1", grammar=IquestCoder(),
        write_call=write_iquest, tags=("iquestcoder_tool_call", "iquest_tool_call"),
    ),
    FormatSpec(
        id="solar_open2", family="arg_pairs", models="Solar Open2", grammar=SolarOpen2(), write_call=write_solar,
        special_tokens=True,
    ),
)  # fmt: skip
