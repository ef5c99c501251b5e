"""Labels between flowers: the function calls of Qwen-Agent's own prompt, and of the first Qwen API.

    ✿FUNCTION✿: get_weather
    ✿ARGS✿: {"city": "Rome"}
    ✿FUNCTION✿: now
    ✿ARGS✿: {}
    ✿RESULT✿: (written by the system)
    ✿RETURN✿: It is sunny.

Where a tool takes code, it may stand in a fence in place of the object. Source: the prompt and the reader of Qwen-Agent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.core.calls import ParsedCall
from workbench.formats.kit.call_progress import CALL_NAME
from workbench.formats.kit.calls import Draft, Item, report, settle
from workbench.formats.kit.grammar import Attempt, Grammar
from workbench.formats.kit.named_json import Head, read_arguments, read_named, stretch
from workbench.formats.kit.spec import FormatSpec, compact, result_json
from workbench.formats.kit.toolset import only_text

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping, Sequence

    from workbench.core.tools import ToolResult
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step

_NAME, _ARGS, _RESULT, _RETURN = "✿FUNCTION✿", "✿ARGS✿", "✿RESULT✿", "✿RETURN✿"
_MARKS = (_NAME, _ARGS, _RESULT, _RETURN)


class QwenAgent(Grammar):
    """The grammar."""

    format = "qwen_agent"
    name_shapes = (rf"{_NAME}:\s{{0,4}}{CALL_NAME}(?=\s{{0,4}}[\n✿])",)
    result_markers = (*Grammar.result_markers, _RESULT)
    turn_tokens = (*Grammar.turn_tokens, f"{_RETURN}:", _RETURN)
    preludes = (_ARGS.casefold(),)

    def literals(self) -> Mapping[str, str]:
        """Return the labels of name and arguments."""
        return {_NAME: "call", _ARGS: "orphan"}

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read one call."""
        start, at = match.span()
        match = None  # type: ignore[assignment]
        if kind == "orphan":
            return (yield from self._nameless(scan, start, at))
        at = yield from self._colon(scan, at)
        found = yield from scan.find(at, "\n", *_MARKS)
        stop = found[0] if found else len(scan.text)
        name = scan.text[at:stop].strip().strip("`*")
        if not name or not scan.tools.nameable(name):
            return None if scan.prose.mentioned() else self._unnamed(scan, start, stop, name)
        name_at = scan.text.index(name, at)
        after = yield from scan.space(stop)
        opened = yield from scan.literal(after, _ARGS)
        if opened < 0 and scan.closed and after < len(scan.text) and _ARGS.startswith(scan.tail(after).upper()):
            end = len(scan.text)
            cut = report("truncated", scan.span(start, end), f"The call of {name!r} is cut off.", name=name)
            return Attempt(end, (cut,))
        head = Head(start, name, name_at, self.format, True, () if opened >= 0 else ("missing_open_tag",))
        body = (yield from self._colon(scan, opened)) if opened >= 0 else after
        item, end = yield from self._arguments(scan, head, body)
        return Attempt(end, (item,)) if item is not None else None

    def _nameless(self, scan: Scanner, start: int, at: int) -> Step[Attempt]:
        """Arguments without a name, as those of a second call behind the first one's: what else stands before may name one."""
        if scan.prose.runaway is None or scan.prose.spoke:
            return Attempt(at)
        at = yield from self._colon(scan, at)
        if scan.text[at : at + 1] != "{" or scan.prose.mentioned():
            return Attempt(at)
        _, end = yield from scan.json_end(at)
        return Attempt(end, (report("bad_name", scan.span(start, end), "The arguments name no tool."),))

    @staticmethod
    def _colon(scan: Scanner, at: int) -> Step[int]:
        """Pass the colon behind a label, and blanks."""
        at = yield from scan.space(at)
        colon = yield from scan.literal(at, ":", "：")
        return (yield from scan.space(colon)) if colon >= 0 else at

    def _arguments(self, scan: Scanner, head: Head, at: int) -> Step[tuple[Item | None, int]]:
        """Read an object, code in a fence, or the one text that the tool takes."""
        inside = yield from scan.fenced(at)
        if inside >= 0:
            return (yield from self._fenced(scan, head, inside))
        reader = read_named if "missing_open_tag" in head.repairs else read_arguments
        return (yield from reader(scan, head, at, _MARKS))

    def _fenced(self, scan: Scanner, head: Head, at: int) -> Step[tuple[Item | None, int]]:
        """What stands in a fence is code, unless it is the object."""
        if scan.text[at : at + 1] == "{":
            item, end = yield from read_named(scan, head._replace(repairs=(*head.repairs, "fenced")), at, _MARKS)
            close = yield from scan.literal((yield from scan.space(end)), "```")
            return (stretch(scan, item, max(close, end)) if isinstance(item, ParsedCall) else item), max(close, end)
        found = yield from scan.find(at, "\n```", *_MARKS)
        closed = found is not None and scan.text[found[0]] == "\n"
        stop, end = (found[0], found[1] if closed else found[0]) if found else (len(scan.text), len(scan.text))
        target = only_text(scan.tools.resolve(head.name).tool)
        span = scan.span(head.start, end)
        if not target or (found is None and scan.cut_short):
            code = "truncated" if found is None else "args_not_object"
            return report(code, span, f"The arguments of {head.name!r} are no JSON object.", name=head.name), end
        named = scan.span(head.name_at, head.name_at + len(head.name))
        repairs = (*head.repairs, "schema_coerced", *(() if closed else ("missing_close_tag",)))
        draft = Draft(
            head.name, {target: scan.text[at:stop]}, span, named, scan.span(at, stop), "", repairs, True, self.format
        )
        return settle(draft, scan.tools), end

    @staticmethod
    def _unnamed(scan: Scanner, start: int, end: int, name: str) -> Attempt:
        code = "bad_name" if name or end < len(scan.text) else "truncated"
        return Attempt(end, (report(code, scan.span(start, end), "The call names no tool.", name=name[:60]),))


def write_call(call: ParsedCall) -> str:
    """Write one call."""
    return f"{_NAME}: {call.name}\n{_ARGS}: {compact(call.arguments)}"


def write_calls(calls: Sequence[ParsedCall]) -> str:
    """Write calls below each other."""
    return "\n".join(map(write_call, calls))


def write_result(_call: ParsedCall, result: ToolResult) -> str:
    """Write one result."""
    return f"{_RESULT}: {result_json(result)}\n{_RETURN}:"


FORMATS = (
    FormatSpec(
        id="qwen_agent", family="qwen_agent", models="Qwen under Qwen-Agent's own prompt", grammar=QwenAgent(),
        write_call=write_call, write_calls=write_calls, write_result=write_result,
        stop_sequences=(_RESULT, _RETURN),
    ),
)  # fmt: skip
