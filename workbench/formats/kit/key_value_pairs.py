"""Calls whose arguments are key and value between tags of their own: GLM, Hunyuan 3, LongCat, Solar Open2.

    <tool_call>get_weather
    <arg_key>city</arg_key>
    <arg_value>Rome</arg_value>
    </tool_call>

Values are text, so a closing tag counts only where the structure goes on after it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.core.calls import ParseProblem, Span
from workbench.formats.kit.bent_close import is_bent, left_of_tag, without_close
from workbench.formats.kit.calls import Draft, RawText, report
from workbench.formats.kit.pairs_so_far import PairsSoFar, drop_key, keep_value, wrong_with
from workbench.formats.kit.toolset import NAME
from workbench.formats.kit.value_end import bare_value
from workbench.formats.kit.window import ESCAPES

if TYPE_CHECKING:
    from workbench.formats.kit.pairs_so_far import Pairs
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step

_KEY_REACH = 160
"""No bent tag with its key is longer."""
_NEW_LINE = re.compile(r"[ \t]*\r?\n")
_NAME_AHEAD = re.compile(r"[^\W\d](?:[\w.:/\-]|\\_){0,127}")
"""A name, its underscores escaped as in Markdown perhaps."""
_NAME_REACH = 200
"""No name of a call is longer."""
_TAG_REACH = 40
"""No bent tag of a value is longer."""
_TYPE_REACH = 80
"""No type's name with its tags is longer."""
_TYPES = frozenset(("string", "integer", "number", "boolean", "object", "array", "null"))
_ENCODED = re.compile(r"\A(?:\s|\\[nrt])*")
_ENCODED_END = re.compile(r"(?:\s|\\[nrt])+\Z")


def looks_like_pairs(text: str, at: int, pairs: Pairs) -> bool:
    """True if a name and one of the family's tags stand at `at` (call when enough text is there)."""
    match = _NAME_AHEAD.match(text, at)
    if match is None:
        return False
    rest = _ENCODED.sub("", text[match.end() : match.end() + 200])
    return rest.lower().startswith(pairs.marks)


def read_pairs(
    scan: Scanner, start: int, at: int, pairs: Pairs, *, canonical: bool, form: str, repairs: tuple[str, ...] = (),
    near: tuple[str, ...] = (),
) -> Step[tuple[Draft | ParseProblem, int] | None]:  # fmt: skip
    """Read name and arguments from `at` on; the attempt began at `start`; `near` ends it too. None: no name stands there."""
    reading = PairsSoFar(scan, pairs, repairs=list(repairs), near=near)
    at = yield from scan.space(at)
    found = yield from scan.find(at, "\n", *pairs.marks)
    stop = found[0] if found else len(scan.text)
    raw = scan.text[at:stop]
    name = raw.strip()
    if len(name) < 200 and (plain := _ENCODED_END.sub("", name)) != name:
        name = plain
        reading.repairs.append("double_encoded")
    token = scan.text[found[0] : found[1]].lower() if found else ""
    go_on = stop
    if pairs.key_close and token == pairs.key_close:
        declared = scan.tools.prefix_of(name)
        if not declared:
            return None
        reading.repairs.append("missing_open_tag")
        name, go_on = declared, at + len(declared)
        reading.name = name
        result = yield from _pair(reading, go_on)
        if isinstance(result, str):
            return _failed(scan, start, name, result)
        go_on = result
    if not scan.tools.nameable(name):
        return None
    if found is None:
        return _failed(scan, start, name, "truncated")
    if token in pairs.opens and not scan.tools.declared and not (yield from _key_follows(scan, found[1], pairs)):
        message = f"Another call begins in the name {name!r}."
        return report("truncated", scan.span(start, stop), message, name=name), stop
    name_span = scan.span(at, at + len(name))
    reading.name = name
    end = yield from _arguments(reading, go_on)
    if isinstance(end, str):
        return _failed(scan, start, name, end)
    if (wrong := wrong_with(reading, name)) is not None:
        code, message = wrong
        return report(code, scan.span(start, end), message, name=name), end
    body = (
        scan.span(reading.first, reading.last)
        if reading.last > reading.first >= 0
        else Span(name_span.end, name_span.end)
    )
    draft = Draft(
        name, RawText(reading.values), scan.span(start, end), name_span, body, repairs=tuple(reading.repairs),
        canonical=canonical, format=form,
    )  # fmt: skip
    return draft, end


def _failed(scan: Scanner, start: int, name: str, code: str) -> tuple[ParseProblem, int]:
    return report(code, scan.span(start, len(scan.text)), f"The call of {name!r} is cut off.", name=name), len(
        scan.text
    )


def _blank(reading: PairsSoFar, at: int) -> Step[int]:
    """Go on after white space, also where it is written as JSON does."""
    at = yield from reading.scan.space(at)
    while (after := (yield from reading.scan.literal(at, *ESCAPES))) >= 0:
        if "double_encoded" not in reading.repairs:
            reading.repairs.append("double_encoded")
        at = yield from reading.scan.space(after)
    return at


def _arguments(reading: PairsSoFar, at: int) -> Step[int | str]:
    scan, pairs = reading.scan, reading.pairs
    while True:
        at = yield from _blank(reading, at)
        if at >= len(scan.text):
            if scan.cut_short or (reading.first < 0 and not _nothing_lacks(reading)):
                return "truncated"
            reading.repairs.append("missing_close_tag")
            return at
        close = yield from scan.literal(at, *reading.ends)
        if close >= 0:
            if scan.text[at:close].lower() in reading.near:
                reading.repairs.append("near_miss_tag")
            return close
        if pairs.after_name:
            skip = yield from scan.literal(at, pairs.after_name)
            if skip >= 0:
                at = skip
                continue
        opened = yield from scan.literal(at, pairs.key_open)
        if opened >= 0:
            result = yield from _pair(reading, opened, at)
        else:
            again = yield from scan.literal(at, *pairs.opens)
            if again >= 0 and reading.first < 0 and (named := (yield from _name_again(reading, again))) >= 0:
                at = named
                continue
            if again >= 0 and reading.first < 0 and (yield from _key_follows(scan, again, pairs)):
                reading.repairs.append("near_miss_tag")
                result = yield from _pair(reading, again, at)
            elif (bent := (yield from _bent_key(reading, at))) >= 0:
                reading.repairs.append("near_miss_tag")
                result = yield from _pair(reading, bent, at)
            elif again < 0 and (stray := (yield from _stray(reading, at))) != -1:
                result = stray
            else:
                return _leftover(reading, at, again)
        if isinstance(result, str):
            return result
        at = result


def _name_again(reading: PairsSoFar, at: int) -> Step[int]:
    """Pass the call's own name where it stands there once more, behind another opener; -1 if it does not."""
    scan = reading.scan
    at = yield from scan.space(at)
    end = at + len(reading.name)
    yield from scan.at_least(end + 1)
    if scan.text[at:end] != reading.name or (scan.text[end : end + 1] or "<") not in "<\n\r \t":
        return -1
    reading.repairs.append("name_dup")
    return end


def _nothing_lacks(reading: PairsSoFar) -> bool:
    """True of a tool without required arguments whose name is surely whole: a stray tag stands behind it."""
    tool = reading.scan.tools.resolve(reading.name).tool
    return "near_miss_tag" in reading.repairs and tool is not None and not tool.required


def _stray(reading: PairsSoFar, at: int) -> Step[int | str]:
    """Pass a tag of a pair that stands where a key or the end belongs, or a value without a key; -1 if there is none."""
    scan, pairs = reading.scan, reading.pairs
    end = yield from scan.literal(
        at, *(mark for mark in (pairs.key_close, pairs.value_close, pairs.value_open) if mark)
    )
    if end >= 0 and "near_miss_tag" not in reading.repairs:
        reading.repairs.append("near_miss_tag")
    if end < 0 or scan.text[at:end].lower() != pairs.value_open:
        return end
    found = yield from scan.find(end, *pairs.marks, *reading.near)
    text = scan.text[end : found[0] if found else len(scan.text)]
    token = scan.text[found[0] : found[1]].lower() if found else ""
    if found is None:
        return "truncated" if text.strip() else end
    if token == pairs.key_close or (token != pairs.value_close and not text.strip()):
        return end
    if not (reading.rows and reading.rows[-1] is reading.row):
        reading.row = (list(reading.row[0]), list(reading.row[1]))
        reading.rows.append(reading.row)
    reading.row[1].append(bare_value(text))
    reading.last = found[1] if token == pairs.value_close else found[0]
    return reading.last


def _leftover(reading: PairsSoFar, at: int, again: int) -> int | str:
    """Something else stands where a key or the end belongs."""
    scan, pairs = reading.scan, reading.pairs
    if again >= 0:
        reading.repairs.append("missing_close_tag")
        return at
    partial = scan.closed and any(mark.startswith(scan.tail(at).lower()) for mark in pairs.marks)
    if partial and (scan.cut_short or any(mark.startswith(scan.tail(at).lower()) for mark in (pairs.key_open,))):
        return "truncated"
    reading.repairs.append("missing_close_tag")
    return len(scan.text) if partial else reading.last if reading.last >= 0 else at


def _key_follows(scan: Scanner, at: int, pairs: Pairs) -> Step[bool]:
    found = yield from scan.find(at, *pairs.marks)
    return found is not None and bool(pairs.key_close) and scan.text[found[0] : found[1]].lower() == pairs.key_close


def _pair(reading: PairsSoFar, at: int, begin: int = -1) -> Step[int | str]:
    """Read a key from `at` on and its value; return where to go on."""
    scan, pairs = reading.scan, reading.pairs
    found = yield from scan.find(at, *pairs.marks)
    if found is None:
        return "truncated"
    if scan.text[found[0] : found[1]].lower() == pairs.value_open and not scan.text[at : found[0]].strip():
        closed = yield from scan.find(found[1], *pairs.marks)
        if closed is not None and pairs.key_close and scan.text[closed[0] : closed[1]].lower() == pairs.key_close:
            reading.repairs.append("near_miss_tag")  # a value's tag stands before the key
            at, found = found[1], closed
    key = scan.text[at : found[0]].strip()
    token, go_on = scan.text[found[0] : found[1]].lower(), found[1]
    key = _closed(reading, key) if pairs.key_close and token == pairs.value_open else key
    while pairs.key_close and token == pairs.key_close:
        after = yield from scan.space(go_on)
        doubled = yield from scan.literal(after, pairs.key_close)
        if doubled < 0:
            break
        reading.repairs.append("near_miss_tag")
        go_on = doubled
    if reading.first < 0:
        reading.first = begin if begin >= 0 else at
    if token != pairs.value_open:
        if not pairs.key_close or token != pairs.key_close:
            return drop_key(reading, key, found[0], waits=not pairs.key_close and token == pairs.key_open)
        after = yield from _blank(reading, go_on)
        if pairs.type_open and (typed := (yield from _past_type(reading, after))) > after:
            go_on = after = typed
        opened = yield from scan.literal(after, pairs.value_open)
        if opened < 0 and scan.text[after : after + 1] in (":", "="):
            past = yield from _blank(reading, after + 1)
            opened = yield from scan.literal(past, pairs.value_open)
            reading.repairs += ["near_miss_tag"] if opened >= 0 else []
        if opened < 0:
            if after >= len(scan.text):
                return "truncated"
            if (yield from scan.literal(after, pairs.key_open, *reading.ends)) >= 0:
                return drop_key(reading, key, after, waits=scan.text[after : after + 2] != "</")
            found = yield from scan.within(after, _TAG_REACH, ">")
            tag = scan.text[after : found[1]].lower() if found is not None else ""
            if found is not None and tag[:1] == "<" and tag[:2] != "</" and is_bent(tag, pairs.value_open):
                reading.repairs.append("near_miss_tag")
                return (yield from _value(reading, key, found[1]))
            reading.repairs.append("missing_open_tag")
            yield from scan.at_least(after + len(pairs.value_open))
            left = left_of_tag(scan.text[after : after + len(pairs.value_open)].lower(), pairs.value_open)
            reading.repairs += ["near_miss_tag"] if left else []
            return (yield from _value(reading, key, after + left if left else go_on, lines=True))
        go_on = opened
    return (yield from _value(reading, key, go_on))


def _past_type(reading: PairsSoFar, at: int) -> Step[int]:
    """Go on behind the name of a value's type and what is left of the tags around it; `at` where none stands there."""
    scan, pairs = reading.scan, reading.pairs
    found = yield from scan.within(at, _TYPE_REACH, pairs.value_open, pairs.value_close, pairs.key_open)
    if found is not None and scan.text[found[0] : found[1]].lower() == pairs.value_open:
        end = found[0]
    else:  # the value's own tag is damaged
        ended = yield from scan.within(
            at, _TYPE_REACH, pairs.type_close, pairs.value_close, pairs.key_open, *reading.ends
        )
        token = scan.text[ended[0] : ended[1]].lower() if ended is not None else ""
        if ended is None or token not in (pairs.type_close, *reading.ends):
            return at
        if token != pairs.type_close and (yield from scan.literal(at, pairs.type_open)) < 0:
            return at
        end = ended[token == pairs.type_close]
    text = "".join(scan.text[at:end].lower().split())
    if pairs.type_open[-len("_type>") : -1] not in text and text not in _TYPES:
        return at
    whole = text.startswith(pairs.type_open) and text.endswith(pairs.type_close)
    if not whole or text.removeprefix(pairs.type_open).removesuffix(pairs.type_close).count("<"):
        reading.repairs.append("near_miss_tag")
    return (yield from _blank(reading, end))


def _closed(reading: PairsSoFar, key: str) -> str:
    """Return a key whose closing tag is bent, or lost; what is left of one goes where a declared key stands before it."""
    bare, bent = without_close(key, reading.pairs.key_close)
    if not bent:
        reading.repairs.append("missing_close_tag")
        return key
    tool, bare = reading.scan.tools.resolve(reading.name).tool, bare.strip(" \"'")
    if reading.scan.tools.declared and (tool is None or bare not in tool.properties):
        return key
    reading.repairs.append("near_miss_tag")
    return bare


def _value(reading: PairsSoFar, key: str, at: int, *, lines: bool = False) -> Step[int | str]:
    """Read a value from `at` on; where one of its tags is lost, newlines beside the other are layout (`lines`)."""
    scan, pairs = reading.scan, reading.pairs
    search, soft, last, after, again = at, -1, -1, -1, -1
    while True:
        found = yield from scan.find(search, pairs.value_close, pairs.key_open, *reading.ends, *pairs.opens)
        if found is None:
            break
        token = scan.text[found[0] : found[1]].lower()
        if token == pairs.value_close:
            if (yield from _fits(reading, found[1])) or (yield from _another(reading, at, found)):
                keep_value(reading, key, at, found[0], lines=lines)
                reading.last = found[1]
                return found[1]
            (last, after), again = found, -1
        elif token == pairs.key_open and (not pairs.key_close or (yield from _key_follows(scan, found[1], pairs))):
            soft = found[0] if soft < 0 else soft
            break
        elif token in reading.ends or not pairs.key_close:
            soft = found[0] if soft < 0 else soft
        elif soft >= 0 and token in pairs.opens:
            break
        elif token in pairs.opens and (last >= 0 or (yield from _calls(scan, found[1]))):
            again = found[0] if again < 0 else again
            if last >= 0 and _is_bent_close(scan.text[after:again], pairs):
                soft = again
                break
        search = found[1]
    ends_there = found is None and last >= 0 and not scan.cut_short and _NEW_LINE.match(scan.text, after) is not None
    if ends_there and soft < 0:  # prose follows, and no tag any more
        soft = after
    if soft < 0 or (scan.cut_short and found is None):
        return "truncated"
    soft = again if 0 <= again < soft else soft  # the next call begins there
    if last >= 0:  # what stands behind the closing tag belongs to nothing
        reading.repairs.append("open_value")
        behind = scan.text[after:soft].strip()
        reading.left = reading.left or ("" if "<" in behind else behind)  # else what is left of tags
        keep_value(reading, key, at, last, lines=lines)
    else:
        reading.repairs.append("missing_close_tag")
        keep_value(reading, key, at, soft, lines=True, closed=False)
    reading.last = soft
    return soft


def _calls(scan: Scanner, at: int) -> Step[bool]:
    """True if a declared tool's name stands behind an opener."""
    at = yield from scan.space(at)
    yield from scan.at_least(at + _NAME_REACH)
    name = NAME.match(scan.text, at)
    return name is not None and name.group() in scan.tools.by_name


def _is_bent_close(text: str, pairs: Pairs) -> bool:
    """True if nothing but what was made of the call's closing tag stands between a value and the next call."""
    tag = text.strip().lower()
    return 2 < len(tag) < _TAG_REACH and any(is_bent(tag, close) for close in pairs.closes)


def _fits(reading: PairsSoFar, at: int) -> Step[bool]:
    scan, pairs = reading.scan, reading.pairs
    at = yield from scan.space(at)
    while (beyond := (yield from scan.literal(at, *ESCAPES))) >= 0:
        at = yield from scan.space(beyond)
    if at >= len(scan.text):
        return True
    outer = (pairs.outer_close,) if pairs.outer_close else ()
    after = (pairs.key_open, *reading.ends, *pairs.opens, *outer)
    if (yield from scan.literal(at, *after)) >= 0:
        return True
    if (yield from _bent_key(reading, at)) >= 0 or (yield from call_follows(scan, at, pairs)):
        return True
    rest = scan.tail(at).lower()
    return scan.closed and len(rest) < 30 and any(mark.startswith(rest) for mark in after)


def _another(reading: PairsSoFar, at: int, close: tuple[int, int]) -> Step[bool]:
    """True if a value without a key follows the one from `at` to a closing tag, which no tag inside the value opens."""
    scan, pairs = reading.scan, reading.pairs
    after = yield from scan.space(close[1])
    while (beyond := (yield from scan.literal(after, *ESCAPES))) >= 0:
        after = yield from scan.space(beyond)
    opened = yield from scan.literal(after, pairs.value_open)
    found = None if opened < 0 else (yield from scan.find(opened, *pairs.marks))
    if found is None or scan.text[found[0] : found[1]].lower() != pairs.value_close:
        return False
    inside = scan.text[at : close[0]].lower()
    return inside.count(pairs.value_open) <= inside.count(pairs.value_close)


def call_follows(scan: Scanner, at: int, pairs: Pairs) -> Step[bool]:
    """True if a declared tool's name and a key stand at `at`: the next call, where a server hides the tags around calls."""
    found = yield from scan.within(at, _NAME_REACH, pairs.after_name or pairs.key_open)
    return found is not None and scan.text[at : found[0]].strip() in scan.tools.by_name


def _bent_key(reading: PairsSoFar, at: int) -> Step[int]:
    """Return where a declared key without a value begins behind what is left of its tag at `at`; -1 if none stands there."""
    scan, pairs = reading.scan, reading.pairs
    tool = scan.tools.resolve(reading.name).tool
    if tool is None or not pairs.key_close:
        return -1
    found = yield from scan.within(at, _KEY_REACH, pairs.key_close, pairs.value_open)
    text = scan.text[at : found[0]].rstrip() if found else ""
    if found and scan.text[found[0] : found[1]].lower() != pairs.key_close:
        text, bent = without_close(text, pairs.key_close)
        text = text if bent else ""
    for key in tool.properties:
        if key in reading.values or not text.endswith(key):
            continue
        left = text[: -len(key)].strip().lower()
        if not left or is_bent(left, pairs.key_open):
            return at + len(text) - len(key)
    return -1
