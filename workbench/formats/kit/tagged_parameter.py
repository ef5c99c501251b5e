"""One parameter between tags: its key, where its value ends, and what the value is."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from workbench.formats.kit.bent_close import is_bent, without_doubled, without_ends
from workbench.formats.kit.loose_json import read_json
from workbench.formats.kit.tag_shape import OPEN_QUOTE, TagShape
from workbench.formats.kit.types import wanted_types
from workbench.formats.kit.value_end import ValuePlace, bare_value, find_end, find_named_end, unindented, without_cdata
from workbench.formats.kit.window import INVISIBLE

if TYPE_CHECKING:
    from workbench.core.calls import Span
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.toolset import Tool
    from workbench.formats.kit.window import Step

TAG_LIMIT = 1000
"""No tag with its name is longer."""
QUOTED_LIMIT = 300
"""No more of a tag stands behind the first `>` in its quotes, nor behind them."""
_ATTRIBUTES = re.compile(
    r"""<[^<>"'=]*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+)(?:\s+[\w:.\-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+))*+\s*/?>"""
)
"""A tag whose quotes are all in pairs."""
_QUOTED_KEY = re.compile(r"""=\s*+(["'])(?P<key>.+?)\1(?=\s*/?>|\s+[\w:.\-]+\s*=)""", re.DOTALL)
"""A key in quotes that holds such a quote."""
_LINE = "\\n"
"""A line break as JSON writes it: at both sides of a value it is layout."""
_LAST_LINE = re.compile(r"[ \t]*\Z")
_LONGER_KEY = 200
"""No more of a key stands behind the first `>` in it."""
_WRONG_CLOSE = re.compile(r"""</(?:param(?:eter)?\s?[=\s]\s?(?:name\s?=\s?)?)?["']?([\w.:\-]{1,64})["']?>\s*+\Z""")

_BENT_OPEN = re.compile(
    r"""(?:[<\\/]{0,2}|<[^\w\s>]{1,2})\s?(?:[\w:｜| ]{1,12}[:｜|]\s?)?(?P<word>p\s?(?:\w{2,12}|[^\s=>]{4,13}))(?:\s?=\s?|\s+name\s?=\s?)["']?(?P<key>[^<>"'\n]{1,200}?)["']?"""
    r"""(?:\s+string\s?=\s?["']?(?P<string>true|false)["']?)?\s?>{1,2}""",
    re.IGNORECASE,
)
"""What is left of a parameter's tag: `parameter=city>`, `<paramter name="city">`."""


_FURTHER_KEY = re.compile(r"([\w.\-]+)\s*=\s*(?:\"[^\"]*+\"|'[^']*+'|[^\s\"'>]*+)")
_UNENDED = re.compile(r"<parameter=(?:(?P<key>[\w.\-]{1,64})[ \t]*+(?:[:=]|(?=\s)))?", re.IGNORECASE)


@dataclass
class CallSoFar:
    """What was read of one call so far."""

    scan: Scanner
    shape: TagShape
    name: str
    name_span: Span
    wrapped: bool
    """The call stands in a block of its own markers."""
    start: int = 0
    """Index at which the attempt begins: what stands before it may be gone, but for one character."""
    repairs: list[str] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    """Every value as written."""
    values: dict[str, str] = field(default_factory=dict)
    typed: dict[str, Any] = field(default_factory=dict)
    twice: str = ""
    """A key that was given two values."""
    first: int = -1
    last: int = -1
    deep: bool = True
    """Tags inside values are weighed: until that was in vain once."""

    def seen(self, key: str) -> bool:
        """True if the key has a value already."""
        return key in self.values or key in self.typed


def whole_tag(scan: Scanner, at: int, pattern: re.Pattern[str]) -> Step[int | None]:
    """Wait for a whole tag: its end, None where it is none, -1 where the reply ends inside it."""
    found = yield from scan.within(at, TAG_LIMIT, ">")
    if found is None:
        return -1 if scan.closed and len(scan.text) - at < TAG_LIMIT else None
    if (quote := OPEN_QUOTE.search(scan.text, at, found[0])) is not None:
        char = scan.text[quote.start() + 1 : found[0]].lstrip()[0]
        quote = None  # it holds the text, which grows
        close = yield from scan.within(found[1], QUOTED_LIMIT, char, "\n", "</")
        if close is not None and scan.text[close[0]] == char:
            found = (yield from scan.within(close[1], QUOTED_LIMIT, ">")) or found
    match = pattern.match(scan.text, at, found[1])
    return match.end() if match is not None else None


def read_value(reading: CallSoFar, at: int, bent: tuple[str, int, str] | None = None) -> Step[int | str]:
    """Read one parameter, whose tag stands complete at `at`, or is known although it is `bent`; return where to go on."""
    scan, shape = reading.scan, reading.shape
    if reading.first < 0:
        reading.first = at
    if bent is not None:
        reading.repairs.append("near_miss_tag")
        return (yield from _text(reading, *bent))
    match = shape.param_open.match(scan.text, at)
    assert match is not None
    if holds_argument(match, scan.tools.resolve(reading.name).tool):
        return "bad_json"
    further = match.groupdict().get("further")
    key, begin, doubt = yield from _key(reading, match)
    flag = (match.groupdict().get("string") or "").lower()
    reading.repairs += doubt
    exact = any(scan.text[at : at + len(begin)].lower() == begin for begin in shape.param_exact)
    tag = match.group()
    doubled = "=parameter=" in tag.lower()
    if not exact or doubled or further or (('"' in tag or "'" in tag) and not _ATTRIBUTES.fullmatch(tag)):
        reading.repairs.append("near_miss_tag")
    match = None
    return (yield from _text(reading, key, begin, flag))


def _text(reading: CallSoFar, key: str, begin: int, flag: str) -> Step[int | str]:
    """Read the value that begins at `begin`; the flag says whether it is text."""
    scan, shape = reading.scan, reading.shape
    end, go_on, closed, searched_on = yield from find_end(scan, _place(reading, key), begin)
    if end < 0:
        return "truncated"
    reading.deep = reading.deep and not searched_on
    if not closed:
        reading.repairs += ("missing_close_tag", "open_value")
    text = scan.text[begin:end]
    if not closed:
        text = _unclosed(reading, text)
    if not closed and (wrong := _WRONG_CLOSE.search(text)) and wrong.group(1).casefold() == key.casefold():
        text = text[: wrong.start()]  # the tag that closes it has the parameter's own name
    else:
        opens = (*shape.param_starts, *shape.nameless)
        if closed:
            every = (without_doubled(text, close, *opens) for close in shape.param_closes)
            text, bent = next((one for one in every if one[1]), (text, False))
        else:
            text, bent = without_ends(text, (*shape.between, shape.call_closes[0]), shape.param_closes[:2])
        reading.repairs += ["near_miss_tag"] if bent else []
    again = shape.param_open.match(text, len(text) - len(text.lstrip())) if text.lstrip()[:1] == "<" else None
    if again and again["key"].strip() == key and _opened_twice(shape, text.lower()):
        text = text[again.end() :]  # its own tag once more
        reading.repairs.append("near_miss_tag")
    if len(text) >= len(_LINE) * 2 and text.startswith(_LINE) and text.endswith(_LINE):
        text = text[len(_LINE) : -len(_LINE)]
        reading.repairs += ("double_encoded", "open_value")
    layout = unindented(text, _indent(scan.text, reading.start, begin, text)) if text[:1] == "\n" else None
    reading.repairs += ["open_value"] if layout is not None else []
    text = bare_value(text, lines=shape.lines or not closed) if layout is None else layout
    if shape.cdata:
        text = without_cdata(text.strip())
    _note_repetition(reading, key, text)
    if flag == "false":
        reading.typed[key] = _json_value(text, reading, key)
        reading.values.pop(key, None)
    elif flag == "true":
        reading.typed[key] = text
    else:
        reading.values[key] = text
    reading.last = go_on if closed else end
    return go_on


def _opened_twice(shape: TagShape, text: str) -> bool:
    """True of a value that begins with its own tag, where that is one more than what closes such tags in it."""
    return sum(map(text.count, shape.param_starts)) > sum(map(text.count, shape.param_closes))


def _unclosed(reading: CallSoFar, text: str) -> str:
    """Return a value whose closing tag is lost without the one that stands before it, and without blanks on its only line."""
    close = reading.shape.param_closes[0]
    rest = text[len(close) :]
    if text[: len(close)].lower() == close and rest.strip() and close not in rest.lower():
        reading.repairs.append("near_miss_tag")
        return rest
    return text if "\n" in text else text.strip(" \t")


def _indent(text: str, start: int, at: int, value: str) -> str:
    """Return what the line begins with on which the tag before `at` stands; behind other text, the line that ends the value.

    `start` is where the attempt begins: of the line before it, the last character alone is there in every way of cutting.
    """
    least = max(start, at - TAG_LIMIT)
    begin = text.rfind("\n", least, at) + 1 or least
    tag = text.find("<", begin, at)
    if begin == start and text[max(start - 1, 0) : start] in ("", "\n", ">"):
        return text[begin : max(tag, begin)] if text[begin : max(tag, begin)].isspace() else ""
    line = text[begin : max(tag, begin)]
    if begin > least and not line.strip():
        return line
    return _LAST_LINE.search(value).group() if tag >= 0 else ""  # type: ignore[union-attr]


def _key(reading: CallSoFar, match: re.Match[str]) -> Step[tuple[str, int, tuple[str, ...]]]:
    """Return a parameter's key, where its value begins, and what that took: a key may hold the character that ends it.

    What is declared decides; where nothing is, a `>` at the line's end does, and the reading is no sure one.
    """
    scan, key, begin, tag = reading.scan, match.group("key").strip().strip("\"'"), match.end(), match.group()
    del match  # it holds the text, which grows
    tool = scan.tools.resolve(reading.name).tool
    known = tool.properties if tool is not None else {}
    if key in known:
        return key, begin, () if tag.endswith(">") else ("near_miss_tag", "open_value")
    if '"' in tag or "'" in tag:
        whole = None if _ATTRIBUTES.fullmatch(tag) else _QUOTED_KEY.search(tag)
        if whole is None or whole["key"] == key:
            return key, begin, ()
        return (whole["key"], begin, ()) if whole["key"] in known else (key, begin, ("open_value",))
    line = yield from scan.within(begin, _LONGER_KEY, "\n", "<")
    rest = scan.text[begin : line[0] if line else begin + _LONGER_KEY]
    for end in (at + 1 for at, char in enumerate(rest) if char == ">"):
        if (longer := f"{key}>{rest[: end - 1]}") in known:
            return longer, begin + end, ()
    if line and scan.text[line[0]] == "\n" and rest.endswith(">") and " " not in rest:
        return f"{key}>{rest[:-1]}", begin + len(rest), ("open_value",)
    return key, begin, ()


def bent_open(reading: CallSoFar, at: int, but: str = "") -> Step[tuple[str, int, str] | None]:
    """Read what is left of the tag of a declared parameter that has no value yet: its key, where it ends, its flag."""
    scan = reading.scan
    tool = scan.tools.resolve(reading.name).tool
    found = (yield from scan.within(at, _LONGER_KEY, ">", "\n")) if tool is not None else None
    match = _BENT_OPEN.match(scan.text, at, found[1] + 1) if found and scan.text[found[0]] == ">" else None
    if tool is None or match is None:
        return None
    key, word, end, flag = match["key"].strip(), match["word"].lower(), match.end(), match["string"] or ""
    if (
        key not in tool.properties
        or key == but
        or reading.seen(key)
        or not (is_bent(word, "parameter") or word == "param")
    ):
        return None
    return key, end, flag.lower()


def _read_unended(reading: CallSoFar, at: int) -> Step[int]:
    """Read a parameter whose tag never ends, `<parameter=city: Rome</parameter>`; return where to go on, -1 if none stands there.

    Its key must be declared; one without key and value says nothing.
    """
    scan, shape = reading.scan, reading.shape
    tool = scan.tools.resolve(reading.name).tool
    found = (
        (yield from scan.find(at + 1, *shape.param_closes, *shape.param_starts, *shape.call_closes)) if tool else None
    )
    if tool is None or found is None or scan.text[found[0] : found[1]].lower() not in shape.param_closes:
        return -1
    head = _UNENDED.match(scan.text, at, found[0])
    if head is None:
        return -1
    key, text = head["key"] or "", scan.text[head.end() : found[0]].strip()
    if (key and (key not in tool.properties or reading.seen(key))) or (not key and text):
        return -1
    reading.repairs += ("near_miss_tag", "open_value") if text else ("near_miss_tag",)
    if key:
        reading.first = at if reading.first < 0 else reading.first
        reading.values[key] = reading.texts[key] = text
        reading.last = found[1]
    return found[1]


def read_named(reading: CallSoFar, at: int) -> Step[int]:
    """Read a declared parameter whose tag has its own name, `<city>Rome</city>`; return where to go on, -1 if none stands there."""
    scan = reading.scan
    tool = scan.tools.resolve(reading.name).tool
    named = yield from _named(reading, at)
    if tool is None or named is None:
        return -1
    key, begin, (end, go_on) = named
    text = scan.text[begin:end]
    if text.lstrip()[:1] == "<" and {"array", "object"} & set(wanted_types(tool.schema_of(key))):
        return -1
    reading.first = at if reading.first < 0 else reading.first
    reading.values[key] = reading.texts[key] = bare_value(text, lines=reading.shape.lines)
    reading.repairs.append("near_miss_tag")
    reading.last = go_on
    return go_on


def _named(reading: CallSoFar, at: int, but: str = "") -> Step[tuple[str, int, tuple[int, int]] | None]:
    """Return the declared parameter that has no value yet and whose own name is the tag at `at`: where its value begins, and its end."""
    scan = reading.scan
    tool = scan.tools.resolve(reading.name).tool
    if tool is None or scan.text[at : at + 1] != "<":
        return None
    opened = yield from scan.within(at, _LONGER_KEY, ">", "\n")
    key = scan.text[at + 1 : opened[0]].strip() if opened is not None else ""
    if opened is None or key not in tool.properties or key == but or reading.seen(key):
        return None
    found = yield from find_named_end(scan, reading.shape, key, opened[1], tool.properties)
    return (key, opened[1], found) if found is not None else None


def read_odd(reading: CallSoFar, at: int) -> Step[int | str]:
    """Read a parameter whose tag is no usual one: a quote stands in its key, or it never ends; return where to go on."""
    done = yield from _read_quoting(reading, at)
    if isinstance(done, str) or done >= 0:
        return done
    past = yield from _read_unended(reading, at)
    return past if past >= 0 else "bad_json"


def _read_quoting(reading: CallSoFar, at: int) -> Step[int | str]:
    """Read a declared parameter in whose key a quote stands, `<parameter=it's>`; return where to go on, -1 if none stands there."""
    found = yield from _quoting(reading, at)
    if found is None or found[0] in reading.texts:
        return -1
    reading.first = at if reading.first < 0 else reading.first
    return (yield from _text(reading, *found, ""))


def _quoting(reading: CallSoFar, at: int) -> Step[tuple[str, int] | None]:
    """Return the declared key with a quote in it whose tag stands there, and where that ends."""
    tool = reading.scan.tools.resolve(reading.name).tool
    for key in tool.properties if tool is not None else ():
        if "'" in key or '"' in key:
            begin = yield from reading.scan.literal(at, *(f"{start}{key}>" for start in reading.shape.param_exact))
            if begin >= 0 and reading.scan.text.endswith(f"{key}>", at, begin):
                return key, begin
    return None


def holds_argument(tag: re.Match[str], tool: Tool | None) -> bool:
    """True of a tag whose further attributes have the name of a declared parameter."""
    further = tag.groupdict().get("further") or ""
    return tool is not None and any(key in tool.properties for key in _FURTHER_KEY.findall(further))


def names_declared(reading: CallSoFar, at: int, end: int) -> bool:
    """True if the tag, whose last `>` is lost, names a declared parameter."""
    tool = reading.scan.tools.resolve(reading.name).tool
    return tool is not None and re.split(r"[=\s]", reading.scan.text[at:end])[-1] in tool.properties


def _note_repetition(reading: CallSoFar, key: str, text: str) -> None:
    """The same value twice is only repeated; two values could as well be one that holds tags."""
    known = reading.texts.setdefault(key, text)
    if known != text:
        reading.twice = key
    elif reading.seen(key):
        reading.repairs.append("name_dup")


def _json_value(text: str, reading: CallSoFar, key: str) -> Any:
    """Read a value that says of itself that it is JSON; where the schema wants a string and nothing else, text stays text."""
    bare = text.strip().strip(INVISIBLE)
    read = read_json(bare, 0) if bare else None
    if bare and read is not None and read.error == "truncated" and bare[:1] in "-0123456789":
        read = read_json(bare + " ", 0)
    if read is None or read.error or read.end < len(bare):
        reading.repairs.append("schema_coerced")
        return text
    tool = reading.scan.tools.resolve(reading.name).tool
    if not isinstance(read.value, str) and tool is not None and wanted_types(tool.schema_of(key)) == ("string",):
        reading.repairs.append("schema_coerced")
        return text
    reading.repairs.extend(read.repairs)
    return read.value


def _place(reading: CallSoFar, key: str) -> ValuePlace:
    """Say what a value's end depends on: the value of the parameter `key`."""
    scan, shape = reading.scan, reading.shape
    tool = scan.tools.resolve(reading.name).tool

    def key_at(at: int) -> Step[tuple[str, int] | None]:
        tag = yield from whole_tag(scan, at, shape.param_open)
        match = shape.param_open.match(scan.text, at) if tag is not None and tag >= 0 else None
        if match is None:
            return (yield from _quoting(reading, at))
        return match.group("key").strip().strip("\"'"), match.end()

    def begins_next(at: int) -> Step[bool]:
        """The key is declared and has no value yet, and the tag stands on a line of its own."""
        found = yield from key_at(at)
        if found is None or found[0] == key or found[0] in reading.texts:
            return False
        if tool is not None:
            return found[0] in tool.properties
        return scan.text[max(at - 64, 0) : at].rstrip(" \t").endswith("\n")

    def doubtful(at: int) -> Step[int]:
        """The key is not declared, or has a value already."""
        found = yield from key_at(at)
        if found is None:
            return -1
        known = found[0] not in reading.texts and found[0] != key and (tool is None or found[0] in tool.properties)
        return -1 if known else found[1]

    def bent(at: int) -> Step[bool]:
        """What is left of another parameter's tag stands there, or a tag and its end with that one's own name."""
        if (yield from bent_open(reading, at, key)) is not None:
            return True
        return (yield from _named(reading, at, key)) is not None

    return ValuePlace(
        shape, reading.wrapped, reading.deep, begins_next, doubtful, "double_encoded" in reading.repairs, bent
    )
