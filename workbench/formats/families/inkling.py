"""Inkling: a typed content block, its author and the tool's name before the opener.

    <|message_model|>get_weather<|content_invoke_tool_json|>{"name": "get_weather", "args": {"city": "Rome"}}<|end_message|>

Source: the model's chat template.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from workbench.formats.kit.calls import report
from workbench.formats.kit.envelope import Envelope
from workbench.formats.kit.grammar import Attempt, Grammar
from workbench.formats.kit.markers import Marker, MarkerShape, special_token
from workbench.formats.kit.named_json import Head, read_other, stretch
from workbench.formats.kit.prefix_patterns import cls, lit, seq
from workbench.formats.kit.spec import FormatSpec, compact
from workbench.formats.kit.tag_json import TagJson

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench.core.calls import ParsedCall
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step

_NAMED = re.compile(r"\s{0,4}([\w.\-]{1,64})\s{0,4}<\|content_invoke_tool_(json|text)\|>")
_TEXT = "<|content_invoke_tool_text|>"
_NAME_ALONE = re.compile(r"\s{0,4}([\w.\-]{1,64})\s{0,4}(?=<|\Z)")
_NAMED_PART = re.compile(r"\s{0,4}[\w.\-]{0,64}\s{0,4}(?:<\|?[a-z_]{0,28}\|?)?")


class Inkling(TagJson):
    """The grammar."""

    format = "inkling"
    reads = ("text", "author")
    envelope = Envelope("name", ("args",))
    opens = ("<|content_invoke_tool_json|>",)
    closes = ("<|end_message|>", "<|content_model_end_sampling|>")
    turn_tokens = (*Grammar.turn_tokens, "<|content_text|>", "<|content_thinking|>", "<|content_tool_error|>")

    @cached_property
    def foreign_ends(self) -> frozenset[str]:
        """Every block ends alike, whatever it holds."""
        return super().foreign_ends | {*self.closes}

    def literals(self) -> Mapping[str, str]:
        """Return the markers; the block's author and name may stand before the opener."""
        return {**super().literals(), "<|message_model|>": "author", _TEXT: "text"}

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read one opener's body."""
        start, at = match.span()
        if kind == "text":
            return (yield from self._said(scan, start, Head(start, "", start, self.format), at))
        if kind != "author":
            return (yield from super().read(scan, match, kind))
        match = None  # type: ignore[assignment]
        while (head := _NAMED.match(scan.text, at)) is None:
            if not _NAMED_PART.fullmatch(scan.text, at) or not (yield from scan.more()):
                return self._unread(scan, start, at)
        body, named, form = head.end(), Head(start, head.group(1), head.start(1), self.format), head.group(2)
        head = None
        if form == "text":
            return (yield from self._said(scan, start, named, body))
        return (yield from self._body(scan, start, body, "call"))

    @staticmethod
    def _unread(scan: Scanner, start: int, at: int) -> Attempt:
        """No block begins behind the author's token: a declared tool's name there was meant as one."""
        alone = _NAME_ALONE.match(scan.text, at)
        name = alone[1] if alone is not None else ""
        if alone is None or name not in scan.tools.by_name or scan.prose.mentioned():
            return Attempt(at)
        cut = scan.closed and _TEXT.startswith(scan.tail(alone.end()))
        code, end = ("truncated", len(scan.text)) if cut else ("bad_json", alone.end())
        message = f"The token behind {name!r}, which begins its arguments, is damaged or missing."
        return Attempt(end, (report(code, scan.span(start, end), message, name=name),))

    def _said(self, scan: Scanner, start: int, head: Head, at: int) -> Step[Attempt | None]:
        """A tool is called with plain text: for one that takes a single text."""
        found = (yield from read_other(scan, head, at, self.closes)) if head.name else None
        if found is None:
            close = yield from scan.find(at, *self.closes)
            end = close[1] if close else len(scan.text)
            return Attempt(end, (report("bad_name", scan.span(start, end), "The call names no tool."),))
        item, end = found
        close_at = yield from scan.literal(end, *self.closes)
        return Attempt(max(close_at, end), (stretch(scan, item, max(close_at, 0)),))


def write_call(call: ParsedCall) -> str:
    """Write one call as a content block."""
    body = compact({"name": call.name, "args": call.arguments})
    return f"<|message_model|>{call.name}<|content_invoke_tool_json|>{body}<|end_message|>"


def marker_shapes() -> tuple[MarkerShape, ...]:
    """The author's token, the tool's name and the opener, as one."""
    author = special_token(seq(lit("message_"), cls(r"\w", 1, 20)))
    opener = special_token(seq(lit("content_invoke_tool"), cls(r"\w", 0, 20)))
    return (MarkerShape("<|", seq(author, cls(r"[\w.:\-]", 1, 80), opener), _means),)


def _means(text: str) -> Marker | None:
    if "content_invoke_tool" in text:
        return Marker("open", "bare", "call")
    return Marker("open", "message", "hidden") if text.startswith("<|content_think") else None


FORMATS = (
    FormatSpec(
        id="inkling", family="inkling", models="Inkling", grammar=Inkling(), write_call=write_call,
        marker_shapes=marker_shapes, special_tokens=True,
    ),
)  # fmt: skip
