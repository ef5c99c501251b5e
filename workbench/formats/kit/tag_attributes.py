"""Calls whose tag carries attributes: an id that says nothing, or the name and the arguments themselves.

<tool_call id="1">{"name": "get_weather", "arguments": {"city": "Rome"}}</tool_call>
<tool_call name="get_weather" arguments={"city": "Rome"} />
<tool_call name="get_weather">{"city": "Rome"}</tool_call>
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.core.calls import ParsedCall
from workbench.formats.kit.calls import Draft, Item, settle
from workbench.formats.kit.element_body import read_pairs
from workbench.formats.kit.grammar import Attempt
from workbench.formats.kit.json_end import End
from workbench.formats.kit.loose_json import read_json
from workbench.formats.kit.named_json import Head, read_named, stretch
from workbench.formats.kit.python_list import with_repair
from workbench.formats.kit.tag_shape import OPEN_QUOTE

if TYPE_CHECKING:
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.tag_json import TagJson
    from workbench.formats.kit.window import Step

_REACH = 320
_ATTRIBUTES = re.compile(r"""(?:\s*[\w:.\-]{1,40}\s*=\s*(?:"[^"<\n]*+"|'[^'<\n]*+'))*+\s*""")
_NAME = re.compile(r"""(?:^|\s)name\s*=\s*["']([\w.:/\-]{1,128})["']""")
_FILLED = re.compile(r"(?:arguments|parameters|args|input|params)\s*=\s*[\"']?\Z")
_END = re.compile(r"[\"']?\s*/?>")


def read_attributed(tag: TagJson, scan: Scanner, start: int, at: int) -> Step[Attempt | None]:
    """Read the tag whose attributes begin at `at`; None if it is none."""
    found = yield from scan.within(at, _REACH, ">", "{")
    while found is not None and OPEN_QUOTE.search(head := scan.text[at : found[0]]) and not _FILLED.search(head):
        found = yield from scan.within(found[1], _REACH - (found[1] - at), ">", "{")
    if found is None:
        return None
    head = scan.text[at : found[0]]
    if scan.text[found[0]] == "{":
        return (yield from _filled(tag, scan, start, at, found[0]))
    if not _ATTRIBUTES.fullmatch(head) or head.endswith("/"):
        return None
    named = yield from _named(tag, scan, start, at, found[1])
    if named is not None:
        return named
    attempt = yield from tag._body(scan, start, found[1], "call")
    if attempt is None or attempt.as_text or not attempt.items:
        return None
    return attempt._replace(items=tuple(_of_tag(scan, item, head, at) for item in attempt.items))


def _of_tag(scan: Scanner, item: Item, head: str, at: int) -> Item:
    """Note that the tag is none of the format's own; a call that names no tool is one of the name in the tag."""
    name = _NAME.search(head)
    if isinstance(item, ParsedCall) or item.code != "bad_name" or item.name or name is None:
        return with_repair(item, "near_miss_tag")
    place = scan.span(at + name.start(1), at + name.end(1))
    return settle(Draft(name[1], {}, item.span, place, place), scan.tools) or item


def _named(tag: TagJson, scan: Scanner, start: int, at: int, inside: int) -> Step[Attempt | None]:
    """The tag bears the name of a declared tool, and the arguments alone stand in it, as an object or as elements."""
    head = scan.text[at:inside]
    name = _NAME.search(head)
    if name is None or (scan.tools.declared and scan.tools.resolve(name[1]).tool is None):
        return None
    word, name_at = name[1], at + name.start(1)
    inside = yield from scan.space(inside)
    char = scan.text[inside : inside + 1]
    if char == "<":
        return (yield from read_pairs(scan, start, (name_at, word), inside, tag.closes, tag.format, "wrong_family"))
    yield from scan.at_least(inside + _REACH)
    if char != "{" or tag.envelope.head.match(scan.text, inside) is not None:
        return None
    known = Head(start, word, name_at, tag.format, True, ("near_miss_tag",))
    item, end = yield from read_named(scan, known, inside, tag.boundaries)
    if not isinstance(item, ParsedCall):
        return None
    end, repairs = yield from tag.close(scan, end)
    return Attempt(end, (stretch(scan, item, end, *(code for code in repairs if code != "again")),))


def _filled(tag: TagJson, scan: Scanner, start: int, begin: int, at: int) -> Step[Attempt | None]:
    """The arguments stand in the tag itself, whose attributes begin at `begin`."""
    head = scan.text[begin:at]
    name, filled = _NAME.search(head), _FILLED.search(head)
    if name is None or filled is None or not _ATTRIBUTES.fullmatch(head[: filled.start()]):
        return None
    state, stop = yield from scan.json_end(at)
    read = read_json(scan.text, at, stop)
    yield from scan.at_least(stop + 24)
    end = _END.match(scan.text, stop, stop + 24)
    if state is not End.DONE or read.error or end is None:
        return None
    close = yield from scan.literal((yield from scan.space(end.end())), *tag.closes)
    stop_at = close if close >= 0 and not end.group().endswith("/>") else end.end()
    draft = Draft(
        name[1], read.value, scan.span(start, stop_at), scan.span(begin + name.start(1), begin + name.end(1)),
        scan.span(at, stop), repairs=("near_miss_tag", *read.repairs), format=tag.format,
    )  # fmt: skip
    item = settle(draft, scan.tools)
    return None if item is None else Attempt(stop_at, (item,))
