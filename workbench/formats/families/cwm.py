"""Code World Model: a tag with the tool's name, and plain text for its one argument.

    <tool: bash>
    ls -la
    </tool>

A tool with more arguments gets them as a JSON object. Served models also write `<tool: function>` with the name on the next
line, and leave the `>` out. Source: the model's card, and the tests of vLLM's parser.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from workbench.core.calls import Span
from workbench.formats.kit.bent_close import without_close
from workbench.formats.kit.call_progress import CALL_NAME
from workbench.formats.kit.calls import MISSING, Draft, decode_arguments, report, settle
from workbench.formats.kit.early_close import with_rest
from workbench.formats.kit.grammar import Attempt, Grammar
from workbench.formats.kit.json_end import End
from workbench.formats.kit.loose_json import read_json
from workbench.formats.kit.spec import FormatSpec, compact, result_json
from workbench.formats.kit.toolset import only_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench.core.calls import ParsedCall
    from workbench.core.tools import ToolResult
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step

_OPEN, _CLOSE, _WIDE = "<tool: ", "</tool>", "</tool >"
_NEXT = f"\n{_OPEN}"
"""Another call, as it begins behind text that was not closed."""
_BENT = re.compile(r"\s*</?[^<>\n]{0,12}>?\s*")
"""What damage makes of a closing tag, behind an object."""
_ENCODED = re.compile(r"""(?:\\[nrt])*(?:"\{\s{0,4}\\"|\{\s{0,4}")""")
_ESCAPED_ENDS = re.compile(r"\A(?:\\[nrt])+|(?:\\[nrt])+\Z")
"""An object that was made a string first, or stands between escaped newlines."""


class Cwm(Grammar):
    """The grammar."""

    format = "cwm"
    name_shapes = (rf"<tool: {CALL_NAME}>",)

    def literals(self) -> Mapping[str, str]:
        """Return the tag; its end is `>` or lost."""
        return {_OPEN: "call", _CLOSE: "orphan", _WIDE: "orphan"}

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read one call."""
        start, at = match.span()
        match = None  # type: ignore[assignment]
        if kind == "orphan":
            return Attempt(at)
        found = yield from scan.find(at, ">", "\n", " ", _CLOSE)
        name = scan.text[at : found[0]] if found else ""
        if found is None or not scan.tools.nameable(name):
            return None
        name_at, body = at, found[1] if scan.text[found[0]] in "> \n" else found[0]
        repairs: tuple[str, ...] = () if scan.text[found[0]] == ">" else ("near_miss_tag",)
        if scan.text[found[0]] == " " and (shut := (yield from scan.literal((yield from scan.space(body)), ">"))) >= 0:
            body = shut
        if name == "function" and name not in scan.tools.by_name:
            name_at = yield from scan.space(body)
            found = yield from scan.find(name_at, " ", "\n", _CLOSE)
            body = found[0] if found else len(scan.text)
            name, repairs = scan.text[name_at:body], ("near_miss_tag",)
            if not scan.tools.nameable(name):
                return None
        return (yield from self._call(scan, (start, name_at, body), name, repairs))

    def _call(
        self, scan: Scanner, places: tuple[int, int, int], name: str, repairs: tuple[str, ...]
    ) -> Step[Attempt | None]:
        """Read what stands between the tags: an object, or the one text that the tool takes."""
        start, name_at, at = places
        value: Any = MISSING
        again = yield from scan.literal((yield from scan.space(at)), f"{_OPEN}{name}>")
        if again >= 0:
            at, repairs = again, (*repairs, "name_dup")
        begin, plain = (yield from scan.brace(at)), (yield from scan.space(at))
        repairs += scan.odd_layout(plain, begin)
        search = begin
        if scan.text[begin : begin + 1] == "{":
            state, stop = yield from scan.json_end(begin)
            read = read_json(scan.text, begin, stop)
            if state is End.DONE and not read.error and isinstance(read.value, dict):
                value, search, more = yield from with_rest(scan, name, read.value, stop)
                repairs = (*repairs, *read.repairs, *more)
            else:
                repairs = (*repairs, "text_as_argument")
        follows = (yield from scan.literal(plain, _OPEN)) >= 0  # nothing stands before the next call
        found = yield from scan.find(search, _CLOSE, _WIDE, _OPEN if follows or value is not MISSING else _NEXT)
        if found is not None and (token := scan.text[found[0] : found[1]].lower()) != _CLOSE:
            bent = token == _WIDE or _BENT.fullmatch(scan.text, search, found[0]) is not None
            repairs = (*repairs, "near_miss_tag" if bent else "missing_close_tag")
            if token == _NEXT:
                found = (found[0], found[0])
            elif token == _OPEN:  # the next call begins
                found = (found[0], found[0]) if bent else (search, search)
        if found is None and "text_as_argument" in repairs:
            problem = report(
                "truncated", scan.span(start, len(scan.text)), f"The call of {name!r} is cut off.", name=name
            )
            return Attempt(len(scan.text), (problem,))
        stop, end = found or (len(scan.text), len(scan.text))
        if found is None:
            if scan.cut_short or scan.prose.mentioned():
                problem = report("truncated", scan.span(start, end), f"The call of {name!r} is cut off.", name=name)
                return Attempt(end, (problem,))
            repairs = (*repairs, "missing_close_tag")
        text = (
            without_close(scan.text[at:stop].strip(), _CLOSE)[0].rstrip() if stop == end else scan.text[at:stop].strip()
        )
        if value is MISSING and text:
            tool = scan.tools.resolve(name).tool
            inner = decode_arguments(_ESCAPED_ENDS.sub("", text)) if _ENCODED.match(text) else ("", ())
            decoded = isinstance(inner[0], dict)
            key = only_text(tool, "" if decoded else text) if tool else "" if scan.tools.declared else "command"
            if not key and tool is not None:
                message = f"What stands in the tag is no argument of {name!r}."
                return Attempt(end, (report("args_not_object", scan.span(start, end), message, name=name),))
            if isinstance(inner[0], dict):
                value, repairs = inner[0], (*repairs, *inner[1])
            else:
                value = {key: text} if key else {}
        named = scan.span(name_at, name_at + len(name))
        inside = scan.span(at, stop) if text else Span(named.end, named.end)
        draft = Draft(name, value, scan.span(start, end), named, inside, repairs=repairs, format=self.format)
        item = settle(draft, scan.tools)
        return None if item is None else Attempt(end, (item,))


def write_call(call: ParsedCall) -> str:
    """Write one call; the tag's end in a value is written so that it is none."""
    arguments = compact(call.arguments).replace(_CLOSE, "<\\/tool>")
    return f"{_OPEN}{call.name}>\n{arguments}\n{_CLOSE}"


def write_result(_call: ParsedCall, result: ToolResult) -> str:
    """Write one result for the user's turn."""
    return result_json(result)


FORMATS = (
    FormatSpec(
        id="cwm", family="cwm", models="Code World Model", grammar=Cwm(),
        write_call=write_call, write_result=write_result, markers=((_OPEN, _CLOSE),),
    ),
)  # fmt: skip
