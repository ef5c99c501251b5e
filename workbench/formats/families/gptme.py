"""A line that begins with the tool's name behind an `@`, then JSON: gptme's format `tool`, for any model.

    @get_weather(call-1): {"city": "Rome"}
    @now: {}

The id in brackets may be missing; then the tool must be a declared one. Source: gptme's prompts and its parser's tests.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.formats.kit.call_progress import CALL_NAME
from workbench.formats.kit.calls import report
from workbench.formats.kit.grammar import Attempt, Grammar
from workbench.formats.kit.markdown_escapes import escaped_name
from workbench.formats.kit.markers import Marker, MarkerShape
from workbench.formats.kit.named_json import Head, read_named
from workbench.formats.kit.prefix_patterns import ahead, alt, cls, lit, seq
from workbench.formats.kit.spec import FormatSpec, compact, result_json

if TYPE_CHECKING:
    from workbench.core.calls import ParsedCall
    from workbench.core.tools import ToolResult
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step

_NAME, _NAME_HELD = escaped_name(r"[^\W\d]")
_EXACT = re.compile(rf"@{_NAME}(?:\([\w.:\-]{{1,64}}\))?:[ \t]{{0,4}}")
_ID = re.compile(r"call|toolu|functions\.")
"""What the id of a call begins with."""
_COLON = re.compile(r"[\s:]*+")
_LONGEST_ID = 80


class Gptme(Grammar):
    """The grammar."""

    format = "gptme"
    spots = "@"
    markerless = True
    reach = 80
    name_shapes = (rf"^@{CALL_NAME}(?=[(:])",)

    def inside(self) -> tuple[str, ...]:
        """A call's id without the name before it."""
        return ("@(call",)

    def patterns(self) -> tuple[tuple[str, str, str], ...]:
        """The name stands first on its line."""
        return (("at", rf"^[ \t]{{0,8}}@{_NAME}(?=[(:)])", rf"^[ \t]{{0,8}}(?:@(?:{_NAME_HELD})?)?"),)

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:  # noqa: ARG002
        """Read one call."""
        start, at = match.span()
        name, ident = match.group().lstrip()[1:], ""
        start = at - len(name) - 1
        match = None  # type: ignore[assignment]
        known = scan.tools.resolve(name).tool is not None
        if not known and (own := self._own_name(scan, name)):
            name, known, at = own, True, start + len(own)
        if at < start + 1 + len(name) or scan.text[at] == "(":
            found = yield from scan.within(at, _LONGEST_ID, ")", "{", "\n")
            closed = found is not None and scan.text[found[0]] == ")"
            if not (closed or known):
                return None
            if found is None or not (closed or scan.text[found[0]] == "{"):
                at += 1
            else:  # an object behind an id that is not closed
                ident, at = scan.text[at + 1 : found[0]].strip(": \t"), found[1] if closed else found[0]
        at = yield from scan.past(at, _COLON)
        if scan.text[at : at + 1] != "{" or not (known or ident):
            return self._unread(scan, start, at, name) if known else None
        repairs = () if _EXACT.fullmatch(scan.text, start, at) else ("near_miss_tag",)
        item, end = yield from read_named(scan, Head(start, name, start + 1, self.format, True, repairs, ident), at, ())
        return Attempt(end, (item,)) if item is not None else None

    @staticmethod
    def _own_name(scan: Scanner, word: str) -> str:
        """Return the declared name that a word begins with, where its call's id follows without the bracket between."""
        names = (name for name in scan.tools.by_name if word.startswith(name) and _ID.match(word, len(name)))
        return max(names, key=len, default="")

    @staticmethod
    def _unread(scan: Scanner, start: int, end: int, name: str) -> Attempt:
        code = "truncated" if end >= len(scan.text) else "bad_json"
        return Attempt(end, (report(code, scan.span(start, end), f"The call of {name!r} has no object.", name=name),))


def write_call(call: ParsedCall) -> str:
    """Write one call."""
    return f"@{call.name}({call.id or 'call-1'}): {compact(call.arguments)}"


def write_result(call: ParsedCall, result: ToolResult) -> str:
    """Write one result for the user's turn."""
    return f"Result of `{call.name}`:\n{result_json(result)}"


def marker_shapes() -> tuple[MarkerShape, ...]:
    """The name with a call's id, before the object."""
    made = alt(seq(alt(lit("call"), lit("toolu")), cls(r"[\w.:\-]", 0, 60)), cls("[0-9]", 1, 20))
    ident = seq(lit("("), made, lit("):"))
    head = seq(lit("@"), cls(r"[^\W\d]", 1, 1), cls(r"[\w.\-]", 0, 63), ident, cls(r"[ \t]", 0, 4))
    return (MarkerShape("@", seq(head, ahead(r"(?=\{)")), Marker("open", "bare", "call")),)


FORMATS = (
    FormatSpec(
        id="gptme", family="gptme", models="any model under gptme", grammar=Gptme(),
        write_call=write_call, write_result=write_result, marker_shapes=marker_shapes,
    ),
)  # fmt: skip
