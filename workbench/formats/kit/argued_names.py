"""A declared tool's name that nothing but a parameter of the tool tells of: beside it, below it, or glued to it.

Whatever dialect the call is in, who writes a tool's name and, with no words between, one of its parameters and a value,
means a call.
"""

from __future__ import annotations

import re
from functools import lru_cache

from workbench.formats.kit.wordings import Wording, any_wording

Pattern = re.Pattern[str]
_LEAST_GLUED = 3
_SIGNS = r"(?:[^\w.!?;\n]|\n(?![ \t]*\n)){1,16}?"
_BETWEEN = (
    rf"(?i:(?!, ?\w{{4,12}}:){_SIGNS}(?:(?:with )?(?:the )?(?:tool_?|action_?)?(?:arguments?|args|parameters?|params|inputs?|kwargs){_SIGNS}"
    r"|with [^\w\s.!?;]{1,8})?)"
)
"""Signs, and at most a word for arguments, between a name and its first parameter."""
_TYPE = r"(?:str(?:ing)?|int(?:eger)?|num(?:ber)?|float|bool(?:ean)?|array|list|object|dict|any|required|optional|none|null|the|an?|your|text|value)\b"
_WORD = rf"(?!{_TYPE}|\.\.\.|…|[?<])[^\s\"'“()\[\]{{}}<>,:|]{{1,60}}"
_ALONE = rf"{_WORD}[ \t]{{0,4}}(?:$|[)\]}},>|])"
"""A word that is all of a value."""


def pairs(key: str) -> tuple[Wording, ...]:
    """How a parameter and its value are written behind any name."""
    return (
        Wording(rf"[\"'“`*]{{0,2}}{key}[\"'”`*]{{0,2}}=(?!=)(?:[\"'“\d{{\[]|{_WORD})", "<<look_up city=Rome>>"),
        Wording(
            rf"[\"'“]{key}[\"'”]\s{{0,3}}:\s{{0,3}}(?!\{{\s{{0,3}}[\"']type)[\"'“\d{{\[tfn-]",
            '[look_up] {"city": "Rome"}',
        ),
        Wording(rf"--{key}(?:=|[ \t]{{1,2}})(?:[\"'“\d]|{_WORD})", "look_up --city Rome"),
    )


def loose_pairs(key: str) -> tuple[Wording, ...]:
    """How they are written behind a name that is no word of the language."""
    return (
        Wording(rf"[\"'“`*]{{0,2}}{key}[\"'”`*]{{0,2}}\s{{1,3}}=\s(?:[\"'“\d{{\[]|{_ALONE})", "look_up, city = Rome"),
        Wording(rf"[*`]{{0,2}}{key}[*`]{{0,2}}:[*`]{{0,2}}\s{{0,3}}(?:[\"'“\d]|{_ALONE})", "look_up:\n  city: Rome"),
        Wording(rf":{key}[ \t]{{1,2}}[\"'“\d]", '(look_up :city "Rome")'),
    )


@lru_cache(maxsize=4096)
def argued(name: str, parameters: tuple[str, ...]) -> tuple[Pattern, ...]:
    """Return patterns of such attempts; the group `name` ends where the name does.

    The tables; `{"name": "look_up", "city": "Rome"}`; `**look_up**` on a line of its own and `{"city": "Rome"}` below; a name
    whose bracket is lost before its first parameter, or before the call's id (`look_upcity='Rome')`); and one that is no
    word of the language as a command (`!look_up Rome`) or as a key (`look_up["Rome"]`).
    """
    word, key = re.escape(name), f"(?:{'|'.join(map(re.escape, parameters))})"
    begun = rf"{key}\s?=|call-\d" if parameters else r"call-\d"
    found = [rf"(?<![\w.\\])(?P<name>{word})(?:{begun})"] if len(name) > _LEAST_GLUED else []
    told = not name.isalpha()
    if told:
        found += [rf"\A\s*[!/@#$](?P<name>{word})[ \t]{{1,2}}[\"'“\w]", rf"(?<![\w.\\/-])(?P<name>{word})\[[\"'“]\w"]
    if parameters:
        quoted = rf"[\"'“]{key}[\"'”]\s{{0,4}}:"
        beside = any_wording(pairs(key) + (loose_pairs(key) if told else ()))
        found += [
            rf"[\"'][\w.\-]{{1,32}}[\"']\s{{0,4}}:\s{{0,4}}[\"'](?P<name>{word})[\"']\s{{0,9}},\s{{0,9}}{quoted}",
            rf"^[ \t*`#\[(]{{0,6}}(?P<name>{word})[ \t*`:\])]{{1,6}}\r?\n\s{{0,4}}(?:```\w{{0,8}}\s{{0,4}})?\{{\s{{0,4}}{quoted}",
            rf"(?<![\w.\\/-])(?P<name>{word})(?!\w){_BETWEEN}(?:{beside})",
        ]
    return tuple(re.compile(pattern, re.MULTILINE) for pattern in found)
