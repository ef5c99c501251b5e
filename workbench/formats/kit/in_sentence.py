"""A call in the middle of a sentence: whether the sentence needs it as a word, as no call that is made does.

“The log has `<tool_call>…</tool_call>` twice” is about a call; “I will use `<tool_call>…</tool_call>` to look” may well make
it. Only what stands behind the call tells them from “I will look: `<tool_call>…</tool_call>`”, so a reader waits for it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.formats.kit.talk import FAR

if TYPE_CHECKING:
    from workbench.formats.kit.window import Step, Window

AHEAD = 160
"""So many characters behind a call are waited for, markers that end it among them."""
NAMED = "the sentence that it stands in goes on behind it"

_CLOSERS = re.compile(
    r"(?:\s{0,4}(?:(?:\]<\]\w{1,20}\[>\[)?</[^<>\n]{1,48}>|<[|｜][^<>\n]{1,48}[|｜]>(?:\w{1,24}<\|sep\|>)?|\[/[A-Za-z_]{3,30}\]))*"
)
"""Markers that end a call or what stands around it, of any family."""
_GOES_ON = re.compile(r"[ \t]{0,2}(?:[,;:，；：、]|[ \t])[ \t]{0,2}(?P<word>[^\W\d_]{1,20})(?P<more>[ \t,]{1,3}\w)?")
_LEADS_ON = frozenset(
    "is are was were isn wasn has had have did gave would could cannot might may stands looks came goes broke"
    " but whenever only rather instead by as with in on at from into of without before after again twice once three last never"
    " too or versus vs than until because since unless which whose where".split()
)
"""What goes on behind a noun: verbs of which it is the subject, and words that lead on from an object."""
_LAST_WORDS = frozenset("twice once again instead too".split())
"""With these a sentence ends behind a noun."""
_NO_VERB = frozenset("this thus thanks plus perhaps always sometimes besides across".split())
_VERB = re.compile(r"[a-z]{2,}[^s\W]s")
"""The third person: a call that something is said of."""
_MAKES = re.compile(
    r"\b(?:I|we)(?:['’](?:ll|m|re|d)| will| am| are| need| have to| must| should| can| want| shall| would| could| call| use| run)\b"
    r"|\b(?:let (?:me|us)|let['’]s|please|now|first(?:ly)?|next|then|hence|finally|also|so|okay|ok|sure|great|yes"
    r"|(?:call|us|execut|runn|invok|check|fetch|gett|search|look|send|try|perform|mak)ing)\b"
    r"|\b(?:answer|output|response|result|action|calls?|invocation|solution|function|tool)\b(?:\s[\w()]+){0,4}?\s(?:is|are|be)\b"
    r"|\b(?:function|tool) calls?\b|\b(?:here(?:['’]s| is| are)|this is|it(?:['’]s| is))\b|\A\W{0,8}(?:to\s(?!be\b)|\w{1,12}(?: \w{1,12})?,\s{0,2}\Z)",
    re.IGNORECASE,
)
"""What says of its own sentence that its writer does something now, or that the call is what is asked for."""
_MADE = re.compile(
    r"\b(?:(?:I|we)(?:['’](?:ll|m|re)| will| am| are| need to| have to| want to)|let (?:me|us)|let['’]s)\b[^,;]{0,60}?"
    r"\b(?:call|us|execut|run|runn|invok|send|try|start|begin|beginn)(?:e|ing)?\b(?:\s\w+){0,2}\s{0,2}\Z",
    re.IGNORECASE,
)
"""What says that its writer makes the call that stands directly behind it."""
_SUPPOSED = re.compile(r"\b(?:would|could|might|may|if|when|once|example|instance|['’]d|suppose|had)\b", re.IGNORECASE)
_NAMES = re.compile(
    r"\b(?:is|are|was|were|says?|said|means?|meant|contains?|between|against|like|called|named|instead of|than|versus"
    r"|shows?|showed|returns|returned|received|expected|finds?|found|got|pasted|string|line|snippet|example),?\s{0,2}\Z",
    re.IGNORECASE,
)
"""What leads on to a noun: where a sentence goes on behind that as well, nothing is done."""
_NOT_DONE = re.compile(r"\b(?:not|never|cannot|\w+n['’]t)(?:\s\w+){1,3}\s{0,2}\Z", re.IGNORECASE)
_ASKED = re.compile(r"\A\W{0,8}(?:is|was|would|should|shall|does|did|could|do)\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?:;\n](?=\s|\Z)")


def amid(window: Window, at: int, before: str) -> Step[str | None]:
    """Wait for what stands behind a call that ends at `at`; say why its sentence needs it as a word; "": it may; None: none goes on."""
    yield from window.at_least(at + AHEAD)
    behind = window.text[at : at + AHEAD]
    if not around(behind):
        return None
    return NAMED if is_named(before, behind) else ""


def around(behind: str) -> bool:
    """True if a sentence goes on behind a call that ends where this text begins: on the same line, with no capital."""
    word, _ = _next_words(behind)
    return word == "I" or (word != "" and not word[0].isupper())


def is_named(before: str, behind: str) -> bool:
    """True if the sentence whose beginning is the last of `before` needs the call between these texts as a word."""
    if not around(behind):
        return False
    begun = _begun(before)
    if _NOT_DONE.search(begun) or _ASKED.search(begun):
        return True
    word, more = _next_words(behind)
    said_of = word in _LEADS_ON or (word not in _NO_VERB and _VERB.fullmatch(word) is not None)
    said_of = word in _LAST_WORDS or (said_of and more)
    return (said_of or _NAMES.search(begun) is not None) and _MAKES.search(begun) is None


def is_made(before: str) -> bool:
    """True if the sentence that a text ends in says for certain that its writer makes the call that follows."""
    begun = _begun(before)
    doubt = _NOT_DONE.search(begun) or _ASKED.search(begun) or _SUPPOSED.search(begun)
    return doubt is None and _MADE.search(begun) is not None


def _begun(before: str) -> str:
    """Return the sentence that a text ends in; where its beginning is cut off, it begins with none."""
    *ended, begun = _SENTENCE_END.split(before)
    return begun if ended or len(before) < FAR else f"…a{begun}"


def _next_words(behind: str) -> tuple[str, bool]:
    """Return the word that stands behind a call on its last line, behind the markers that end it, and whether one follows it."""
    start = _CLOSERS.match(behind).end()  # type: ignore[union-attr]
    found = _GOES_ON.match(behind, start)
    return (found["word"], found["more"] is not None) if found is not None else ("", False)
