"""What copying adds around a text, taken off: colours, line numbers, bars, quotation marks of mails, prompts of
a shell, heads of HTTP, escapes.

`bare` takes off what is certain; `parts` offers what may hold the point where the whole says nothing: fenced blocks of an
issue, texts in JSON that is cut, an escaped text, the place of a call in a very long one.
"""

from __future__ import annotations

import base64
import binascii
import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.json_text import UNREADABLE, parse_json
from workbench.scan.json_values import json_value
from workbench.scan.prefilter import may_hold_call
from workbench.scan.readers.markdown import fenced

if TYPE_CHECKING:
    from collections.abc import Iterator


class Bare(NamedTuple):
    """A text, and what was done to get it."""

    text: str
    note: str = ""
    """`line numbers taken off`; empty: nothing was done."""


_COLOURS = re.compile(r"\x1b\[[\d;?]*[A-Za-z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")
_NUMBERED = re.compile(r"[ \t]{0,8}(\d{1,7})(?:[ \t]?[:|│┃→][ \t]?|\t| {2}|$)")
_BARRED = re.compile(r"[ \t]{0,4}[│┃║▌▏|](?: |$)")
_QUOTED = re.compile(r"[ \t]{0,2}>(?!>)(?: |$)")
_ADDED = re.compile(r"\+(?!\+\+ )")
_CONTAINER = re.compile(r"([\w.-]{1,64}) {1,20}\| ?")
_POD = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d) (?:stdout|stderr) [FP] ")
_GUTTERS = (
    ("the pod's prefixes", _POD), ("bars", _BARRED), ("quotation marks", _QUOTED), ("signs of a diff", _ADDED),
)  # fmt: skip
_PROMPT = re.compile(
    r"\A\s*(?:\([\w.-]+\) )?(?:[\w.-]+@[\w.-]+[: ][^\n$#%]{0,80}[$#%] |PS [A-Z]:[^\n>]{0,120}> |[A-Z]:\\[^\n>]{0,120}>|[$%❯➜] )(?=curl(?:\.exe)?\s)"
)
_HEAD = re.compile(
    r"\A\s*(?:HTTP/[\d.]{1,3} [123]\d\d[^\n]{0,80}|(?:POST|PUT) \S{1,2000} HTTP/[\d.]{1,3})\r?\n(?:[\w-]{1,80}:[^\n]*\n)+\r?\n"
)
_CONTINUED = re.compile(r"[ \t][\^`][ \t]*\r?\n")
_BASE64 = re.compile(r"[A-Za-z0-9+/\s]{32,}={0,2}\s*")
_MOST_BASE64 = 8 << 20
_MOST_LINES = 200_000


def bare(text: str) -> Bare:
    """Return a text without what copying added around all of it."""
    notes: list[str] = []
    for step in (_uncoloured, _without_gutter, _without_prompt, _without_head, _unquoted, _decoded):
        found = step(text)
        if found is not None:
            text, note = found
            notes.append(note)
    return Bare(text, ", ".join(filter(None, notes)))


def _uncoloured(text: str) -> Bare | None:
    return Bare(_COLOURS.sub("", text)) if "\x1b" in text else None


def _without_gutter(text: str) -> Bare | None:
    lines = text.split("\n", _MOST_LINES)
    filled = [line for line in lines if line.strip()]
    if len(filled) < 2:
        return None
    numbers = [_NUMBERED.match(line) for line in filled]
    if all(numbers) and _count_up([int(found[1]) for found in numbers if found]):
        return Bare("\n".join(_NUMBERED.sub("", line, count=1) for line in lines), "line numbers taken off")
    names = {found[1] if (found := _CONTAINER.match(line)) else "" for line in filled}
    if len(names) == 1 and "" not in names:
        return Bare("\n".join(_CONTAINER.sub("", line, count=1) for line in lines), "the container's name taken off")
    for note, gutter in _GUTTERS:
        if all(gutter.match(line) for line in filled) and not _is_table(filled):
            cut = [gutter.sub("", line, count=1) for line in lines]
            if note == "bars" and all(line.rstrip().endswith(("│", "┃", "║")) for line in filled):
                cut = [line.rstrip()[:-1].rstrip() for line in cut]
            return Bare("\n".join(cut), f"{note} taken off")
    return None


def _count_up(numbers: list[int]) -> bool:
    steps = [after - before for before, after in pairwise(numbers)]
    return all(1 <= step <= 50 for step in steps) and steps.count(1) * 2 >= len(steps)


def _is_table(lines: list[str]) -> bool:
    """A table of Markdown: a bar at both ends and a line of dashes."""
    return any(re.fullmatch(r"\s*\|[\s|:-]+\|\s*", line) for line in lines)


def _without_prompt(text: str) -> Bare | None:
    """A shell's prompt before curl, and the ways in which other shells continue a line."""
    found = _PROMPT.match(text)
    rest = text[found.end() :] if found else text
    if not rest.lstrip().startswith(("curl ", "curl.exe ")):
        return None
    rest = _CONTINUED.sub(" \\\\\n", rest.lstrip()).replace("curl.exe ", "curl ", 1)
    return Bare(rest) if rest != text else None


def _without_head(text: str) -> Bare | None:
    """What HTTP puts above a body."""
    found = _HEAD.match(text)
    rest = text[found.end() :] if found else ""
    return Bare(rest, "the head of HTTP taken off") if rest.lstrip()[:1] in ("{", "[", "d", "e") and rest else None


def _unquoted(text: str) -> Bare | None:
    """A text that is one string of JSON or of Python."""
    stripped = text.strip()
    if len(stripped) < 4 or stripped[0] not in "\"'" or stripped[-1] != stripped[0] or "\n" in stripped:
        return None
    if stripped[0] == "'" and "\\'" not in stripped and "'" not in stripped[1:-1]:
        stripped = '"' + stripped[1:-1].replace('\\"', '"').replace('"', '\\"') + '"'
    value = json_value(stripped)
    return Bare(value, "unescaped") if isinstance(value, str) else None


def _decoded(text: str) -> Bare | None:
    if len(text) > _MOST_BASE64 or not _BASE64.fullmatch(text):
        return None
    try:
        data = base64.b64decode("".join(text.split()), validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return None
    readable = sum(char.isprintable() or char in "\n\r\t" for char in data[:2000]) >= len(data[:2000]) * 0.98
    return Bare(data, "decoded from base64") if readable and any(sign in data for sign in "{<[") else None


_STRING = re.compile(
    r"\"(?:content|text|arguments|reasoning_content|reasoning|thinking|generated_text|response|output|partial_json)\"\s*:\s*"
    r"\"((?:[^\"\\]|\\.)*)",
    re.DOTALL,
)
_LONG = 60_000
_STEP = 40_000
_MOST_PARTS = 24


def parts(text: str) -> Iterator[Bare]:
    """Yield what may hold the point of a text that says nothing as a whole, the likeliest first."""
    fences = [found.body for found in fenced(text)][:_MOST_PARTS]
    for block in sorted(fences, key=lambda one: not may_hold_call(one, None)):
        if block.strip():
            yield Bare(block, "a block of code in it")
    strings = list(_strings(text))
    for found in strings:
        yield Bare(found, "a text in JSON that is cut or of no known shape")
    if not strings and (plain := unescaped(text)) is not None:
        yield Bare(plain, "unescaped")
    if (part := telling_part(text)) is not None:
        yield part


def telling_part(text: str) -> Bare | None:
    """The part of a very long text around the first place where a call may stand; None for a short one, or where none may."""
    if len(text) <= _LONG:
        return None
    for at in range(0, len(text), _STEP):
        if may_hold_call(text[at : at + _LONG], None):
            start = max(at - _STEP // 4, 0)
            return Bare(text[start : at + _LONG], f"the part from character {start:,}")
    return None


def _strings(text: str) -> Iterator[str]:
    if '":' not in text and '" :' not in text:
        return
    for number, found in enumerate(_STRING.finditer(text)):
        if number >= _MOST_PARTS:
            return
        value = json_value(f'"{found[1]}"')
        if isinstance(value, str) and may_hold_call(value, None):
            yield value


def unescaped(text: str) -> str | None:
    """A text in one line with the escapes of a string, but not its quotes; None for others."""
    stripped = text.strip()
    if "\n" in stripped or not re.search(r"\\[n\"]", stripped):
        return None
    value = json_value(f'"{stripped}"')
    if value is UNREADABLE:
        inner = re.sub(r'(?<!\\)"', r"\"", stripped)
        try:
            value = parse_json(f'"{inner}"', strict=False)
        except ValueError:
            return None
    return value if isinstance(value, str) else None
