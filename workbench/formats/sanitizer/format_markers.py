"""The markers of one format: the literals that its grammar looks for, and the pairs that it declares.

    FormatSpec(…, markers=(("[[CALL", "]]"), ("@@done", "")))     pairs of opener and closer; either may be empty

A marker is taken out wherever it stands, so one that comes from the grammar counts only if it cannot be prose: it needs
letters and a character that is no punctuation of sentences. What is declared counts as it is. A closer that could be prose
(`>>`) ends what its opener began, and is no marker by itself.
"""

from __future__ import annotations

import re
from string import ascii_lowercase, ascii_uppercase
from typing import TYPE_CHECKING

from workbench.core.errors import InvalidInput
from workbench.formats.kit.grammar import REASONING, RESULT_MARKERS, TURN_TOKENS, Grammar
from workbench.formats.kit.markers import BARRIER, Marker

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from workbench.core.protocols import Format

MOST = 120
"""No literal marker is longer than this."""

_TELLING = re.compile(r"(?=.*[^\W\d_].*[^\W\d_])(?=.*[^\w\s.,;:!?'\"()\-])", re.DOTALL)
_SMALL = str.maketrans(ascii_uppercase, ascii_lowercase)


def small(text: str) -> str:
    """Return a text with small letters, as literal markers are compared (other alphabets: exactly)."""
    return text.translate(_SMALL)


def grammar_markers(spec: Format) -> Mapping[str, Marker]:
    """Return the literals that a format's grammar looks for and that cannot be prose."""
    grammar = getattr(spec, "grammar", None)
    return _checked(_of_grammar(grammar, f"own:{spec.id}") if isinstance(grammar, Grammar) else {})


def declared_markers(spec: Format) -> Mapping[str, Marker]:
    """Return the pairs that a format declares."""
    found: dict[str, Marker] = {}
    for number, (opener, closer) in enumerate(getattr(spec, "markers", ())):
        found |= _pair(opener.strip(), closer.strip(), f"own:{spec.id}:{number}")
        if not closer.strip() and opener.strip() in _beginnings(spec):
            found[opener.strip()] = Marker("open", "bare", "call")
    return _checked(found)


def _beginnings(spec: Format) -> frozenset[str]:
    """The literals behind which the format's grammar reads a call."""
    grammar = getattr(spec, "grammar", None)
    kinds = grammar.literals() if isinstance(grammar, Grammar) else {}
    return frozenset(text for text, kind in kinds.items() if kind == "call")


def _checked(found: dict[str, Marker]) -> dict[str, Marker]:
    """Raise InvalidInput for a bad one."""
    for text in found:
        if not 2 <= len(text) <= MOST or BARRIER in text:
            raise InvalidInput(f"{text[:40]!r} is no marker: it needs 2 to {MOST} characters.")
    return found


def literals_of(spec: Format) -> Iterator[str]:
    """Yield every literal text that the format's grammar knows."""
    grammar = getattr(spec, "grammar", None)
    if isinstance(grammar, Grammar):
        yield from (*grammar.literals(), *grammar.result_markers, *grammar.turn_tokens)
        yield from (*grammar.reasoning, *grammar.reasoning.values())


def _pair(opener: str, closer: str, group: str) -> dict[str, Marker]:
    if not opener or not closer:
        return {opener or closer: Marker("mark")} if opener or closer else {}
    if _TELLING.match(closer):
        return {opener: Marker("open", group, "call"), closer: Marker("close", group)}
    return {opener: Marker("open", group, "call", closer)}


def _of_grammar(grammar: Grammar, group: str) -> dict[str, Marker]:
    kinds = {text.strip(): kind for text, kind in grammar.literals().items() if _TELLING.match(text)}
    kinds = {text: kind for text, kind in kinds.items() if kind not in ("html", "near", "half")}
    ends = getattr(grammar, "closes", None) or [text for text, kind in kinds.items() if kind == "orphan"]
    closers = [text for text in ends if _TELLING.match(text)]
    weak = next((text for text in ends if not _TELLING.match(text)), "")
    found: dict[str, Marker] = {}
    for text, kind in kinds.items():
        opens = Marker("open", group if closers or weak else "bare", "call", "" if closers else weak)
        ends = Marker("close", group) if grammar.ends(text) else Marker("mark")
        found[text] = ends if kind == "orphan" else opens
    for start, end in grammar.reasoning.items() - REASONING.items():
        found |= {start: Marker("open", f"{group}:think", "think"), end: Marker("close", f"{group}:think")}
    found |= {text: Marker("mark") for text in {*grammar.turn_tokens} - {*TURN_TOKENS} if _TELLING.match(text)}
    results = {*grammar.result_markers} - {*RESULT_MARKERS}
    found |= {text: Marker("open", "toolresponse", "result") for text in results if _TELLING.match(text)}
    return found
