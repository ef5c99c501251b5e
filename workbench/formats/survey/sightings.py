"""Which markers stand in a text, and so what each format may find in it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from workbench.formats.kit.grammar import Grammar, Idle, reader_class
from workbench.formats.survey.needed_text import needed

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Iterator


_BEHIND = re.compile(r"(?<=[>\]|:`])")
_CODE_INDENT = re.compile(r"^([ \t]{0,16}(?:`{3}|~{3})[^\n]*\n)\s+", re.MULTILINE)
"""White space before the first line of a code block, which is read without it."""
_HEAD = 5
"""So many characters behind its first one tell most markers from what stands in a text."""
LONGEST = 64
"""No marker has more characters."""
LONG = 4096
"""In a text of so many characters, looking for a pattern costs more than thinking about it."""


class _Literals(NamedTuple):
    """Markers in lower case, with their kinds."""

    kinds: Mapping[str, str]
    every: frozenset[str]


class _Front(NamedTuple):
    """What a grammar looks for: markers in text and inside of reasoning, signs of a call that was not read, and patterns."""

    literals: _Literals
    calls: _Literals
    signs: _Literals
    reasoning: _Literals
    """Openers with their closers instead of kinds."""
    patterns: tuple[tuple[str, re.Pattern[str]], ...]
    begun: frozenset[str]
    """All markers of a call, in text or in what was left of it."""


@lru_cache(maxsize=256)
def _front(grammar: Grammar) -> _Front:
    calls, signs = _lowered(grammar.nested.literals), _lowered(grammar.signs.literals if grammar.signs else {})
    return _Front(
        _lowered(grammar.openers.literals),
        calls,
        signs,
        _lowered(grammar.reasoning),
        tuple((kind, re.compile(regex, re.IGNORECASE | re.MULTILINE)) for kind, regex, _ in grammar.patterns()),
        calls.every | signs.every,
    )


@lru_cache(maxsize=4096)
def _idle_of(grammar: Grammar, marker: str) -> Idle | None:
    """What the grammar says of a marker in lower case, where that is said of the method that reads it."""
    spelt, kind = next((text, kind) for text, kind in grammar.literals().items() if text.lower() == marker)
    says = next(cls for cls in type(grammar).__mro__ if "idle" in vars(cls))
    return grammar.idle(spelt, kind) if issubclass(says, reader_class(grammar, kind)) else None


def _lowered(literals: Mapping[str, str]) -> _Literals:
    kinds = {marker.lower(): kind.lower() for marker, kind in literals.items()}
    return _Literals(kinds, frozenset(kinds))


class Sightings:
    """One text, and which markers stand in it."""

    def __init__(
        self, text: str, ends: Iterable[str] = (), begun: Collection[str] = (), *, opened: bool = False
    ) -> None:
        """`ends`: what ends somewhere in it, where that is not the text itself; `begun`: what may be a marker's beginning, as a
        whole; `opened`: it begins within reasoning."""
        self._text = text
        self._low = text.lower().replace("\u017f", "s").replace("\u0131", "i")  # as patterns fold them
        self._ends = [end.lower() for end in ends] or [self._low[-LONGEST:], self._low.rstrip()[-LONGEST:]]
        self._begun = begun
        self._known: set[str] = set()
        self._present: set[str] = set()
        """Of the markers that are known: those that stand in the text."""
        self._patterns: dict[re.Pattern[str], bool] = {}
        self._signs: dict[Grammar, Hashable] = {}
        self._all = "&lt;" in self._low or "&#" in self._low or "\\u00" in self._low
        """Markers may stand in it in disguise."""
        self._fences = "```" in text or "~~~" in text
        self._plain = not (opened or self._all or self._fences)
        """All that stands in it is the reply's text, unless a marker of reasoning does."""
        self._more: dict[tuple[str, Idle], bool] = {}
        self._settled: dict[Grammar, Mapping[str, Idle]] = {}

    def having(self, markers: frozenset[str]) -> frozenset[str]:
        """Those of the markers, in lower case, that stand in the text in any case, with a blank for their end, or cut off."""
        for marker in markers - self._known:
            if self._all or self._stands(marker) or marker.startswith(self._cut.get(marker[:1], ())):
                self._present.add(marker)
        self._known |= markers
        return markers & self._present

    def _stands(self, marker: str) -> bool:
        heads = self._heads.get(marker[0]) if len(marker) > _HEAD + 1 else None
        return (heads is None or marker[1 : _HEAD + 1] in heads) and (
            marker in self._low or f"{marker[:-1]} " in self._low
        )

    @cached_property
    def _heads(self) -> dict[str, set[str]]:
        """How all goes on that begins like a marker, where it is worth while to know."""
        if len(self._low) < LONG:
            return {}
        return {char: set(re.findall(rf"(?s){re.escape(char)}(?=(.{{{_HEAD}}}))", self._low)) for char in "<["}

    @cached_property
    def _cut(self) -> dict[str, tuple[str, ...]]:
        """What the text ends with, and what begins in it, by its first character."""
        found: dict[str, list[str]] = {}
        ends = (text[at:] for text in dict.fromkeys(self._ends) for at in range(len(text)))
        for end in (*ends, *(text.casefold() for text in self._begun)):
            found.setdefault(end[0], []).append(end)
        return {char: tuple(ends) for char, ends in found.items()}

    def _matches(self, pattern: re.Pattern[str]) -> bool:
        """True if a pattern matches somewhere, also where a text within the text would begin."""
        found = self._patterns.get(pattern)
        if found is None:
            found = self._all or (self._may_match(pattern) and any(map(pattern.search, self._inside)))
            self._patterns[pattern] = found
        return found

    def _may_match(self, pattern: re.Pattern[str]) -> bool:
        texts = needed(pattern) if len(self._low) >= LONG else ()
        return not texts or any(text in self._low for text in texts)

    @cached_property
    def _inside(self) -> tuple[str, ...]:
        """The text, and where there may be others in it, one that has a line for each, and one where code begins its line."""
        others = self._fences or any(word in self._low for word in ("think", "reason", "<|"))
        code = (_CODE_INDENT.sub(r"\1", self._text),) if self._fences else ()
        return (self._text, _BEHIND.sub("\n", self._text), *code) if others else (self._text,)

    def front(self, grammar: Grammar) -> Hashable:
        """What the grammar looks for and may find here: formats read the text alike only where this is equal."""
        if type(grammar).openers is not Grammar.openers or type(grammar).signs is not Grammar.signs:
            return grammar
        front = _front(grammar)
        return (
            self._there(front.literals),
            self._there(front.calls),
            self._found(front),
            self._fences and grammar.reads_fences,
            frozenset(self.settled(grammar).items()),
        )

    def _there(self, literals: _Literals) -> frozenset[tuple[str, str]]:
        return frozenset((marker, literals.kinds[marker]) for marker in self.having(literals.every))

    def _found(self, front: _Front) -> tuple[tuple[str, re.Pattern[str]], ...]:
        return tuple(pair for pair in front.patterns if self._matches(pair[1]))

    def kinds(self, grammar: Grammar) -> set[str]:
        """Kinds of the grammar's openers that may be found here."""
        front = _front(grammar)
        return {kind for _, kind in self._there(front.calls)} | {kind for kind, _ in self._found(front)}

    def of(self, grammar: Grammar) -> bool:
        """True if the grammar may find an attempt at a call."""
        front = _front(grammar)
        return bool(self.having(front.begun)) or any(self._matches(pair[1]) for pair in front.patterns)

    def left_over(self, grammar: Grammar) -> bool:
        """True if the grammar may find a sign of a call in this text that was left over."""
        front = _front(grammar)
        return bool(self.having(front.signs.every)) or any(self._matches(pair[1]) for pair in front.patterns)

    def silent(self, grammar: Grammar) -> Hashable:
        """All that a reading without calls and problems depends on; None: one may be found."""
        front = _front(grammar)
        if type(grammar).openers is not Grammar.openers or self.left_over(grammar):
            return None
        settled = self.settled(grammar)
        if len(settled) < len(self._whole(self.having(front.calls.every))):
            return None
        gone = frozenset((marker, grammar.ends(marker)) for marker, idle in settled.items() if not idle.kept)
        closers = front.reasoning.kinds
        here = self.having(front.reasoning.every | frozenset(closers.values())) if closers else frozenset()
        blocks = frozenset(pair for pair in closers.items() if not here.isdisjoint(pair)) if here else here
        labels = grammar.reasoning_labels if blocks else ()
        heads = frozenset(pair for pair in grammar.reasoning_heads.items() if pair[0].lower() in self._low)
        others = frozenset(pair for pair in self._there(front.literals) if pair[0] not in front.calls.every)
        return others, gone, blocks, labels, heads, self._fences and grammar.reads_fences

    def settled(self, grammar: Grammar) -> Mapping[str, Idle]:
        """The grammar's markers of calls, in lower case, that stand here and give nothing out, with what they do."""
        found = self._settled.get(grammar)
        if found is None:
            found = self._settled[grammar] = dict(self._settle(grammar))
        return found

    def _settle(self, grammar: Grammar) -> Iterator[tuple[str, Idle]]:
        front = _front(grammar)
        here = self._whole(self.having(front.calls.every))
        reasoning = front.reasoning.every | frozenset(front.reasoning.kinds.values())
        heads = any(head.lower() in self._low for head in grammar.reasoning_heads)
        if not here or heads or not self._plain or self._whole(self.having(reasoning)):
            return
        for marker in here:
            idle = _idle_of(grammar, marker)
            lacks = idle is not None and not self.having(frozenset(text.lower() for text in idle.lacks))
            if idle is not None and lacks and not self._acts(marker, idle):
                yield marker, idle

    def _whole(self, markers: frozenset[str]) -> frozenset[str]:
        """Those of the markers that stand here as they are."""
        return frozenset(marker for marker in markers if marker in self._low)

    def _acts(self, marker: str, idle: Idle) -> bool:
        """True if what stands beside a marker may make it do more, somewhere."""
        found = self._more.get((marker, idle))
        if found is None:
            whole = re.escape(marker)
            sides = [f"{whole}{idle.behind}"] * bool(idle.behind) + [f"{idle.before}{whole}"] * bool(idle.before)
            found = bool(sides) and re.search("|".join(sides), self._text, re.IGNORECASE) is not None
            self._more[marker, idle] = found
        return found

    def signs(self, grammar: Grammar) -> Hashable:
        """What of the grammar's signs of a call that was not read may be found here."""
        found = self._signs.get(grammar)
        if found is None:
            front = _front(grammar)
            meant = () if grammar.markerless or grammar.signs is None else self._found(front)
            begun = tuple(pair for pair in meant if pair[0] in grammar.begins)
            found = self._signs[grammar] = self._there(front.signs), begun
        return found

    def these(self, markers: str | Collection[str] | Mapping[str, str]) -> Collection[object]:
        """Those of the markers that stand here."""
        if isinstance(markers, Mapping):
            return {pair for pair in markers.items() if self.having(frozenset(text.lower() for text in pair))}
        lowered = {text: text.lower() for text in ((markers,) if isinstance(markers, str) else markers)}
        present = self.having(frozenset(lowered.values()))
        return {text for text, low in lowered.items() if low in present}
