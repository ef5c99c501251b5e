"""Reading a prompt the simple way: its words, its clauses, and the values that stand in it.

No model of language stands behind this, only lists and patterns; it is enough to pick a tool and to fill its
arguments from a prompt that nobody prepared.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

_WORD = re.compile(r"[A-Za-z\u00c0-\uffff]+|\d+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_STOP = frozenset(
    "a an and any are as at be by can could do does did for from has have how i if in into is it its me my no not of on"
    " or our please should so some tell that the their them then there these they this to us was we were what when where"
    " which who will with would you your return returns given using use via tool function parameter value string"
    " integer number object optional required default one all".split()
)
_GROUPS = (
    "weather forecast temperature rain sunny climate degrees warm cold",
    "search find look lookup google internet web online",
    "read open content contents see inspect line lines point points file",
    "write save create put store append note",
    "list directory folder ls entries inside",
    "run execute command shell terminal launch start",
    "calculate compute calculator sum plus minus multiply divide add math arithmetic evaluate expression percent",
    "send email mail message notify write",
    "delete remove erase rm drop",
    "time clock hour timezone zone",
    "book reserve reservation booking schedule appointment meeting calendar event",
    "price cost stock quote share",
    "convert currency exchange",
    "translate translation language",
    "get fetch show display retrieve",
    "order buy purchase cart",
    "sql query database select table rows",
    "user account customer profile",
)
_CLAUSE = re.compile(
    r"(?:[.;!?]+(?=\s|$)|\n+|,?\s+\b(?:and\s+then|then|after\s+that|afterwards|and\s+also|and\s+finally|finally)\b"
    r"|,?\s+and\s+(?=(?:read|write|list|search|send|get|show|find|create|delete|run|save|tell|open|check|book|convert"
    r"|translate|calculate|compute|look|add|remove|update|fetch)\b))",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(?:do not|don['’]t|never|without|must not|no need to|instead of|avoid)\b[^.;!?\n]*", re.IGNORECASE
)


class FoundValue(NamedTuple):
    """A value that stands in a prompt."""

    kind: str
    """`quoted sql url path email date time number code name`"""
    text: str
    start: int
    end: int
    before: str
    """The word before it, in lower case."""
    after: str
    """The word after it, in lower case."""


_PATTERNS = (
    ("quoted", r"```(?:\w*\n)?(.+?)```|`([^`\n]+)`|\"([^\"\n]+)\"|“([^”\n]+)”|(?<!\w)'([^'\n]+)'(?!\w)"),
    ("sql", r"\b(?:SELECT|INSERT\s+INTO|UPDATE|DELETE\s+FROM|CREATE\s+TABLE)\s[^;\n]*[^;\s]"),
    ("url", r"\b(?:https?|ftp|wss?)://[^\s\"'<>`,;)]*[^\s\"'<>`,;).!?]"),
    ("email", r"\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b"),
    ("time", r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)?\b|\b\d{1,2}:\d\d(?::\d\d)?\b"),
    ("date", r"\b\d{4}-\d\d-\d\d\b|\b(?:today|tomorrow|yesterday|tonight)\b"),
    ("path", r"(?<![\w/.~-])(?:~|\.{1,2})?/?(?:[\w.+-]+/)+(?:[\w.+-]*\w)?/?|(?<![\w/.])/[\w.+-]+|(?<![\w/.@-])[\w-]+\.[A-Za-z]\w{0,4}\b(?!\()"),
    ("code", r"\b[A-Z]{2,}[-_]?\d[\w-]*\b|\b[A-Z]{3,4}\b|#\d+\b|\b[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}\b"),
    ("expression", r"(?<![\w.])[-(]?\d[\d.\s()]*(?:[-+*/×^%]\s*[-(]*\d[\d.\s()]*)+(?<!\s)"),
    ("number", r"(?<![\w.])-?\d+(?:[.,]\d+)*(?:[eE][+-]?\d+)?(?![\w])"),
    ("name", r"\b[A-Z\u00c0-\u00de][\w'’-]*(?:\s+(?:de|la|di|of|van|der)?\s*[A-Z\u00c0-\u00de][\w'’-]*)*"),
)  # fmt: skip
_KINDS = tuple((kind, re.compile(pattern, re.DOTALL)) for kind, pattern in _PATTERNS)
_COUNTS = {
    word: number
    for number, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
}
_COUNT = re.compile(rf"\b(?:{'|'.join(list(_COUNTS)[2:])})\b", re.IGNORECASE)
_SENTENCE_START = re.compile(r"(?:^|[.!?:\n]\s*|^\s*[-*\d.)]+\s+)$")
_NO_NAME = frozenset(
    "I Please What When Where Which Who How Does Do Is Are Can Could Would Should Tell Give Show Find Read Write List"
    " Search Run Send Get Open Create Delete Check Look Use The A An If In On At And Then Call Also Save Book Convert"
    " Translate Calculate Compute Add Remove Update Fetch Fly Compare Plan Order Reserve Schedule Play Turn Set Remind"
    " Start Stop Buy Sell Pay Summarize Summarise Explain Describe Make Put Move Copy Rename Print Count Sort Is My Our Your It This That Yes No Ok Hello Hi Thanks".split()
)


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Cut the commonest English endings, so that `files` meets `file` and `listing` meets `list`."""
    word = word.lower()
    for ending, least in (("ies", 3), ("ing", 4), ("es", 3), ("ed", 3), ("s", 3)):
        if word.endswith(ending) and len(word) - len(ending) >= least:
            root = word[: -len(ending)]
            return root + "y" if ending == "ies" else root.removesuffix("e")
    return word.removesuffix("e") if len(word) > 3 else word


@lru_cache(maxsize=1024)
def words(text: str) -> tuple[str, ...]:
    """Return the stems that carry meaning, identifiers split at `_` and at capitals."""
    split = _CAMEL.sub(" ", text.replace("_", " "))
    return tuple(stem(word) for word in _WORD.findall(split) if word.lower() not in _STOP)


def alike(one: str, other: str) -> bool:
    """True for stems of one word family: `calculat` and `calculator`, `translation` and `translat`."""
    if one == other or one[:5] != other[:5] or min(len(one), len(other)) < 5:
        return one == other
    same = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return same >= 0.7 * max(len(one), len(other))


def topics(stems: Iterable[str]) -> frozenset[int]:
    """Return the groups of like-meaning words that the stems belong to."""
    table = _topic_table()
    return frozenset(number for name in stems for number in table.get(name, ()))


@cache
def _topic_table() -> dict[str, frozenset[int]]:
    """The groups of each stem."""
    table: dict[str, frozenset[int]] = {}
    for number, group in enumerate(_GROUPS):
        for name in group.split():
            table[stem(name)] = table.get(stem(name), frozenset()) | {number}
    return table


def without_negations(text: str) -> str:
    """Blank out what the prompt says not to do."""
    return _NEGATED.sub(lambda match: " " * len(match.group()), text)


def clauses(text: str) -> list[str]:
    """Cut a prompt into the parts that may each need a tool of their own."""
    quotes = [(match.start(), match.end()) for match in _KINDS[0][1].finditer(text)]
    parts, start = [], 0
    for match in _CLAUSE.finditer(text):
        if any(a < match.start() < b for a, b in quotes):
            continue
        parts.append(text[start : match.start()])
        start = match.end()
    parts.append(text[start:])
    return [part.strip(" ,\t\n") for part in parts if part.strip(" ,\t\n")]


@lru_cache(maxsize=256)
def values(text: str) -> tuple[FoundValue, ...]:
    """Return the values in a text, in order; no two overlap, the more telling kind wins."""
    taken: list[FoundValue] = []
    for kind, pattern in _KINDS:
        for match in pattern.finditer(text):
            shown = next((group for group in match.groups() if group), match.group())
            if any(match.start() < other.end and other.start < match.end() for other in taken):
                continue
            if kind == "name" and not (shown := _name_in(text, match)):
                continue
            start = text.find(shown, match.start()) if kind == "name" else match.start()
            taken.append(_found(kind, shown, start, match.end(), text))
    counts = [
        _found("number", str(_COUNTS[match.group().lower()]), match.start(), match.end(), text)
        for match in _COUNT.finditer(text)
    ]
    names = [item for item in taken if item.kind == "name"]
    doubtful = {item for item in names if " " not in item.text and _SENTENCE_START.search(text[: item.start])}
    if len(doubtful) < len(names):  # a capital at a sentence's begin says little where real names follow
        taken = [item for item in taken if item not in doubtful]
    return tuple(sorted([*taken, *counts], key=lambda item: item.start))


def _name_in(text: str, match: re.Match[str]) -> str:
    """A capitalised run without the words that only begin a sentence or ask."""
    parts = match.group().split()
    while parts and re.split("['’]", parts[0])[0] in _NO_NAME:
        parts.pop(0)
    shown = re.sub("['’]s$", "", " ".join(parts))
    if len(parts) == len(match.group().split()) == 1 and _SENTENCE_START.search(text[: match.start()]):
        return "" if stem(shown) in _topic_table() else shown
    return shown


def _found(kind: str, shown: str, start: int, end: int, text: str) -> FoundValue:
    before = re.findall(r"[A-Za-z_]+", text[max(0, start - 40) : start])
    after = re.match(r"\W{0,2}([A-Za-z_]+)", text[end : end + 40])
    return FoundValue(kind, shown, start, end, before[-1].lower() if before else "", after[1].lower() if after else "")
