"""Solar Open 100B: an id, a name and JSON between tokens.

    <|think|>…<|end|><|begin|>assistant<|tool_calls|><|tool_call:begin|>a1b2c3d4e5<|tool_call:name|>get_weather
      <|tool_call:args|>{"city": "Rome"}<|tool_call:end|><|calls|>
    <|content|>…<|end|>

Source: the model's chat template.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.core.calls import ParsedCall
from workbench.formats.kit.call_progress import CALL_NAME
from workbench.formats.kit.calls import report
from workbench.formats.kit.grammar import REASONING, Attempt, Grammar
from workbench.formats.kit.named_json import Head, read_named, stretch
from workbench.formats.kit.spec import FormatSpec, compact

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step

_CALLS, _BEGIN, _NAME = "<|tool_calls|>", "<|tool_call:begin|>", "<|tool_call:name|>"
_ARGS, _END = "<|tool_call:args|>", "<|tool_call:end|>"
_MARKS = (_BEGIN, _NAME, _ARGS, _END, "<|calls|>", "<|end|>")
_IDENT = re.compile(r"[\w\-]{1,64}")


class SolarOpen(Grammar):
    """The grammar."""

    format = "solar_open"
    reasoning: Mapping[str, str] = {**REASONING, "<|think|>": "<|end|>"}
    turn_tokens = (
        *Grammar.turn_tokens, "<|end|>", "<|calls|>", "<|flush|>", "<|content|>", "<|begin|>assistant", "<|begin|>",
    )  # fmt: skip
    begins = frozenset(("call", "named"))
    name_shapes = (rf"<\|tool_call:name\|>\s{{0,9}}{CALL_NAME}(?=\s{{0,9}}(?:<\||\{{))",)

    def literals(self) -> Mapping[str, str]:
        """Return the tokens; a call without its first one begins with its name."""
        return {_BEGIN: "call", _NAME: "named", _ARGS: "orphan", _END: "orphan", _CALLS: "orphan"}

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read one call."""
        start, at = match.span()
        match = None  # type: ignore[assignment]
        if kind == "orphan":
            return Attempt(at)
        ident = ""
        if kind == "call":
            found = yield from scan.find(at, *_MARKS)
            if found is None:
                return None if scan.prose.mentioned() else self._cut(scan, start, "")
            ident = scan.text[at : found[0]].strip()
            if scan.text[found[0] : found[1]].lower() != _NAME or (ident and not _IDENT.fullmatch(ident)):
                return None
            at = found[1]
        at = yield from scan.space(at)
        found = yield from scan.find(at, *_MARKS, "{")
        if found is None:
            return self._cut(scan, start, scan.text[at:].strip())
        name, token = scan.text[at : found[0]].strip(), scan.text[found[0] : found[1]].lower()
        if not scan.tools.nameable(name) or token not in (_ARGS, "{", _END):
            return None
        repairs = ("missing_open_tag",) if kind == "named" or token == "{" else ()
        head = Head(start, name, at, self.format, kind == "call", repairs, ident)
        item, end = yield from read_named(scan, head, found[1] if token == _ARGS else found[0], _MARKS)
        if item is None:
            return None
        close = yield from scan.literal((yield from scan.space(end)), _END)
        if close >= 0:
            return Attempt(close, (stretch(scan, item, close),))
        rest = scan.tail((yield from scan.space(end)))
        half = scan.closed and any(mark.startswith(rest) for mark in _MARKS)
        if isinstance(item, ParsedCall):
            item = stretch(scan, item, end, "missing_close_tag")
        return Attempt(len(scan.text) if half else end, (item,))

    @staticmethod
    def _cut(scan: Scanner, start: int, name: str) -> Attempt:
        end = len(scan.text)
        return Attempt(end, (report("truncated", scan.span(start, end), "The call is cut off.", name=name[:64]),))


def write_calls(calls: Sequence[ParsedCall]) -> str:
    """Write calls one after the other."""
    return _CALLS + "".join(
        f"{_BEGIN}{call.id}{_NAME}{call.name}{_ARGS}{compact(call.arguments)}{_END}" for call in calls
    )


FORMATS = (
    FormatSpec(
        id="solar_open", family="solar_open", models="Solar Open 100B", grammar=SolarOpen(),
        write_call=lambda call: write_calls([call]), write_calls=write_calls, special_tokens=True,
    ),
)  # fmt: skip
