"""Ways to make a thing smaller, without knowing what for.

Each is a generator: it yields smaller candidates, is sent whether one still does what it shall do, and returns the
smallest that did. Whoever drives it reads a text, asks a server or looks at a clock; nothing of that is known here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from workbench.core.messages import Message
    from workbench.core.tools import ToolSpec

Piece = TypeVar("Piece")
Thing = TypeVar("Thing")
Other = TypeVar("Other")

_LINES = re.compile(r"[^\n]*\n|[^\n]+")
_TAG = r"</?[\w:.\-]+>|<[|｜]/?[^<>|｜\n]{1,60}[|｜]>|\[/?[A-Z_]{3,24}\]"
"""A marker stays whole or goes: with a character less it would be another token, of which a server knows nothing."""
_WORDS = re.compile(rf"{_TAG}|\w+|\s+|[^\w\s]")
_CHARACTERS = re.compile(rf"{_TAG}|.", re.DOTALL)
_SENTENCES = re.compile(r".+?(?:[.!?:]\s+|\n+|$)", re.DOTALL)
_FRAME = ("type", "properties")
"""Keys of a tool's own schema that stay: servers refuse a tool without them."""


def leave_out(pieces: Sequence[Piece], least: int = 0) -> Generator[list[Piece], bool, list[Piece]]:
    """Leave out runs of pieces: half of them at first, at last single ones; from the end, where replies break."""
    kept = list(pieces)
    size = max(len(kept) // 2, 1)
    while len(kept) > least:
        at = len(kept)
        while at > 0:
            low = max(at - size, 0)
            rest = kept[:low] + kept[at:]
            if len(rest) >= least and (yield rest):
                kept = rest
            at = low
        if size == 1:
            break
        size //= 2
    return kept


def made(steps: Generator[Thing, bool, Thing], make: Callable[[Thing], Other]) -> Generator[Other, bool, Thing]:
    """Yield what is made of each candidate; return the smallest as it was before."""
    answer: bool | None = None
    while True:
        try:
            candidate = next(steps) if answer is None else steps.send(answer)
        except StopIteration as end:
            found: Thing = end.value
            return found
        answer = yield make(candidate)


def shorter_text(text: str) -> Generator[str, bool, str]:
    """Leave out lines, words, at last characters, until no single character can go."""
    before = None
    while text != before:
        before = text
        for cut in (_LINES.findall, _WORDS.findall, _CHARACTERS.findall):
            pieces = yield from made(leave_out(cut(text)), "".join)
            text = "".join(pieces)
    return text


def shorter_pieces(pieces: Sequence[str]) -> Generator[tuple[str, ...], bool, tuple[str, ...]]:
    """The same for a text that came in pieces, whose cuts stay where they are; then cuts that are not needed."""
    kept, before = tuple(pieces), None
    while kept != before:
        before = kept
        for cut in (lambda piece: [piece], _WORDS.findall, _CHARACTERS.findall):
            tokens = [(number, token) for number, piece in enumerate(kept) for token in cut(piece)]
            tokens = yield from made(leave_out(tokens), _joined)
            kept = _joined(tokens)
        kept = yield from fewer_cuts(kept)
    return kept


def _joined(tokens: Sequence[tuple[int, str]]) -> tuple[str, ...]:
    """Put what is left of each piece together; a piece of which nothing is left is gone."""
    pieces: dict[int, str] = {}
    for number, token in tokens:
        pieces[number] = pieces.get(number, "") + token
    return tuple(pieces.values())


def fewer_cuts(pieces: Sequence[str]) -> Generator[tuple[str, ...], bool, tuple[str, ...]]:
    """Join pieces that need not come apart."""
    text, ends, at = "".join(pieces), [], 0
    for piece in pieces[:-1]:
        at += len(piece)
        ends.append(at)
    kept = yield from made(leave_out(ends), lambda cuts: cut_at(text, cuts))
    return cut_at(text, kept)


def cut_at(text: str, cuts: Sequence[int]) -> tuple[str, ...]:
    """Cut a text at these places."""
    return tuple(text[low:high] for low, high in pairwise((0, *cuts, len(text))))


def smaller_json(value: Any, stays: Sequence[str] = ()) -> Generator[Any, bool, Any]:
    """Leave out keys of objects and members of lists, at every depth; keys in `stays` are kept at the top."""
    if isinstance(value, dict):
        held = {key: item for key, item in value.items() if key in stays}
        loose = [key for key in value if key not in held]
        kept = yield from made(leave_out(loose), lambda keys: _chosen(value, {*held, *keys}))
        value = _chosen(value, {*held, *kept})
        for key in list(value):
            before = value
            small = yield from made(smaller_json(value[key]), lambda item, b=before, k=key: {**b, k: item})  # type: ignore[misc]
            value = {**value, key: small}
    elif isinstance(value, list):
        value = yield from leave_out(value)
        for at in range(len(value)):
            before = value
            small = yield from made(smaller_json(value[at]), lambda item, b=before, i=at: [*b[:i], item, *b[i + 1 :]])  # type: ignore[misc]
            value = [*value[:at], small, *value[at + 1 :]]
    return value


def _chosen(value: dict[str, Any], keys: set[str]) -> dict[str, Any]:
    return {key: item for key, item in value.items() if key in keys}


def fewer_tools(tools: Sequence[ToolSpec]) -> Generator[tuple[ToolSpec, ...], bool, tuple[ToolSpec, ...]]:
    """Leave out tools, all but one."""
    kept = yield from made(leave_out(tools, least=1), _in_order)
    return tuple(kept)


def _in_order(tools: Sequence[ToolSpec]) -> tuple[ToolSpec, ...]:
    return tuple(tools)


def smaller_schemas(tools: Sequence[ToolSpec]) -> Generator[tuple[ToolSpec, ...], bool, tuple[ToolSpec, ...]]:
    """Leave out what tools say of themselves: further fields, descriptions, parts of their schemas."""
    found = tuple(tools)
    for at, tool in enumerate(found):
        head, tail = found[:at], found[at + 1 :]
        for strip in (_without_extra, _without_description):
            bare = strip(tool)
            if bare != tool and (yield (*head, bare, *tail)):
                tool = bare
        parameters = yield from made(
            smaller_json(tool.parameters, _FRAME),
            lambda schema, t=tool, h=head, e=tail: (*h, replace(t, parameters=schema), *e),  # type: ignore[misc]
        )
        found = (*head, replace(tool, parameters=parameters), *tail)
    return found


def _without_extra(tool: ToolSpec) -> ToolSpec:
    return replace(tool, extra={})


def _without_description(tool: ToolSpec) -> ToolSpec:
    return replace(tool, description="")


def shorter_history(messages: Sequence[Message]) -> Generator[tuple[Message, ...], bool, tuple[Message, ...]]:
    """Leave out turns, then sentences of what is left; calls go together with their results, the last question stays."""
    turns = _turns(messages)
    asked = max((at for at, turn in enumerate(turns) if turn[0].role == "user"), default=len(turns) - 1)
    last = turns[asked] if turns else ()
    loose = [(at, turn) for at, turn in enumerate(turns) if at != asked]

    def whole(kept: Sequence[tuple[int, tuple[Message, ...]]]) -> tuple[Message, ...]:
        ordered = sorted((*kept, (asked, last)), key=lambda item: item[0])
        return tuple(message for _, turn in ordered for message in turn)

    kept = yield from made(leave_out(loose), whole)
    found = whole(kept)
    for at, message in enumerate(found):
        if not isinstance(message.content, str) or message.tool_calls:
            continue
        sentences = yield from made(
            leave_out(_SENTENCES.findall(message.content), least=1),
            lambda parts, a=at, m=message, f=found: (*f[:a], replace(m, content="".join(parts)), *f[a + 1 :]),  # type: ignore[misc]
        )
        found = (*found[:at], replace(message, content="".join(sentences)), *found[at + 1 :])
    return found


def _turns(messages: Sequence[Message]) -> list[tuple[Message, ...]]:
    """Messages by what belongs together: results stand with the turn that called."""
    turns: list[tuple[Message, ...]] = []
    for message in messages:
        if message.role == "tool" and turns:
            turns[-1] = (*turns[-1], message)
        else:
            turns.append((message,))
    return turns
