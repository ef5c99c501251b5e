"""From calls in unknown markup to the markers around them: what the samples agree on, and what they do not show."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.formats.kit.call_keys import ARGUMENT_KEYS, NAME_KEYS
from workbench.formats.kit.types import from_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from workbench.core.tools import ToolSpec

FAR = 2_000
"""Characters of one call."""
_json = json.JSONDecoder()
_SIGN = re.compile(r"[^\w\s\"'.,()-]")
_OPENER = re.compile(
    r"<\w[\w:.-]{0,24}[ \t]+\w{1,24}=[\"']\Z|(?:[^\s\w]|_)[^\s]{0,30}[ \t]?\Z|(?<!\S)[^\s\w]\S{0,24}[ \t]\Z"
)
_BETWEEN = re.compile(r"\s*((?:<\|?/?[\w:.-]{1,24}\|?>|\[/?[\w:.-]{1,24}\]|[^\w\s{\"']{1,8}|[A-Z][A-Za-z]{1,12})?)\s*")
_ASSIGN = re.compile(r"(\s*)(->|=>|::|:=|==|→|[:=~|>])\s*")
_CLOSER = re.compile(r"[ \t]?\n?((?:[^\w\s\"',.]{1,8}[\w:./]{0,24}(?:[^\w\s\"',.]{1,8})?))")
_LINE_END = re.compile(r"\n[ \t]*((?=[^\n]*[^\w\s\"'.,])[^\w\s\"',.][^\n]{1,30}?)[ \t]*(?:\n|\Z)")
"""A closer that has a line of its own."""
_END = re.compile(r"[^\w\s\"'.,]{2,8}[\w:./]{0,24}[^\w\s\"',.]{0,8}|[>\]}⟩⟧」】»]")


@dataclass(frozen=True, slots=True)
class Markup:
    """The fields of a drafted grammar."""

    opens: str
    closes: str = ""
    between: str = ""
    assign: str = ""
    divider: str = ""
    quote: str = ""
    before_name: str = ""
    between_blank: str = ""
    before_close: str = ""
    assign_blank: str = ""
    name_key: str = ""
    """The name stands in the JSON, under this key."""
    argument_key: str = ""

    @property
    def shape(self) -> tuple[str, ...]:
        """What calls of one dialect have in common."""
        kind = "json" if not self.assign else self.assign
        return self.opens, self.between, kind, self.name_key


class FoundCall(NamedTuple):
    """One call in a sample, as its own markup says."""

    name: str
    arguments: dict[str, Any]
    start: int
    end: int
    markup: Markup
    pairs: int
    """How many arguments it has."""


@dataclass(slots=True)
class Inferred:
    """One dialect."""

    markup: Markup
    samples: list[tuple[str, list[FoundCall]]] = field(default_factory=list)
    """Texts and the calls in them."""
    others: Counter[tuple[str, ...]] = field(default_factory=Counter)
    """Shapes of calls that are written in another way."""
    silent: int = 0
    """Texts in which no call was found."""

    @property
    def calls(self) -> list[FoundCall]:
        """All calls."""
        return [call for _, calls in self.samples for call in calls]


def infer(texts: Iterable[tuple[str, Sequence[ToolSpec]]]) -> Inferred | None:
    """Return the dialect that most texts are written in; None where no declared tool is called in markup of its own."""
    given = list(texts)
    found = [(text, list(_calls(text, tools))) for text, tools in given]
    shapes = Counter(call.markup.shape for _, calls in found for call in calls)
    if not shapes:
        return None
    usual = shapes.most_common(1)[0][0]
    mine = [call for _, calls in found for call in calls if call.markup.shape == usual]
    made = Inferred(_agreed([call.markup for call in mine]), silent=sum(not calls for _, calls in found))
    made.others = Counter({shape: count for shape, count in shapes.items() if shape != usual})
    for (text, calls), (_, tools) in zip(found, given, strict=True):
        if calls and all(call.markup.shape == usual for call in calls):
            made.samples.append((text, list(_calls(text, tools, made.markup.closes))))
    return made


def _agreed(all_markup: Sequence[Markup]) -> Markup:
    """The fields that most calls have; what ends them is what all their ends begin with."""
    first = all_markup[0]
    values = {
        name: Counter(getattr(one, name) for one in all_markup if name != "divider" or one.divider).most_common(1)
        for name in ("divider", "quote", "before_name", "between_blank", "before_close", "assign_blank", "closes")
    }
    return replace(first, **{name: most[0][0] if most else "" for name, most in values.items()})


def _calls(text: str, tools: Sequence[ToolSpec], closes: str = "") -> Iterable[FoundCall]:
    """Calls of declared tools, in order; a name inside of another call is part of it. `closes`: what ends them, once known."""
    names = {tool.name: tool for tool in tools}
    if not names:
        return
    pattern = re.compile(rf"(?<![\w./])(?:{'|'.join(map(re.escape, sorted(names, key=len, reverse=True)))})(?![\w.])")
    at = 0
    while (match := pattern.search(text, at)) is not None:
        following = pattern.search(text, match.end())
        piece = _Piece(text, following.start() if following else len(text), closes)
        call = _call(piece, match.start(), match.end(), at, names[match.group()])
        if call is not None:
            yield call
        at = call.end if call is not None else match.end()


class _Piece(NamedTuple):
    """A text, how far a call in it may go, and what ends it if that is known."""

    text: str
    stop: int
    closes: str

    def closer(self, at: int) -> tuple[str, int]:
        """What stands behind the arguments and is no prose, and where that ends."""
        if self.closes:
            found = self.text.find(self.closes, at, at + FAR)
            near = found >= 0 and not self.text[at:found].strip()
            return (self.closes, found + len(self.closes)) if near else ("", at)
        match = _CLOSER.match(self.text, at)
        if match is None or not _SIGN.search(match.group(1)):
            return "", at
        return match.group(1), match.end()


def _call(piece: _Piece, start: int, end: int, after: int, tool: ToolSpec) -> FoundCall | None:
    text = piece.text
    line = max(text.rfind("\n", 0, start) + 1, after)
    head = text[line:start]
    if (inside := _in_json(piece, line, start, tool)) is not None:
        return inside
    opener = _OPENER.search(head)
    if opener is None or not _SIGN.search(opener.group()):
        return None
    opens = opener.group()
    begin = line + opener.start()
    markup = Markup(opens.rstrip(), before_name=" " if opens != opens.rstrip() else "")
    return _json_arguments(piece, begin, end, tool, markup) or _pair_arguments(piece, begin, end, tool, markup)


def _in_json(piece: _Piece, line: int, at: int, tool: ToolSpec) -> FoundCall | None:
    """The name is a value of the JSON: `[[tool]]{"name": "now", "arguments": {}}[[/tool]]`."""
    text = piece.text
    brace = text.rfind("{", max(at - 60, 0), at)
    if brace < 0 or text[at - 1 : at] not in ('"', "'"):
        return None
    try:
        value, end = _json.raw_decode(text, brace)
    except (ValueError, RecursionError):
        return None
    name_key = next((key for key in NAME_KEYS if value.get(key) == tool.name), "")
    if not name_key or end < at:
        return None
    key = next((key for key in ARGUMENT_KEYS if isinstance(value.get(key), dict)), "")
    arguments = value[key] if key else {name: one for name, one in value.items() if name != name_key}
    head = text[max(min(line, brace), brace - 32) : brace]
    opener = re.search(r"[^\s\w]\S{0,30}\s?\Z", head)
    if opener is None or not _SIGN.search(opener.group()):
        return None
    closer, shut = piece.closer(end)
    markup = Markup(opener.group().strip(), closer, name_key=name_key, argument_key=key or "arguments")
    return FoundCall(tool.name, arguments, brace - len(opener.group()), shut, markup, len(arguments))


def _json_arguments(piece: _Piece, begin: int, end: int, tool: ToolSpec, markup: Markup) -> FoundCall | None:
    text = piece.text
    between = _BETWEEN.match(text, end)
    if between is None or text[between.end() : between.end() + 1] != "{":
        return None
    try:
        value, stop = _json.raw_decode(text, between.end())
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or not value.keys() <= tool.properties.keys():
        return None
    closer, shut = piece.closer(stop)
    blank = text[stop : shut - len(closer)] if closer else ""
    mark = between.group(1)
    gap = text[end : between.start(1)] if mark else text[end : between.end()]
    made = replace(markup, closes=closer, between=mark, between_blank=gap, before_close=blank)
    return FoundCall(tool.name, value, begin, shut, made, len(value))


# keys and values


def _pair_arguments(piece: _Piece, begin: int, end: int, tool: ToolSpec, markup: Markup) -> FoundCall | None:
    if not tool.properties:
        return None
    text = piece.text
    stop = text.find("\n\n", end, end + FAR)
    stop = min(piece.stop, end + FAR) if stop < 0 else min(stop, piece.stop)
    keys = "|".join(map(re.escape, sorted(tool.properties, key=len, reverse=True)))
    first = re.compile(rf"(\s*)([^\w\s]{{0,8}}|[A-Z][A-Za-z]{{1,12}})(\s*)(?<!\w)({keys})(?!\w)").match(text, end, stop)
    sign = _ASSIGN.match(text, first.end(4), stop) if first else None
    if first is None or sign is None:
        return None
    places = [
        (found.start(1), found.group(1), found.end())
        for found in re.compile(rf"(?<!\w)({keys})\s*{re.escape(sign.group(2))}\s*").finditer(
            text, first.start(4), stop
        )
    ]
    markup = replace(markup, between=first.group(2), between_blank=first.group(1) or ("" if first.group(2) else first.group(3)),
                     assign=sign.group(2), assign_blank=" " if sign.group(1) else "")  # fmt: skip
    values: dict[str, str] = {}
    divider, at = "", places[0][2]
    for number, (_, key, value_at) in enumerate(places):
        following = places[number + 1][0] if number + 1 < len(places) else -1
        if following >= 0:
            value, rest = _cut(text[value_at:following])
            divider = divider or rest.strip()
            values.setdefault(key, value)
        else:
            at = value_at
    value, closer, shut = _last(piece, at, stop)
    if not closer:
        return None
    values[places[-1][1]] = value
    quote = next((text[place[2]] for place in places if text[place[2] : place[2] + 1] in ("'", '"')), "")
    blank = " " if text[shut - len(closer) - 1 : shut - len(closer)] == " " else ""
    made = replace(markup, closes=closer, divider=divider, quote=quote, before_close=blank)
    typed = {key: from_text(one, tool.properties.get(key))[0] for key, one in values.items()}
    return FoundCall(tool.name, typed, begin, shut, made, len(typed))


def _cut(chunk: str) -> tuple[str, str]:
    """A value and what stands between it and the next key."""
    if chunk[:1] in ("'", '"') and (end := chunk.rfind(chunk[0])) > 0:
        return chunk[1:end], chunk[end + 1 :]
    bare = chunk.rstrip()
    sign = re.search(r"\s*[^\w\s\"'.)\]}]{1,3}\Z", bare)
    return (bare[: sign.start()], sign.group()) if sign else (bare, "")


def _last(piece: _Piece, at: int, stop: int) -> tuple[str, str, int]:
    """The last value, what closes the call, and where that ends."""
    text = piece.text
    quote = text[at : at + 1]
    end = text.find(quote, at + 1, stop) if quote in ("'", '"') else -1
    while end > 0:
        closer, shut = piece.closer(end + 1)
        if closer:
            return text[at + 1 : end], closer, shut
        end = text.find(quote, end + 1, stop)
    if piece.closes:
        found = text.find(piece.closes, at, stop)
        return (text[at:found].strip(), piece.closes, found + len(piece.closes)) if found >= 0 else ("", "", -1)
    line = text.find("\n", at, stop)
    match = _END.search(text, at, stop if line < 0 else line)
    if match is None and line >= 0 and (own := _LINE_END.search(text, line, stop)) is not None:
        return text[at : own.start()].strip(), own.group(1), own.end(1)
    return (text[at : match.start()].strip(), match.group(), match.end()) if match else ("", "", -1)
