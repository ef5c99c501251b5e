"""Llama 3.1 to 4: plain JSON with `parameters`, the python token, and the custom function tag (also Functionary v3.1).

    {"name": "get_weather", "parameters": {"city": "Rome"}}                llama3_json
    <|python_tag|>get_weather.call(city="Rome")                            llama3_json, built-in tools
    <|python_start|>…<|python_end|>                                        llama3_json, Llama 4
    <function=get_weather>{"city": "Rome"}</function>                      llama31_function

A list of Python calls (`[get_weather(city="Rome")]`, which another template of Llama 4 asks for) is read where its tools are
declared. JSON must follow the token directly. Servers stop at `</function>`, so it may be missing; we do not, as several calls may come. Source: Meta's prompt formats.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.core.calls import ParsedCall, ParseProblem
from workbench.formats.kit.bare_json import BareJson
from workbench.formats.kit.calls import Draft, RawText, report, settle
from workbench.formats.kit.envelope import Envelope
from workbench.formats.kit.grammar import Attempt, Grammar
from workbench.formats.kit.markers import Marker, MarkerShape
from workbench.formats.kit.named_json import WORD, Head, read_named, read_unopened, stretch
from workbench.formats.kit.prefix_patterns import lit
from workbench.formats.kit.python_calls import bound, walk_call
from workbench.formats.kit.python_list import only_shown, read_calls, with_repair
from workbench.formats.kit.spec import FormatSpec, compact
from workbench.formats.kit.tag_shape import CODER
from workbench.formats.kit.tagged import read_call

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step

_TAG = re.compile(
    r"""<function(?:=|\s++(?:name=)?)["']?([A-Za-z_][^<>"'\n{}]{0,127}?)["']?[ \t]*+(?:(?:\[[ \t]*\]|\([ \t]*\))[ \t]*+(?=[>{]))?([(,]?)[ \t]*+(?:>|(?=[{\[]))""",
    re.IGNORECASE,
)
"""Brackets with nothing in them, behind the name, say nothing."""
_ATTRIBUTED = re.compile(
    r"""<function\s*+=\s*+["']?([A-Za-z_][\w.:/\-]{0,127})["']?((?:\s++[\w.\-]{1,64}\s*+=\s*+(?:"[^"<>\n]*+"|'[^'<>\n]*+'))++)\s*+(/?)>""",
    re.IGNORECASE,
)
_GIVEN = re.compile(r"""\s*+(?:,\s*+)?([\w.\-]{1,64})\s*+=\s*+(?:"([^"\\\n]*+)"|'([^'\\\n]*+)')""")
"""One argument as an attribute has it."""
_REACH = 1000
"""No tag with its name is longer."""
_EXACT = re.compile(r"<function=[\w.\-:/]+>")
_CALLS = (
    "calls", r"\[\s{0,20}(?=[A-Za-z_][\w.\-]{0,127}\s{0,4}\()", r"\[\s{0,20}(?:[A-Za-z_][\w.\-]{0,127}\s{0,4})?",
)  # fmt: skip


class Llama3Json(BareJson):
    """The grammar of plain JSON and the python token."""

    format = "llama3_json"
    reads = ("orphan", "token")
    envelope = Envelope("name", ("parameters",))
    single = True
    spots = "{("
    result_markers = (*Grammar.result_markers, "<|start_header_id|>ipython<|end_header_id|>")

    def patterns(self) -> tuple[tuple[str, str, str], ...]:
        """Look for JSON, and for a list of Python calls."""
        return (*super().patterns(), _CALLS)

    def _calls(self, scan: Scanner, start: int, at: int) -> Step[Attempt | None]:
        """Read a list of Python calls to declared tools, alone on its lines; behind a token, to any."""
        alone = scan.prose.fresh_line and scan.tools.declared
        found = yield from read_calls(scan, self.format, at)
        good = found is not None and bool(found[0]) and found[2]
        if found is None or not good or not all(isinstance(item, ParsedCall) for item in found[0]):
            return None
        items, end, _ = found
        if (yield from only_shown(scan, items, end)):
            return None
        after = yield from scan.space(end)
        alone = alone and (after >= len(scan.text) or "\n" in scan.text[end:after] or scan.text[after] == "<")
        if start == at and not alone:
            return None
        if start < at:
            items[0] = items[0]._replace(span=scan.span(start, items[0].span.end - scan.base))
        return Attempt(end, tuple(with_repair(item, "wrong_family") for item in items))

    def literals(self) -> Mapping[str, str]:
        """Return the python tokens."""
        tokens = {"<|python_tag|>": "token", "<|python_start|>": "token", "<|python_end|>": "orphan"}
        return {**super().literals(), **tokens}

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read what follows a token, or plain JSON."""
        start, at = match.span()
        if kind == "orphan":
            return Attempt(at)
        if kind == "calls":
            match = None  # type: ignore[assignment]
            return (yield from self._calls(scan, start, start))
        if kind != "token":
            return (yield from super().read(scan, match, kind))
        match = None  # type: ignore[assignment]
        at = yield from scan.space(at)
        if scan.text[at : at + 1] == "[":
            attempt = yield from self._calls(scan, start, at)
            if attempt is not None:
                return attempt
        if scan.text[at : at + 1] in ("{", "["):
            attempt = yield from self.value(scan, start, at, marked=True)
            return attempt
        if scan.text[at : at + 1] == "[":
            at += 1
        found = yield from walk_call(scan, at)
        if found is None:
            return self._no_call(scan, start, at)
        call, end = found
        if isinstance(call, str):
            name = scan.text[at:end].split("(")[0].removesuffix(".call")
            if name not in scan.tools.by_name:
                return self._no_call(scan, start, at)
            return Attempt(
                end, (report(call, scan.span(start, end), f"The call of {name!r} cannot be read.", name=name),)
            )
        name = call.name.removesuffix(".call")
        values = bound(call, scan.tools.resolve(name).tool)
        if values is None or (name == call.name and name not in scan.tools.by_name):
            return self._no_call(scan, start, at)
        draft = Draft(
            name, values[0], scan.span(start, end), scan.span(call.start, call.start + len(name)),
            scan.span(call.open, call.close), repairs=call.repairs + values[1], format=self.format,
        )  # fmt: skip
        item = settle(draft, scan.tools)
        return Attempt(end, (item,)) if item is not None else self._no_call(scan, start, at)

    @staticmethod
    def _no_call(scan: Scanner, start: int, at: int) -> Attempt:
        """A program for an interpreter, or what no reader knows: told, and shown."""
        if scan.prose.mentioned():
            return Attempt(at)
        return Attempt(at, (report("bad_json", scan.span(start, at), "What follows the token is no call."),))


class Llama31Function(Grammar):
    """The grammar of the function tag with JSON."""

    format = "llama31_function"
    spots = "{"
    reach = 96

    def literals(self) -> Mapping[str, str]:
        """Return the tag's beginnings and its close."""
        return {"<function=": "call", "<function ": "call", "</function>": "orphan"}

    def patterns(self) -> tuple[tuple[str, str, str], ...]:
        """The opening tag may be lost: `NAME{…}</function>`."""
        return (("named", *WORD),)

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read one tag."""
        start, at = match.span()
        word = match.group()
        match = None  # type: ignore[assignment]
        if kind == "orphan":
            return Attempt(at)
        if kind == "named":
            named = yield from read_unopened(scan, start, word.strip(), "</function>", self.format)
            return Attempt(named[1], (named[0],)) if named else None
        stop = yield from scan.within(at, _REACH, ">", "{", "<")
        tag = _TAG.match(scan.text, start, stop[1]) if stop is not None else None
        if tag is None:
            if stop is not None and scan.text[stop[0]] == ">" and (tag := _ATTRIBUTED.match(scan.text, start, stop[1])):
                name, name_at, given, end = tag.group(1), tag.start(1), tag.span(2), tag.end()
                close = end if tag.group(3) else -1
                tag = None
                if close < 0:
                    close = yield from scan.literal((yield from scan.space(end)), "</function>")
                return self._attributes(scan, Head(start, name, name_at, self.format), given, close)
            return self._cut(scan, start, at)
        name, name_at, body, bracket = tag.group(1).strip(), tag.start(1), tag.end(), tag.group(2)
        tag = None
        exact = _EXACT.match(scan.text, start) is not None
        ahead = yield from scan.space(body)
        if (yield from scan.literal(ahead, *CODER.param_starts)) >= 0:
            return (yield from self._coder(scan, start))
        mentioned = bool(scan.prose.mentioned())
        closed = yield from scan.literal(ahead, "</function>")
        head = Head(start, name, name_at, self.format, True, () if exact else ("near_miss_tag",))
        empty = yield from scan.literal(ahead, "[]")
        behind = (yield from scan.space(empty)) if empty >= 0 else ahead
        if empty >= 0 and scan.text[behind : behind + 1] == "{":
            ahead, head = behind, head._replace(repairs=("near_miss_tag",))
        if scan.text[ahead : ahead + 1] not in ("{", "[", '"', "") and closed < 0:
            return (yield from self._other_body(scan, head, ahead))
        if closed >= 0:
            ahead = closed - len("</function>")
        if mentioned and ahead >= len(scan.text):
            return None
        if closed < 0 and ahead >= len(scan.text) and not scan.tools.declared:
            return self._cut_off(scan, start, name)
        item, end = yield from read_named(scan, head, ahead, ("</function>", "<function="))
        if item is None:
            return None
        if isinstance(item, ParseProblem):
            return Attempt(end, (item,))
        return (yield from self._close(scan, item, end, ")" if bracket == "(" else ""))

    def _other_body(self, scan: Scanner, head: Head, at: int) -> Step[Attempt | None]:
        """The object stands in backticks, or the arguments as attributes would; None: neither, or a key is not declared."""
        inside = yield from scan.fenced(at)
        if inside < 0 and (yield from scan.literal(at, "`{")) >= 0:
            inside = at + 1
        if inside < 0 or scan.text[inside : inside + 1] != "{":
            known = scan.tools.resolve(head.name).tool is not None
            found = (yield from scan.within(at, _REACH, "</function>")) if known else None
            return self._attributes(scan, head, (at, found[0]), found[1]) if found is not None else None
        ticks = "```" if scan.text.startswith("```", at) else "`"
        head = head._replace(repairs=(*head.repairs, "fenced"))
        item, end = yield from read_named(scan, head, inside, (ticks, "</function>", "<function="))
        tool = scan.tools.resolve(head.name).tool
        if not isinstance(item, ParsedCall) or (
            tool is not None and not item.arguments.keys() <= tool.properties.keys()
        ):
            return None
        end = max(end, (yield from scan.literal((yield from scan.space(end)), ticks)))
        return (yield from self._close(scan, item, end, ""))

    def _attributes(self, scan: Scanner, head: Head, given: tuple[int, int], end: int) -> Attempt | None:
        """Arguments as attributes have them, from one place to another, of a call that ends at `end`: all must be declared."""
        tool = scan.tools.resolve(head.name).tool
        values: dict[str, str] = {}
        at, stop = given
        while (one := _GIVEN.match(scan.text, at, stop)) is not None and one.group(1) not in values:
            values[one.group(1)] = one.group(2) if one.group(2) is not None else one.group(3)
            at = one.end()
        one = None
        whole = bool(values) and end >= 0 and not scan.text[at:stop].strip()
        if tool is None or not whole or not values.keys() <= tool.properties.keys() or tool.missing(values):
            return None
        draft = Draft(
            head.name, RawText(values), scan.span(head.start, end),
            scan.span(head.name_at, head.name_at + len(head.name)), scan.span(*given),
            repairs=("near_miss_tag",), format=self.format,
        )  # fmt: skip
        item = settle(draft, scan.tools)
        return None if item is None else Attempt(end, (item,))

    def _close(self, scan: Scanner, item: ParsedCall, end: int, bracket: str) -> Step[Attempt]:
        after = yield from scan.space(end)
        if bracket and (shut := (yield from scan.literal(after, f"{bracket}>", bracket))) >= 0:
            end = shut
            after = yield from scan.space(end)
        extra = scan.text[after : after + 1] == "}"
        if extra:
            after = yield from scan.space(after + 1)
        close = yield from scan.literal(after, "</function>")
        repairs = ("extra_brace",) if extra else ()
        if close >= 0:
            return Attempt(close, (stretch(scan, item, close, *repairs),))
        if after >= len(scan.text) or (scan.closed and "</function>".startswith(scan.tail(after))):
            return Attempt(len(scan.text), (stretch(scan, item, end, *repairs),))
        return Attempt(end, (stretch(scan, item, end, *repairs, "missing_close_tag"),))

    def _coder(self, scan: Scanner, start: int) -> Step[Attempt | None]:
        """Coder XML under the same opener."""
        found = yield from read_call(
            scan, start, start, CODER, canonical=True, form="qwen3_coder_xml", repairs=("wrong_family",)
        )
        if found is None:
            return None
        draft, end = found
        item = draft if isinstance(draft, ParseProblem) else settle(draft, scan.tools)
        return None if item is None else Attempt(end, (item,))

    def _cut(self, scan: Scanner, start: int, at: int) -> Attempt | None:
        rest = scan.tail(at)
        if not scan.closed or len(rest) > 128 or any(char in rest for char in "<>\n \t"):
            return None
        return self._cut_off(scan, start, rest)

    @staticmethod
    def _cut_off(scan: Scanner, start: int, name: str) -> Attempt:
        """Tell of a call that ends with its tag, or in it."""
        message = "The reply ends inside a call's tag."
        return Attempt(len(scan.text), (report("truncated", scan.span(start, len(scan.text)), message, name=name),))


def write_json(call: ParsedCall) -> str:
    """Write one call as JSON."""
    return compact({"name": call.name, "parameters": call.arguments})


def write_tag(call: ParsedCall) -> str:
    """Write one call in its tag."""
    return f"<function={call.name}>{compact(call.arguments)}</function>"


def marker_shapes() -> tuple[MarkerShape, ...]:
    """The token before Python or JSON: the message's end closes what it opens."""
    return (MarkerShape("<|python_tag|>", lit("<|python_tag|>"), Marker("open", "message", "call")),)


FORMATS = (
    FormatSpec(
        id="llama3_json", family="llama3", models="Llama 3.1–3.3, Llama 4 with its own template", grammar=Llama3Json(),
        write_call=write_json, stop_sequences=("<|eom_id|>", "<|eot_id|>"),
        marker_shapes=marker_shapes,
    ),
    FormatSpec(
        id="llama31_function", family="llama3", models="Llama 3.1 custom tools, Functionary v3.1",
        grammar=Llama31Function(), write_call=write_tag,
    ),
)  # fmt: skip
