"""The union of the tag forms, for models whose own tag is not known: requirement K1's fallback.

<tool_call>{"name": "get_weather", "arguments": {"city": "Rome"}}</tool_call>
<function_call>{"name": "get_weather", "parameters": {"city": "Rome"}}</function_call>
<tool_call><function=get_weather><parameter=city>Rome</parameter></function></tool_call>
<tool_call>get_weather<arg_key>city</arg_key><arg_value>Rome</arg_value></tool_call>
<invoke name="get_weather"><parameter name="city">Rome</parameter></invoke>
<tool>get_weather</tool><tool_input>{"city": "Rome"}</tool_input>
<functions><function name="get_weather"><params><param name="city" value="Rome" type="string"/></params></function></functions>
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.formats.kit.bare_json import goes_on
from workbench.formats.kit.calls import mention
from workbench.formats.kit.element_body import UNWRAPPED, WRAPPED, read_elements, read_unwrapped
from workbench.formats.kit.envelope import Envelope
from workbench.formats.kit.function_tags import read_functions, typed_element
from workbench.formats.kit.grammar import Attempt, Idle
from workbench.formats.kit.invoke_tags import Invoke, invoke_shape
from workbench.formats.kit.spec import FormatSpec, compact, result_json
from workbench.formats.kit.tag_markers import FOREIGN_TAGS, NEAR_MISSES
from workbench.formats.kit.toolcall_tag import ToolCallTag

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench.core.calls import ParsedCall
    from workbench.core.tools import ToolResult
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step


_NAME_OF = re.compile(r"[<>\s]+")
_FOREIGN_CLOSES = {*FOREIGN_TAGS.values()} - {*NEAR_MISSES.values()}


_BLOCKS = {"<function_calls>": "</function_calls>", "<tool_use>": "</tool_use>", "<tool_calls>": "</tool_calls>"}


class _Invoke(Invoke):
    """Invoke tags in whatever block, or in none."""

    format = "generic_xml"
    wrappers = _BLOCKS
    canonical = ("<function_calls>",)
    shape = invoke_shape("", ("antml:", "minimax:", "steptml:"), _BLOCKS)


_INVOKE = _Invoke()


class GenericXml(ToolCallTag):
    """The grammar."""

    format = "generic_xml"
    reach = 144
    bare_start = True
    envelope = Envelope("name", ("arguments", "parameters"))
    opens = ("<tool_call>", "<function_call>")
    near_misses: Mapping[str, str] = {
        name: close for name, close in FOREIGN_TAGS.items() if name not in ("<functions>", "<function>")
    }
    closes = ("</tool_call>", "</function_call>")
    bodies = ("json", "coder", "pairs")
    bare_function = True
    reads = ("invoke", "near", "document", "bare", "unwrapped", "wrapped")

    def literals(self) -> Mapping[str, str]:
        """Return the tags, and the one around a document of function elements; a foreign close without its tag is text."""
        found = {text: kind for text, kind in super().literals().items() if text not in _FOREIGN_CLOSES}
        invoke = dict.fromkeys((*_INVOKE.shape.call_closes, *_INVOKE.shape.param_closes), "orphan")
        invoke |= dict.fromkeys(_INVOKE.shape.call_starts, "invoke")
        return {**invoke, **found, "</functions>": "orphan", "<functions>": "document"}

    def patterns(self) -> tuple[tuple[str, str, str], ...]:
        """Name and arguments may be elements without a tag around them."""
        return (*super().patterns(), UNWRAPPED, WRAPPED)

    def idle(self, marker: str, kind: str) -> Idle | None:
        """Function elements begin with a tag of their own directly behind the opener."""
        return super().idle(marker, kind)

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read one opener's body, or function elements."""
        start, at = match.span()
        opener = match.group().lower()
        if kind == "unwrapped":
            name = _NAME_OF.split(match.group())[2]
            name_at = start + match.group().index(name, match.group().index(">"))
            match = None  # type: ignore[assignment]
            return (yield from self._unwrapped(scan, start, (name_at, name), at))
        if kind == "wrapped":
            match = None  # type: ignore[assignment]
            closers = (opener.rstrip().replace("<", "</", 1),)
            return (yield from read_elements(scan, start, at, closers, self.format, sure=False, repairs=()))
        if kind == "invoke":
            match = None  # type: ignore[assignment]
            return (yield from _INVOKE.alone(scan, start))
        if opener in _BLOCKS:
            after = yield from scan.space(at)
            if (yield from scan.literal(after, *_INVOKE.shape.call_starts)) >= 0:
                del match  # it holds the text, which grows
                return (yield from _INVOKE.block(scan, start, at, ""))
        if kind == "document" or (kind == "bare" and (yield from typed_element(scan, start))):
            match = None  # type: ignore[assignment]
            found = yield from read_functions(scan, start, start, self.format, ("near_miss_tag",))
            return Attempt(found[1], tuple(found[0])) if found else None
        return (yield from super().read(scan, match, kind))

    def _unwrapped(self, scan: Scanner, start: int, named: tuple[int, str], at: int) -> Step[Attempt | None]:
        """Name and arguments of a declared tool in an element each; in a sentence they are only mentioned."""
        if scan.tools.resolve(named[1]).tool is None:
            return None
        inside = scan.prose.in_sentence and not scan.prose.announced_below
        attempt = yield from read_unwrapped(scan, start, named, at, self.format)
        if attempt is None or not (inside and (yield from goes_on(scan, attempt.end))):
            return attempt
        scan.problem(mention(scan.span(start, attempt.end), named[1], "it stands in a sentence"))
        return Attempt(attempt.end, as_text=True)


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
