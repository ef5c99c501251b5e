"""Words around a call that say it is not made: examples, comments, refusals, suppositions, placeholders.

What is given out as a call is held back by the surest of them alone: a model that calls badly talks much. What no format
could read is a lost call or mere talk; there all of them count.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.formats.kit.talk_words import DENIALS, EXAMPLES, OFFERS, SUPPOSITIONS, UNREAL
from workbench.formats.kit.wordings import any_wording

if TYPE_CHECKING:
    from workbench.core.calls import ParsedCall

_EXAMPLE = re.compile(rf"(?:{any_wording(EXAMPLES)})[\s,:：*_]*\Z", re.IGNORECASE)
_NOT = re.compile(
    r"(?:\b(?:do|does|did|should|must|will|would|can|could)\s?(?:not|n['’]t)|\b(?:can|won|don)['’]t|\bnever|\bcannot)"
    r"\s(?:\w+\s)?(?:write|use|call|type|output|emit|send|return|include|print|produce|generate|make)(?:\s\w+){0,3}[\s:`*]*\Z",
    re.IGNORECASE,
)
_UNREAL = re.compile(rf"(?:{any_wording(UNREAL)})[^.!?:\n]{{0,60}}[\s,:：*_]*\Z", re.IGNORECASE)
_CONTRAST = re.compile(
    r"(?:^|[.!?(]\s{1,3}|\n)[\W_]{0,8}(?:(?:this|that|it) (?:is|would be) )?(?:(?:the|an?|this is) )?"
    r"(?:(?:wrong|incorrect|invalid|malformed|bad|broken)(?: (?:tool |function )?(?:calls?|form|format|way|usage|syntax|spelling|version|example|variant))?"
    r"|(?:correct|right|good|valid|proper)(?: (?:form|format|usage|syntax|spelling|version|variant))?)"
    r"(?: (?:would be|is|looks like|would look like)(?: this)?)?[\s*_]{0,6}:[\s*_`]*\Z|[❌✗✘][^\n]{0,20}\Z",
    re.IGNORECASE,
)
"""Right and wrong side by side: neither is meant."""
_CROSSES = frozenset("❌✗✘")
_LIKE_THAT, _SIDE_BY_SIDE = "it follows “for example”", "right and wrong are shown"
_NOT_DONE = "it is only supposed"
EXPLAINED = "what it follows is only explained"
SHOWN = (_LIKE_THAT, _SIDE_BY_SIDE)
"""Why a call is only shown that others may follow directly."""
OFFERED = re.compile("|".join(words for words, _ in OFFERS.values()), re.IGNORECASE)
"""What says that something can be written."""
_COMMENT = re.compile(r"<!--(?:(?!-->).)*\Z", re.DOTALL)
_AFTER_WORDS = re.compile(r"[\s,:：，、。*_`]*+(?:\w|\.(?i:g\.e))")
"""Read backwards, what every text ends with that says something is an example or not to be written."""
FAR = 160
"""So much of the text before tells."""

_DENIED = re.compile(any_wording(DENIALS), re.IGNORECASE)
DENIAL = 700
"""So much of the text before is searched for the words that no tool fits."""

_SUPPOSED = re.compile(any_wording(SUPPOSITIONS), re.IGNORECASE | re.MULTILINE)
_MARKUP = re.compile(
    r"""(?:<[^<>\n]{0,80}+>?|\[/?[A-Z_]{2,24}\]|(?:name|function|tool|call|arguments)\b|[\[\]{}(:"'`=|\s]|>>>)*\Z"""
)
"""What of a call may stand before the part of it that was noticed."""
_EXPLAINED = re.compile(
    r"[^\n]{0,3}\s(?:is|are|was|means|starts|begins|ends|marks|and|or|tags?|must|should|would|can)\b"
)
_CALL_EXPLAINED = re.compile(
    r"\([^()\n]{0,240}\)[`\"']{0,2}\s(?:for|is|are|was|were|means|returns?|returned|gives?|would|should|could|can|fails?|failed|takes|took)\b"
)
_KEYS_ONLY = re.compile(
    r"""[^\n{]{0,6}\{\s{0,4}["']\w+["']\s{0,3}:\s{0,3}["'](?:str|string|int|integer|number|float|bool|boolean|object|array|list)["']"""
)

_TYPES = frozenset("str string int integer number float bool boolean object array list dict any".split())
_SIGNATURE = re.compile(
    r"\s?\(\s{0,9}\w{1,64}\s{0,3}[:=]\s{0,3}(?:str|string|int|integer|number|float|bool|boolean|object|array|list|dict|any)\b(?!\s?[('\"])",
    re.IGNORECASE,
)


def shown(before: str) -> str:
    """Say why what follows this text is only shown, or nothing."""
    worded = _AFTER_WORDS.match(before[::-1]) is not None  # most texts before a marker end with markup: no search
    if worded and _EXAMPLE.search(before):
        return _LIKE_THAT
    if worded and _UNREAL.search(before):
        return _NOT_DONE
    if (worded or not (before.isascii() or _CROSSES.isdisjoint(before))) and _CONTRAST.search(before):
        return _SIDE_BY_SIDE
    if "<!--" in before and _COMMENT.search(before):
        return "it stands in a comment"
    return "it is not to be written" if worded and _NOT.search(before) else ""


def denied(before: str) -> str:
    """Say that no tool fits, if the text before says so."""
    return "it follows words that no tool fits" if _DENIED.search(before[-DENIAL:]) else ""


def supposed(before: str, after: str) -> str:
    """Say why what no format can read between these texts is mere talk, or nothing."""
    near = before[-FAR:]
    begun = _MARKUP.search(near)
    before = before[: len(before) - len(begun.group())] if begun else before
    if why := shown(before) or denied(before):
        return why
    if _SUPPOSED.search(before[-FAR:]) or _SUPPOSED.search(near):
        return _NOT_DONE
    explained = (
        _EXPLAINED.match(after) or _CALL_EXPLAINED.match(after) or _KEYS_ONLY.match(after) or _SIGNATURE.match(after)
    )
    return "it is explained" if explained else ""


_DOTS = "?.…"
_KINDS = frozenset(_TYPES | {"value", "values", "text", "argument", "argument value", "parameter", "parameter value"})
"""What a value in angles may be called that is none."""
_SECRET = re.compile(r"key|token|secret|passw|auth|credential", re.IGNORECASE)


def is_template(call: ParsedCall) -> bool:
    """True for a call whose values only stand for others: `f(city, days)`, `f(city="<city>")`, `f(city=?)`."""
    values = call.arguments
    if "unquoted_key" in call.repairs and values and all(value in _TYPES for value in map(str, values.values())):
        return True
    if "positional" in call.repairs and values and all(value == key for key, value in values.items()):
        return True
    return any(
        not key.strip(_DOTS) or (isinstance(value, str) and _stands_for(key, value)) for key, value in values.items()
    )


def _stands_for(key: str, value: str) -> bool:
    if _SECRET.search(key):  # a model has none to give: `api_key="YOUR_API_KEY"` is all that it can write
        return False
    plain = re.sub(r"[\s_\-]+", " ", value.strip().lower())
    word = re.sub(r"[\s_\-]+", " ", key.lower())
    inner = plain[1:-1].strip() if plain[:1] in "<[{" and plain[-1:] in ">]}" and len(plain) > 2 else ""
    nothing = bool(plain) and not plain.strip(_DOTS)
    return nothing or inner in (word, f"your {word}", *(_KINDS if plain[:1] == "<" else ())) or plain == f"your {word}"
