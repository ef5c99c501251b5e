"""Functionary v2: who gets a message, and then what, between tokens; calls are messages to a tool.

    <|from|>assistant
    <|recipient|>get_weather
    <|content|>{"city": "Rome"}<|stop|>

`<|recipient|>all` is text for the user; to `python` goes program text as it is, the argument `code`. The prompt ends with the
recipient's token, so a reply may begin with its name. Source: the prompt template of functionary-small-v2.2 and v2.4.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.core.calls import ParsedCall
from workbench.formats.kit.call_progress import CALL_NAME
from workbench.formats.kit.calls import Draft, report, settle
from workbench.formats.kit.grammar import Attempt, Grammar
from workbench.formats.kit.markers import Marker, MarkerShape
from workbench.formats.kit.named_json import Head, read_named, stretch
from workbench.formats.kit.prefix_patterns import cls, lit, opt, seq
from workbench.formats.kit.spec import FormatSpec, compact, result_json
from workbench.formats.kit.toolset import only_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench.core.calls import ParseProblem
    from workbench.core.tools import ToolResult
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step

FROM, RECIPIENT, CONTENT, STOP = "<|from|>", "<|recipient|>", "<|content|>", "<|stop|>"
_NEXT = (STOP, FROM, RECIPIENT)
_NAME = r"[A-Za-z_][\w.\\\-]{0,63}"
_WORD = re.compile(rf"({_NAME})\s*\Z")
_REACH = 96
ALL, CODE = "all", "python"


class FunctionaryV2(Grammar):
    """The grammar."""

    format = "functionary_v2"
    spots = "<"
    reach = 96
    name_shapes = (rf"<\|recipient\|>\s{{0,9}}{CALL_NAME}(?=\s{{0,9}}<\|content\|>)",)
    turn_tokens = (*Grammar.turn_tokens, STOP, f"{FROM}assistant", FROM)

    def literals(self) -> Mapping[str, str]:
        """Return the tokens; what the first one begins may be meant for the user."""
        return {f"{FROM}assistant\n{RECIPIENT}": "recipient", RECIPIENT: "recipient", CONTENT: "orphan"}

    def inside(self) -> tuple[str, ...]:
        """A recipient that names none."""
        return (RECIPIENT,)

    def patterns(self) -> tuple[tuple[str, str, str], ...]:
        """A reply may begin with the recipient's name."""
        first = rf"\A\s{{0,2}}{_NAME}\s{{0,2}}(?=<\|content\|>)"
        return (
            (
                "first",
                first,
                rf"\A\s{{0,2}}(?:{_NAME}\s{{0,2}}(?:<(?:\|(?:c(?:o(?:n(?:t(?:e(?:n(?:t\|?)?)?)?)?)?)?)?)?)?)?",
            ),
        )

    def ends(self, marker: str) -> bool:  # noqa: ARG002
        """The token before a message's text only parts it from its header."""
        return False

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read a header, and what a tool gets."""
        start, at = match.span()
        match = None  # type: ignore[assignment]
        if kind == "orphan" or (kind == "first" and scan.base):
            return Attempt(at) if kind == "orphan" else None
        found = yield from scan.within(start if kind == "first" else at, _REACH, CONTENT, "{", FROM)
        head = scan.text[start if kind == "first" else at : found[0] if found else len(scan.text)]
        named = _WORD.match(head.lstrip())
        if named is None or (found is None and not scan.closed):
            return None
        name = named[1]
        name_at = scan.text.index(name, start if kind == "first" else at)
        if found is None:
            message = f"The call of {name!r} is cut off."
            return Attempt(len(scan.text), (report("truncated", scan.span(start, len(scan.text)), message, name=name),))
        token = scan.text[found[0] : found[1]].lower()
        if name == ALL:
            return Attempt(found[1] if token == CONTENT else found[0])
        body = found[1] if token == CONTENT else found[0]
        repairs = () if token == CONTENT else ("missing_open_tag",)
        return (yield from self._call(scan, Head(start, name, name_at, self.format, True, repairs), body))

    def _call(self, scan: Scanner, head: Head, body: int) -> Step[Attempt | None]:
        inside = yield from scan.space(body)
        char = scan.text[inside : inside + 1]
        if char and char not in '{["':
            return (yield from self._text(scan, head, inside))
        item, end = yield from read_named(scan, head, inside, _NEXT)
        return None if item is None else Attempt(*(yield from self._closed(scan, item, end)))

    @staticmethod
    def _closed(
        scan: Scanner, item: ParsedCall | ParseProblem, end: int
    ) -> Step[tuple[int, tuple[ParsedCall | ParseProblem, ...]]]:
        """The stop token belongs to the call."""
        stop = yield from scan.literal((yield from scan.space(end)), STOP)
        if stop < 0 or not isinstance(item, ParsedCall):
            return max(stop, end), (item,)
        return stop, (stretch(scan, item, stop),)

    def _text(self, scan: Scanner, head: Head, at: int) -> Step[Attempt]:
        """What the tool gets is no JSON: program text, or the one text that it wants."""
        found = yield from scan.find(at, *_NEXT)
        end = at + len(scan.text[at : found[0] if found else len(scan.text)].rstrip())
        tool = scan.tools.resolve(head.name).tool
        key = only_text(tool, scan.text[at:end]) if tool is not None else "code" if head.name == CODE else ""
        span = scan.span(head.start, end)
        if found is None and scan.cut_short:
            message = f"The call of {head.name!r} is cut off."
            return Attempt(end, (report("truncated", span, message, name=head.name),))
        if not key:
            message = f"No JSON follows {head.name!r}."
            return Attempt(end, (report("args_not_object", span, message, name=head.name),))
        nothing = tool is not None and scan.text[at:end] == "null"
        draft = Draft(
            head.name, None if nothing else {key: scan.text[at:end]}, span,
            scan.span(head.name_at, head.name_at + len(head.name)), scan.span(at, end), format=head.form,
            repairs=() if nothing or head.name == CODE else ("schema_coerced", "text_as_argument"),
        )  # fmt: skip
        item = settle(draft, scan.tools)
        return Attempt(end) if item is None else Attempt(*(yield from self._closed(scan, item, end)))


def write_call(call: ParsedCall) -> str:
    """Write one call as a message to its tool."""
    return f"{FROM}assistant\n{RECIPIENT}{call.name}\n{CONTENT}{compact(call.arguments)}{STOP}"


def write_result(call: ParsedCall, result: ToolResult) -> str:
    """Write one result as a message of the tool."""
    return f"{FROM}{call.name}\n{RECIPIENT}{ALL}\n{CONTENT}{result_json(result)}"


def marker_shapes() -> tuple[MarkerShape, ...]:
    """The header of a message, with its recipient and with who it is from."""
    name = seq(cls(r"\s", 0, 2), cls("[A-Za-z_]", 1, 1), cls(r"[\w.:\-]", 0, 80), cls(r"\s", 0, 2))
    return (
        MarkerShape(RECIPIENT, seq(lit(RECIPIENT), name, lit(CONTENT)), _means),
        MarkerShape(FROM, seq(lit(FROM), opt(name)), Marker("mark")),
    )


def _means(text: str) -> Marker:
    return Marker("mark") if text[len(RECIPIENT) :].split("<", 1)[0].strip() == ALL else Marker("open", "bare", "call")


FORMATS = (
    FormatSpec(
        id="functionary_v2", family="functionary_v2", models="Functionary v2, v2.2, v2.4", grammar=FunctionaryV2(),
        write_call=write_call, write_result=write_result, marker_shapes=marker_shapes, special_tokens=True,
    ),
)  # fmt: skip
