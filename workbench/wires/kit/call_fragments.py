"""Fragments of native calls, put to the call that they belong to.

Servers disagree: an index on every fragment or none; one index for several calls; id and name once or on each fragment;
a whole call in one piece. The rules here: an id is set once and never appended; a new id together with a name begins a
new call, unless its arguments go on in the middle of the last one's; an id of a call that is whole, with a name and
an object of its own, is one that the server gives to every call, or, where the object is the same, said twice, also
under a new index; a call that came under another's index may go on under its own; without index and id, a fragment without a name goes on with the last call, or, where several come together in one list, with
the call that stood at its place in the list before. Arguments that begin anew are said once
more, whole or so far, where no object can stand or where the next piece or the end tells: what they repeat is left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from workbench.wires.kit.jsons import argument_text, as_dict, as_int, as_text, read_json

_STRINGS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)


class Fragment:
    """One piece of a call, as a server sent it, in plain values."""

    __slots__ = ("arguments", "blank", "id", "index", "name", "place")

    def __init__(
        self, index: int | None, id_: str, name: str, arguments: str, place: int | None = None, *, blank: bool = False
    ) -> None:
        self.index = index
        self.id = id_
        self.name = name
        self.arguments = arguments
        self.place = place
        """Where it stands among the pieces that came together with it; None where it came alone."""
        self.blank = blank
        """Its arguments are an object without members: all there is, or the place that the others are written to."""


def fragment_from(value: Any, place: int | None = None) -> Fragment:
    """Read one entry of `tool_calls`; wrong types become empty."""
    entry = as_dict(value)
    function = entry.get("function")
    if not isinstance(function, dict):
        custom = entry.get("custom")
        function = custom if isinstance(custom, dict) else entry
    arguments = function.get("arguments", function.get("input", function.get("parameters")))
    index = entry.get("index", function.get("index"))
    id_, name = as_text(entry.get("id")), as_text(function.get("name"))
    return Fragment(as_int(index), id_, name, argument_text(arguments), place, blank=arguments in ({}, "{}"))


@dataclass(slots=True)
class OpenCall:
    """A call whose arguments are still coming."""

    number: int = -1
    id: str = ""
    name: str = ""
    pieces: list[str] = field(default_factory=list)
    blank: bool = False
    """An empty object opened it, which was not given out yet."""
    size: int = 0
    """Characters of the arguments so far."""
    strayed: bool = False
    """It came under the index of another call."""
    held: str = ""
    """A piece that says all so far once more, or an object that begins alike."""
    grows: bool = False
    """Its pieces hold the arguments as far as they have grown (Qianfan, ChatGPT's own pages), as one of them told."""
    whole: bool | None = None
    """Whether the arguments so far are a complete object; None: not looked at since the last piece."""

    @property
    def said(self) -> str:
        """The arguments so far."""
        return ("".join(self.pieces) or ("{}" if self.blank else "")) + self.held

    def grow(self, arguments: str, *, blank: bool = False) -> str:
        """Take a piece; return what is new of it. `blank`: it is an object without members."""
        self.blank = self.blank or blank
        new = "" if blank and not self.pieces else self.unsaid(arguments)
        if new:
            self.take(new)
        return new

    def end(self) -> str:
        """Return what is left of the arguments, where the last piece waited for the next one.

        An empty object that opened a call, and that nothing followed, was all of its arguments.
        """
        if rest := self.rest():
            self.take(rest)
        return rest

    def take(self, arguments: str) -> None:
        """Add what is new of a piece."""
        self.pieces.append(arguments)
        self.size += len(arguments)
        self.whole = None

    def is_whole(self) -> bool:
        """Whether the arguments so far are a complete object."""
        if self.whole is None:
            text = self.said
            self.whole = _is_object(text)
        return self.whole

    def unsaid(self, arguments: str) -> str:
        """Return what of a piece is new: some servers end a call with all of it, or send in each piece all so far.

        A piece that begins like all before it may be an object in its place, too: the next one tells.
        """
        if self.held:
            held, self.held = self.held, ""
            if not arguments.startswith(held) or _closes_too_much(arguments):
                return held + arguments
            self.grows = True
        if not arguments.startswith("{") or len(arguments) < self.size or not self.pieces:
            return arguments
        said = "".join(self.pieces)
        if not arguments.startswith(said):
            return arguments
        self.grows = self.grows or (_cannot_follow(said, arguments) and (arguments != said or self.is_whole()))
        if self.grows:
            return arguments[len(said) :]
        self.held, self.whole = arguments, None
        return ""

    def rest(self) -> str:
        """Return what was held back, now that no piece follows: all there is where only that makes an object."""
        if not self.pieces:
            return "{}" if self.blank else ""
        held, self.held = self.held, ""
        said = "".join(self.pieces)
        return held[len(said) :] if held and _is_object(held) and not _is_object(said + held) else held


def _closes_too_much(text: str) -> bool:
    """Whether JSON that begins an object has more closing braces than it opens."""
    bare = _STRINGS.sub("", text)
    return '"' not in bare and bare.count("}") > bare.count("{")


def _is_object(text: str) -> bool:
    return text.rstrip().endswith("}") and isinstance(read_json(text), dict)


def _cannot_follow(text: str, again: str) -> bool:
    """Whether JSON that begins like `text` cannot go on with `again`, which begins like it.

    In the middle of a string the first quote of `again` would end it, and what a key begins with would stand behind that.
    """
    bare = _STRINGS.sub("0", text).rstrip()
    if '"' in bare:
        return again[text.index('"') + 1 :].lstrip()[:1] not in ("", ":", ",", "}", "]")
    return not bare.endswith((":", ",", "["))


class CallAssembler:
    """Gives each fragment its call's number, and says what is new."""

    def __init__(self) -> None:
        self._open: list[OpenCall] = []
        self._by_index: dict[int, OpenCall] = {}
        self._by_id: dict[str, OpenCall] = {}
        self._together: dict[int, OpenCall] = {}
        """Calls that were opened in one list without an index: later pieces are told by their place in the list."""

    def __len__(self) -> int:
        return len(self._open)

    def add(self, piece: Fragment, *, whole: bool = False) -> tuple[int, str, str, str]:
        """Return `(number, id, name, arguments)`; id and name only where they are set now. A whole one is a call of its own."""
        call = None if whole else self._find(piece)
        new_id, new_name = "", ""
        if call is None:
            call = OpenCall(len(self._open), strayed=piece.index in self._by_index)
            self._open.append(call)
        if piece.index is not None:
            self._by_index[piece.index] = call
        elif piece.place is not None:
            self._together[piece.place] = call
        if piece.id and not call.id:
            call.id = new_id = piece.id
            self._by_id[piece.id] = call
        if piece.name and not call.name:
            call.name = new_name = piece.name
        return call.number, new_id, new_name, call.grow(piece.arguments, blank=piece.blank)

    def close(self) -> list[tuple[int, str]]:
        """Return what is left of the arguments: `(number, arguments)` of calls whose last piece waited for the next one."""
        return [(call.number, rest) for call in self._open if (rest := call.end())]

    def _find(self, piece: Fragment) -> OpenCall | None:
        """Return the call that the fragment continues, or None where it begins one."""
        if piece.index is not None:
            call = self._by_index.get(piece.index) or self._elsewhere(piece)
            if call and piece.id != call.id and not piece.name and piece.id in self._by_id:
                return self._by_id[piece.id]  # one index for all calls, told apart by their ids
        elif piece.id and piece.id in self._by_id:
            call = self._by_id[piece.id]
        elif piece.place is not None and not piece.id and not piece.name and piece.place in self._together:
            return self._together[piece.place]
        else:
            call = self._open[-1] if self._open else None
        if call is None or self._begins(piece, call):
            return None
        return call

    def _elsewhere(self, piece: Fragment) -> OpenCall | None:
        """Return the call that a piece under a new index goes on with, or says once more."""
        if not piece.id:
            last = self._open[-1] if self._open else None
            return last if last and last.strayed and not last.said and not piece.name else None
        call = self._by_id.get(piece.id)
        if call is None or not piece.name:
            return call
        again = piece.name == call.name and piece.arguments.lstrip().startswith("{")
        return call if again and call.said in ("", piece.arguments) else None

    @staticmethod
    def _begins(piece: Fragment, call: OpenCall) -> bool:
        if not piece.name or not call.name:
            return False
        if call.grows and piece.id in ("", call.id) and piece.arguments.startswith(call.said):
            return False
        opens = piece.arguments.lstrip().startswith("{")
        if piece.id and call.id:
            if piece.id == call.id:  # one that is whole is followed by another, unless it is the same
                if piece.name != call.name and not call.said:
                    return True  # its name in pieces, which whoever knows the tools puts together
                return opens and call.is_whole() and (piece.name, piece.arguments) != (call.name, call.said)
            if piece.index is not None and not piece.arguments and not call.said:  # its head once more, under a new id
                return piece.name != call.name
            goes_on = piece.name == call.name and bool(piece.arguments.strip()) and not opens
            return not (goes_on and call.pieces and not call.is_whole())
        if piece.name != call.name:
            return True
        return opens and call.is_whole()
