"""DeepSeek's tokens around name and JSON.

    <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather
    ```json
    {"city": "Rome"}
    ```<｜tool▁call▁end｜><｜tool▁calls▁end｜>                                              deepseek_v3: V3, R1-0528, Cogito v2

    <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Rome"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>
                                                                              deepseek_v31: V3.1, Terminus, V3.2-Exp

The bars are U+FF5C and the low lines U+2581; other glyphs are folded (`wrong_width_pipe`). Source: the models' chat templates.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.core.calls import ParsedCall, ParseProblem
from workbench.formats.kit.call_progress import CALL_NAME
from workbench.formats.kit.calls import Item, report
from workbench.formats.kit.grammar import Attempt, Grammar
from workbench.formats.kit.markdown_escapes import plain_name
from workbench.formats.kit.named_json import Head, read_arguments, stretch
from workbench.formats.kit.openers import prefix_regex
from workbench.formats.kit.spec import FormatSpec, compact, result_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workbench.core.tools import ToolResult
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step


BAR = "[|｜‖¦│]{1,2}"
LINE = "[▁_ ]"


def deepseek_hold() -> str:
    """Return a regex for every beginning of a tool token, in any glyphs."""
    words = (
        "".join(f"(?:{char}" for char in "tool")
        + f"(?:{LINE}(?:[a-z]{{0,8}}(?:{LINE}(?:[a-z]{{0,5}}(?:[|｜‖¦│]{{1,2}})?)?|[|｜‖¦│]{{1,2}})?)?)?"
        + ")?" * 4
    )
    return f"<(?:{BAR}{words})?"


def _mark(words: str) -> str:
    return f"<{BAR}{words.replace(' ', LINE)}{BAR}>"


_SECTION, _CALL = _mark("tool calls(?: begin)?"), _mark("tool call begin")
_SEP, _CALL_END, _SECTION_END = _mark("tool sep"), _mark("tool call end"), _mark("tool calls end")
_ANY = re.compile("|".join((_SECTION, _CALL, _SEP, _CALL_END, _SECTION_END)), re.IGNORECASE)
_RE = {name: re.compile(text, re.IGNORECASE) for name, text in
       (("call", _CALL), ("sep", _SEP), ("call_end", _CALL_END), ("end", _SECTION_END))}  # fmt: skip
_EXACT = re.compile(r"<｜tool▁(?:calls▁begin|call▁begin|sep|call▁end|calls▁end)｜>")
_WORD = re.compile(r"[^\W\d][\w.:/\\\-]{0,127}")
"""A name as it is looked for in text, its underscores escaped as in Markdown perhaps."""
_BLANKS = re.compile(r"[ \t]*+")
REACH = 34
_ALL = ("<｜tool▁call▁end｜>", "<｜tool▁call▁begin｜>", "<｜tool▁calls▁end｜>", "<|tool▁call▁end|>", "<|tool_call_end|>", "<｜tool_call_end｜>",
        "<|tool_call_begin|>", "<|tool_calls_end|>", "<｜end▁of▁sentence｜>")  # fmt: skip


class DeepSeekV3(Grammar):
    """The grammar with `function` and a fence."""

    format = "deepseek_v3"
    name_shapes = (
        rf"(?:begin|sep)[|｜]>\s{{0,9}}(?!function\s{{0,9}}<)(?:functions?\.)?{CALL_NAME}(?::\d+)?(?=\s{{0,9}}[<\n`{{])",
    )
    spots = "<"
    line = "function"
    fenced = True
    result_ends: Mapping[str, str] = {
        f"<｜tool▁{word}▁begin｜>": f"<｜tool▁{word}▁end｜>" for word in ("outputs", "output")
    }
    result_markers = (*Grammar.result_markers, *result_ends)

    def patterns(self) -> tuple[tuple[str, str, str], ...]:
        """Look for the tokens in any glyphs; servers that hide them leave `functionNAME` before the fence."""
        return (
            ("section", _SECTION, ""), ("call", _CALL, deepseek_hold()), ("orphan", f"{_SEP}|{_CALL_END}|{_SECTION_END}", ""),
            ("stripped", r"^function[A-Za-z_][\w.\\\-]{0,45}[ \t]{0,2}\r?\n(?=```)",
             rf"^(?:{prefix_regex(['function'])}|function(?:[A-Za-z_][\w.\\\-]{{0,45}}(?:[ \t]{{0,2}}\r?(?:\n`{{0,2}})?)?)?)"),
        )  # fmt: skip

    def ends(self, marker: str) -> bool:
        """All but what stands between name and arguments."""
        return _RE["sep"].match(marker) is None

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read a section, or a call without one."""
        start, at = match.span()
        parts = kind == "orphan" and not self.ends(match.group())
        match = None  # type: ignore[assignment]
        if kind == "stripped":
            return (yield from self._stripped(scan, start, at))
        if kind == "orphan":
            return (yield from self._unopened(scan, start, at)) if parts else Attempt(at)
        section, lost = kind == "section", kind != "section"
        items: list[Item] = []
        begin = start
        if section:
            at = yield from scan.space(at)
            opened = yield from scan.token(at, _RE["call"], REACH)
            if opened is None and not (yield from self._begun(scan, at)):
                return (yield from self._empty(scan, start, at))
            lost = opened is None
            at, opened = opened.end() if opened else at, None  # what was matched is held by its match
        while True:
            found = yield from self._call(scan, begin, at)
            if found is None:
                return Attempt(begin, tuple(items)) if begin > start else None
            item, end = found
            item = stretch(scan, item, 0, "missing_open_tag") if lost and begin == start else item
            items.append(self._glyphs(scan, item))
            begin = yield from scan.space(end)
            opened = yield from scan.token(begin, _RE["call"], REACH)
            if opened is None:
                break
            scan.early(items)
            at, opened = opened.end(), None
        close = yield from scan.token(begin, _RE["end"], REACH)
        if close is not None:
            end = close.end()
            items[-1] = stretch(scan, items[-1], end)
        elif section and isinstance(items[-1], ParsedCall):
            items[-1] = stretch(scan, items[-1], end, "missing_close_tag")
            end = len(scan.text) if scan.closed and _partial(scan.tail(begin)) else end
        items[-1] = self._glyphs(scan, items[-1])
        return Attempt(end, tuple(items))

    def _stripped(self, scan: Scanner, start: int, at: int) -> Step[Attempt | None]:
        """Read a call of a declared tool whose tokens a server has hidden: `functionNAME`, then the fence."""
        name_at = start + len("function")
        name = scan.text[name_at:at].strip()
        if plain_name(name) not in scan.tools.by_name:
            return None
        meant = (yield from scan.literal(at, "```json")) >= 0  # another block below a word may be no call
        item, end = yield from self._arguments(
            scan, Head(start, name, name_at, self.format, meant, ("missing_open_tag",)), at
        )
        return None if item is None else Attempt(end, (item,))

    @staticmethod
    def _unopened(scan: Scanner, start: int, at: int) -> Step[Attempt]:
        """A separator outside of a call: what follows is one, if it names a tool, whose opening token is damaged."""
        begin = yield from scan.space(at)
        yield from scan.at_least(begin + REACH)
        word = _WORD.match(scan.text, begin)
        name = word.group() if word is not None else ""
        word = None
        if plain_name(name) not in scan.tools.by_name or scan.prose.mentioned():
            return Attempt(at)
        message = f"The token before the call of {name!r} is damaged."
        return Attempt(at, (report("bad_json", scan.span(start, begin + len(name)), message, name=name),))

    @staticmethod
    def _begun(scan: Scanner, at: int) -> Step[bool]:
        """True if a call follows whose own opening token is lost: a name and the separator, or a name at the end."""
        while (word := _WORD.match(scan.text, at)) is not None and word.end() == len(scan.text):
            if not (yield from scan.more()):
                return word.group() != "function" and not scan.prose.mentioned()
        if word is None or (yield from scan.token(word.end(), _RE["sep"], REACH)) is not None:
            return word is not None
        return scan.closed and _partial(scan.tail(word.end()))

    @staticmethod
    def _glyphs(scan: Scanner, item: Item) -> Item:
        """Mark calls whose markers were written with other glyphs."""
        if isinstance(item, ParsedCall):
            text = scan.text[item.span.start - scan.base : item.span.end - scan.base]
            body = text.replace(
                scan.text[item.arguments_span.start - scan.base : item.arguments_span.end - scan.base], ""
            )
            if any(_EXACT.fullmatch(found.group()) is None for found in _ANY.finditer(body)):
                return stretch(scan, item, 0, "wrong_width_pipe")
        return item

    @staticmethod
    def _empty(scan: Scanner, start: int, at: int) -> Step[Attempt | None]:
        close = yield from scan.token(at, _RE["end"], REACH)
        if close is not None:
            return Attempt(close.end())
        if at >= len(scan.text) or (scan.closed and _partial(scan.tail(at))):
            end = len(scan.text)
            return Attempt(end, (report("truncated", scan.span(start, end), "The reply ends where a call begins."),))
        return None

    def _call(self, scan: Scanner, begin: int, at: int) -> Step[tuple[Item, int] | None]:
        """Read one call after its opening token."""
        at = yield from scan.space(at)
        while (again := (yield from scan.token(at, _RE["call"], REACH))) is not None:
            scan.owed = ("near_miss_tag",)
            at, again = (yield from scan.space(again.end())), None
        found = yield from scan.seek(at, _ANY_OR_BRACE, REACH)
        if found is None:
            end = len(scan.text)
            return report("truncated", scan.span(begin, end), "The call is cut off."), end
        first = scan.text[at : found[0]].strip()
        sep = _RE["sep"].fullmatch(scan.text[found[0] : found[1]]) is not None
        repairs: tuple[str, ...] = ()
        if sep and (first == "function" or (yield from self._fenced_below(scan, found[1]))):
            name_at = yield from scan.space(found[1])
            stop = yield from self._name_end(scan, name_at)
            name, body = scan.text[name_at:stop].strip(), stop
            if not self.fenced:
                repairs += ("wrong_family",)
            repairs += () if first == "function" else ("near_miss_tag",)
        else:
            name, name_at, body = first, at, found[1] if sep else found[0]
            if not sep and (scan.text[found[0]] not in "{`" or not scan.tools.nameable(name)):
                return None
            repairs += () if sep else ("missing_open_tag",)
            if self.fenced:
                repairs += ("wrong_family",)
        if not scan.tools.nameable(name):
            end = yield from self._give_up(scan, body)
            return report(
                "bad_name", scan.span(begin, end), f"{name[:60]!r} cannot be a tool's name.", name=name[:60]
            ), end
        item, end = yield from self._arguments(scan, Head(begin, name, name_at, self.format, True, repairs), body)
        assert item is not None  # the shape is canonical
        return item, end

    @staticmethod
    def _fenced_below(scan: Scanner, at: int) -> Step[bool]:
        """True if a name and a fence follow the separator, so that what stands before it is no name."""
        at = yield from scan.space(at)
        while (word := _WORD.match(scan.text, at)) is not None and word.end() == len(scan.text):
            if not (yield from scan.more()):
                break
        if word is None or word.group() == "json":
            return False
        end, word = word.end(), None
        after = yield from scan.space(end)
        return "\n" in scan.text[end:after] and (yield from scan.literal(after, "```")) >= 0

    @staticmethod
    def _name_end(scan: Scanner, at: int) -> Step[int]:
        found = yield from scan.seek(at, _NAME_END, REACH)
        return found[0] if found else len(scan.text)

    @staticmethod
    def _give_up(scan: Scanner, at: int) -> Step[int]:
        found = yield from scan.seek(at, _RE["call_end"], REACH)
        return found[1] if found else len(scan.text)

    def _arguments(self, scan: Scanner, head: Head, at: int) -> Step[tuple[Item | None, int]]:
        """Read the arguments of a call; None: without tokens before it, what follows is none."""
        at = yield from scan.space(at)
        fence, labelled = -1, False
        if scan.text[at : at + 1] == "`":
            fence = yield from scan.literal(at, "```")
            if fence >= 0:
                label = yield from scan.literal(fence, "json")
                labelled, fence = label >= 0, max(fence, label)
                fence = yield from scan.past(fence, _BLANKS)
                fence += scan.text[fence : fence + 1] == "\n"
            elif scan.closed and "```".startswith(scan.tail(at)):
                end = len(scan.text)
                message = f"The call of {head.name!r} is cut off."
                return report("truncated", scan.span(head.start, end), message, name=head.name), end
        elif scan.text[at : at + 1] == "j" and (yield from scan.literal(at, "json")) >= 0:
            at = yield from scan.space(at + 4)
            head = head._replace(repairs=(*head.repairs, "fenced"))
        repairs = head.repairs
        if fence >= 0 and not self.fenced and "wrong_family" not in repairs:
            repairs += ("fenced",)
        elif self.fenced and not labelled and not repairs:
            repairs += ("near_miss_tag",)  # the fence is part of the format
        head, ends = head._replace(repairs=repairs), ("\n```", *_ALL) if fence >= 0 else _ALL
        item, end = yield from read_arguments(scan, head, fence if fence >= 0 else at, ends)
        if item is None:
            return None, end
        if isinstance(item, ParseProblem):
            after = yield from scan.space(end)
            shut = (yield from scan.literal(after, "```")) if fence >= 0 else -1
            close = yield from scan.token((yield from scan.space(max(after, shut))), _RE["call_end"], REACH)
            return (stretch(scan, item, close.end()), close.end()) if close else (item, end)
        after = yield from scan.space(end)
        if scan.text[after : after + 1] == "}":
            item = stretch(scan, item, after + 1, "extra_brace")
            after = yield from scan.space(after + 1)
        shut = yield from scan.literal(after, "```")
        if shut >= 0:
            after = yield from scan.space(shut)
        elif fence >= 0:
            item = stretch(scan, item, end, "missing_close_tag")
        close = yield from scan.token(after, _RE["call_end"], REACH)
        if close is not None:
            end = close.end()
            if fence >= 0 > shut:
                end = yield from self._late_fence(scan, end)
            return stretch(scan, item, end), end
        end = max(end, shut)
        rest = scan.tail(after)
        if scan.closed and rest and (_partial(rest) or "```".startswith(rest)):
            end = len(scan.text)
        return stretch(scan, item, end, "missing_close_tag"), end

    @staticmethod
    def _late_fence(scan: Scanner, end: int) -> Step[int]:
        """Pass the end of a fence that stands behind the call which was to stand behind it; not another block's beginning."""
        shut = yield from scan.literal((yield from scan.space(end)), "```")
        if shut < 0:
            return end
        yield from scan.at_least(shut + 1)
        return end if scan.text[shut : shut + 1].isalnum() else shut


_ANY_OR_BRACE = re.compile(f"{_ANY.pattern}|[{{`]", re.IGNORECASE)
_NAME_END = re.compile(f"[\\n{{`]|{_ANY.pattern}", re.IGNORECASE)


def _partial(text: str) -> bool:
    """True if a text may be the beginning of one of the tokens."""
    return 0 < len(text) < REACH and re.fullmatch(deepseek_hold(), text, re.IGNORECASE) is not None


class DeepSeekV31(DeepSeekV3):
    """The grammar without `function` and fence."""

    format = "deepseek_v31"
    fenced = False


def write_v3(calls: Sequence[ParsedCall]) -> str:
    """Write calls with fences."""
    body = "\n".join(
        f"<｜tool▁call▁begin｜>function<｜tool▁sep｜>{call.name}\n```json\n{compact(call.arguments)}\n```<｜tool▁call▁end｜>"
        for call in calls
    )
    return f"<｜tool▁calls▁begin｜>{body}<｜tool▁calls▁end｜>"


def write_v31(calls: Sequence[ParsedCall]) -> str:
    """Write calls without fences."""
    body = "".join(
        f"<｜tool▁call▁begin｜>{call.name}<｜tool▁sep｜>{compact(call.arguments)}<｜tool▁call▁end｜>" for call in calls
    )
    return f"<｜tool▁calls▁begin｜>{body}<｜tool▁calls▁end｜>"


def write_result(_call: ParsedCall, result: ToolResult) -> str:
    """Write one result between its tokens."""
    return f"<｜tool▁output▁begin｜>{result_json(result)}<｜tool▁output▁end｜>"


FORMATS = (
    FormatSpec(
        id="deepseek_v3", family="deepseek", models="DeepSeek V3, V3-0324, R1-0528, R1 distills, Cogito v2",
        grammar=DeepSeekV3(), write_call=lambda call: write_v3([call]), write_calls=write_v3, write_result=write_result,
        special_tokens=True,
    ),
    FormatSpec(
        id="deepseek_v31", family="deepseek", models="DeepSeek V3.1, Terminus, V3.2-Exp", grammar=DeepSeekV31(),
        write_call=lambda call: write_v31([call]), write_calls=write_v31, write_result=write_result,
        special_tokens=True,
    ),
)  # fmt: skip
