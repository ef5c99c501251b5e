"""Calls that are written like one before them: what was read of that one holds for all of them, but for the arguments.

    <tool_call>{"name": "get_weather", "arguments":   {"city": "Rome"}   }</tool_call>
    head                                              arguments          tail

A reply of many calls writes them alike, and so does every format's reading of them: the same name, repairs and outcome. It
holds where an attempt's own text decides alone how it is read (`Grammar.steady`), head and tail are the same to the letter,
and the arguments are strict JSON that the tool's schema leaves as it is; or, where each value stands in a tag of its own, plain
words and whole numbers. All else is read as ever.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.calls import Outcome, ParsedCall, Span
from workbench.formats.kit.call_keys import ARGUMENT_KEYS
from workbench.formats.kit.call_trails import Trail
from workbench.formats.kit.calls import WRAPPERS
from workbench.formats.kit.loose_json import MAX_DEPTH, MAX_SIZE, QUICK_TRIES, scan_unique
from workbench.formats.kit.window import SPACE

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.formats.kit.call_trails import Leg, Stand, Trails
    from workbench.formats.kit.grammar import Attempt, Grammar
    from workbench.formats.kit.parser_output import Output
    from workbench.formats.kit.toolset import Tool

LEAST = 3
"""So many calls a reply has before the next one is remembered: most replies have fewer."""
_OTHER_KEYS = WRAPPERS | {"properties"}
"""Keys that may hold all the arguments, or belong to a definition: those calls are read as ever."""
_REPAIRS = frozenset(("near_miss_tag", "wrong_family", "name_key", "args_key", "wrapper_arg"))
"""Repairs of what stands around the arguments."""
_KEYS = re.compile(rf'"(?:{"|".join(map(re.escape, ARGUMENT_KEYS))})"\s*:')
_WORD = re.compile(r"\w.|.\w", re.DOTALL)
_OPEN_TAIL = re.compile(r"\s*+[}\]]{0,4}+")
_TAIL = re.compile(r"\s*+[}\]]{0,4}+\s*+(?:<[^\s<>`]{1,48}>|\[[^\s\[\]`]{1,48}\])")
_MARGIN = 8
"""Levels and characters (in KiB) that head and tail may take of what a value may have."""
_MOST_HEADS, _MOST_SIZES, _MOST_ALIKE = 16, 4, 4
_NOT_STRICT = (StopIteration, ValueError, RecursionError)
_WORDS = r"(?!(?i:true|false|null|none|nan|undefined|inf|infinity|yes|no|on|off)\b)[^\W\d_](?:[\w ,.\-]{0,198}[^\W_])?+"
_WHOLE = r"-?(?:0|[1-9]\d{0,14})"
_VALUES = {str: re.compile(_WORDS), int: re.compile(_WHOLE)}
"""Values in tags that no format reads as anything but what they are."""


class _Written(NamedTuple):
    """How a call is written, and what that means; starts are counted from where it begins, ends from where it ends."""

    tail: str
    values: re.Pattern[str] | None
    """Each value in a tag of its own, with what stands between them and behind them; None: one object."""
    kinds: tuple[tuple[str, type], ...]
    """Keys of such values."""
    begin: int
    end: int
    name: str
    name_start: int
    name_end: int
    first: int
    last: int
    """Where the arguments begin and end."""
    outcome: Outcome
    repairs: tuple[str, ...]
    format: str
    """Whose form it is: not always the reader's own."""
    tool: Tool | None
    closed: bool
    """A marker ends the attempt; else what follows may belong to it."""
    trails: dict[int, Trail]
    """Calls that were read so, of this text by whichever scanner; empty where nobody else reads it."""


class AlikeCalls:
    """What one scanner knows of calls that it read."""

    __slots__ = ("_failed", "_heads", "_led", "_sizes", "stood", "trails")

    def __init__(self) -> None:
        self.trails: Trails | None = None
        """What other scanners of the same whole text read."""
        self._heads: dict[str, list[_Written]] = {}
        self._sizes: list[int] = []
        """How long the heads are."""
        self._failed = 0
        self._led: tuple[Trail, _Written] | None = None
        """The trail that begins with the call that was given out last."""
        self.stood: Stand | None = None
        """How things stood behind the last call, where nothing but text was read since."""

    def learn(self, scan: Output, start: int, attempt: Attempt, kind: str) -> None:
        """Remember an attempt that began at `start`, if it is one plain call and there is text enough for another."""
        if len(scan.text) - attempt.end < (attempt.end - start) // 2:
            return
        call = attempt.items[0] if len(attempt.items) == 1 else None
        if not isinstance(call, ParsedCall) or call.id or not _REPAIRS.issuperset(call.repairs):
            return
        begin, end = call.arguments_span.start - scan.base, call.arguments_span.end - scan.base
        if not start < begin < end <= attempt.end < len(scan.text):
            return
        tool, delimiter = scan.tools.by_name.get(call.name), getattr(scan.grammar, "delimiter", None) or ""
        if scan.text[begin] == "{" and not delimiter:
            found = _object(scan, start, attempt.end, call, tool, closed=scan.grammar.steady[kind])
        else:
            found = _tagged(scan, start, attempt.end, call, tool, delimiter)
        if found is None or "`" in found[0]:
            return
        head, tail, values, closed = found
        if (head not in self._heads and len(self._heads) >= _MOST_HEADS) or (
            len(head) not in self._sizes and len(self._sizes) >= _MOST_SIZES
        ):
            self._heads.clear()
            self._sizes.clear()
        at, stop = scan.base + start, scan.base + attempt.end
        kinds = tuple((key, type(value)) for key, value in call.arguments.items()) if values is not None else ()
        places = (
            call.span.start - at, call.span.end - stop, call.name, call.name_span.start - at, call.name_span.end - at,
            call.arguments_span.start - at, call.arguments_span.end - stop,
        )  # fmt: skip
        alike = head, tail, values, kinds, places, tool, closed
        trails = {} if self.trails is None else self.trails.of(alike)
        written = _Written(tail, values, kinds, *places, call.outcome, call.repairs, call.format, tool, closed, trails)
        self._heads[head] = [written, *self._heads.get(head, ())][:_MOST_ALIKE]
        if len(head) not in self._sizes:
            self._sizes.append(len(head))

    def next(self, scan: Output, start: int, ident: str = "") -> tuple[ParsedCall, int, _Written] | None:
        """Read the attempt that begins at `start` and return its call, where it ends and how it is written; None where it is like
        no other."""
        text = scan.text
        for size in self._sizes:
            every = self._heads.get(text[start : start + size])
            if every is not None:
                break
        else:
            return None
        for known in every:
            found = self._after(text, start + size, known)
            if found is not None:
                break
        else:
            return None
        arguments, stop = found
        if not _goes_on(text, stop, closed=known.closed):
            return None
        at, end = scan.base + start, scan.base + stop
        call = (
            known.name, arguments, ident, known.outcome, known.repairs,
            _made(Span, (at + known.begin, end + known.end, "text")),
            _made(Span, (at + known.name_start, at + known.name_end, "text")),
            _made(Span, (at + known.first, end + known.last, "text")), known.format,
        )  # fmt: skip
        return _made(ParsedCall, call), stop, known

    def _after(self, text: str, at: int, known: _Written) -> tuple[dict[str, Any], int] | None:
        """Read what follows a head: the arguments, and where the attempt ends."""
        if known.values is not None:
            match = known.values.match(text, at)
            if match is None:
                return None
            return {
                key: kind(value) for (key, kind), value in zip(known.kinds, match.groups(), strict=True)
            }, match.end()
        try:
            found = _arguments(text, at, known.tool) if self._failed <= QUICK_TRIES else None
        except _NOT_STRICT:
            self._failed += 1
            return None
        if found is None or not text.startswith(known.tail, found[1]):
            return None
        return found[0], found[1] + len(known.tail)

    def lead(self, scan: Output, start: int, stop: int, known: _Written, stood: Stand | None) -> None:
        """Leave the call that was given out last, and the text before it that began at `stood`, to other scanners."""
        if self.trails is None or not _free(scan.grammar):
            return
        trail = Trail(scan.grammar.ident, scan.number)
        trail.add(scan.calls[-1], scan.base + stop)
        self._led = trail, known
        known.trails.setdefault(scan.base + start, trail)
        if stood is not None:
            self.trails.legs.setdefault(stood.at, scan.prose.leg(stood, scan.base + start))

    def run(self, scan: Output, at: int, opener: Callable[[int], int]) -> int:
        """Read calls that follow one directly, or behind text that another scanner read before, and return where the last one
        ends. `opener` says where from a place on the next attempt begins that its own text decides alone; -1: other things do."""
        if not self._heads:
            return at
        text, grammar, number = scan.text, scan.grammar, scan.number
        ident, more = None if grammar.lonely else grammar.ident, scan.owing()
        found: list[ParsedCall] = []
        trail, way = self._led or (None, None)
        self._led = None
        if trail is not None and trail.stop != scan.base + at:
            trail = None
        legs = self.trails.legs if self.trails is not None and _free(grammar) else {}
        while True:
            start = SPACE.match(text, at).end()  # type: ignore[union-attr]
            taken = self._taken(scan, start)
            if taken is not None:
                trail, (known, other) = None, taken
                found += other.calls(ident, number + len(found) + 1, *_told(known, more), known.format)
                at = other.stop - scan.base
                continue
            one = self.next(scan, start, ident(number + len(found) + 1) if ident is not None else "")
            if one is None:
                leg = legs.get(scan.base + at)
                if leg is None or not self._over(scan, leg, opener(at)):
                    break
                at, trail = leg.start - scan.base, None
                continue
            call, at, known = one
            if more:
                outcome, repairs = _told(known, more)
                call = call._replace(outcome=outcome, repairs=repairs)
            if trail is None or known is not way:
                trail, way = Trail(ident, number + len(found) + 1), known
                known.trails[scan.base + start] = trail
            trail.add(call, scan.base + at)
            found.append(call)
        if found:
            scan.give_plain(found)
        if self.trails is not None and _free(grammar) and scan.base + at not in legs:
            self.stood = scan.prose.stand(scan.base + at)
        return at

    def _over(self, scan: Output, leg: Leg, opener: int) -> bool:
        """Give out the text between two calls; False where this scanner may read it otherwise."""
        there = opener == leg.start - scan.base
        return there and self._taken(scan, opener) is not None and scan.prose.follow(leg)

    def _taken(self, scan: Output, start: int) -> tuple[_Written, Trail] | None:
        """Return how the calls are written that another scanner read from a place on, and these."""
        if self.trails is None:
            return None
        for size in self._sizes:
            every = self._heads.get(scan.text[start : start + size])
            if every is not None:
                known = every[0]
                trail = known.trails.get(scan.base + start)
                if trail is None or (known.values is None and self._failed > QUICK_TRIES):
                    return None
                return known, trail
        return None


def _told(known: _Written, more: tuple[str, ...]) -> tuple[Outcome, tuple[str, ...]]:
    """What is said of calls that are written so, with the repairs of every further call."""
    return (Outcome.RECOVERED, tuple(dict.fromkeys(known.repairs + more))) if more else (known.outcome, known.repairs)


def _free(grammar: Grammar) -> bool:
    """True if text between calls says nothing of them and changes nothing about them."""
    return not (grammar.lonely or grammar.markerless)


_Parts = tuple[str, str, "re.Pattern[str] | None", bool]
"""Head, tail, and the pattern behind the head where values stand in tags; whether a marker ends it."""


def _object(scan: Output, start: int, stop: int, call: ParsedCall, tool: Tool | None, *, closed: bool) -> _Parts | None:
    """Take a call apart whose arguments are one object; `closed`: only if a marker closes it."""
    text, begin, end = scan.text, call.arguments_span.start - scan.base, call.arguments_span.end - scan.base
    head, tail = text[start:begin], text[end:stop]
    ended = _TAIL.fullmatch(tail) is not None
    if len(_KEYS.findall(head)) > 1 or (not ended and (closed or _OPEN_TAIL.fullmatch(tail) is None)):
        return None
    try:
        if _arguments(text, begin, tool) != (call.arguments, end):
            return None
    except _NOT_STRICT:
        return None
    return head, tail, None, ended


def _tagged(scan: Output, start: int, stop: int, call: ParsedCall, tool: Tool | None, delimiter: str) -> _Parts | None:
    """Take a call apart whose values stand in tags of their own, or its texts between delimiters: each must be found in one place."""
    text, at = scan.text, call.name_span.end - scan.base
    if not call.arguments or not start < at < stop:
        return None
    pieces, past = [], start
    for key, value in call.arguments.items():
        written, kind = str(value), type(value)
        plain = _VALUES.get(kind)
        if plain is None or plain.fullmatch(written) is None or not (tool is None or tool.takes(key, kind)):
            return None
        place = text.find(written, at, stop)
        if (
            place < past
            or text.find(written, place + 1, stop) >= 0
            or _WORD.match(text[place - 1] + text[place + len(written)])
            or (kind is str and not text.endswith(delimiter, past, place))
        ):
            return None
        pieces.append((text[past:place], kind))
        past = place + len(written)
    tail = text[past:stop]
    closers = tuple(marker.lower() for marker in getattr(scan.grammar, "closers", None) or ())
    if not closers or not tail.lower().endswith(closers) or any("`" in piece for piece, _ in pieces):
        return None
    holes = {str: _WORDS, int: _WHOLE}
    first, *others = pieces
    inner = "".join(f"{re.escape(piece)}({holes[kind]})" for piece, kind in others)
    return first[0], tail, re.compile(f"({holes[first[1]]}){inner}{re.escape(tail)}"), True


def _arguments(text: str, at: int, tool: Tool | None) -> tuple[dict[str, Any], int] | None:
    """Read strict arguments at `at` that stay as they are, and say where they end; raise as `scan_unique` does."""
    arguments, end = scan_unique(text, at)
    if type(arguments) is not dict or not _OTHER_KEYS.isdisjoint(arguments):
        return None
    if tool is not None and not (tool.required <= arguments.keys() and tool.plain(arguments)):
        return None
    size = end - at
    if size > MAX_DEPTH - _MARGIN and (
        size > MAX_SIZE - (_MARGIN << 10) or text.count("{", at, end) + text.count("[", at, end) > MAX_DEPTH - _MARGIN
    ):
        return None
    for value in arguments.values():
        return None if type(value) is dict and "type" in value else (arguments, end)  # a definition's first member
    return arguments, end


def _goes_on(text: str, stop: int, *, closed: bool) -> bool:
    """True if what follows an attempt is there and no part of it."""
    after = text[stop : stop + 1]
    if closed:
        return after.isspace() or after == "<"
    if not after.isspace():
        return False
    at = SPACE.match(text, stop).end()  # type: ignore[union-attr]
    return text[at : at + 1] == "{" or text[at : at + 1].isalpha()


_made = tuple.__new__
