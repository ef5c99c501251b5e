"""dots: invoke tags in a block of their own, the tool's name without quotes.

    <dots_function_call>
    <invoke name=get_weather>
    <parameter name="city">Rome</parameter>
    </invoke>
    </dots_function_call>

Unverified: the shape is known from parsers of other projects alone.
"""

from __future__ import annotations

import re
from dataclasses import replace

from workbench.formats.kit.invoke_tags import Invoke, invoke_shape, writer
from workbench.formats.kit.spec import FormatSpec

_BLOCKS = {"<dots_function_call>": "</dots_function_call>", "<dots_function_calls>": "</dots_function_calls>"}


class Dots(Invoke):
    """The grammar."""

    format = "dots"
    wrappers = _BLOCKS
    canonical = ("<dots_function_call>",)
    shape = replace(
        invoke_shape("", (), _BLOCKS), call_exact=re.compile(r"""<invoke\s+name=(?:"[^"<>]+"|[^"'<>\s]+)\s*>""")
    )


_write = writer("<dots_function_call>", "</dots_function_call>")

FORMATS = (
    FormatSpec(
        id="dots", family="dots", models="dots.llm", grammar=Dots(), write_call=lambda call: _write([call]),
        write_calls=_write, tags=("dots_function_call", "dots_function_calls"),
    ),
)  # fmt: skip
