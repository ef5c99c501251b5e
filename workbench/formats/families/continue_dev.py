"""Continue's tool blocks: a fence with the tool's name on a line, and each argument between two lines.

    ```tool
    TOOL_NAME: get_weather
    BEGIN_ARG: city
    Rome
    END_ARG
    ```

The label before the name, and the fence around it all, are left out at times. Nothing is escaped: in a fence a line `END_ARG`
ends a value where the next argument, the fence or the reply's end follows. Source: Continue's prompts and its parser's tests.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from workbench.formats.kit.call_progress import CALL_NAME
from workbench.formats.kit.calls import Draft, RawText, mention, report, settle
from workbench.formats.kit.grammar import Attempt, Grammar
from workbench.formats.kit.markers import Marker, MarkerShape
from workbench.formats.kit.openers import prefix_regex
from workbench.formats.kit.prefix_patterns import cls, lit, opt, seq
from workbench.formats.kit.spec import FormatSpec, result_json
from workbench.formats.kit.value_end import bare_value

if TYPE_CHECKING:
    from workbench.core.calls import ParsedCall
    from workbench.core.tools import ToolResult
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step

_TOOL, _BEGIN, _END, _FENCE = "TOOL_NAME:", "BEGIN_ARG:", "END_ARG", "```"
_NAME = r"[A-Za-z_][\w.\\\-]{0,63}"
_BLANK = r"[ \t]{0,8}"
_OPEN = rf"^{_BLANK}```tool{_BLANK}\r?\n{_BLANK}(?:{_TOOL}{_BLANK})?{_NAME}{_BLANK}(?=\r?\n)"
_BARE = rf"^{_BLANK}{_TOOL}{_BLANK}{_NAME}{_BLANK}(?=\r?\n)"
_BARE_HELD = rf"(?:{prefix_regex([_TOOL])}|{_TOOL}{_BLANK}(?:{_NAME}{_BLANK}\r?)?)"
_HEAD = re.compile(
    rf"(?P<fence>{_BLANK}```tool{_BLANK}\r?\n)?{_BLANK}(?P<label>{_TOOL}{_BLANK})?(?P<name>{_NAME})", re.IGNORECASE
)
_EXACT = re.compile(rf"```tool\r?\n{_TOOL} {_NAME}\Z")
_LINE_LIMIT = 160
"""A line that names an argument is no longer."""
_WASTE = 65_536
"""Looking for a later end in vain is allowed for so many characters, and some more in long replies."""
_FRESH = re.compile(r"(?:\A|\n)[ \t]{0,8}\Z")


class ContinueDev(Grammar):
    """The grammar."""

    format = "continue_dev"
    spots = "`_"
    reach = 128
    name_shapes = (rf"{_TOOL}{_BLANK}{CALL_NAME}(?=\s)",)
    begins = Grammar.begins | {"fenced"}

    def inside(self) -> tuple[str, ...]:
        """Arguments whose tool is lost."""
        return (_BEGIN, f"\n{_END}")

    def patterns(self) -> tuple[tuple[str, str, str], ...]:
        """The fence and the name behind it, or the labelled name alone."""
        fence = rf"^{_BLANK}(?:{prefix_regex(['```tool'])}|```tool{_BLANK}(?:\r?(?:\n{_BLANK}(?:{_NAME}{_BLANK}\r?|{_BARE_HELD})?)?)?)"
        return (("fenced", _OPEN, fence), ("call", _BARE, rf"^{_BLANK}{_BARE_HELD}"))

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read one call."""
        start, at = match.span()
        head = _HEAD.match(match.group())
        assert head is not None
        name, name_at = head["name"], start + head.start("name")
        exact, labelled = _EXACT.match(match.group().strip()) is not None, head["label"] is not None
        match = head = None  # type: ignore[assignment]
        fenced, known = kind == "fenced", scan.tools.resolve(name).tool is not None
        if not (labelled or known):
            return None
        found = yield from self._arguments(scan, at, fenced=fenced)
        if found is None:
            return self._problem(scan, start, len(scan.text), name, "truncated")
        values, first, end, wrong, repairs = found
        repairs = (*(() if exact else ("near_miss_tag",) if fenced else ("missing_open_tag",)), *repairs)
        after = yield from scan.space(end)
        over = after >= len(scan.text)
        close = (yield from scan.literal(after, _FENCE)) if fenced and not over else -1
        begun = scan.closed and not over and _BEGIN.startswith(scan.tail(after).upper())
        if begun or (over and (scan.cut_short or (fenced and not values))):
            return self._problem(scan, start, len(scan.text) if begun else after, name, "truncated")
        if close < 0 and not (values or over):
            return self._problem(scan, start, end, name, "bad_json") if fenced and labelled else None
        if wrong:
            return self._problem(scan, start, max(close, end), name, wrong)
        repairs += ("missing_close_tag",) if fenced and close < 0 else ()
        end = max(close, end)
        draft = Draft(
            name, RawText(values), scan.span(start, end), scan.span(name_at, name_at + len(name)),
            scan.span(first, end), repairs=tuple(dict.fromkeys(repairs)), format=self.format,
        )  # fmt: skip
        item = settle(draft, scan.tools)
        if item is not None and not (fenced or scan.deferred) and (yield from scan.literal(after, _FENCE)) >= 0:
            scan.problem(mention(item.span, name, "it stands in inline code"))  # whose fence begins inside of a line
            return Attempt(end, as_text=True)
        return None if item is None else Attempt(end, (item,))

    def _arguments(
        self, scan: Scanner, at: int, *, fenced: bool
    ) -> Step[tuple[dict[str, str], int, int, str, tuple[str, ...]] | None]:
        """Read all arguments behind a name: them, where they begin and end, what is wrong with them, and repairs.

        None: the last one has no end.
        """
        values: dict[str, str] = {}
        repairs: dict[str, None] = {}
        wrong, first, end = "", at, at
        while True:
            at = yield from scan.space(end)
            opened = yield from scan.literal(at, _BEGIN)
            if opened < 0:
                return values, first, end, wrong, tuple(repairs)
            first = at if not values else first
            found = yield from self._argument(scan, opened, fenced=fenced)
            if found is None:
                return None
            key, value, end, more = found
            wrong = wrong or ("" if key else "bad_name") or ("ambiguous" if values.get(key, value) != value else "")
            repairs.update(dict.fromkeys((*more, *(("name_dup",) if key in values else ()))))
            values[key] = value

    @staticmethod
    def _problem(scan: Scanner, start: int, end: int, name: str, code: str) -> Attempt:
        what = {
            "truncated": "is cut off", "ambiguous": "gives one argument two values",
            "bad_name": "has an argument without a name", "bad_json": "holds something else than arguments",
        }[code]  # fmt: skip
        return Attempt(end, (report(code, scan.span(start, end), f"The call of {name!r} {what}.", name=name),))

    def _argument(self, scan: Scanner, at: int, *, fenced: bool) -> Step[tuple[str, str, int, tuple[str, ...]] | None]:
        """Read one argument from the end of its label on: its key, its value, where it ends, and repairs; None if it has no end."""
        line = yield from scan.within(at, _LINE_LIMIT, "\n")
        begin = line[0] if line is not None else at
        key = scan.text[at:begin].strip()
        patient = fenced and scan.wasted <= _WASTE + 4 * (scan.base + begin)
        first: tuple[int, int] | None = None
        at = begin
        while (found := (yield from scan.find(at, f"\n{_BEGIN}", _END))) is not None:
            stop, at = found
            if scan.text[stop] == "\n" and first is None:  # its own end is lost
                return key, bare_value(scan.text[begin:stop], lines=True), stop, ("missing_close_tag", "open_value")
            if scan.text[stop] == "\n" or _FRESH.search(scan.text, max(stop - 16, begin), stop) is None:
                continue
            if not patient or (yield from self._ends(scan, at)):
                first = (stop, at)
                break
            first = first or (stop, at)
        if first is None:
            return None
        if found is None:
            scan.wasted += len(scan.text) - first[1]
        text = scan.text[begin : first[0]]
        return key, bare_value(text[: len(text.rstrip(" \t"))], lines=True), first[1], ()

    @staticmethod
    def _ends(scan: Scanner, at: int) -> Step[bool]:
        """True if what may follow an argument stands behind its end."""
        at = yield from scan.space(at)
        return at >= len(scan.text) or (yield from scan.literal(at, _BEGIN, _FENCE, _TOOL)) >= 0


def write_call(call: ParsedCall) -> str:
    """Write one call in its fence."""
    arguments = "".join(
        f"{_BEGIN} {key}\n{value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}\n{_END}\n"
        for key, value in call.arguments.items()
    )
    return f"```tool\n{_TOOL} {call.name}\n{arguments}```"


def write_result(call: ParsedCall, result: ToolResult) -> str:
    """Write one result for the user's turn."""
    return f"Tool output for {call.name} tool call:\n\n{result_json(result)}"


def marker_shapes() -> tuple[MarkerShape, ...]:
    """A fence with the label of a name, the label alone, and an argument."""
    blank = cls(r"[ \t]", 0, 8)
    line = seq(blank, opt(lit("\r")), lit("\n"), blank)
    label = seq(lit(_TOOL), blank, cls(r"[\w.\-]", 0, 64))
    fence = seq(lit("```tool"), line, label, line)
    return (
        MarkerShape("```", seq(fence, lit(_BEGIN)), Marker("open", "tool block", "call", f"{_END}\n{_FENCE}")),
        MarkerShape("```", seq(fence, lit(_FENCE)), Marker("mark", taken="call")),
        MarkerShape(_TOOL, label, Marker("mark", taken="call")),
        MarkerShape(_BEGIN, lit(_BEGIN), Marker("open", "tool argument", "call", _END)),
        MarkerShape(_END, lit(_END), Marker("mark", taken="call")),
    )


FORMATS = (
    FormatSpec(
        id="continue_dev", family="continue_dev", models="any model under Continue", grammar=ContinueDev(),
        write_call=write_call, write_result=write_result, marker_shapes=marker_shapes,
    ),
)  # fmt: skip
