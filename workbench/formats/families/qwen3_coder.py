"""XML inside `<tool_call>`: Qwen3-Coder, Qwen3.5 to 3.8, Nemotron 3, MiMo V2, Step 3.5; and Seed-OSS with its own outer tag.

    <tool_call>
    <function=get_weather>
    <parameter=city>
    Rome
    </parameter>
    </function>
    </tool_call>

    <seed:tool_call> … </seed:tool_call>      Seed-OSS 36B

Values are text without any escaping; one newline at each side is layout. Source: the models' chat templates.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from workbench.formats.kit.grammar import Attempt
from workbench.formats.kit.named_json import WORD, read_unopened, stretch
from workbench.formats.kit.spec import FormatSpec, result_json
from workbench.formats.kit.toolcall_tag import ToolCallTag

if TYPE_CHECKING:
    import re

    from workbench.core.calls import ParsedCall
    from workbench.core.tools import ToolResult
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.tag_shape import TagShape
    from workbench.formats.kit.window import Step


class CoderXml(ToolCallTag):
    """The grammar of Qwen3-Coder."""

    format = "qwen3_coder_xml"
    reads = ("word",)
    reach = 112
    bodies = ("coder",)
    bare_function = True

    def patterns(self) -> tuple[tuple[str, str, str], ...]:
        """The opening tags may be lost and the body be JSON: `NAME{…}</function>`."""
        return (*super().patterns(), ("word", *WORD))

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read one opener's body."""
        if kind != "word":
            return (yield from super().read(scan, match, kind))
        start, word = match.start(), match.group().strip()
        match = None  # type: ignore[assignment]
        named = yield from read_unopened(scan, start, word, "</function>", self.format)
        if named is None:
            return None
        close = yield from scan.literal((yield from scan.space(named[1])), *self.closes)
        return Attempt(max(close, named[1]), (stretch(scan, named[0], max(close, 0), "wrapper_arg"),))


class SeedOss(CoderXml):
    """The grammar of Seed-OSS: short values stand beside their tags, so a newline at one side alone belongs to the value."""

    format = "seed_oss"
    opens = ("<seed:tool_call>",)
    closes = ("</seed:tool_call>",)

    @cached_property
    def shape(self) -> TagShape:
        """The Coder XML tags."""
        return replace(super().shape, lines=False)


def _body(call: ParsedCall) -> str:
    parameters = "".join(
        f"<parameter={key}>\n{value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}\n</parameter>\n"
        for key, value in call.arguments.items()
    )
    return f"<function={call.name}>\n{parameters}</function>"


def write_call(call: ParsedCall) -> str:
    """Write one call in Qwen's tags."""
    return f"<tool_call>\n{_body(call)}\n</tool_call>"


def write_seed(call: ParsedCall) -> str:
    """Write one call in Seed's tags."""
    return f"<seed:tool_call>\n{_body(call)}\n</seed:tool_call>"


def write_result(_call: ParsedCall, result: ToolResult) -> str:
    """Write one result in its tag."""
    return f"<tool_response>\n{result_json(result)}\n</tool_response>"


FORMATS = (
    FormatSpec(
        id="qwen3_coder_xml", family="qwen3_coder", models="Qwen3-Coder, Qwen3.5–3.8, Nemotron 3, MiMo V2+, Step 3.5",
        grammar=CoderXml(), write_call=write_call, write_result=write_result, stop_sequences=("<tool_response>",),
    ),
    FormatSpec(id="seed_oss", family="qwen3_coder", models="Seed-OSS 36B", grammar=SeedOss(), write_call=write_seed),
)  # fmt: skip
