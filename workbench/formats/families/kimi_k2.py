"""Kimi K2's section tokens; the id in the text is `functions.NAME:N` with a counter over the whole conversation.

    <|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Rome"}
    <|tool_call_end|><|tool_calls_section_end|>

The id is kept verbatim: rewritten ones make the model fall back to plain text (vybestack/llxprt-code#713).
Source: the chat template of Kimi-K2-Instruct.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.core.calls import ParsedCall, ParseProblem
from workbench.formats.kit.call_progress import CALL_NAME
from workbench.formats.kit.calls import Draft, Item, report, settle
from workbench.formats.kit.grammar import Attempt, Grammar
from workbench.formats.kit.json_body import json_body
from workbench.formats.kit.labels import plain_label
from workbench.formats.kit.markers import Marker, MarkerShape
from workbench.formats.kit.named_json import Head, read_arguments, read_named, stretch
from workbench.formats.kit.openers import prefix_regex
from workbench.formats.kit.prefix_patterns import alt, cls, exact, lit, seq
from workbench.formats.kit.spec import FormatSpec, compact, result_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workbench.core.tools import ToolResult
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step

_SECTIONS = ("<|tool_calls_section_begin|>", "<|tool_call_section_begin|>")
_SECTION_ENDS = ("<|tool_calls_section_end|>", "<|tool_call_section_end|>")
_CALL, _ARGUMENTS, _CALL_END = "<|tool_call_begin|>", "<|tool_call_argument_begin|>", "<|tool_call_end|>"
_MARKS = (*_SECTIONS, *_SECTION_ENDS, _CALL, _ARGUMENTS, _CALL_END)
_RETURN = "## Return of functions."
_PREFIX = re.compile(r"(?:functions?[.:]?)?")
_OTHER_ID = re.compile(r"(?:call|toolu|chatcmpl-tool)[_\-]\w{4,64}")
_UNOPENED = (
    r"(?<![\w.:\-])(?:functions\.)?[A-Za-z_][\w.\\\-]{0,63}:\d{1,24}\s{0,64}(?=<\|tool_call_argument_begin\|>|\{)"
)
"""A call's id, and what follows it."""
_BEHIND = re.compile(rf"(?<=\}})[\s,;]{{0,16}}({_UNOPENED})")
"""Such a call behind the end of another one."""
_COUNTER = re.compile(r"(?:functions?|call|tool)?[.:_]?\d*")


class KimiK2(Grammar):
    """The grammar."""

    format = "kimi_k2"
    spots = "<{"
    name_shapes = (
        rf"(?:begin|sep)[|｜]>\s{{0,9}}(?!function\s{{0,9}}<)(?:functions?\.)?{CALL_NAME}(?::\d+)?(?=\s{{0,9}}[<\n`{{])",
    )
    reach = 208
    turn_tokens = (*Grammar.turn_tokens, "<|im_assistant|>", "<|im_user|>", "<|im_middle|>", "[EOS]", "[EOT]")
    result_markers = (*Grammar.result_markers, _RETURN)
    preludes = (_ARGUMENTS,)

    def literals(self) -> Mapping[str, str]:
        """Return the tokens."""
        return {
            **dict.fromkeys(_SECTIONS, "section"), _CALL: "call",
            **dict.fromkeys((*_SECTION_ENDS, _ARGUMENTS, _CALL_END), "orphan"),
        }  # fmt: skip

    def patterns(self) -> tuple[tuple[str, str, str], ...]:
        """The openers may be lost: a call's id, and what follows it."""
        hold = r"(?<![\w.:\-])[A-Za-z_][\w.\\\-]{0,74}(?::(?:\d{1,24}\s{0,64})?)?"
        return (("ident", _UNOPENED, rf"{hold}(?:{prefix_regex([_ARGUMENTS])})?"),)

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read a section, or calls without one."""
        start, at = match.span()
        ident = match.group()
        match = None  # type: ignore[assignment]
        if kind == "orphan":
            return Attempt(at)
        if kind == "ident":
            return (yield from self._unopened(scan, start, ident))
        section = kind == "section"
        items: list[Item] = []
        begin, end = start, at
        if section:
            ahead = yield from scan.space(at)
            opened = yield from scan.literal(ahead, _CALL)
            if opened < 0:
                return (yield from self._empty(scan, start, ahead))
            at = opened
        while True:
            item, end = yield from self._call(scan, begin, at)
            items.append(item if section or begin > start else stretch(scan, item, 0, "missing_open_tag"))
            begin = yield from scan.space(end)
            opened = yield from scan.literal(begin, _CALL)
            if opened < 0:
                break
            scan.early(items)
            at = opened
        close = yield from scan.literal(begin, *_SECTION_ENDS)
        if close >= 0:
            end = close
            items[-1] = stretch(scan, items[-1], end)
        elif section and isinstance(items[-1], ParsedCall):
            items[-1] = stretch(scan, items[-1], end, "missing_close_tag")
            if scan.closed and any(mark.startswith(scan.tail(begin)) for mark in _MARKS):
                end = len(scan.text)
        return Attempt(end, tuple(items))

    def _unopened(self, scan: Scanner, start: int, ident: str) -> Step[Attempt | None]:
        """A call whose openers are lost: to a declared tool only."""
        if scan.tools.resolve(_name(ident.strip(), scan)[0]).tool is None:
            return None
        item, end = yield from self._call(scan, start, start)
        if isinstance(item, ParseProblem):
            end = self._broken_end(scan, start + len(ident), end)
            return Attempt(end, (item._replace(span=scan.span(start, end)),))
        close = yield from scan.literal((yield from scan.space(end)), *_SECTION_ENDS)
        return Attempt(max(close, end), (stretch(scan, item, max(close, 0), "missing_open_tag"),))

    @staticmethod
    def _broken_end(scan: Scanner, at: int, end: int) -> int:
        """Return where a broken call ends whose openers are lost: no marker may follow, but the next call."""
        for following in _BEHIND.finditer(scan.text, at, end):
            if scan.tools.resolve(_name(following.group(1).strip(), scan)[0]).tool is not None:
                return following.start()
        return end

    @staticmethod
    def _empty(scan: Scanner, start: int, at: int) -> Step[Attempt | None]:
        close = yield from scan.literal(at, *_SECTION_ENDS)
        if close >= 0:
            return Attempt(close)
        rest = scan.tail(at)
        if scan.closed and not scan.prose.mentioned() and (not rest or _CALL.startswith(rest)):
            end = len(scan.text)
            return Attempt(end, (report("truncated", scan.span(start, end), "The reply ends where a call begins."),))
        return None if scan.prose.mentioned() else Attempt(at)

    def _call(self, scan: Scanner, begin: int, at: int) -> Step[tuple[Item, int]]:
        at = yield from scan.space(at)
        while (again := (yield from scan.literal(at, _CALL))) >= 0:
            scan.owed = ("near_miss_tag",)
            at = yield from scan.space(again)
        found = yield from scan.find(at, *_MARKS, "{")
        if found is None:
            end = len(scan.text)
            return report("truncated", scan.span(begin, end), "The call is cut off."), end
        ident = scan.text[at : found[0]].strip()
        marked = scan.text[found[0] : found[1]] == _ARGUMENTS
        name, repairs = _name(ident, scan)
        if _COUNTER.fullmatch(ident) and name not in scan.tools.by_name:
            name = yield from self._guessed(scan, found[1] if marked else found[0])
            repairs += ("name_guessed",)
        repairs += () if marked else ("missing_open_tag",)
        if not ident or (marked and name not in scan.tools.by_name and _OTHER_ID.fullmatch(ident)):
            inside = yield from self._named_inside(scan, begin, found[1] if marked else found[0], ident)
            if inside is not None:
                return inside
        if not scan.tools.nameable(name):
            close = yield from scan.find(found[0], _CALL_END)
            end = close[1] if close else len(scan.text)
            return report("bad_name", scan.span(begin, end), f"{ident[:60]!r} is no call's id.", name=name[:60]), end
        name_at = scan.text.find(name, at) if name in ident else at - len(name)
        head = Head(begin, name, name_at, self.format, True, repairs, ident)
        body = found[1] if marked else found[0]
        item, end = yield from (read_arguments if marked else read_named)(scan, head, body, _MARKS)
        assert item is not None  # the shape is canonical
        if marked and isinstance(item, ParsedCall) and not item.arguments and not scan.text[body:end].strip():
            item = stretch(scan, item, end, "missing_brace")
        after = yield from scan.space(end)
        extra = scan.text[after : after + 1] == "}"
        if extra:
            item, after = stretch(scan, item, after + 1, "extra_brace"), (yield from scan.space(after + 1))
        close_at = yield from scan.literal(after, _CALL_END)
        if close_at >= 0:
            return stretch(scan, item, close_at), close_at
        if isinstance(item, ParseProblem):
            return item, end
        half = scan.closed and any(mark.startswith(scan.tail(after)) for mark in _MARKS)
        return stretch(scan, item, end, "missing_close_tag"), len(scan.text) if half else end

    def _named_inside(self, scan: Scanner, begin: int, at: int, ident: str) -> Step[tuple[Item, int] | None]:
        """The id is another API's or missing, and the name stands among the arguments."""
        at = yield from scan.space(at)
        body = yield from json_body(scan, at, _MARKS, "")
        if body.error or not isinstance(body.value, dict):
            return None
        arguments = dict(body.value)
        name = arguments.pop("name", None)
        if not isinstance(name, str) or scan.tools.resolve(name).tool is None:
            return None
        inner = arguments.get("arguments")
        span, named = scan.span(begin, body.end), scan.span(at, at + 1)
        value = inner if isinstance(inner, dict) and len(arguments) == 1 else arguments
        draft = Draft(
            name, value, span, named, scan.span(at, body.end), ident, ("name_key", *body.repairs), format=self.format
        )
        item = settle(draft, scan.tools)
        after = yield from scan.space(body.end)
        close = yield from scan.literal(after, _CALL_END)
        return None if item is None else (stretch(scan, item, max(close, 0)), max(close, body.end))

    @staticmethod
    def _guessed(scan: Scanner, at: int) -> Step[str]:
        """The id is a mere counter: the only declared tool that the arguments fit, or an empty name."""
        body = yield from json_body(scan, (yield from scan.space(at)), _MARKS, "")
        return "" if body.error else scan.tools.taking(body.value)


def _name(ident: str, scan: Scanner) -> tuple[str, tuple[str, ...]]:
    """Take the name out of an id; a mangled id means the longest declared name inside it."""
    if ident.startswith("functions.") and re.search(r":\d+\Z", ident):
        return ident[len("functions.") : ident.rindex(":")], ()
    rest = ident[_PREFIX.match(ident).end() :]  # type: ignore[union-attr]
    name = rest.rstrip("0123456789")  # the counter
    if name != rest and name.endswith((":", "_", ".")):
        name = name[:-1]
    for candidate in (name, ident):
        if candidate in scan.tools.by_name:
            return candidate, ("name_prefix",)
    inside = [known for known in scan.tools.by_name if re.search(rf"(?<![^\W_]){re.escape(known)}(?![^\W\d_])", ident)]
    if inside:
        return max(inside, key=len), ("name_prefix",)
    return name.strip(".:") or ident, ("name_prefix",)


def _ident(call: ParsedCall, number: int) -> str:
    return call.id if re.fullmatch(r"functions\..+:\d+", call.id) else f"functions.{call.name}:{number}"


def write_calls(calls: Sequence[ParsedCall]) -> str:
    """Write calls in one section."""
    body = "".join(
        f"{_CALL}{_ident(call, number)}{_ARGUMENTS}{compact(call.arguments)}{_CALL_END}"
        for number, call in enumerate(calls)
    )
    return f"{_SECTIONS[0]}{body}{_SECTION_ENDS[0]}"


def write_result(call: ParsedCall, result: ToolResult) -> str:
    """Write one result as the template does."""
    return f"## Return of {_ident(call, 0)}\n{result_json(result)}"


def marker_shapes() -> tuple[MarkerShape, ...]:
    """The heading of a result, and the tokens in square brackets."""
    heading = exact(seq(lit(_RETURN), cls(r"[\w.\-]", 1, 100)))
    result = Marker("open", "label", "line", taken="result")
    tokens = exact(alt(lit("[EOS]"), lit("[EOT]")))
    return (
        MarkerShape(_RETURN, plain_label(heading), result, label=True),
        MarkerShape("[", tokens, lambda _text: None),
    )


FORMATS = (
    FormatSpec(
        id="kimi_k2", family="kimi_k2", models="Kimi K2, K2 Thinking, K2.5, Kimi Linear", grammar=KimiK2(),
        write_call=lambda call: write_calls([call]), write_calls=write_calls, write_result=write_result,
        marker_shapes=marker_shapes, special_tokens=True,
    ),
)  # fmt: skip
