"""K2 Horizon: key and value tags in the namespace `ifm`, or JSON between the same tags.

    <ifm|tool_calls>
    <ifm|tool_call>get_weather
    <ifm|arg_key>city</ifm|arg_key>
    <ifm|arg_value>Rome</ifm|arg_value>
    </ifm|tool_call>
    </ifm|tool_calls>

    <ifm|tool_call>{"name": "get_weather", "arguments": {"city": "Rome"}}</ifm|tool_call>

A third form says each value's type in `<ifm|arg_type>` before it. The effort of thinking is in the name of its block, which
the prompt may have opened. Source: the model's chat template (ml-explore/mlx-lm#1841).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from workbench.formats.kit.grammar import REASONING
from workbench.formats.kit.pairs_so_far import Pairs
from workbench.formats.kit.spec import FormatSpec
from workbench.formats.kit.toolcall_tag import ToolCallTag

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workbench.core.calls import ParsedCall

_PAIRS = Pairs(
    "<ifm|arg_key>", "</ifm|arg_key>", "<ifm|arg_value>", "</ifm|arg_value>", ("<ifm|tool_call>",), ("</ifm|tool_call>",),
    outer_close="</ifm|tool_calls>", type_open="<ifm|arg_type>", type_close="</ifm|arg_type>",
)  # fmt: skip
_EFFORTS = ("think", "think_fast", "think_faster")


class K2Horizon(ToolCallTag):
    """The grammar."""

    format = "k2_horizon"
    reach = 112
    opens = ("<ifm|tool_call>",)
    closes = ("</ifm|tool_call>",)
    bodies = ("json", "pairs")
    own_pairs = _PAIRS
    reasoning: Mapping[str, str] = {**REASONING, **{f"<ifm|{word}>": f"</ifm|{word}>" for word in _EFFORTS}}
    turn_tokens = (*ToolCallTag.turn_tokens, "<|ifm|im_end|>", "<|ifm|im_start|>")
    preludes = ("<ifm|tool_calls>",)

    def literals(self) -> Mapping[str, str]:
        """The outer tags say nothing by themselves."""
        return {**super().literals(), "<ifm|tool_calls>": "orphan", "</ifm|tool_calls>": "orphan"}


def write_calls(calls: Sequence[ParsedCall]) -> str:
    """Write calls in their outer tag."""
    body = "".join(
        f"<ifm|tool_call>{call.name}\n"
        + "".join(
            f"<ifm|arg_key>{key}</ifm|arg_key>\n<ifm|arg_value>"
            f"{value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}</ifm|arg_value>\n"
            for key, value in call.arguments.items()
        )
        + "</ifm|tool_call>\n"
        for call in calls
    )
    return f"<ifm|tool_calls>\n{body}</ifm|tool_calls>"


FORMATS = (
    FormatSpec(
        id="k2_horizon", family="k2_horizon", models="K2 Horizon", grammar=K2Horizon(),
        write_call=lambda call: write_calls([call]), write_calls=write_calls, special_tokens=True,
        markers=(("<ifm|arg_key>", "</ifm|arg_key>"), ("<ifm|arg_value>", "</ifm|arg_value>"), ("<ifm|arg_type>", "</ifm|arg_type>")),
    ),
)  # fmt: skip
