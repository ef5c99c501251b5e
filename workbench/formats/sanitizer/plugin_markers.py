"""What a user's own format adds to the sanitizer: the markers that it declares, and those that its grammar looks for.

    FormatSpec(…, markers=(("[[CALL", "]]"), ("@@done", "")))     pairs of opener and closer; either may be empty

A marker is taken out wherever it stands, so one that comes from the grammar counts only if it cannot be prose: it needs
letters and a character that is no punctuation of sentences. What is declared counts as it is. A closer that could be prose
(`>>`) ends what its opener began, and is no marker by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from workbench.formats.kit.grammar import REASONING, RESULT_MARKERS, TURN_TOKENS, Grammar
from workbench.formats.sanitizer.marker_search import marker_at
from workbench.formats.sanitizer.markers import Marker, own_markers, small, use_markers

if TYPE_CHECKING:
    from workbench.core.protocols import Format

_TELLING = re.compile(r"(?=.*[^\W\d_].*[^\W\d_])(?=.*[^\w\s.,;:!?'\"()\-])", re.DOTALL)


def use_formats(formats: Iterable[Format]) -> None:
    """Let the sanitizer know the markers of these formats, in place of those of others."""
    found: dict[str, Marker] = {}
    for spec in formats:
        found |= markers_of(spec)
    use_markers(found)


def markers_of(spec: Format) -> Mapping[str, Marker]:
    """Return what a format adds to the sanitizer; nothing that has the same meaning already."""
    group = f"own:{spec.id}"
    grammar = getattr(spec, "grammar", None)
    found = _of_grammar(grammar, group) if isinstance(grammar, Grammar) else {}
    for number, (opener, closer) in enumerate(getattr(spec, "markers", ())):
        found |= _pair(opener.strip(), closer.strip(), f"{group}:{number}")
    return found


def _pair(opener: str, closer: str, group: str) -> dict[str, Marker]:
    if not opener or not closer:
        return {opener or closer: Marker("mark")} if opener or closer else {}
    if _TELLING.match(closer):
        return {opener: Marker("open", group, "call"), closer: Marker("close", group)}
    return {opener: Marker("open", group, "call", closer)}


def _of_grammar(grammar: Grammar, group: str) -> dict[str, Marker]:
    kinds = {text.strip(): kind for text, kind in grammar.literals().items() if kind != "html" and _TELLING.match(text)}
    ends = getattr(grammar, "closes", None) or [text for text, kind in kinds.items() if kind == "orphan"]
    closers = [text for text in ends if _TELLING.match(text)]
    weak = next((text for text in ends if not _TELLING.match(text)), "")
    found: dict[str, Marker] = {}
    for text, kind in kinds.items():
        opens = Marker("open", group if closers or weak else "bare", "call", "" if closers else weak)
        found[text] = Marker("close", group) if kind == "orphan" else opens
    for start, end in grammar.reasoning.items() - REASONING.items():
        found |= {start: Marker("open", f"{group}:think", "think"), end: Marker("close", f"{group}:think")}
    found |= {text: Marker("mark") for text in {*grammar.turn_tokens} - {*TURN_TOKENS} if _TELLING.match(text)}
    results = {*grammar.result_markers} - {*RESULT_MARKERS}
    found |= {text: Marker("open", "toolresponse", "result") for text in results if _TELLING.match(text)}
    return {text: marker for text, marker in found.items() if not _known(text)}


def _known(text: str) -> bool:
    """Tell whether the shipped table gives a text a part of its own."""
    found = None if small(text) in own_markers() else marker_at(text, 0)
    return found is not None and found.end == len(text) and found.marker != Marker("mark")
