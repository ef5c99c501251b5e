"""Calls whose arguments are text between tags: `<function=NAME>` with `<parameter=KEY>`, `<invoke name="…">` and their kin.

Nothing is escaped in such values, so what follows a closing tag decides whether it is one; a parameter tag that was never
closed ends where the next one begins, or where the call is closed and no fitting closing tag comes later.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from workbench.core.calls import ParseProblem, Span
from workbench.formats.kit.bent_close import is_bent, without_doubled, without_ends
from workbench.formats.kit.calls import Draft, RawText, decode_arguments, report
from workbench.formats.kit.json_end import End
from workbench.formats.kit.loose_json import read_json
from workbench.formats.kit.tag_shape import OPEN_QUOTE, Shape
from workbench.formats.kit.types import wanted_types
from workbench.formats.kit.value_end import Place, bare_value, find_end, find_named_end

if TYPE_CHECKING:
    from workbench.formats.kit.scanner import Scanner
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
_LONGER_KEY = 200
"""No more of a key stands behind the first `>` in it."""
_WRONG_CLOSE = re.compile(r"""</(?:param(?:eter)?\s?[=\s]\s?(?:name\s?=\s?)?)?["']?([\w.:\-]{1,64})["']?>\s*+\Z""")

_BENT_OPEN = re.compile(
    r"""[<\\/]{0,2}\s?(?:[\w:｜| ]{1,12}[:｜|]\s?)?(?P<word>p\s?\w{2,12})(?:\s?=\s?|\s+name\s?=\s?)["']?(?P<key>[^<>"'\n]{1,200}?)["']?"""
    r"""(?:\s+string\s?=\s?["']?(?P<string>true|false)["']?)?\s?>{1,2}""",
    re.IGNORECASE,
)
"""What is left of a parameter's tag: `parameter=city>`, `<paramter name="city">`."""


@dataclass
class _Reading:
    """What was read of one call so far."""

    scan: Scanner
    shape: Shape
    name: str
    name_span: Span
    wrapped: bool
    """The call stands in a block of its own markers."""
    texts: dict[str, str] = field(default_factory=dict)
    """Every value as written."""
    values: dict[str, str] = field(default_factory=dict)
    typed: dict[str, Any] = field(default_factory=dict)
    repairs: list[str] = field(default_factory=list)
    twice: str = ""
    """A key that was given two values."""
    first: int = -1
    last: int = -1
    deep: bool = True
    """Tags inside values are weighed: until that was in vain once."""

    def seen(self, key: str) -> bool:
        """True if the key has a value already."""
        return key in self.values or key in self.typed


def read_call(
    scan: Scanner, start: int, at: int, shape: Shape, *, canonical: bool, form: str, repairs: tuple[str, ...] = (),
    wrapped: bool | None = None,
) -> Step[tuple[Draft | ParseProblem, int] | None]:  # fmt: skip
    """Read the call whose tag stands at `at`; the attempt began at `start`. None: there is no such tag.

    `wrapped`: the call stands in a block, as it does where a canonical attempt began before the tag.
    """
    tag = yield from _tag(scan, at, shape.call_open)
    if tag is None:
        return None
    if tag < 0:
        return report("truncated", scan.span(start, len(scan.text)), "The call is cut off."), len(scan.text)
    match = shape.call_open.match(scan.text, at)
    assert match is not None
    name = match.group("name").partition("<|")[0].strip().strip("\"'")
    if not canonical and scan.tools.resolve(name).tool is None:
        return None
    name_at = scan.text.find(name, match.start("name")) if name else match.start("name")
    wrapped = canonical and start != at if wrapped is None else wrapped
    if shape.call_exact.match(scan.text, at) is None:
        repairs = (*repairs, "near_miss_tag")
    end = match.end()
    closed = bool(match.groupdict().get("closed"))
    match = None
    return (
        yield from read_body(
            scan, start, end, shape, name, name_at, canonical=canonical, form=form, repairs=repairs, wrapped=wrapped,
            closed=closed,
        )
    )  # fmt: skip


def read_body(
    scan: Scanner, start: int, end: int, shape: Shape, name: str, name_at: int, *, canonical: bool, form: str,
    repairs: tuple[str, ...] = (), wrapped: bool = False, closed: bool = False,
) -> Step[tuple[Draft | ParseProblem, int] | None]:  # fmt: skip
    """Read the parameters behind a head that ends at `end`; `closed`: the head closes the call itself."""
    reading = _Reading(scan, shape, name, scan.span(name_at, name_at + len(name)), wrapped, repairs=list(repairs))
    done = end if closed else (yield from _parameters(reading, end))
    if done == "text":
        return None
    if isinstance(done, str):
        what = "is cut off" if done == "truncated" else "holds something else than parameters"
        close = yield from _give_up(scan, end, shape) if done == "bad_json" else scan.space(len(scan.text))
        return report(done, scan.span(start, close), f"The call of {name!r} {what}.", name=name), close
    if reading.twice:
        message = f"{reading.twice!r} is given to {name!r} twice, or its text holds a parameter's tags."
        return report("ambiguous", scan.span(start, done), message, name=name), done
    body = (
        scan.span(reading.first, reading.last)
        if reading.last > reading.first >= 0
        else Span(reading.name_span.end, reading.name_span.end)
    )
    draft = Draft(
        name, arguments_of(reading.values, reading.typed, reading.repairs, scan, name), scan.span(start, done),
        reading.name_span, body, repairs=tuple(reading.repairs), canonical=canonical, format=form,
    )  # fmt: skip
    return draft, done


def _give_up(scan: Scanner, at: int, shape: Shape) -> Step[int]:
    """Find where a broken call ends: at its closing tag, or before the next call."""
    found = yield from scan.find(
        at, *shape.call_closes, *shape.wrapper_closes, *shape.wrapper_opens, *shape.call_starts
    )
    if found is None:
        return len(scan.text)
    return found[1] if scan.text[found[0] : found[0] + 2] == "</" else found[0]


def _tag(scan: Scanner, at: int, pattern: re.Pattern[str]) -> Step[int | None]:
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


def _parameters(reading: _Reading, at: int) -> Step[int | str]:
    """Read parameters up to the call's end; a refusal code where the reply ends before."""
    scan, shape = reading.scan, reading.shape
    while True:
        at = yield from scan.space(at)
        if at >= len(scan.text):
            return _ended(reading, at)
        close = yield from scan.literal(at, *shape.call_closes)
        if close >= 0:
            if scan.text[at:close].lower() in shape.short_closes:
                reading.repairs.append("missing_close_tag")
            return close
        inner = yield from scan.literal(at, *shape.inner)
        if inner >= 0:
            reading.repairs.append("wrapper_arg")
            at = inner
            continue
        if (yield from scan.literal(at, *shape.param_starts)) >= 0:
            tag = yield from _tag(scan, at, shape.param_open)
            if tag is None or (tag > 0 and scan.text[tag - 1] != ">" and not _declared(reading, at, tag)):
                return "bad_json"
            if tag < 0:
                return "truncated"
            done = yield from _value(reading, at)
            if isinstance(done, str):
                return done
            at = done
            continue
        if (yield from scan.literal(at, *shape.wrapper_closes, *shape.wrapper_opens, *shape.call_starts)) >= 0:
            return _unclosed(reading, at)
        if (yield from scan.literal(at, *shape.nameless)) >= 0:
            return "bad_json"
        if scan.text[at] == "{" and reading.first < 0:
            done = yield from _json(reading, at)
            if isinstance(done, str) or done > at:
                if isinstance(done, str):
                    return done
                at = done
                continue
        done = yield from _other_tag(reading, at)
        if isinstance(done, str):
            return done
        if done >= 0:
            at = done
            continue
        if reading.first < 0 and not reading.wrapped:
            return "text"
        result, ended = yield from _stray(reading, at)
        if ended or isinstance(result, str):
            return result
        at = result


def _stray(reading: _Reading, at: int) -> Step[tuple[int | str, bool]]:
    """Look at what is no parameter: where the call ends, or why it is given up (True), or where to go on (False)."""
    scan, shape = reading.scan, reading.shape
    found = yield from scan.find(at, *shape.stops, *shape.wrapper_opens, *shape.call_starts)
    if found is None:
        rest = scan.tail(at).lower()
        if len(rest) > 1 and any(mark.startswith(rest) for mark in (*shape.call_closes, *shape.wrapper_closes)):
            ended = _ended(reading, at)
            return len(scan.text) if isinstance(ended, int) else ended, True
        whole = reading.first >= 0 and not rest.startswith("<")
        return _unclosed(reading, reading.last) if whole else "truncated", True
    token = scan.text[found[0] : found[1]].lower()
    if token in shape.call_closes:
        return found[1] if reading.first >= 0 else "bad_json", True
    if token not in shape.param_starts and token not in shape.param_closes:
        return _unclosed(reading, reading.last) if reading.first >= 0 else "bad_json", True
    if token in shape.param_closes and scan.text[at : found[0]].strip():
        return "bad_json", True  # a parameter whose tag is lost
    return found[0] if found[0] > at and token in shape.param_starts else found[1], False


def _other_tag(reading: _Reading, at: int) -> Step[int | str]:
    """Read a parameter whose tag is bent, or has the parameter's own name; -1 if none stands there."""
    bent = yield from _bent_open(reading, at)
    return (yield from _value(reading, at, bent)) if bent is not None else (yield from _named_tag(reading, at))


def _bent_open(reading: _Reading, at: int, but: str = "") -> Step[tuple[str, int, str] | None]:
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


def _named_tag(reading: _Reading, at: int) -> Step[int]:
    """Read a declared parameter whose tag has its own name, `<city>Rome</city>`; return where to go on, -1 if none stands there."""
    scan = reading.scan
    tool = scan.tools.resolve(reading.name).tool
    opened = (yield from scan.within(at, _LONGER_KEY, ">", "\n")) if tool is not None and scan.text[at] == "<" else None
    key = scan.text[at + 1 : opened[0]].strip() if opened is not None else ""
    if tool is None or opened is None or key not in tool.properties or reading.seen(key):
        return -1
    found = yield from find_named_end(scan, reading.shape, key, opened[1], tool.properties)
    text = scan.text[opened[1] : found[0]] if found is not None else ""
    if found is None or (text.lstrip()[:1] == "<" and {"array", "object"} & set(wanted_types(tool.schema_of(key)))):
        return -1
    reading.first = at if reading.first < 0 else reading.first
    reading.values[key] = reading.texts[key] = bare_value(text, lines=reading.shape.lines)
    reading.repairs.append("near_miss_tag")
    reading.last = found[1]
    return found[1]


def _declared(reading: _Reading, at: int, end: int) -> bool:
    """True if the tag, whose last `>` is lost, names a declared parameter."""
    tool = reading.scan.tools.resolve(reading.name).tool
    return tool is not None and re.split(r"[=\s]", reading.scan.text[at:end])[-1] in tool.properties


def _ended(reading: _Reading, at: int) -> int | str:
    """The reply ends between parameters: only the closing tag may be added."""
    scan = reading.scan
    tool = scan.tools.resolve(reading.name).tool
    known = {**reading.values, **reading.typed}
    if scan.cut_short or (reading.first < 0 and (tool is None or tool.required)) or (tool and tool.missing(known)):
        return "truncated"
    return _unclosed(reading, at)


def _unclosed(reading: _Reading, at: int) -> int:
    if not reading.shape.close_optional:
        reading.repairs.append("missing_close_tag")
    return at


def _value(reading: _Reading, at: int, bent: tuple[str, int, str] | None = None) -> Step[int | str]:
    """Read one parameter, whose tag stands complete at `at`, or is known although it is `bent`; return where to go on."""
    scan, shape = reading.scan, reading.shape
    if reading.first < 0:
        reading.first = at
    if bent is not None:
        reading.repairs.append("near_miss_tag")
        return (yield from _text(reading, *bent))
    match = shape.param_open.match(scan.text, at)
    assert match is not None
    key, begin, doubt = yield from _key(reading, match)
    flag = (match.groupdict().get("string") or "").lower()
    reading.repairs += doubt
    exact = any(scan.text[at : at + len(begin)].lower() == begin for begin in shape.param_exact)
    tag = match.group()
    doubled = "=parameter=" in tag.lower()
    if not exact or doubled or (('"' in tag or "'" in tag) and not _ATTRIBUTES.fullmatch(tag)):
        reading.repairs.append("near_miss_tag")
    match = None
    return (yield from _text(reading, key, begin, flag))


def _text(reading: _Reading, key: str, begin: int, flag: str) -> Step[int | str]:
    """Read the value that begins at `begin`; the flag says whether it is text."""
    scan, shape = reading.scan, reading.shape
    end, go_on, closed, searched_on = yield from find_end(scan, _place(reading, key), begin)
    if end < 0:
        return "truncated"
    reading.deep = reading.deep and not searched_on
    if not closed:
        reading.repairs += ("missing_close_tag", "open_value")
    text = scan.text[begin:end]
    if not closed and (wrong := _WRONG_CLOSE.search(text)) and wrong.group(1).casefold() == key.casefold():
        text = text[: wrong.start()]  # the tag that closes it has the parameter's own name
    else:
        opens = (*shape.param_starts, *shape.nameless)
        text, bent = (
            without_doubled(text, shape.param_closes[0], *opens)
            if closed
            else without_ends(text, (*shape.between, shape.call_closes[0]), shape.param_closes[:2])
        )
        reading.repairs += ["near_miss_tag"] if bent else []
    again = shape.param_open.match(text, len(text) - len(text.lstrip())) if text.lstrip()[:1] == "<" else None
    if again and again["key"].strip() == key and not any(close in text.lower() for close in shape.param_closes):
        text = text[again.end() :]  # its own tag once more
        reading.repairs.append("near_miss_tag")
    text = bare_value(text, lines=shape.lines or not closed)
    if shape.cdata:
        text = text.strip()
        text = text[9:-3] if text.startswith("<![CDATA[") and text.endswith("]]>") else text
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


def _key(reading: _Reading, match: re.Match[str]) -> Step[tuple[str, int, tuple[str, ...]]]:
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


def _note_repetition(reading: _Reading, key: str, text: str) -> None:
    """The same value twice is only repeated; two values could as well be one that holds tags."""
    known = reading.texts.setdefault(key, text)
    if known != text:
        reading.twice = key
    elif reading.seen(key):
        reading.repairs.append("name_dup")


def _json_value(text: str, reading: _Reading, key: str) -> Any:
    """Read a value that says of itself that it is JSON; where the schema wants a string and nothing else, text stays text."""
    bare = text.strip()
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


def _place(reading: _Reading, key: str) -> Place:
    """Say what a value's end depends on: the value of the parameter `key`."""
    scan, shape = reading.scan, reading.shape
    tool = scan.tools.resolve(reading.name).tool

    def key_at(at: int) -> Step[tuple[str, int] | None]:
        tag = yield from _tag(scan, at, shape.param_open)
        match = shape.param_open.match(scan.text, at) if tag is not None and tag >= 0 else None
        return (match.group("key").strip().strip("\"'"), match.end()) if match else None

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
        """What is left of another parameter's tag stands there."""
        return (yield from _bent_open(reading, at, key)) is not None

    return Place(shape, reading.wrapped, reading.deep, begins_next, doubtful, bent)


def _json(reading: _Reading, at: int) -> Step[int | str]:
    """A JSON object stands where parameters belong."""
    scan = reading.scan
    state, stop = yield from scan.json_end(at)
    read = read_json(scan.text, at, stop, close=state is End.MORE and not scan.cut_short)
    if read.error or not isinstance(read.value, dict):
        return "truncated" if state is End.MORE else at
    reading.typed.update(read.value)
    reading.repairs += ["wrapper_arg", *read.repairs]
    reading.first, reading.last = at, stop
    return stop


def arguments_of(
    values: dict[str, str], typed: dict[str, Any], repairs: list[str], scan: Scanner, name: str
) -> RawText | dict[str, Any]:
    """Bring text values and typed ones together; unwrap a single parameter that holds all the arguments."""
    tool = scan.tools.resolve(name).tool
    every = {**values, **typed}
    if len(every) == 1:
        key, value = next(iter(every.items()))
        if key in ("arguments", "input", "args", "parameters", "properties") and (
            tool is not None and key not in tool.properties
        ):
            inner = value if isinstance(value, dict) else decode_arguments(value)[0] if isinstance(value, str) else None
            if isinstance(inner, dict):
                repairs.append("wrapper_arg")
                return inner
    if not typed:
        return RawText(values)
    if not values:
        return typed
    from workbench.formats.kit.types import from_text

    merged = dict(typed)
    for key, text in values.items():
        merged[key], repair = from_text(text, tool.schema_of(key) if tool else None)
        if repair:
            repairs.append(repair)
    return merged
