"""Calls as documents of function and parameter elements, the values between tags or in attributes.

    <functions><function name="get_weather"><params><param name="city" value="Rome" type="string"/></params></function></functions>
    <function name="get_weather"><param name="days" type="integer">3</param></function>

A type that an attribute names counts where no tool is declared. Entities are resolved, as it is XML.
"""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.calls import ParsedCall
from workbench.formats.kit.calls import Draft, Item, RawText, settle
from workbench.formats.kit.types import from_text

if TYPE_CHECKING:
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step

_SPACE = re.compile(r"\s*+")
_CALL = re.compile(r"""<function\s+name\s*=\s*(?:"([^"<>]{1,200})"|'([^'<>]{1,200})')\s*(/?)>""", re.IGNORECASE)
_LAYOUT = re.compile(r"(?:\s|</?(?:params|parameters|arguments)\s*/?>)*+", re.IGNORECASE)
_PARAM = re.compile(
    r"""<(param|parameter)((?:\s+[\w:.\-]+\s*=\s*(?:"[^"]*+"|'[^']*+'|\[[^\]<>]*+\]|[^\s"'<>/\[]++))++)\s*(/?)>""",
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"""([\w:.\-]+)\s*=\s*(?:"([^"]*+)"|'([^']*+)'|(\[[^\]<>]*+\]|[^\s"'<>/\[]++))""")
_OTHER = re.compile(r"<([a-z]\w{0,30})\s*>[^<]*+</\1\s*>", re.IGNORECASE)
_CLOSERS = {name: re.compile(rf"</{name}\s*>", re.IGNORECASE) for name in ("param", "parameter")}
_CLOSE = re.compile(r"</function ?>", re.IGNORECASE)
_DEFINES = re.compile(r"<(?:desc|description|param|parameter|function|type|enum)\b", re.IGNORECASE)
_OPEN_ENDED = re.compile(r"""<function\s+name\s*=\s*["'][^"'<>]+["']\s*>\s*<param(?:s|eters)?\b(?:\s*/?>|[^<>]*\s(?:type|value)\s*=)""", re.IGNORECASE)  # fmt: skip
_LOOK = 600
_WASTE = 1 << 20
"""Looking for the end of a document in vain is allowed for so many characters, and some more in long replies."""


class _Found(NamedTuple):
    """One function element as read."""

    name: str
    name_at: tuple[int, int]
    values: dict[str, str]
    types: dict[str, str]
    body: tuple[int, int]
    span: tuple[int, int]
    closed: bool


def typed_element(scan: Scanner, at: int) -> Step[bool]:
    """Tell whether the function element at `at` has its values in attributes, or types beside them."""
    while True:
        if _OPEN_ENDED.match(scan.text, at, at + _LOOK):
            return True
        if len(scan.text) - at > _LOOK or scan.text.count(">", at, at + _LOOK) >= 2 or not (yield from scan.more()):
            return False


def read_functions(
    scan: Scanner, start: int, at: int, form: str, repairs: tuple[str, ...], closers: tuple[str, ...] = ()
) -> Step[tuple[list[Item], int] | None]:
    """Read the document at `at`, whose attempt began at `start`, up to one of the closers; None: it holds no calls."""
    if scan.wasted > _WASTE + 4 * (scan.base + at):
        return None
    document = yield from scan.literal(at, "<functions>")
    inside = (yield from scan.space(document)) if document >= 0 else at
    if (yield from scan.literal(inside, "<function ")) < 0:
        return None
    end, stop, closed = yield from _end(scan, inside, document >= 0, closers)
    found = _elements(scan.text, inside, end)
    if not found:
        scan.wasted += end - at
        return None
    if not closed:
        stop, repairs = found[-1].span[1], (*repairs, "missing_close_tag")
    items = [_call(scan, one, form, repairs) for one in found]
    if any(item is None for item in items):
        return None
    calls = [item for item in items if item is not None]
    calls[0] = calls[0]._replace(span=calls[0].span._replace(start=scan.base + start))
    calls[-1] = calls[-1]._replace(span=calls[-1].span._replace(end=scan.base + stop))
    return calls, stop


def _end(scan: Scanner, at: int, document: bool, closers: tuple[str, ...]) -> Step[tuple[int, int, bool]]:
    """Return where the elements end, where the attempt ends, and whether all that was opened is closed."""
    if not document and not closers:
        while True:
            found = yield from scan.find(at, "</function>", "</function >")
            if found is None:
                return len(scan.text), len(scan.text), False
            at = yield from scan.space(found[1])
            if (yield from scan.literal(at, "<function ")) < 0:
                return found[1], found[1], True
    found = yield from scan.find(at, *(("</functions>",) if document else ()), *closers)
    if found is None:
        return len(scan.text), len(scan.text), False
    own = scan.text[found[0] : found[1]].casefold() == "</functions>"
    if not own or not closers:
        return found[0], found[1], own == document
    after = yield from scan.literal((yield from scan.space(found[1])), *closers)
    return found[0], max(after, found[1]), after >= 0


def _elements(text: str, at: int, end: int) -> list[_Found]:
    """Read function elements up to `end`; none at all if anything else stands there."""
    found: list[_Found] = []
    while True:
        at = _SPACE.match(text, at, end).end()  # type: ignore[union-attr]
        if at >= end or (found and text[at] != "<"):
            return found
        if found and text.startswith("</function", at):
            at = text.find(">", at) + 1 or end
            continue
        one = _element(text, at, end)
        if one is None:
            return []
        found.append(one)
        at = one.span[1]


def _element(text: str, at: int, end: int) -> _Found | None:
    opened = _CALL.match(text, at, end)
    if opened is None:
        return None
    group = 1 if opened.group(1) else 2
    values: dict[str, str] = {}
    types: dict[str, str] = {}
    first = last = place = opened.end()
    closed = bool(opened.group(3))
    while not closed:
        place = _LAYOUT.match(text, place, end).end()  # type: ignore[union-attr]
        if place >= end or _CALL.match(text, place, end):
            break
        if (close := _CLOSE.match(text, place, end)) is not None:
            place, closed = close.end(), True
            continue
        param = _param(text, place, end)
        if param is None:
            other = _OTHER.match(text, place, end)
            if other is None or _DEFINES.match(other.group()):
                return None
            place = other.end()
            continue
        key, value, kind, stop = param
        first = first if values else place
        values[key], types[key] = value, kind
        place = last = stop
    span = (at, place)
    return _Found(unescape(opened.group(group)).strip(), opened.span(group), values, types, (first, last), span, closed)


def _param(text: str, at: int, end: int) -> tuple[str, str, str, int] | None:
    """Read one parameter element: key, value, type, and where it ends; None where it has no value."""
    found = _PARAM.match(text, at, end)
    if found is None:
        return None
    attributes: dict[str, str] = {}
    for one in _ATTRIBUTE.finditer(found.group(2)):
        attributes[one.group(1).casefold()] = unescape(next(group for group in one.groups()[1:] if group is not None))
    key, value, kind = attributes.get("name"), attributes.get("value"), attributes.get("type", "")
    place = found.end()
    if not found.group(3):
        closer = _CLOSERS[found.group(1).casefold()]
        if value is not None:
            closed = closer.match(text, _SPACE.match(text, place, end).end(), end)  # type: ignore[union-attr]
            place = closed.end() if closed else place
        elif (closed := closer.search(text, place, end)) is None or _DEFINES.search(text, place, closed.start()):
            return None
        else:
            value, place = unescape(text[place : closed.start()].strip()), closed.end()
    return None if key is None or value is None else (key, value, kind.split("[")[0].strip(), place)


def _call(scan: Scanner, one: _Found, form: str, repairs: tuple[str, ...]) -> Item | None:
    """Settle one element; declared tools say the types, else its attributes do."""
    arguments: Any = RawText(one.values)
    notes: list[str] = list(repairs if one.closed else (*repairs, "missing_close_tag"))
    notes += ["near_miss_tag"] if scan.text[one.span[1] - 2] == " " else []
    if scan.tools.resolve(one.name).tool is None:
        arguments = {}
        for key, text in one.values.items():
            kind = one.types[key]
            arguments[key], repair = from_text(text, {"type": kind} if kind else None)
            notes += [repair] if repair else []
    draft = Draft(
        one.name, arguments, scan.span(*one.span), scan.span(*one.name_at), scan.span(*one.body),
        repairs=tuple(dict.fromkeys(notes)), format=form,
    )  # fmt: skip
    return settle(draft, scan.tools)


def all_calls(items: list[Item]) -> bool:
    """True if every item is a call that is given out."""
    return all(isinstance(item, ParsedCall) for item in items)
