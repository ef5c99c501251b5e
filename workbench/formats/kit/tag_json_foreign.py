"""Bodies that belong to another family, between the markers of a tag that expects JSON: Python calls, function elements.

<tool_call>get_weather(city='Rome')</tool_call>      <TOOLCALL><function name="now"></function></TOOLCALL>
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.core.calls import ParsedCall
from workbench.formats.kit.function_tags import all_calls, read_functions
from workbench.formats.kit.grammar import Attempt
from workbench.formats.kit.python_list import junk_after, read_calls, with_repair

if TYPE_CHECKING:
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.tag_markers import TagMarkers
    from workbench.formats.kit.window import Step


def read_foreign(
    tag: TagMarkers, scan: Scanner, start: int, at: int, repairs: tuple[str, ...], kind: str
) -> Step[Attempt | None]:
    """Read what stands at `at`, behind the opener at `start`; None if it is neither. Near misses need declared names."""
    notes = tuple(dict.fromkeys(("wrong_family", *repairs)))
    if scan.text[at] == "<":
        found = yield from read_functions(scan, start, at, tag.format, notes, tag.closers)
        if found is None or not (kind == "call" or (scan.tools.declared and all_calls(found[0]))):
            return None
        return Attempt(found[1], tuple(found[0]))
    calls = yield from read_calls(scan, tag.format, at)
    if calls is None or not any(isinstance(item, ParsedCall) for item in calls[0]):
        return None
    items = calls[0]
    if kind != "call" and not (scan.tools.declared and all_calls(items)):
        return None
    end = yield from junk_after(scan, calls[1])
    end, more = yield from tag.close(scan, end)
    for note in (*notes, *(code for code in more if code != "again")):
        items = [with_repair(item, note) for item in items]
    items[0] = items[0]._replace(span=items[0].span._replace(start=scan.base + start))
    items[-1] = items[-1]._replace(span=items[-1].span._replace(end=scan.base + end))
    return Attempt(end, tuple(items))
