"""The union of the tag forms, for models whose own tag is not known: requirement K1's fallback.

<tool_call>{"name": "get_weather", "arguments": {"city": "Rome"}}</tool_call>
<function_call>{"name": "get_weather", "parameters": {"city": "Rome"}}</function_call>
<tool_call><function=get_weather><parameter=city>Rome</parameter></function></tool_call>
<tool_call>get_weather<arg_key>city</arg_key><arg_value>Rome</arg_value></tool_call>
<functions><function name="get_weather"><params><param name="city" value="Rome" type="string"/></params></function></functions>
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.formats.kit.envelope import Envelope
from workbench.formats.kit.function_tags import read_functions, typed_element
from workbench.formats.kit.grammar import Attempt
from workbench.formats.kit.spec import FormatSpec, compact, result_json
from workbench.formats.kit.tag_markers import FOREIGN_TAGS, NEAR_MISSES
from workbench.formats.kit.toolcall_tag import ToolCallTag

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping

    from workbench.core.calls import ParsedCall
    from workbench.core.tools import ToolResult
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step


_FOREIGN_CLOSES = {*FOREIGN_TAGS.values()} - {*NEAR_MISSES.values()}


class GenericXml(ToolCallTag):
    """The grammar."""

    format = "generic_xml"
    reach = 112
    bare_start = True
    envelope = Envelope("name", ("arguments", "parameters"))
    opens = ("<tool_call>", "<function_call>")
    near_misses: Mapping[str, str] = {
        name: close for name, close in FOREIGN_TAGS.items() if name not in ("<functions>", "<function>")
    }
    closes = ("</tool_call>", "</function_call>")
    bodies = ("json", "coder", "pairs")
    bare_function = True

    def literals(self) -> Mapping[str, str]:
        """Return the tags, and the one around a document of function elements; a foreign close without its tag is text."""
        found = {text: kind for text, kind in super().literals().items() if text not in _FOREIGN_CLOSES}
        return {**found, "</functions>": "orphan", "<functions>": "document"}

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read one opener's body, or function elements."""
        start = match.start()
        if kind == "document" or (kind == "bare" and (yield from typed_element(scan, start))):
            match = None  # type: ignore[assignment]
            found = yield from read_functions(scan, start, start, self.format, ("near_miss_tag",))
            return Attempt(found[1], tuple(found[0])) if found else None
        return (yield from super().read(scan, match, kind))


def write_call(call: ParsedCall) -> str:
    """Write one call in its tag."""
    return f"<tool_call>\n{compact({'name': call.name, 'arguments': call.arguments})}\n</tool_call>"


def write_result(_call: ParsedCall, result: ToolResult) -> str:
    """Write one result in its tag."""
    return f"<tool_response>\n{result_json(result)}\n</tool_response>"


FORMATS = (
    FormatSpec(
        id="generic_xml", family="generic_xml", models="unknown models that like tags",
        grammar=GenericXml(), write_call=write_call, write_result=write_result, stop_sequences=("<tool_response>",),
    ),
)  # fmt: skip
