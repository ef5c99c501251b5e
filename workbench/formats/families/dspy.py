"""DSPy's adapters: fields under headers of their own; a call is two fields, or JSON with a list in one.

    [[ ## next_thought ## ]]⏎I need the weather.⏎⏎[[ ## next_tool_name ## ]]⏎get_weather⏎⏎[[ ## next_tool_args ## ]]⏎{"city": "Rome"}⏎⏎[[ ## completed ## ]]
    [[ ## next_tool_calls ## ]]⏎{"tool_calls": [{"name": "get_weather", "args": {"city": "Rome"}}]}⏎⏎[[ ## completed ## ]]
    <next_tool_name>get_weather</next_tool_name>⏎<next_tool_args>{"city": "Rome"}</next_tool_args>

`finish` is no tool: it says that nothing more is called. Source: DSPy's chat and XML adapters and its ReAct.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.core.calls import ParsedCall
from workbench.formats.kit.call_progress import CALL_NAME
from workbench.formats.kit.calls import declined, report
from workbench.formats.kit.envelope import Envelope
from workbench.formats.kit.grammar import Attempt
from workbench.formats.kit.markers import Marker, MarkerShape
from workbench.formats.kit.named_json import Head, read_arguments, stretch
from workbench.formats.kit.prefix_patterns import ahead, cls, lit, seq
from workbench.formats.kit.spec import FormatSpec, compact
from workbench.formats.kit.tag_json import TagJson

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workbench.core.calls import ParseProblem
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step


def _field(name: str) -> str:
    return f"[[ ## {name} ## ]]"


NAME, ARGS, LISTS = "next_tool_name", "next_tool_args", ("next_tool_calls", "tool_calls")
DONE = _field("completed")
_NAMES, _ARGS = (_field(NAME), f"<{NAME}>"), (_field(ARGS), f"<{ARGS}>")
_SHUT = (f"</{NAME}>", f"</{ARGS}>")
_OWN = "|".join((NAME, ARGS, *LISTS, "completed"))
_OTHER = seq(lit("[[ ## "), ahead(rf"(?!(?:{_OWN}) )"), cls(r"\w", 1, 60), lit(" ## ]]"))
"""The header of any other field; what stands below it is said."""
_WORD = re.compile(rf"[\s\"'`]*([A-Za-z_][\w.\\\-]{{0,127}})[\"'`]?[ \t]*(?=\s*\Z|\n|{_SHUT[0]})")
_FINISH = "finish"
_REACH = 220


class Dspy(TagJson):
    """The grammar."""

    format = "dspy"
    reads = ("named", "orphan", "said")
    spots = "["
    reach = 80
    envelope = Envelope("name", ("args",), many="tool_calls", silent=(_FINISH,))
    opens = tuple(map(_field, LISTS))
    closes = (DONE,)
    close_optional = True
    near_misses: Mapping[str, str] = {}
    begins = frozenset(("call", "named"))
    name_shapes = (rf"(?:\[\[ ## {NAME} ## \]\]|<{NAME}>)\s{{0,9}}{CALL_NAME}(?=\s)",)

    def literals(self) -> Mapping[str, str]:
        """Return the headers of all fields."""
        return {
            **dict.fromkeys((*_ARGS, *_SHUT), "orphan"),
            **super().literals(),
            **dict.fromkeys(_NAMES, "named"),
            DONE: "said",
        }

    def patterns(self) -> tuple[tuple[str, str, str], ...]:
        """A signature names its fields as it likes; without a header nothing is a call of this format."""
        return (("said", *_OTHER),)

    def ends(self, marker: str) -> bool:
        """True of what closes a field; headers begin the next one."""
        return marker.casefold() in (DONE, *_SHUT)

    def inside(self) -> tuple[str, ...]:
        """Arguments whose name is lost."""
        return _ARGS

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read the two fields of a call; the list of calls is JSON under its header."""
        start, at = match.span()
        header = match.group().lower()
        if kind not in self.reads:
            return (yield from super().read(scan, match, kind))
        match = None  # type: ignore[assignment]
        if kind == "said":
            return Attempt(at)
        if kind == "orphan":
            return None if header in _ARGS and not scan.deferred else Attempt(at)
        found = yield from scan.within(at, _REACH, *_ARGS, "{", DONE)
        end = found[0] if found else len(scan.text)
        bare = found is None or scan.text[found[0] : found[1]].lower() not in _ARGS
        named = _WORD.match(scan.text, at, end)
        if named is None and not bare and found is not None:
            end = yield from self._object(scan, found[1])
            return Attempt(end, (report("bad_name", scan.span(start, end), "No tool's name stands under its header."),))
        if named is None or (found is None and not scan.closed):
            return None
        name, name_at = named[1], named.start(1)
        if name == _FINISH and name not in scan.tools.by_name:
            end = yield from self._object(scan, end if found is None or bare else found[1])
            return Attempt(end, (declined(scan.span(start, end), _FINISH),))
        if found is None:
            span = scan.span(start, end)
            return Attempt(end, (report("truncated", span, f"The call of {name!r} is cut off.", name=name),))
        head = Head(start, name, name_at, self.format, True, ("missing_open_tag",) if bare else ())
        item, end = yield from read_arguments(scan, head, found[0] if bare else found[1], (DONE, *_NAMES, _SHUT[1]))
        return None if item is None else (yield from self._closed(scan, item, end))

    @staticmethod
    def _object(scan: Scanner, at: int) -> Step[int]:
        """Pass the object that stands at `at`."""
        begin = yield from scan.space(at)
        return (yield from scan.json_end(begin))[1] if scan.text[begin : begin + 1] == "{" else at

    @staticmethod
    def _closed(scan: Scanner, item: ParsedCall | ParseProblem, end: int) -> Step[Attempt]:
        """What ends the last field belongs to the call."""
        for closer in (_SHUT[1], DONE):
            shut = yield from scan.literal((yield from scan.space(end)), closer)
            if shut >= 0:
                end = shut
                item = stretch(scan, item, end) if isinstance(item, ParsedCall) else item
        return Attempt(end, (item,))


def write_call(call: ParsedCall) -> str:
    """Write one call as two fields."""
    return f"{_field(NAME)}\n{call.name}\n\n{_field(ARGS)}\n{compact(call.arguments)}\n\n{DONE}"


def write_calls(calls: Sequence[ParsedCall]) -> str:
    """Write several calls as the list that one field holds."""
    if len(calls) == 1:
        return write_call(calls[0])
    body = {"tool_calls": [{"name": call.name, "args": call.arguments} for call in calls]}
    return f"{_field(LISTS[0])}\n{compact(body)}\n\n{DONE}"


FORMATS = (
    FormatSpec(
        id="dspy", family="dspy", models="any model under DSPy", grammar=Dspy(),
        write_call=write_call, write_calls=write_calls,
        marker_shapes=lambda: (MarkerShape("[[ ## ", _OTHER, Marker("mark")),),
    ),
)  # fmt: skip
