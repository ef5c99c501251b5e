"""Python calls: a list of them, or one a line between markers.

    [get_weather(city='Rome'), get_time(zone='CET')]                                        pythonic
    <|tool_call_start|>[get_weather(city="Rome")]<|tool_call_end|>                           lfm2, also with a fence inside
    <function_calls>⏎get_weather(city="Rome")⏎get_time(zone="CET")⏎</function_calls>         olmo3
    ```tool_code⏎get_weather(city="Rome")⏎```                                                gemma_tool_code
    <<function>>get_weather(city="Rome")<<function>>get_time(zone="CET")                     openfunctions

Source: Llama 3.2's and ToolACE's prompts, the chat templates of LFM2 and OLMo 3, Google's function calling guide for Gemma 3, Gorilla OpenFunctions' own reader.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.core.calls import ParsedCall, ParseProblem
from workbench.formats.kit.bare_json import BareJson, goes_on
from workbench.formats.kit.calls import mention, report
from workbench.formats.kit.envelope import Envelope
from workbench.formats.kit.grammar import REASONING, Attempt
from workbench.formats.kit.markdown_escapes import plain_name
from workbench.formats.kit.markers import Marker, MarkerShape
from workbench.formats.kit.openers import prefix_regex
from workbench.formats.kit.prefix_patterns import lit, seq, words
from workbench.formats.kit.python_calls import CALLEE_NAME, write_python
from workbench.formats.kit.python_list import bare_call, junk_after, next_list, only_shown, read_calls, with_repair
from workbench.formats.kit.quoted_calls import quoted_calls
from workbench.formats.kit.spec import FormatSpec, result_json
from workbench.formats.kit.talk import is_template

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workbench.core.tools import ToolResult
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step

_CODE = re.compile(r"(?:```|~~~)[ \t]*(?:|python|py|python3)\s*\Z", re.IGNORECASE)
"""Opens a block of code that may only explain."""
_LITERAL = re.compile(rf"""\[?{CALLEE_NAME}\(\s*["'\d\[{{-]""")
_QUOTED = (
    "quoted", rf"\[\s{{0,20}}(?=[\"']{CALLEE_NAME}\()", rf"\[\s{{0,20}}(?:[\"'](?:{CALLEE_NAME})?)?",
)  # fmt: skip
_TICKED = (
    "ticked", rf"^`{{1,3}}(?=(?:\[\s{{0,20}})?{CALLEE_NAME}\()", rf"^`{{1,3}}(?:\[\s{{0,20}})?(?:{CALLEE_NAME})?",
)  # fmt: skip
_ANGLED = ("angled", rf"^<(?={CALLEE_NAME}\()", rf"^<(?:{CALLEE_NAME})?")
_STRUNG = (
    "strung",
    rf"^[\"'](?=(?:\[\s{{0,20}})?{CALLEE_NAME}\()",
    rf"^[\"'](?:\[\s{{0,20}})?(?:{CALLEE_NAME})?",
)
_TUPLED = ("tupled", rf"^\((?={CALLEE_NAME}\()", rf"^\((?:{CALLEE_NAME})?")
_CALLED = (
    "called",
    rf"^Call:[ \t]{{0,4}}(?={CALLEE_NAME}\()",
    rf"^C(?:a(?:l(?:l(?::[ \t]{{0,4}}(?:{CALLEE_NAME})?)?)?)?)?",
)
_AROUND = {
    "ticked": (("```", "``", "`"), "fenced"), "angled": ((">",), "near_miss_tag"), "called": (("<bot_end>",), "text_around"),
    "strung": (('"', "'"), "double_encoded"), "tupled": ((")",), "near_miss_tag"),
}  # fmt: skip
"""What closes calls that are the whole reply, and the repair."""
_LINE = ("line", rf"(?:^|\A\s{{1,8}}){CALLEE_NAME}\(", rf"(?:^|\A\s{{1,8}})(?:{CALLEE_NAME})?")
_ASSIGNED = (
    "assigned", rf"^[ \t]{{0,4}}[A-Za-z_]\w{{0,40}}[ \t]{{0,2}}=[ \t]{{0,2}}(?={CALLEE_NAME}\()",
    rf"^[ \t]{{0,4}}(?:[A-Za-z_]\w{{0,40}}[ \t]{{0,2}}(?:=[ \t]{{0,2}}(?:{CALLEE_NAME})?)?)?",
)  # fmt: skip
"""A name for the result, as programs have it."""
_ITEM = (
    "item", rf"^[ \t]{{0,8}}(?:[-*•+]|\d{{1,2}}[.)])[ \t]{{1,4}}`?(?={CALLEE_NAME}\()",
    rf"^[ \t]{{0,8}}(?:[-*•+]|\d{{1,2}}[.)]?)(?:[ \t]{{1,4}}`?(?:{CALLEE_NAME})?)?",
)  # fmt: skip
"""An item of a list that is nothing but a call."""
_ANNOUNCED = (
    "announced", rf"(?<=[:*])[ \t]{{1,4}}`?(?={CALLEE_NAME}\()", rf"(?<=[:*])[ \t]{{1,4}}`?(?:{CALLEE_NAME})?",
)  # fmt: skip
"""A call behind words that announce it, on the same line."""
_LIST = (
    "list", rf"\[\s{{0,20}}(?:\[\s{{0,20}}|#[^\n]{{0,60}}\n\s{{0,20}})?(?={CALLEE_NAME}\s{{0,4}}\()",
    rf"\[\s{{0,20}}(?:\[\s{{0,20}}|#[^\n]{{0,60}}(?:\n\s{{0,20}})?)?(?:{CALLEE_NAME}\s{{0,4}})?",
)  # fmt: skip


def _assigned(item: ParsedCall | ParseProblem) -> ParsedCall | ParseProblem:
    """A call whose result gets a name; told where a word without quotes may be the name of an earlier result."""
    if isinstance(item, ParsedCall) and "unquoted_text" in item.repairs:
        message = f"{item.name!r} is called with what may be another call's result."
        return report("args_not_object", item.span, message, name=item.name)
    return with_repair(item, "text_around")


class Pythonic(BareJson):
    """The grammar of a bare list; with `opens`, of calls between markers."""

    format = "pythonic"
    reach = 240
    envelope = Envelope("name", ("arguments", "parameters"))
    spots = "("
    steady: Mapping[str, bool] = {}
    opens: tuple[str, ...] = ()
    closes: tuple[str, ...] = ()
    fence_labels = ("", "json", "python", "tool_code", "tool_call", "py")
    calling_tokens = ("<|python_start|>", "<|python_tag|>")
    turn_tokens = (*BareJson.turn_tokens, *calling_tokens, "<|python_end|>")
    close_optional = False
    lonely = "both"

    def literals(self) -> Mapping[str, str]:
        """Return the markers around the calls, if there are any."""
        return {**dict.fromkeys(self.closes, "orphan"), **dict.fromkeys(self.opens, "call")}

    def patterns(self) -> tuple[tuple[str, str, str], ...]:
        """Look for a list of calls, or for one alone on its line."""
        if self.opens:
            return (_LIST, _TICKED, _STRUNG)
        return (_LIST, _QUOTED, _TICKED, _ANGLED, _STRUNG, _TUPLED, _CALLED, _ITEM, _LINE, _ASSIGNED, _ANNOUNCED)

    def _line(self, scan: Scanner, start: int) -> Step[Attempt | None]:
        """Calls without brackets: to declared tools, alone on their lines; in code, or where none are declared, as the whole reply."""
        bare = yield from bare_call(scan, start)
        name = plain_name(scan.text[bare : scan.text.index("(", bare)])
        known = scan.tools.resolve(name).tool is not None
        if not known or (scan.deferred and _CODE.search(scan.text, max(0, start - 64), start)):
            return (yield from self._whole(scan, start)) if known or not scan.tools.declared else None
        found = yield from read_calls(scan, self.format, start)
        if found is None:
            return None
        items, end, _ = found
        if (yield from only_shown(scan, items, end)):
            return Attempt(end, tuple(items), as_text=True)
        good = next((index for index, item in enumerate(items) if isinstance(item, ParseProblem)), len(items))
        if not good:
            return None
        if good < len(items):
            items, end = items[:good], items[good - 1].span.end - scan.base
        end = yield from junk_after(scan, end)
        after = yield from scan.space(end)
        if after < len(scan.text) and "\n" not in scan.text[end:after] and scan.text[after] not in "<`":
            return Attempt(end, as_text=True)
        return Attempt(end, tuple(with_repair(item, "missing_open_tag") for item in items))

    def _in_line(self, scan: Scanner, at: int, kind: str) -> Step[Attempt | None]:
        """One call that the rest of its line is, behind a list's sign or words that announce it."""
        if scan.deferred or not (kind == "item" or scan.prose.announced):
            return None
        name = plain_name(scan.text[at : scan.text.index("(", at)])
        if scan.tools.resolve(name).tool is None:
            return None
        found = yield from read_calls(scan, self.format, at, single=True)
        if found is None or not isinstance(found[0][0], ParsedCall):
            return None
        item, end = found[0][0], found[1]
        if is_template(item) or (kind == "item" and scan.prose.supposed_below and not scan.prose.mentioned()):
            return Attempt(end, (item,), as_text=True)
        ticked = scan.text[at - 1] == "`"
        if ticked and (tick := (yield from scan.literal(end, "`"))) >= 0:
            end = tick
        end = yield from junk_after(scan, end)
        after = yield from scan.space(end)
        if after < len(scan.text) and "\n" not in scan.text[end:after] and scan.text[after] != "<":
            return None
        return Attempt(end, (with_repair(with_repair(item, "missing_open_tag"), "text_around"),))

    def _assigned(self, scan: Scanner, start: int, at: int) -> Step[Attempt | None]:
        """Calls whose results get names, line after line, as the whole reply."""
        name = plain_name(scan.text[at : scan.text.index("(", at)])
        if scan.deferred or scan.tools.resolve(name).tool is None:
            return None
        attempt = yield from self._whole(scan, start)
        return attempt and attempt._replace(items=tuple(map(_assigned, attempt.items)))

    def _whole(self, scan: Scanner, at: int, kind: str = "line") -> Step[Attempt | None]:
        """Calls to whatever name, if the reply holds nothing else, between what may stand around them."""
        around, repair = _AROUND.get(kind, ((), ""))
        if scan.nested or scan.prose.spoke_ever or (around and scan.deferred):
            return None
        found = yield from read_calls(scan, self.format, at)
        if found is None or not (
            any(isinstance(item, ParsedCall) for item in found[0]) or _LITERAL.match(scan.text, at)
        ):
            return None
        items, end, closed = found
        if any(isinstance(item, ParseProblem) and item.code != "args_not_object" for item in items):
            return None
        end = after = end if kind in ("strung", "tupled") else (yield from junk_after(scan, end))
        ends = ("```", "~~~") if scan.deferred else around or ("```", *self.turn_tokens)
        while (stop := (yield from scan.literal((yield from scan.space(after)), *ends))) >= 0:
            after, ends = stop, self.turn_tokens
        if around and after == end and kind != "called":
            return None
        if (yield from scan.space(after)) < len(scan.text) and not (kind == "called" and after > end):
            return None
        if around:
            items = [with_repair(item, "missing_open_tag") for item in items] if self.opens else items
            return Attempt(after, tuple(with_repair(item, repair) for item in items))
        end = end if scan.deferred else after
        return Attempt(end, tuple(items if closed else [with_repair(item, "missing_open_tag") for item in items]))

    def _quoted(self, scan: Scanner, start: int) -> Step[Attempt | None]:
        """A list of strings that are calls, each whole, alone on its lines."""
        alone = scan.prose.fresh_line and not scan.nested
        found = (yield from quoted_calls(scan, start, self.format)) if alone else None
        after = (yield from scan.space(found[1])) if found else 0
        if found is None or not (
            after >= len(scan.text) or "\n" in scan.text[found[1] : after] or scan.text[after] in "<`"
        ):
            return None
        return Attempt(found[1], tuple(found[0]))

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read the calls behind an opener."""
        start, at = match.span()
        match = None  # type: ignore[assignment]
        if kind == "orphan":
            return Attempt(at)
        if kind in _AROUND:
            return (yield from self._whole(scan, at, kind))
        if kind == "quoted":
            return (yield from self._quoted(scan, start))
        if kind == "call":
            return (yield from self._marked(scan, start, at))
        if kind == "line":
            return (yield from self._line(scan, (yield from scan.space(start))))
        if kind == "assigned":
            return (yield from self._assigned(scan, start, at))
        if kind in ("item", "announced"):
            return (yield from self._in_line(scan, at, kind))
        return (yield from self._list(scan, start))

    def _list(self, scan: Scanner, start: int) -> Step[Attempt | None]:
        """A list without markers: a call only for declared names, or where it is all there is on its lines."""
        alone, foreign = scan.prose.fresh_line, scan.prose.after_marker
        within = scan.prose.in_sentence and not scan.prose.announced_below
        found = yield from read_calls(scan, self.format, start)
        if found is None:
            return None
        items, end, _ = found
        if not items:
            return Attempt(end, as_text=True)
        if (yield from only_shown(scan, items, end)):
            return Attempt(end, tuple(items), as_text=True)
        if within and (yield from goes_on(scan, end)):
            for item in items:
                scan.problem(mention(item.span, item.name, "it stands in a sentence"))
            return Attempt(end, as_text=True)
        stop, end = end, (yield from junk_after(scan, end))
        if end > stop:
            items = [with_repair(item, "text_around") for item in items]
        following = yield from next_list(scan, end)
        if following >= 0:
            end, items = following, [with_repair(item, "extra_brace") for item in items]
        after = yield from scan.space(end)
        alone = alone and (
            following >= 0 or after >= len(scan.text) or "\n" in scan.text[end:after] or scan.text[after] in "<`#["
        )
        bad = [item for item in items if isinstance(item, ParseProblem)]
        if bad and (
            not alone
            or any(item.code in ("bad_json", "bad_name") and item.name not in scan.tools.by_name for item in bad)
        ):
            return Attempt(end, as_text=True) if len(bad) == len(items) else Attempt(end, tuple(items))
        if not scan.tools.declared and not alone:
            return Attempt(end, as_text=True)
        if self.opens:
            items = [with_repair(item, "missing_open_tag") for item in items]
        elif foreign:
            items = [with_repair(item, "wrong_family") for item in items]
        return Attempt(end, tuple(items))

    def _marked(self, scan: Scanner, start: int, at: int) -> Step[Attempt | None]:
        """Calls between markers."""
        at = yield from scan.space(at)
        fence = yield from self._fence(scan, at)
        at = max(at, fence)
        if at >= len(scan.text):
            if scan.prose.mentioned():
                return None
            return Attempt(at, (report("truncated", scan.span(start, at), "The reply ends where a call begins."),))
        close = yield from scan.literal(at, *self.closes)
        if close >= 0:
            return Attempt(close)
        if scan.text[at] == "{" or (scan.text[at] == "[" and (yield from self._json_list(scan, at))):
            attempt = yield from self.value(scan, start, at, ("wrong_family",), marked=True)
            after = yield from scan.space(attempt.end if attempt else at)
            close = yield from scan.literal(after, *self.closes)
            return attempt._replace(end=close) if attempt is not None and close >= 0 else attempt
        found = yield from read_calls(scan, self.format, at, sure_from=start if fence < 0 else -1)
        if found is None:
            return (yield from self._no_calls(scan, start, at))
        items, end, _ = found
        if fence >= 0:
            items = [with_repair(item, "fenced") for item in items]
            end = max(end, (yield from scan.literal((yield from scan.space(end)), "```")))
        after = yield from scan.space(end)
        close = yield from scan.literal(after, *self.closes)
        if close < 0:
            rest = scan.tail(after)
            if scan.closed and rest and any(text.startswith(rest) for text in self.closes):
                end = len(scan.text)
            if not (self.close_optional and after >= len(scan.text)):
                items = [with_repair(item, "missing_close_tag") for item in items]
            return Attempt(end, tuple(items))
        if items and fence >= 0:  # else the first one begins with the marker already, and may be given out
            items[0] = items[0]._replace(span=scan.span(start, items[0].span.end - scan.base))
        if items:
            items[-1] = items[-1]._replace(span=scan.span(items[-1].span.start - scan.base, close))
        return Attempt(close, tuple(items))

    def _fence(self, scan: Scanner, at: int) -> Step[int]:
        """Return where a fence's content begins that stands between the markers, or -1."""
        if self.closes == ("```",) or scan.text[at : at + 1] != "`":
            return -1
        return (yield from scan.fenced(at))

    def _json_list(self, scan: Scanner, at: int) -> Step[bool]:
        ahead = yield from scan.space(at + 1)
        return scan.text[ahead : ahead + 1] in ("{", "]")

    def _no_calls(self, scan: Scanner, start: int, at: int) -> Step[Attempt | None]:
        """Something else stands between the markers."""
        stops = [text for text in self.opens if not text.startswith(self.closes)]
        found = yield from scan.find(at, *self.closes, *stops)
        if found is None or scan.text[found[0] : found[1]].lower() not in [text.lower() for text in self.closes]:
            return None
        text = "What stands between the markers is no call."
        return Attempt(found[1], (report("bad_json", scan.span(start, found[1]), text),))


class Lfm2(Pythonic):
    """The grammar of LFM2; MiniCPM 3 puts a fence between the same markers, and a thought before them."""

    format = "lfm2"
    markerless = False
    lonely = ""
    opens = ("<|tool_call_start|>",)
    closes = ("<|tool_call_end|>",)
    result_markers = (*Pythonic.result_markers, "<|tool_response_start|>")
    reasoning: Mapping[str, str] = {**REASONING, "<|thought_start|>": "<|thought_end|>"}


class Olmo3(Pythonic):
    """The grammar of OLMo 3."""

    format = "olmo3"
    markerless = False
    lonely = ""
    opens = ("<function_calls>",)
    closes = ("</function_calls>",)


class ToolCode(Pythonic):
    """The grammar of Gemma 3 with a fence."""

    format = "gemma_tool_code"
    spots = "`"
    markerless = False
    lonely = ""
    opens = ("```tool_code",)
    closes = ("```",)
    result_markers = (*Pythonic.result_markers, "```tool_output")
    close_optional = True

    def literals(self) -> Mapping[str, str]:
        """Return the fence alone: a closing one is no opener."""
        return {"```tool_code": "call"}

    def patterns(self) -> tuple[tuple[str, str, str], ...]:
        """The fence may be indented."""
        return (("call", r"^[ \t]{1,20}```tool_code", rf"^[ \t]{{1,20}}(?:{prefix_regex(['```tool_code'])})"),)


class OpenFunctions(Pythonic):
    """The grammar of Gorilla OpenFunctions: the marker stands before each call."""

    format = "openfunctions"
    markerless = False
    lonely = ""
    opens = ("<<function>>",)
    close_optional = True

    def _marked(self, scan: Scanner, start: int, at: int) -> Step[Attempt | None]:
        """One call behind its marker."""
        at = yield from scan.space(at)
        if scan.text[at : at + 1] in ("", "{", "["):
            return (yield from super()._marked(scan, start, at))
        found = yield from read_calls(scan, self.format, at, single=True)
        if found is None or not found[0]:
            return None
        item = found[0][0]
        end = item.span.end - scan.base
        return Attempt(max(found[1], end), (item._replace(span=scan.span(start, end)),))


def _one(call: ParsedCall) -> str:
    return write_python(call.name, call.arguments)


def _list(calls: Sequence[ParsedCall]) -> str:
    return f"[{', '.join(map(_one, calls))}]"


def write_lfm2(calls: Sequence[ParsedCall]) -> str:
    """Write calls between LFM2's tokens."""
    return f"<|tool_call_start|>{_list(calls)}<|tool_call_end|>"


def write_olmo(calls: Sequence[ParsedCall]) -> str:
    """Write one call a line."""
    lines = "\n".join(map(_one, calls))
    return f"<function_calls>\n{lines}\n</function_calls>"


def write_code(calls: Sequence[ParsedCall]) -> str:
    """Write one call a line in a fence."""
    lines = "\n".join(map(_one, calls))
    return f"```tool_code\n{lines}\n```"


def write_functions(calls: Sequence[ParsedCall]) -> str:
    """Write each call behind its marker."""
    return "".join(f"<<function>>{_one(call)}" for call in calls)


def result_lfm2(_call: ParsedCall, result: ToolResult) -> str:
    """Write one result between LFM2's tokens."""
    return f"<|tool_response_start|>{result_json(result)}<|tool_response_end|>"


def result_code(_call: ParsedCall, result: ToolResult) -> str:
    """Write one result in a fence."""
    return f"```tool_output\n{result_json(result)}\n```"


def code_markers() -> tuple[MarkerShape, ...]:
    """The fences of calls and of results."""
    fences = seq(lit("```"), words(("tool_code", "tool_output", "tool_call", "tool_calls"), "_"))
    return (MarkerShape("```", fences, lambda text: Marker("open", "fence", "result" if "output" in text else "call")),)


FORMATS = (
    FormatSpec(
        id="gemma_tool_code", family="pythonic", models="Gemma 3 when asked so", grammar=ToolCode(),
        write_call=lambda call: write_code([call]), write_calls=write_code, write_result=result_code,
        stop_sequences=("```tool_output",),
        marker_shapes=code_markers,
    ),
    FormatSpec(
        id="pythonic", family="pythonic", models="Llama 3.2 and 4, ToolACE, watt-tool, Gemma 3", grammar=Pythonic(),
        write_call=lambda call: _list([call]), write_calls=_list,
    ),
    FormatSpec(
        id="lfm2", family="pythonic", models="LFM2, LFM2.5", grammar=Lfm2(),
        write_call=lambda call: write_lfm2([call]), write_calls=write_lfm2, write_result=result_lfm2,
        special_tokens=True,
    ),
    FormatSpec(
        id="olmo3", family="pythonic", models="OLMo 3", grammar=Olmo3(),
        write_call=lambda call: write_olmo([call]), write_calls=write_olmo,
    ),
    FormatSpec(
        id="openfunctions", family="pythonic", models="Gorilla OpenFunctions v2", grammar=OpenFunctions(),
        write_call=lambda call: write_functions([call]), write_calls=write_functions,
    ),
)  # fmt: skip
