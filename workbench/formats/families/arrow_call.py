"""A call between brackets with arrows, its arguments as options of a command line.

    [TOOL_CALL]
    {tool => "get_weather", args => {
      --city "Rome"
    }}
    [/TOOL_CALL]

Models write it as text when an agent's tools reach them in a form that they do not know. Source: replies of MiniMax M2.1 to
M2.7 in public reports about Hermes Agent and OpenClaw.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, TypeAlias

from workbench.formats.kit.call_progress import CALL_NAME
from workbench.formats.kit.calls import Draft, RawText, report, settle
from workbench.formats.kit.grammar import Attempt, Grammar
from workbench.formats.kit.loose_json import MAX_SIZE, read_json
from workbench.formats.kit.spec import FormatSpec
from workbench.formats.kit.window import INVISIBLE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench.core.calls import ParsedCall
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step

_OPEN, _CLOSE = "[TOOL_CALL]", "[/TOOL_CALL]"
_TRIES = 12
"""So many markers may stand in a value."""
_TOOL = re.compile(r"\s*+\{\s*+tool\s*+=>")
_TOOL_BEGUN = re.compile(r"\s*+(?:\{\s*+(?:t(?:o(?:o(?:l\s*+=?)?)?)?)?)?")
_CALL = re.compile(
    rf"""\s*+["']?(?P<name>[^\s"',]{{1,128}})["']?\s*+,\s*+args\s*+=>\s*+\{{(?P<body>.*?)\}}\s*+\}}?[\s{INVISIBLE}]*+""",
    re.DOTALL,
)
_BENT_OPTION = re.compile(r"(?:\A|(?<=\s))-{3,}(?=[A-Za-z_])")
"""Of an option whose dashes are too many nobody knows whether it is one."""
_OPTION = re.compile(r"(?:\A|(?<=\s))--(?P<key>\w[\w.\-]{0,63})(?:[ \t]++|(?=\s*\Z)|(?=\r?\n))")


_Read: TypeAlias = tuple[re.Match[str], RawText | dict[str, object]]
"""Name and body as they stand, and the arguments."""


class ArrowCall(Grammar):
    """The grammar."""

    format = "arrow_call"
    name_shapes = (rf'tool => "{CALL_NAME}"',)

    def literals(self) -> Mapping[str, str]:
        """The closing marker says nothing by itself."""
        return {_OPEN: "call", _CLOSE: "orphan"}

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read one call up to its closing marker, the next call, or the reply's end."""
        start, at = match.span()
        match = None  # type: ignore[assignment]
        if kind == "orphan":
            return Attempt(at)
        while (head := _TOOL.match(scan.text, at)) is None:
            if _TOOL_BEGUN.fullmatch(scan.text, at) is None or not (yield from scan.more()):
                return self._nothing(scan, start, at)
        at = head.end()
        head = None
        read, end, closed = yield from self._whole(scan, at)
        if read is None or (not closed and scan.cut_short):
            code = "bad_json" if closed else "truncated"
            message = "What stands between the markers is no call." if closed else "The call is cut off."
            return Attempt(end, (report(code, scan.span(start, end), message),))
        parts, values = read
        draft = Draft(
            parts["name"], values, scan.span(start, end), scan.span(*parts.span("name")),
            scan.span(*parts.span("body")), repairs=() if closed else ("missing_close_tag",), format=self.format,
        )  # fmt: skip
        item = settle(draft, scan.tools)
        return None if item is None else Attempt(end, (item,))

    @staticmethod
    def _nothing(scan: Scanner, start: int, at: int) -> Attempt | None:
        """No arrow follows: the beginning of a call only where the reply ends there."""
        begun = scan.closed and _TOOL_BEGUN.fullmatch(scan.text, at) is not None and "{" in scan.text[at:]
        end = len(scan.text)
        return Attempt(end, (report("truncated", scan.span(start, end), "The call is cut off."),)) if begun else None

    @staticmethod
    def _whole(scan: Scanner, at: int) -> Step[tuple[_Read | None, int, bool]]:
        """Return what stands before the first closing marker that ends a whole call, where that marker ends, and whether there is one."""
        place, soft, closed = at, None, False
        for _ in range(_TRIES):
            found = yield from scan.find(place, _CLOSE, _OPEN)
            if found is None:
                break
            closes = scan.text[found[0] : found[1]].casefold() == _CLOSE.casefold()
            if closes and (read := _read(scan.text, at, found[0])) is not None:
                return read, found[1], True
            if soft is None:
                soft, closed = found, closes
            place = found[1]
        if closed and soft is not None:
            return None, soft[1], True
        end = soft[0] if soft is not None else len(scan.text)
        return _read(scan.text, at, end), end, False


def _read(text: str, at: int, stop: int) -> _Read | None:
    """Read name and arguments between two indexes; None where anything else stands there."""
    parts = _CALL.fullmatch(text, at, stop) if stop - at <= MAX_SIZE else None
    values = _options(parts["body"]) if parts is not None else None
    return (parts, values) if parts is not None and values is not None else None


def _options(body: str) -> RawText | dict[str, object] | None:
    """Read arguments that are written as options, or as JSON; None where they are neither."""
    if not body.strip():
        return {}
    if not body.lstrip().startswith("--"):
        whole = "{" + body + "}"
        read = read_json(whole, 0)
        return read.value if not read.error and read.end == len(whole) and isinstance(read.value, dict) else None
    values: dict[str, str] = {}
    at = 0
    while (option := _OPTION.search(body, at)) is not None:
        if body[at : option.start()].strip() or option["key"] in values:
            return None
        begin = option.end()
        if body[begin : begin + 1] == '"':
            read = read_json(body, begin)
            if read.error or not isinstance(read.value, str):
                return None
            values[option["key"]], at = read.value, read.end
        else:
            following = _OPTION.search(body, begin)
            at = following.start() if following is not None else len(body)
            text = body[begin:at].strip()
            if _BENT_OPTION.search(text):
                return None
            if '"' in text and ((read := read_json(text, 0)).error or read.end < len(text)):
                return None
            values[option["key"]] = text
    return RawText(values) if values and not body[at:].strip() else None


def write_call(call: ParsedCall) -> str:
    """Write one call."""
    options = "".join(f"  --{key} {json.dumps(value, ensure_ascii=False)}\n" for key, value in call.arguments.items())
    return f'[TOOL_CALL]\n{{tool => "{call.name}", args => {{\n{options}}}}}\n[/TOOL_CALL]'


FORMATS = (
    FormatSpec(
        id="arrow_call", family="arrow_call", models="MiniMax M2 under agents that do not know its tags",
        grammar=ArrowCall(), write_call=write_call, tags=("tool_call",),
    ),
)  # fmt: skip
