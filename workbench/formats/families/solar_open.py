"""Solar Open 100B: an id, a name and JSON between tokens.

    <|think|>…<|end|><|begin|>assistant<|tool_calls|><|tool_call:begin|>a1b2c3d4e5<|tool_call:name|>get_weather
      <|tool_call:args|>{"city": "Rome"}<|tool_call:end|><|calls|>
    <|content|>…<|end|>

Source: the model's chat template.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.formats.kit.grammar import REASONING, Grammar
from workbench.formats.kit.spec import FormatSpec
from workbench.formats.kit.token_call import TokenCall

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workbench.core.calls import ParsedCall


class SolarOpen(TokenCall):
    """The grammar."""

    format = "solar_open"
    outer = ("<|tool_calls|>",)
    begin, end = "<|tool_call:begin|>", "<|tool_call:end|>"
    name_open, args_open = "<|tool_call:name|>", "<|tool_call:args|>"
    reasoning: Mapping[str, str] = {**REASONING, "<|think|>": "<|end|>"}
    turn_tokens = (
        *Grammar.turn_tokens, "<|end|>", "<|calls|>", "<|flush|>", "<|content|>", "<|begin|>assistant", "<|begin|>",
    )  # fmt: skip


_GRAMMAR = SolarOpen()


def write_calls(calls: Sequence[ParsedCall]) -> str:
    """Write calls one after the other."""
    return "<|tool_calls|>" + "".join(_GRAMMAR.written(call, call.id) for call in calls)


FORMATS = (
    FormatSpec(
        id="solar_open", family="solar_open", models="Solar Open 100B", grammar=_GRAMMAR,
        write_call=lambda call: write_calls([call]), write_calls=write_calls, special_tokens=True,
    ),
)  # fmt: skip
