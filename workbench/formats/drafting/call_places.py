"""Where declared tools are called in a text, by what is known of them: the tool's name, then its arguments as JSON or by key.

What stands around those is markup; nothing is assumed of it here.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.formats.kit.call_keys import ARGUMENT_KEYS, NAME_KEYS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from workbench.core.tools import ToolSpec

FAR = 2_000
"""Characters of one call."""
_NEAR = 80
"""Characters between a name and its first argument."""
_json = json.JSONDecoder()
_ENDING = re.compile(r"(?:(?<=\W)/(?:\w{1,16}[ :])?|\b(?:end|END|End)[ _:-]?)\s?\Z")
"""Before a name that closes its call: `[/get_weather]`."""
_SIGNS = re.compile(
    r"[\"']?(?:\s*(?:<[/|]{0,2}[\w:.\-]{1,24}[|/]?>|\[/?[\w:.\-]{1,24}\]|[\"']?\s+\w{1,12}=(?=[\"'])|[-=]>"
    r"|[^\w\s\"'<\[{(/.~+-]))*\s*"
)
"""What may stand between a key and its value."""
_SECTION = re.compile(r"[<\[{@#]\w{1,16}\.\Z")
"""Before a name: `[tool.get_weather]`."""
_PROSE = re.compile(r"\b[A-Za-z]+ [a-z]+ [a-z]+\b|\n\s*\n|[.!?]\s")


class ArgumentPair(NamedTuple):
    """An argument by its key."""

    key: str
    start: int
    end: int
    """Of the key."""
    value: int
    """Where its value begins, as far as one call tells."""


class CallInSample(NamedTuple):
    """One call."""

    text: str
    start: int
    end: int
    """Of the name."""
    tool: ToolSpec
    after: int
    """Where the call before it is surely not over yet."""
    stop: int
    """Where the next one's name stands, or the text ends."""
    kind: str
    """`json`, `inside` (the name is in the JSON) or `pairs`."""
    first: int
    """Where the arguments begin."""
    last: int
    """Where JSON ends, or the last value begins."""
    value: dict[str, Any]
    """Arguments in JSON."""
    pairs: tuple[ArgumentPair, ...] = ()
    keys: tuple[str, str] = ("", "")
    """Of name and arguments, where the name is inside."""

    @property
    def before(self) -> str:
        """What stands before it."""
        begin = self.first if self.kind == "inside" else self.start
        return self.text[max(self.after, begin - FAR) : begin]


def call_places(text: str, tools: Sequence[ToolSpec]) -> Iterator[CallInSample]:
    """Yield calls of declared tools, in order; a name inside of another call is part of it."""
    names = {tool.name: tool for tool in tools}
    if not names:
        return
    pattern = re.compile(
        rf"(?<!\w)(?<!\w/)(?:{'|'.join(map(re.escape, sorted(names, key=len, reverse=True)))})(?!\w|\.\w)"
    )
    found = [one for one in pattern.finditer(text) if not _other(text, one.start())]
    at = 0
    for number, match in enumerate(found):
        if match.start() < at:
            continue
        stop = found[number + 1].start() if number + 1 < len(found) else len(text)
        place = _place(text, match.span(), names[match.group()], at, stop)
        if place is not None:
            yield place
            at = place.last


def _other(text: str, at: int) -> bool:
    """Whether a name ends a call, or belongs to something else: `self.get_weather`."""
    if _ENDING.search(text, max(at - 24, 0), at):
        return True
    return text[at - 1 : at] == "." and _SECTION.search(text, max(at - 20, 0), at) is None


def _place(text: str, name: tuple[int, int], tool: ToolSpec, after: int, stop: int) -> CallInSample | None:
    return (
        _inside(text, name, tool, after, stop)
        or _json_behind(text, name, tool, after, stop)
        or _by_key(text, name, tool, after, min(stop, name[1] + FAR))
    )


def _inside(text: str, name: tuple[int, int], tool: ToolSpec, after: int, stop: int) -> CallInSample | None:
    """The name is a value of the JSON: `[[tool]]{"name": "now", "arguments": {}}[[/tool]]`."""
    at = name[0]
    brace = text.rfind("{", max(at - 60, after), at)
    if brace < 0 or text[at - 1 : at] != '"':
        return None
    value, end = _read(text, brace)
    if value is None or end < at:
        return None
    name_key = next((key for key in (*NAME_KEYS, *value) if value.get(key) == tool.name), "")
    if not name_key:
        return None
    key = next((key for key in (*ARGUMENT_KEYS, *value) if isinstance(value.get(key), dict)), "")
    arguments = value[key] if key else {name: one for name, one in value.items() if name != name_key}
    keys = (name_key, key or "arguments")
    return CallInSample(text, *name, tool, after, max(stop, end), "inside", brace, end, arguments, keys=keys)


def _json_behind(text: str, name: tuple[int, int], tool: ToolSpec, after: int, stop: int) -> CallInSample | None:
    brace = text.find("{", name[1], min(name[1] + _NEAR, stop))
    while brace >= 0 and not _PROSE.search(text, name[1], brace):
        value, end = _read(text, brace)
        if value is not None and value.keys() <= tool.properties.keys():
            return CallInSample(text, *name, tool, after, max(stop, end), "json", brace, end, value)
        brace = text.find("{", brace + 1, min(name[1] + _NEAR, stop))
    return None


def _read(text: str, at: int) -> tuple[dict[str, Any] | None, int]:
    try:
        value, end = _json.raw_decode(text, at)
    except (ValueError, RecursionError):
        return None, at
    return (value, end) if isinstance(value, dict) else (None, at)


def _by_key(text: str, name: tuple[int, int], tool: ToolSpec, after: int, stop: int) -> CallInSample | None:
    if not tool.properties:
        return None
    keys = "|".join(map(re.escape, sorted(tool.properties, key=len, reverse=True)))
    pairs: list[ArgumentPair] = []
    sign = ""
    for match in re.compile(rf"(?<!\w)({keys})(?!\w)").finditer(text, name[1], stop):
        if _ENDING.search(text, max(match.start() - 24, 0), match.start()) or (
            pairs and match.start() < pairs[-1].value
        ):
            continue
        signs = _SIGNS.match(text, match.end(), stop)
        mark = signs.group().strip() if signs else ""
        if signs is None or not (mark or _flagged(text, match.start(), signs.group())):
            continue
        if pairs and mark[:1] != sign[:1]:
            continue
        if not pairs and (match.start() - name[1] > _NEAR or _PROSE.search(text, name[1], match.start())):
            return None
        sign = sign or mark
        pairs.append(ArgumentPair(match.group(), *match.span(), signs.end()))
    if not pairs:
        return None
    return CallInSample(text, *name, tool, after, stop, "pairs", pairs[0].start, pairs[-1].value, {}, tuple(pairs))


def _flagged(text: str, key: int, behind: str) -> bool:
    """A sign before the key makes it one, a blank behind it then: `--city Rome`."""
    return bool(behind) and "\n" not in behind and text[key - 1 : key] in ("-", "@", ":", "$", "%", "+")
