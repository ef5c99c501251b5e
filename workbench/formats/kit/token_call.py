"""Calls between tokens of their own: an id perhaps, a name, and JSON.

<|tool_call:begin|>a1b2c3d4e5<|tool_call:name|>get_weather<|tool_call:args|>{"city": "Rome"}<|tool_call:end|>
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.core.calls import ParsedCall
from workbench.formats.kit.call_progress import CALL_NAME
from workbench.formats.kit.calls import report
from workbench.formats.kit.grammar import Attempt, Grammar
from workbench.formats.kit.named_json import Head, read_arguments, stretch
from workbench.formats.kit.spec import compact

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench.core.calls import ParseProblem
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step

_IDENT = re.compile(r"[\w\-]{1,64}")


class TokenCall(Grammar):
    """A grammar of such calls; the tokens are fields."""

    outer: tuple[str, ...] = ()
    """Around all calls."""
    begin = end = ""
    """Around one call."""
    name_open = name_close = ""
    args_open = args_close = ""
    """Around name and arguments; what opens the arguments may also end the name."""
    begins = frozenset(("call", "named"))
    name_shapes = (rf"tool\w*[:_](?:tool_)?name(?::\w+)?\|>\s{{0,9}}{CALL_NAME}(?=\s{{0,9}}(?:<\||\{{))",)

    @property
    def _marks(self) -> tuple[str, ...]:
        every = (self.begin, self.name_open, self.name_close, self.args_open, self.args_close, self.end, *self.outer)
        return tuple(mark for mark in every if mark)

    def ends(self, marker: str) -> bool:
        """True of the tokens that close something; the others open it, or stand between name and arguments."""
        return marker.casefold() in (self.name_close, self.args_close, self.end, *self.outer[1:])

    def literals(self) -> Mapping[str, str]:
        """Return the tokens; a call without its first one begins with its name."""
        return {**dict.fromkeys(self._marks, "orphan"), self.begin: "call", self.name_open: "named"}

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read one call."""
        start, at = match.span()
        match = None  # type: ignore[assignment]
        if kind == "orphan":
            return Attempt(at)
        ident = ""
        if kind == "call":
            found = yield from scan.find(at, *self._marks)
            if found is None:
                return None if scan.prose.mentioned() else self._cut(scan, start, "")
            ident = scan.text[at : found[0]].strip()
            if scan.text[found[0] : found[1]].lower() != self.name_open or (ident and not _IDENT.fullmatch(ident)):
                return None
            at = found[1]
        at = yield from scan.space(at)
        found = yield from scan.find(at, *self._marks, "{")
        if found is None:
            return self._cut(scan, start, scan.text[at:].strip())
        name, token = scan.text[at : found[0]].strip(), scan.text[found[0] : found[1]].lower()
        if not scan.tools.nameable(name) or token not in (self.name_close, self.args_open, "{", self.end):
            return None
        body = found[0] if token == "{" else found[1]
        if token == self.name_close:
            body = yield from scan.space(body)
            opened = yield from scan.literal(body, self.args_open)
            body, token = (opened, self.args_open) if opened >= 0 else (body, "{")
        repairs = ("missing_open_tag",) if kind == "named" or token == "{" else ()
        head = Head(start, name, at, self.format, kind == "call", repairs, ident)
        item, end = yield from read_arguments(scan, head, body, self._marks)
        return None if item is None else (yield from self._close(scan, item, end))

    def _close(self, scan: Scanner, item: ParsedCall | ParseProblem, end: int) -> Step[Attempt]:
        """Find the end token behind the arguments."""
        after = yield from scan.space(end)
        if self.args_close and (shut := (yield from scan.literal(after, self.args_close))) >= 0:
            end, after = shut, (yield from scan.space(shut))
        close = yield from scan.literal(after, self.end)
        if close >= 0:
            return Attempt(close, (stretch(scan, item, close),))
        rest = scan.tail(after)
        half = scan.closed and any(mark.startswith(rest) for mark in self._marks)
        if isinstance(item, ParsedCall):
            item = stretch(scan, item, end, "missing_close_tag")
        return Attempt(len(scan.text) if half else end, (item,))

    @staticmethod
    def _cut(scan: Scanner, start: int, name: str) -> Attempt:
        end = len(scan.text)
        return Attempt(end, (report("truncated", scan.span(start, end), "The call is cut off.", name=name[:64]),))

    def written(self, call: ParsedCall, ident: str = "") -> str:
        """Write one call."""
        name = f"{self.name_open}{call.name}{self.name_close}"
        return f"{self.begin}{ident}{name}{self.args_open}{compact(call.arguments)}{self.args_close}{self.end}"
