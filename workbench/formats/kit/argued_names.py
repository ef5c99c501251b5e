"""A declared tool's name that nothing but a parameter of the tool tells of: beside it, below it, or glued to it.

Whatever dialect the call is in, who writes a tool's name and, with no words between, one of its parameters and a value,
means a call.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from workbench.formats.kit.wordings import Wording, any_wording

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Pattern = re.Pattern[str]
_LEAST_GLUED = 3
_LEAST_BENT = 5
"""So much of a bent name is there at least, and three fifths of it."""
_GOES_BEFORE = ("_", ".", "\\")
_SECTION = re.compile(r"\[(?:tools?|calls?|actions?|functions?)\.\Z")
_OPENING, _CLOSING = ("'", '"', "“", "„"), ("'", '"', "”", "“")
"""Quotes before a name that is closed behind it: what begins there does not stand in quotes."""
_VALUE = r"(?:=[\"'][^\"'\n]{0,60}[\"'])"
_SIGNS = r"(?:[^\w.!?;\n]|\n(?![ \t]*\n)|\?(?=\w+=)|!(?=\{)){1,16}?"
_BETWEEN = (
    rf"(?i:(?!, ?\w{{4,12}}:){_SIGNS}(?:(?:with )?(?:the )?(?:tool_?|action_?)?(?:arguments?|args|parameters?|params|inputs?|kwargs){_SIGNS}"
    r"|with [^\w\s.!?;]{1,8} ?)?)"
)
"""Signs, and at most a word for arguments, between a name and its first parameter."""
_SIGN = r"(?:[^\w.!?;\n]|\n(?![ \t]*\n)|\?(?=\w))"
_STRUCTURED = r"(?:\.(?:run|call|invoke|execute|use)(?=\()|\w[\w\-]{0,23}(?=[\"'”%]{0,2}\s{0,2}[:=({\[|>.%])\.?|(?-i:[A-Z]{3,12})(?=[ \t])|\.{3})"
_STRUCTURE = rf"(?!, ?\w{{4,12}}:){_SIGN}{{0,12}}?{_STRUCTURED}(?:{_SIGN}|{_STRUCTURED}){{0,16}}?"
"""Signs, and words that a sign follows directly or in capitals, one at least."""
_TYPE = r"(?:str(?:ing)?|int(?:eger)?|num(?:ber)?|float|bool(?:ean)?|array|list|object|dict|any|required|optional|none|null|the|an?|your|text|value)\b"
_WORD = rf"(?!{_TYPE}|\.\.\.|…|[?<])[^\s\"'“()\[\]{{}}<>,:|]{{1,60}}"
_OWN_LINE = r"\n[ \t]{0,8}(?:[@#%$&!:|~]{1,3}(?:\w{1,12}[ \t]{1,2})?|[A-Z]{2,9}_[A-Z]{2,9}[ \t:]{1,2})"
"""How a line begins that gives one argument, beside a marker of its own."""
_ALONE = rf"{_WORD}[ \t]{{0,4}}(?:$|[)\]}},>|])"
"""A word that is all of a value."""


def pairs(key: str) -> tuple[Wording, ...]:
    """How a parameter and its value are written behind any name."""
    return (
        Wording(rf"[\"'“`*]{{0,2}}{key}[\"'”`*]{{0,2}}=(?!=)(?:[\"'“\d{{\[]|{_WORD})", "<<look_up city=Rome>>"),
        Wording(
            rf"[\"'“„]{key}[\"'”“]\s{{0,3}}:\s{{0,3}}(?!\{{\s{{0,3}}[\"']type)[\"'“„\d{{\[tfn-]",
            '[look_up] {"city": "Rome"}',
        ),
        Wording(rf"{key}>[^<>]{{1,400}}</{key}>", "look_up<city>Rome</city>"),
        Wording(rf"{key}\s{{0,2}}(?:->|=>|:=|→)\s{{0,2}}(?:[\"'“\d]|{_WORD})", "[[look_up]]\ncity -> Rome"),
        Wording(rf"--{key}(?:=|[ \t]{{1,2}})(?:[\"'“\d]|{_WORD})", "look_up --city Rome"),
    )


def loose_pairs(key: str) -> tuple[Wording, ...]:
    """How they are written behind a name that is no word of the language."""
    return (
        Wording(rf"[\"'“`*]{{0,2}}{key}[\"'”`*]{{0,2}}\s{{1,3}}=\s(?:[\"'“\d{{\[]|{_ALONE})", "look_up, city = Rome"),
        Wording(rf"[*`]{{0,2}}{key}[*`]{{0,2}}:[*`]{{0,2}}\s{{0,3}}(?:[\"'“\d]|{_ALONE})", "look_up:\n  city: Rome"),
        Wording(rf":{key}[ \t]{{1,2}}[\"'“\d]", 'look_up :city "Rome"'),
    )


def placed_pairs(key: str) -> tuple[Wording, ...]:
    """How they are written where more than signs stands between them and a name, in pairs that no sentence has."""
    quoted = rf"\\{{0,3}}[\"'“„]{key}\\{{0,3}}[\"'”“]"
    return (
        Wording(rf"{quoted}\s{{0,3}}:\s{{0,3}}(?!\{{\s{{0,3}}[\"']type)[\\\"'“„\d{{\[tfn-]", '{"a": "look_up", "b": {"city": "Rome"}}'),
        Wording(rf"(?<![\w\"'])[\"']?{key}[\"']?(?:=(?!=)(?:[\"'“\d{{\[]|{_WORD})|\s{{1,2}}=\s{{1,2}}(?:[\"'“\d{{\[]|{_ALONE}))", "[look_up](tool:city=Rome)"),
        Wording(rf"\n[ \t]{{1,12}}(?:- )?{key}:[ \t]{{1,3}}(?:[\"'“\d]|{_ALONE})", "- step: look_up\n  with:\n    city: Rome"),
    )  # fmt: skip


class Argued(NamedTuple):
    """Patterns for what stands around a name."""

    beside: Pattern
    """Matched where the name begins."""
    around: tuple[Pattern, ...]
    """Searched for; the group `name` ends where the name does."""


@lru_cache(maxsize=4096)
def argued(name: str, parameters: tuple[str, ...]) -> Argued:
    """Return patterns of such attempts.

    The tables; `{"name": "look_up", "city": "Rome"}`; `**look_up**` on a line of its own and `{"city": "Rome"}` below; a name
    whose bracket is lost before its first parameter, or before the call's id (`look_upcity='Rome')`); and one that is no
    word of the language as a command (`!look_up Rome`), as a key (`look_up["Rome"]`), or before a line of its own for an
    argument (`@@arg city Rome`), or one that something is glued to where tokens between them are hidden (`a1b2look_up{"city": …}`).
    """
    word, key = re.escape(name), f"(?:{'|'.join(map(re.escape, parameters))})"
    begun = rf"{key}\s?=|call-\d" if parameters else r"call-\d"
    beside = [begun] if len(name) > _LEAST_GLUED else []
    if parameters:
        beside.append(rf"[\"'“]{key}[\"'”]\s{{0,4}}:")
    around: list[str] = []
    free, told = rf"(?<!(?<!:/)[/-]{word})", not name.isalpha()
    if told:
        beside.append(rf"{free}\[[\"'“]\w")
        around.append(rf"(?:\A\s*+|\n[ \t]*\n[ \t]*+)[!/@#$](?P<name>{word})[ \t]{{1,2}}[\"'“\w]")
    if parameters and told:  # the tags between them are lost
        beside += [rf"{key}(?=(?-i:[A-Z])|[\d\"'{{\[/])", rf"[ \t]*\r?\n[ \t]*{key}[ \t]*\r?\n[ \t]*\S"]
    if parameters:
        around.append(rf"\((?P<name>{word})[ \t]{{1,2}}:{key}[ \t]{{1,2}}[\"'“\d]")
        quoted = rf"[\"'“]{key}[\"'”]\s{{0,4}}:"
        around += [
            rf"[\"'][\w.\-]{{1,32}}[\"']\s{{0,4}}:\s{{0,4}}[\"'](?P<name>{word})[\"']\s{{0,9}},\s{{0,9}}{quoted}",
            rf"^[ \t*`#\[(]{{0,6}}(?P<name>{word})[ \t*`:\])]{{1,6}}\r?\n\s{{0,4}}(?:```\w{{0,8}}\s{{0,4}})?\{{\s{{0,4}}{quoted}",
        ]
        near = any_wording(pairs(key) + (loose_pairs(key) if told else ()))
        beside.append(rf"{free}(?!\w){_BETWEEN}(?:{near})")
    if parameters and told:
        around.append(rf"(?<=[^\W_])(?P<name>{word})\s?\{{\s{{0,4}}{quoted}(?!\s{{0,3}}\{{\s{{0,3}}[\"']type)")
        beside += [
            rf"{free}(?!\w){_STRUCTURE}(?:{any_wording(placed_pairs(key))})",
            rf"{free}[^\w\n]{{0,3}}{_OWN_LINE}{key}\b(?:[ \t]{{1,4}}|\n)\w",
        ]
    found = re.compile(f"{word}(?:{'|'.join(beside) or '(?!)'})", re.MULTILINE)
    return Argued(found, tuple(re.compile(pattern, re.MULTILINE) for pattern in around))


def argued_places(text: str, name: str, parameters: tuple[str, ...]) -> Iterator[Iterator[tuple[int, int]]]:
    """Find such attempts, each kind in its order: where they begin, and where the name ends."""
    known = argued(name, parameters)
    yield _beside(text, name, known.beside)
    yield from (((found.start(), found.end("name")) for found in one.finditer(text)) for one in known.around)


def _beside(text: str, name: str, pattern: Pattern) -> Iterator[tuple[int, int]]:
    at = text.find(name)
    while at >= 0:
        before, end = text[at - 1] if at else " ", at + len(name)
        inner = before == "." and _SECTION.search(text, max(at - 12, 0), at) is not None
        if (inner or not (before.isalnum() or before in _GOES_BEFORE)) and pattern.match(text, at):
            yield at - (before in _OPENING and text[end : end + 1] in _CLOSING), end
        at = text.find(name, end)


_DESCRIBED = re.compile(
    r"(?:\A|\n[ \t]*\r?\n)\s{0,9}(?:[-*][ \t]{1,3})?(?:[\"'*`_]{0,3}(?P<label>(?:tool|function)(?:[ _]name)?|action|call)[\"'*`_]{0,3}\s?[:=])?"
    rf"[\"'*`_ \t]{{0,4}}(?P<mark>\[)?(?P<name>[A-Za-z_][\w.\-]{{0,127}}+)[\"'*`]{{0,3}}(?P<sign>[:\]])?[\"'*` \t]{{0,4}}\r?\n[ \t]{{0,8}}[-*\"'`]{{0,3}}"
    rf"(?P<key>[A-Za-z_][\w\-]{{0,63}}+)[\"'*`]{{0,3}}[ \t]?[:=][ \t]{{0,4}}(?!{_TYPE})[^\s:=<]",
    re.IGNORECASE,
)
"""`tool: look_up⏎city: Rome` in a paragraph of its own; at a reply's beginning also `look_up:⏎  city: Rome`, `[look_up]⏎city = "Rome"`."""


def described_places(text: str, parameters_of: Callable[[str], Iterable[str]]) -> Iterator[tuple[int, int, str]]:
    """Find a declared name on a line and one of the tool's parameters with a value on the next: where, and which tool."""
    for found in _DESCRIBED.finditer(text) if "\n" in text else ():
        labelled = found["label"] or (found["sign"] and not text[: found.start()].strip())
        if labelled and found["key"].lower() in map(str.lower, parameters_of(found["name"])):
            yield found.start("name"), found.end("name"), found["name"]


@lru_cache(maxsize=4096)
def bent_parts(name: str) -> tuple[str, str]:
    """Return what is left at least of a bent name: its beginning or its end; nothing of a name that is a word."""
    size = max(_LEAST_BENT, -(-len(name) * 3 // 5))
    return ("", "") if name.isalpha() or size >= len(name) else (name[:size], name[-size:])


@lru_cache(maxsize=4096)
def bent(name: str, parameters: tuple[str, ...]) -> Pattern:
    """Return a pattern of a name that is cut, grew, or has another beginning, before one of its parameters.

    `look_pu({"city": "Rome"})`, `ook_up\n{"city": "Rome"}`, `[look_upty='Rome', days=3)]`
    """
    begun, ended = map(re.escape, bent_parts(name))
    pair = any_wording(placed_pairs(f"(?:{'|'.join(map(re.escape, parameters))})"))
    return re.compile(
        rf"(?<![\w.\\/-])(?!{re.escape(name)}(?!\w))(?P<name>{begun}\w{{0,24}}|\w{{0,3}}<?\w?{ended}(?!\w))"
        rf"{_VALUE}?(?:{_STRUCTURE}|{_SIGN}{{0,12}}?)(?:{pair})",
        re.MULTILINE,
    )
