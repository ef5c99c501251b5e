"""Calls of a tag that are bent out of shape: a JSON string as the body, HTML escapes, a lost opener."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

from workbench.core.calls import ParsedCall, ParseProblem
from workbench.formats.kit.calls import report
from workbench.formats.kit.envelope import JsonSource
from workbench.formats.kit.grammar import Attempt
from workbench.formats.kit.json_end import End
from workbench.formats.kit.loose_json import MAX_SIZE, JsonRead, read_json
from workbench.formats.kit.named_json import Head, read_named, stretch

if TYPE_CHECKING:
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.tag_markers import TagMarkers
    from workbench.formats.kit.window import Step


def read_quoted(
    tag: TagMarkers, scan: Scanner, start: int, at: int, repairs: tuple[str, ...], kind: str
) -> Step[Attempt | None]:
    """A JSON string that holds the call: encoded twice."""
    found = yield from scan.find(at, *tag.boundaries)
    end = found[0] if found else len(scan.text)
    read = read_json(scan.text, at, end)
    inner = read_json(read.value, 0) if isinstance(read.value, str) and not read.error else None
    if inner is None or inner.error or not isinstance(inner.value, dict | list) or scan.text[read.end : end].strip():
        return (yield from tag.other_body(scan, start, at, kind))
    close = found[1] if found and scan.text[found[0] : found[1]].casefold() in tag.closers else end
    notes = (*repairs, "double_encoded", *read.repairs, *inner.repairs)
    source = JsonSource(
        scan.text, at, read.end, scan.base, form=tag.format, outer=scan.span(start, close), repairs=notes,
        canonical=kind == "call",
    )  # fmt: skip
    items = tag.envelope.items(inner.value, source, scan.tools)
    return Attempt(close, tuple(items)) if items is not None else Attempt(close, as_text=True)


_BETWEEN = re.compile(r"[\s,;}\]]*")
"""What may stand between two objects, and behind the last one."""
_NAMED = re.compile(
    r"(?:function[ \t]*\n|(?P<to>(?:assistant\s{1,4})?(?:commentary\s{1,4})?to=functions\.))?\s*(?P<name>[A-Za-z_][\w.\-/]{0,127})"
    r"[ \t]*+(?(to)(?P<header>(?:json|code)?\s*+(?:<\|\w+\|>)?)|(?P<apart>[>:\n]?))\s*+\Z"
)


def read_named_body(tag: TagMarkers, scan: Scanner, start: int, at: int, kind: str) -> Step[Attempt | None]:
    """A name and its arguments: `NAME>{…}` (GLM-5.3-Flash), `function⏎NAME⏎{…}` (Step-Audio 2), `to=functions.NAME {…}` (gpt-oss).

    With nothing between them but a blank, the name must be a declared one.
    """
    found = yield from scan.within(at, 200, "{", "<arg", "<param", "</")
    head = _NAMED.match(scan.text, at, found[0]) if found and scan.text[found[0]] == "{" else None
    if found is None or head is None or not (head["apart"] or head["to"] or tag.glued):
        return None
    sure, repair = (
        kind == "call" and bool(head["apart"] or head["to"]),
        "wrong_family" if head["to"] else "near_miss_tag",
    )
    name, name_at, head = head["name"], head.start("name"), None
    named = Head(start, name, name_at, tag.format, sure, (repair,))
    item, end = yield from read_named(scan, named, found[0], tag.boundaries)
    if item is None:
        return None
    end, repairs = yield from tag.close(scan, end)
    return Attempt(end, (stretch(scan, item, end, *(code for code in repairs if code != "again")),))


_SAYS_ITS_NAME = re.compile(
    r"""\{\s{0,9}["'](?:name|tool|tool_name|function)["']\s{0,4}:(?:\s{0,4}["'](?P<name>[\w.\-]{1,128})["'])?"""
)
_HEAD_LIMIT = 180
_WORDS_LIMIT = 300


def object_behind_words(tag: TagMarkers, scan: Scanner, at: int) -> Step[int]:
    """Return where the object begins that names its tool itself, behind words at `at`, and alone before the closer; else -1.

    A declared name right before an object is a head, and the object its arguments, if the tool has one of that key. A sentence
    only talks of such tags.
    """
    if not tag.closes or scan.prose.in_sentence:
        return -1
    found = yield from scan.within(at, _WORDS_LIMIT, "{", "<", *tag.boundaries)
    if found is None or scan.text[found[0]] != "{":
        return -1
    brace = found[0]
    yield from scan.at_least(brace + _HEAD_LIMIT)
    last = scan.text[at:brace].rstrip(": \t\r\n").rpartition(" ")[2].rpartition("\n")[2]
    says, head = _SAYS_ITS_NAME.match(scan.text, brace), scan.tools.resolve(last).tool
    if says is None or (head is not None and ("name" in head.properties or says["name"] not in scan.tools.by_name)):
        return -1
    says = None  # it holds the text, which grows
    state, stop = yield from scan.json_end(brace)
    closed = state is End.DONE and (yield from scan.literal((yield from scan.space(stop)), *tag.closes)) >= 0
    return brace if closed else -1


def read_escaped(tag: TagMarkers, scan: Scanner, start: int, at: int) -> Step[Attempt | None]:
    """The whole marker pair is HTML-escaped: read the unescaped body, for declared names only."""
    closes = tuple(text.replace("<", "&lt;").replace(">", "&gt;") for text in tag.closes)
    found = yield from scan.find(at, *closes)
    if found is None or found[0] - at > MAX_SIZE:
        return None
    body = unescape(scan.text[at : found[0]]).strip()
    read = read_json(body, 0) if body[:1] in ("{", "[") else JsonRead(None, 0, error="bad_json")
    if read.error:
        return None
    whole = scan.span(start, found[1])
    source = JsonSource(
        body, 0, len(body), 0, form=tag.format, outer=whole, repairs=("html_escaped", *read.repairs), canonical=False,
    )  # fmt: skip
    items = tag.envelope.items(read.value, source, scan.tools) or []
    at = _BETWEEN.match(body, read.end).end()  # type: ignore[union-attr]
    while items and body.startswith("{", at):  # one object to a line
        more = read_json(body, at)
        found_more = None if more.error or more.end <= at else tag.envelope.items(more.value, source, scan.tools)
        if not found_more:
            break
        items, at = [*items, *found_more], _BETWEEN.match(body, more.end).end()  # type: ignore[union-attr]
    if not any(isinstance(item, ParsedCall) for item in items):
        return Attempt(found[1], as_text=True)
    told = [item._replace(span=whole) for item in items if isinstance(item, ParseProblem)]
    calls = [
        item._replace(span=whole, name_span=whole, arguments_span=whole)
        for item in items
        if isinstance(item, ParsedCall)
    ]
    if at < len(body):
        told.append(report("bad_json", whole, "What follows a call between escaped markers cannot be read."))
    return Attempt(found[1], (*calls, *told))


def read_unopened(tag: TagMarkers, scan: Scanner, start: int) -> Step[Attempt | None]:
    """A body at the beginning of a line whose opener was lost: the closer follows, or nothing stands before it.

    In a code block, words above may announce it, or another call before.
    """
    prose = scan.prose
    announced = scan.deferred and (prose.announced_below or (scan.number > 0 and not prose.offered_below))
    alone = tag.bare_start and (announced or not prose.spoke)
    if not scan.prose.fresh_line or (scan.text[start] == "[" and not (alone or (tag.lists and tag.closes))):
        return None
    state, stop = yield from scan.json_end(start)
    if state is not End.DONE:
        scan.wasted += stop - start
        return Attempt(stop, as_text=True) if scan.wasted > 65_536 + 4 * (scan.base + stop) else None
    after = yield from scan.space(stop)
    close = yield from scan.literal(after, *tag.closes)
    if close < 0 and not alone:
        return Attempt(stop, as_text=True)
    read = read_json(scan.text, start, stop)
    lost = ("missing_close_tag",) if close < 0 and tag.closes else ()
    end = max(close, stop)
    source = JsonSource(
        scan.text, start, stop, scan.base, form=tag.format, outer=scan.span(start, end),
        repairs=("missing_open_tag", *lost, *read.repairs),
        canonical=not read.error and not scan.tools.declared and tag.envelope.plain(read.value),
    )  # fmt: skip
    items = None if read.error else tag.envelope.items(read.value, source, scan.tools)
    if not items or (close < 0 and not all(isinstance(item, ParsedCall) or item.code == "declined" for item in items)):
        return Attempt(stop, as_text=True)
    return Attempt(end, tuple(items))
