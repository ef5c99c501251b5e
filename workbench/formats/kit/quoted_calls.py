"""A JSON list of strings that are Python calls: `["get_weather(city='Rome')", "now()"]`."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from workbench.core.calls import ParsedCall
from workbench.formats.kit.calls import Draft, settle
from workbench.formats.kit.json_end import End
from workbench.formats.kit.python_end import PythonEnd
from workbench.formats.kit.pythonic import CALLEE, bound, read_python_call

if TYPE_CHECKING:
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step

_STRING = re.compile(r"\s*(\"(?:[^\"\\]++|\\.)*+\"|'(?:[^'\\]++|\\.)*+')\s*(?:,\s*)?", re.DOTALL)


def quoted_calls(scan: Scanner, start: int, form: str) -> Step[tuple[list[ParsedCall], int] | None]:
    """Read the list that opens at `start`; None unless each of its strings is a whole call that can be given out."""
    state, stop = yield from scan.json_end(start, PythonEnd())
    if state is not End.DONE or scan.text[stop - 1] != "]":
        return None
    calls: list[ParsedCall] = []
    at = start + 1
    while (match := _STRING.match(scan.text, at, stop - 1)) is not None:
        call = _call(scan, *match.span(1), form)
        if call is None:
            return None
        calls.append(call)
        at = match.end()
    return (calls, stop) if at == stop - 1 and calls else None


def _call(scan: Scanner, start: int, end: int, form: str) -> ParsedCall | None:
    """Read the call in the string literal at `start`."""
    try:
        text = ast.literal_eval(scan.text[start:end]).strip()
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    callee = CALLEE.match(text)
    walk = PythonEnd()
    if callee is None or walk.feed(text, callee.end() - 1) is not End.DONE or walk.at != len(text):
        return None
    call = read_python_call(text, 0, callee.end() - 1, len(text))
    if isinstance(call, str):
        return None
    arguments = bound(call, scan.tools.resolve(call.name).tool)
    if arguments is None:
        return None
    at = scan.text.find(call.name, start, end)
    opens, closes = scan.text.find("(", at, end) + 1, scan.text.rfind(")", at, end)
    draft = Draft(
        call.name, arguments[0], scan.span(start, end), scan.span(at, at + len(call.name)), scan.span(opens, closes),
        repairs=("double_encoded", *call.repairs, *arguments[1]), format=form,
    )  # fmt: skip
    item = settle(draft, scan.tools)
    return item if isinstance(item, ParsedCall) else None
