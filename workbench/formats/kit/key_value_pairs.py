"""Calls whose arguments are key and value between tags of their own: GLM, Hunyuan 3, LongCat, Solar Open2.

    <tool_call>get_weather
    <arg_key>city</arg_key>
    <arg_value>Rome</arg_value>
    </tool_call>

Values are text, so a closing tag counts only where the structure goes on after it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from workbench.core.calls import ParseProblem, Span
from workbench.formats.kit.bent_close import is_bent, without_close, without_doubled
from workbench.formats.kit.calls import Draft, RawText, report
from workbench.formats.kit.toolset import NAME
from workbench.formats.kit.value_end import bare_value
from workbench.formats.kit.window import ESCAPES

if TYPE_CHECKING:
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step

_KEY_REACH = 160
"""No bent tag with its key is longer."""
_NEW_LINE = re.compile(r"[ \t]*\r?\n")
_NAME_REACH = 200
"""No name of a call is longer."""
_TAG_REACH = 40
"""No bent tag of a value is longer."""
_BENT_VALUE = re.compile(r">\w|>>")
"""A value that begins with what may be the rest of its tag."""
_ENCODED = re.compile(r"\A(?:\s|\\[nrt])*")
_ENCODED_END = re.compile(r"(?:\s|\\[nrt])+\Z")


@dataclass(frozen=True)
class Pairs:
    """The tags of one family."""

    key_open: str
    key_close: str
    """Empty where the value's opener ends the key."""
    value_open: str
    value_close: str
    opens: tuple[str, ...]
    """Openers of a call."""
    closes: tuple[str, ...]
    after_name: str = ""
    """A marker between name and arguments."""
    outer_close: str = ""
    """What closes the block around all calls, where there is one."""
    type_open: str = ""
    type_close: str = ""
    """Around the name of a value's type, which may stand before the value and says nothing that the schema does not."""

    @property
    def marks(self) -> tuple[str, ...]:
        """All tags that can follow something."""
        every = (self.key_open, self.key_close, self.value_open, self.value_close, self.after_name)
        return (*(mark for mark in every if mark), *self.opens, *self.closes)


GLM = Pairs("<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>", ("<tool_call>",), ("</tool_call>",))


@dataclass
class _Reading:
    scan: Scanner
    pairs: Pairs
    name: str = ""
    values: dict[str, str] = field(default_factory=dict)
    repairs: list[str] = field(default_factory=list)
    twice: str = ""
    """A key that was given two values."""
    lost: list[str] = field(default_factory=list)
    """Keys that have no value."""
    left: str = ""
    """Text that belongs to no key, or a key that nobody knows without a value."""
    garbled: str = ""
    """A piece that is part of the arguments, and of which cannot be said what."""
    first: int = -1
    last: int = -1
    near: tuple[str, ...] = ()
    """Spellings near those of a call's end."""

    @property
    def ends(self) -> tuple[str, ...]:
        """All that ends a call, in whatever spelling."""
        return (*self.pairs.closes, *self.near)


def looks_like_pairs(text: str, at: int, pairs: Pairs) -> bool:
    """True if a name and one of the family's tags stand at `at` (call when enough text is there)."""
    match = NAME.match(text, at)
    if match is None:
        return False
    rest = _ENCODED.sub("", text[match.end() : match.end() + 200])
    return rest.lower().startswith(pairs.marks)


def read_pairs(
    scan: Scanner, start: int, at: int, pairs: Pairs, *, canonical: bool, form: str, repairs: tuple[str, ...] = (),
    near: tuple[str, ...] = (),
) -> Step[tuple[Draft | ParseProblem, int] | None]:  # fmt: skip
    """Read name and arguments from `at` on; the attempt began at `start`; `near` ends it too. None: no name stands there."""
    reading = _Reading(scan, pairs, repairs=list(repairs), near=near)
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
    if (wrong := _wrong(reading, name)) is not None:
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


def _wrong(reading: _Reading, name: str) -> tuple[str, str] | None:
    """Say what is wrong with arguments that were read to their end: a code and a message."""
    if reading.twice:
        return "ambiguous", f"{reading.twice!r} is given to {name!r} twice, with two values."
    if reading.garbled:
        return "bad_json", f"{reading.garbled[:80]!r} of {name!r} belongs to no key."
    if lost := [key for key in reading.lost if key not in reading.values]:
        tool = reading.scan.tools.resolve(name).tool
        bent = "near_miss_tag" in reading.repairs
        if tool is not None and not (tool.properties.keys() if bent else tool.required).isdisjoint(lost):
            return "missing_argument", f"{', '.join(map(repr, lost))} of {name!r} has no value."
        reading.repairs.append("open_value")
    tool = reading.scan.tools.resolve(name).tool if reading.left else None
    if tool is not None and (missing := tool.missing(reading.values)):
        return "missing_argument", f"{', '.join(map(repr, missing))} of {name!r} may be in {reading.left[:80]!r}."
    return None


def _failed(scan: Scanner, start: int, name: str, code: str) -> tuple[ParseProblem, int]:
    return report(code, scan.span(start, len(scan.text)), f"The call of {name!r} is cut off.", name=name), len(
        scan.text
    )


def _blank(reading: _Reading, at: int) -> Step[int]:
    """Go on after white space, also where it is written as JSON does."""
    at = yield from reading.scan.space(at)
    while (after := (yield from reading.scan.literal(at, *ESCAPES))) >= 0:
        if "double_encoded" not in reading.repairs:
            reading.repairs.append("double_encoded")
        at = yield from reading.scan.space(after)
    return at


def _arguments(reading: _Reading, at: int) -> Step[int | str]:
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
            elif again < 0 and (stray := (yield from _stray(reading, at))) >= 0:
                result = stray
            else:
                return _leftover(reading, at, again)
        if isinstance(result, str):
            return result
        at = result


def _name_again(reading: _Reading, at: int) -> Step[int]:
    """Pass the call's own name where it stands there once more, behind another opener; -1 if it does not."""
    scan = reading.scan
    at = yield from scan.space(at)
    end = at + len(reading.name)
    yield from scan.at_least(end + 1)
    if scan.text[at:end] != reading.name or (scan.text[end : end + 1] or "<") not in "<\n\r \t":
        return -1
    reading.repairs.append("name_dup")
    return end


def _nothing_lacks(reading: _Reading) -> bool:
    """True of a tool without required arguments whose name is surely whole: a stray tag stands behind it."""
    tool = reading.scan.tools.resolve(reading.name).tool
    return "near_miss_tag" in reading.repairs and tool is not None and not tool.required


def _stray(reading: _Reading, at: int) -> Step[int]:
    """Pass a tag of a pair that stands where a key or the end belongs; -1 if there is none."""
    pairs = reading.pairs
    end = yield from reading.scan.literal(
        at, *(mark for mark in (pairs.key_close, pairs.value_close, pairs.value_open) if mark)
    )
    if end >= 0 and "near_miss_tag" not in reading.repairs:
        reading.repairs.append("near_miss_tag")
    return end


def _leftover(reading: _Reading, at: int, again: int) -> int | str:
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


def _pair(reading: _Reading, at: int, begin: int = -1) -> Step[int | str]:
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
            return _dropped(reading, key, found[0])
        after = yield from _blank(reading, go_on)
        if pairs.type_open and (typed := (yield from scan.literal(after, pairs.type_open))) >= 0:
            ended = yield from scan.find(typed, pairs.type_close, pairs.value_open, *reading.ends)
            shut = ended is not None and scan.text[ended[0] : ended[1]].lower() == pairs.type_close
            after = yield from _blank(reading, ended[1] if ended and shut else ended[0] if ended else typed)
        opened = yield from scan.literal(after, pairs.value_open)
        if opened < 0 and scan.text[after : after + 1] in (":", "="):
            past = yield from _blank(reading, after + 1)
            opened = yield from scan.literal(past, pairs.value_open)
            reading.repairs += ["near_miss_tag"] if opened >= 0 else []
        if opened < 0:
            if after >= len(scan.text):
                return "truncated"
            if (yield from scan.literal(after, pairs.key_open, *reading.ends)) >= 0:
                return _dropped(reading, key, after)
            found = yield from scan.within(after, _TAG_REACH, ">")
            tag = scan.text[after : found[1]].lower() if found is not None else ""
            if found is not None and tag[:1] == "<" and tag[:2] != "</" and is_bent(tag, pairs.value_open):
                reading.repairs.append("near_miss_tag")
                return (yield from _value(reading, key, found[1]))
            reading.repairs.append("missing_open_tag")
            return (yield from _value(reading, key, go_on, lines=True))
        go_on = opened
    return (yield from _value(reading, key, go_on))


def _dropped(reading: _Reading, key: str, at: int) -> int:
    """Go on behind a key without a value, which is dropped: a problem where the tool requires it, unless `key=value` was meant."""
    reading.repairs.append("missing_open_tag")
    tool = reading.scan.tools.resolve(reading.name).tool
    name, _, value = key.partition("=")
    if tool is not None and key not in tool.properties and name.rstrip() in tool.properties and value.strip():
        text = reading.scan.text
        begin = text.rindex(value, 0, at)
        _keep(reading, name.rstrip(), begin, begin + len(value), lines=True)
        reading.last = at
        return at
    known = re.split(r"[<\s]", key, maxsplit=1)[0]
    if key and (tool is None or key in tool.properties or known in tool.properties):
        reading.lost.append(key if tool is None or key in tool.properties else known)
    elif tool is not None and tool.properties and re.search(r"\W[^\W_]", key):
        reading.garbled = key
    else:
        reading.left = reading.left or key
    return at


def _value(reading: _Reading, key: str, at: int, *, lines: bool = False) -> Step[int | str]:
    """Read a value from `at` on; where one of its tags is lost, newlines beside the other are layout (`lines`)."""
    scan, pairs = reading.scan, reading.pairs
    search, soft, last, after, again = at, -1, -1, -1, -1
    while True:
        found = yield from scan.find(search, pairs.value_close, pairs.key_open, *reading.ends, *pairs.opens)
        if found is None:
            break
        token = scan.text[found[0] : found[1]].lower()
        if token == pairs.value_close:
            if (yield from _fits(reading, found[1])):
                _keep(reading, key, at, found[0], lines=lines)
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
        _keep(reading, key, at, last, lines=lines)
    else:
        reading.repairs.append("missing_close_tag")
        _keep(reading, key, at, soft, lines=True, closed=False)
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


def _fits(reading: _Reading, at: int) -> Step[bool]:
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


def call_follows(scan: Scanner, at: int, pairs: Pairs) -> Step[bool]:
    """True if a declared tool's name and a key stand at `at`: the next call, where a server hides the tags around calls."""
    found = yield from scan.within(at, _NAME_REACH, pairs.after_name or pairs.key_open)
    return found is not None and scan.text[at : found[0]].strip() in scan.tools.by_name


def _bent_key(reading: _Reading, at: int) -> Step[int]:
    """Return where a declared key without a value begins behind what is left of its tag at `at`; -1 if none stands there."""
    scan, pairs = reading.scan, reading.pairs
    tool = scan.tools.resolve(reading.name).tool
    if tool is None or not pairs.key_close:
        return -1
    found = yield from scan.within(at, _KEY_REACH, pairs.key_close)
    text = scan.text[at : found[0]].rstrip() if found else ""
    for key in tool.properties:
        if key in reading.values or not text.endswith(key):
            continue
        left = text[: -len(key)].strip().lower()
        if not left or is_bent(left, pairs.key_open):
            return at + len(text) - len(key)
    return -1


def _keep(reading: _Reading, key: str, start: int, end: int, *, lines: bool, closed: bool = True) -> None:
    text, close = reading.scan.text[start:end], reading.pairs.value_close
    opened = reading.pairs.value_open
    if text[: len(opened)].lower() == opened and close not in text.lower():
        text = text[len(opened) :]
        reading.repairs.append("near_miss_tag")
    text, bent = without_doubled(text, close, opened) if closed else without_close(text, close)
    reading.repairs += ["near_miss_tag"] if bent else []
    reading.repairs += ["open_value"] if _BENT_VALUE.match(text) else []
    text = bare_value(text, lines=lines)
    key = _whole_key(reading, key)
    if not key:
        reading.repairs.append("open_value")
        reading.garbled = text.strip()
    elif reading.values.setdefault(key, text) != text:
        reading.twice = key


def _whole_key(reading: _Reading, key: str) -> str:
    """Return a key without what is left of a damaged tag behind it; a `<` that is declared, or begins no tag, is the key's own."""
    tool = reading.scan.tools.resolve(reading.name).tool
    known = tool.properties if tool is not None else {}
    if key not in known and key.lstrip(">") in known:
        reading.repairs.append("near_miss_tag")
        return key.lstrip(">")
    head, _, rest = key.partition("<")
    head = head.strip()
    word = reading.pairs.key_close.strip("</>")
    damaged = head and (head in known or (bool(word) and rest.lstrip("/").startswith(word[:3])))
    if head == key or key in known or not damaged:
        return key
    reading.repairs += ("near_miss_tag", "open_value")
    return head
