"""GigaChat 3.5: GCML, invoke tags in a namespace between wide bars, where each value says whether it is text.

    <｜GCML｜tool_calls>
    <｜GCML｜invoke name="get_weather">
    <｜GCML｜parameter name="city" string="true">Rome</｜GCML｜parameter>
    </｜GCML｜invoke>
    </｜GCML｜tool_calls>

The bars are U+FF5C. `string="false"` says that the value is JSON. Source: the model's chat template (ggml-org/llama.cpp#25342).
"""

from __future__ import annotations

from workbench.formats.kit.grammar import Grammar
from workbench.formats.kit.invoke_tags import Invoke, flagged_writer, invoke_shape
from workbench.formats.kit.spec import FormatSpec

_SPACES = ("|GCML|", "||GCML||", "｜｜GCML｜｜", "‖GCML‖", "GCML:", "")
_BLOCKS = {
    f"<{space}{block}>": f"</{space}{block}>"
    for space in ("｜GCML｜", *_SPACES)
    for block in ("tool_calls", "function_calls")
}


class GigaChat35(Invoke):
    """The grammar."""

    format = "gigachat35"
    wrappers = _BLOCKS
    canonical = tuple(_BLOCKS)[:1]
    own_tags = True
    shape = invoke_shape("｜GCML｜", _SPACES, _BLOCKS)
    loose = "wrong_width_pipe"
    turn_tokens = (*Grammar.turn_tokens, "<|message_sep|>")


_write = flagged_writer("tool_calls", "｜GCML｜")

FORMATS = (
    FormatSpec(
        id="gigachat35", family="gigachat35", models="GigaChat 3.5", grammar=GigaChat35(),
        write_call=lambda call: _write([call]), write_calls=_write, special_tokens=True,
    ),
)  # fmt: skip
