"""A line that begins with the tool's name behind an `@`, then JSON: gptme's format `tool`, for any model.

    @get_weather(call-1): {"city": "Rome"}
    @now: {}

The id in brackets may be missing; then the tool must be a declared one. Source: gptme's prompts and its parser's tests.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.formats.kit.call_progress import CALL_NAME
from workbench.formats.kit.grammar import Attempt, Grammar
from workbench.formats.kit.named_json import Head, read_named
from workbench.formats.kit.spec import FormatSpec, compact, result_json

if TYPE_CHECKING:
    from workbench.core.calls import ParsedCall
    from workbench.core.tools import ToolResult
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step

_NAME, _ID = r"[^\W\d][\w.\-]{0,63}", r"[\w.:\-]{1,64}"
_HEAD = re.compile(rf"@({_NAME})(?:\(({_ID})\))?:")
_HOLD = rf"^@(?:{_NAME}(?:\((?:{_ID}\)?)?)?(?::[ \t]{{0,4}})?)?"


class Gptme(Grammar):
    """The grammar."""

    format = "gptme"
    spots = "@"
    markerless = True
    reach = 140
    name_shapes = (rf"^@{CALL_NAME}(?:\({_ID}\))?:(?=[ \t]{{0,4}}\{{)",)

    def patterns(self) -> tuple[tuple[str, str, str], ...]:
        """The name stands first on its line."""
        return (("at", rf"^@{_NAME}(?:\({_ID}\))?:[ \t]{{0,4}}(?=\{{)", _HOLD),)

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:  # noqa: ARG002
        """Read one call."""
        start, at = match.span()
        head = _HEAD.match(match.group())
        assert head is not None
        name, ident = head.group(1), head.group(2) or ""
        match = None  # type: ignore[assignment]
        if not ident and scan.tools.resolve(name).tool is None:
            return None
        item, end = yield from read_named(scan, Head(start, name, start + 1, self.format, True, (), ident), at, ())
        return Attempt(end, (item,)) if item is not None else None


def write_call(call: ParsedCall) -> str:
    """Write one call."""
    return f"@{call.name}({call.id or 'call-1'}): {compact(call.arguments)}"


def write_result(call: ParsedCall, result: ToolResult) -> str:
    """Write one result for the user's turn."""
    return f"Result of `{call.name}`:\n{result_json(result)}"


FORMATS = (
    FormatSpec(
        id="gptme", family="gptme", models="any model under gptme", grammar=Gptme(),
        write_call=write_call, write_result=write_result,
    ),
)  # fmt: skip
