"""Where the body of a call ends, by structure: JSON as models write it, and bracketed calls.

The kit's walks know where strings and comments end, so that no parser disagrees; here they stop at what is no body too.
They are fed piece by piece and never look back, so time is linear and memory is the nesting depth. A word where a JSON
value should stand is prose: there the body is broken, and everything from that word on is somebody else's text.
"""

from __future__ import annotations

import re

from workbench.formats.kit.json_end import LOOSE_QUOTES, End, JsonEnd
from workbench.formats.kit.python_end import PythonEnd
from workbench.formats.sanitizer.call_shape import AROUND, DeepFrame, Frame

DEEPEST = 200
"""Brackets deeper than this are only counted."""

_QUOTES = frozenset(('"', *LOOSE_QUOTES))
_TOKEN = re.compile(
    rf"""\s*+(?:([{{}}\[\],:])|"((?:[^"\\]++|\\.)*+)"|([\w$.+\-]{{1,128}})|([#{"".join(sorted(_QUOTES))}]|//|/\*))?""",
    re.DOTALL,
)
_STRUCTURE, _STRING, _WORD = 1, 2, 3
"""Groups of a token; the fourth is what begins a string or a comment."""
_LITERALS = frozenset("true false null True False None NaN Infinity -Infinity undefined TRUE FALSE NULL".split())
_NUMBER = re.compile(r"[+\-]?[\d.][\w.+\-]*\Z")
_COLON = re.compile(r"\s{0,60}:")
_SHORT = 64
"""No key that matters is longer."""
_LONGEST_KEY = 128
"""What goes on for longer behind a loose quote is no key: it is prose that began with a brace and a quote."""


class _OpenString:
    """The string in which a walk is, for a text that ends inside of it."""

    def __init__(self, keep: int) -> None:
        self.length = 0
        """How much of it was read."""
        self.full = False
        """As much as may be kept was read; the owner looks at it and calls `forget`."""
        self._parts: list[str] = []
        self._keep = keep

    @property
    def text(self) -> str:
        """What was read of it, as far as it is kept."""
        return "".join(self._parts)

    def room(self, piece: str, at: int, most: int = 0) -> str:
        """Return the piece, as far as it may be kept, or as a string of so many characters goes."""
        left = (most or self._keep) - self.length
        return piece[: at + left] if (most or self._keep) and len(piece) - at > left else piece

    def add(self, text: str) -> None:
        """Take what was read now."""
        if self._keep or self.length < _SHORT:
            self._parts.append(text)
        self.length += len(text)
        self.full = 0 < self._keep <= self.length

    def forget(self) -> None:
        """Start remembering afresh."""
        self._parts.clear()
        self.length = 0
        self.full = False


class JsonScan(JsonEnd):
    """Reads one JSON object or list; `verdict` says whether it is call-shaped."""

    def __init__(self, *, opened: str = "", keep: int = 0) -> None:
        super().__init__()
        self.frames: list[Frame] = []
        self.string = _OpenString(keep)
        self.verdict = ""
        self.doomed = False
        """The outermost value is certainly no call: it began with foreign members."""
        self._deep = {"{": DeepFrame(True), "[": DeepFrame(False)}
        self._last: str | None = None
        self._content = 0
        """The length of the string that was read last, if the quote that it came to ends it."""
        self._key_place = False
        if opened:
            self._open(opened)

    @property
    def in_string(self) -> bool:
        """What was read last stands in a string whose end was not seen."""
        return self._mode in _QUOTES

    @property
    def almost_call(self) -> bool:
        """Tell for a text that ends inside whether it was becoming a call."""
        return any(frame.is_object and frame.would_call() for frame in self.frames[:3]) or self._almost_list

    @property
    def _almost_list(self) -> bool:
        """It is a list of calls so far, one at least, alone or under its key."""
        if len(self.frames) > 1 and self.frames[0].is_object and self.frames[0].key in AROUND:
            frame = self.frames[1]
        else:
            frame = self.frames[0]
        return not frame.is_object and 0 < frame.members == frame.calls

    @property
    def whole_but_brace(self) -> bool:
        """Tell where the body broke whether a complete call lacks nothing but its last brace."""
        return len(self.frames) == 1 and self.frames[0].is_object and self.frames[0].is_call()

    def feed(self, piece: str, at: int = 0, *, final: bool = False) -> End:
        """Read on from `at`; what stands behind `self.at` afterwards is to be fed again."""
        end = End.MORE
        while at < len(piece) and not end and not self.string.full:
            if self._mode:
                at = self._inside(piece, at)
                if self._key_place and self.string.length >= _LONGEST_KEY and self._mode[-1:] in LOOSE_QUOTES:
                    end = End.BROKEN
                continue
            found = _TOKEN.match(piece, at)
            assert found is not None
            group, after = found.lastindex, found.end()
            if group == _STRUCTURE:
                end = self._step(piece[after - 1])
                at = after - (end is End.BROKEN)
            elif group == _STRING:
                self._end_member()
                self._last, at = found[_STRING][:_SHORT], after
            elif group == _WORD:
                at = found.start(_WORD)
                if after == len(piece) and not final:
                    break
                if (state := self._word(found[_WORD], piece, after, final)) is not None:
                    end = state
                    break
                at = after
            elif group is None:
                at = after
                if at < len(piece):
                    end = End.BROKEN if final or piece[at:] != "/" else End.MORE
                    break
            elif found[group] == "#" and not self._something_before:
                at, end = after - 1, End.BROKEN
            else:
                at = after
                self._begin(found[group])
        self.at = at
        return end

    def _begin(self, token: str) -> None:
        """A string or a comment begins."""
        if token in _QUOTES:
            self._end_member()
            self._mode = token
        else:
            self._mode = "*" if token == "/*" else "n"

    def _inside(self, piece: str, at: int) -> int:
        """Read on in a string or a comment."""
        begin, mode = at, self._mode
        if mode == '"':
            at = self._in_string(self.string.room(piece, at), at)
        elif mode[-1] in _QUOTES:
            at = self._elsewhere(self.string.room(piece, at, _LONGEST_KEY if self._key_place else 0), at)
        else:
            return self._elsewhere(piece, at)
        self.string.add(piece[begin:at])
        if mode[0] != "?":
            self._content = self.string.length - 1
        if not self._mode:
            self._last = self.string.text[: min(self._content, _SHORT)]
            self.string.forget()
        return at

    @property
    def _something_before(self) -> bool:
        """Something stands before in this bracket: `{#anchor}` is no comment."""
        return self.frames[-1].members > 0 or self._last is not None

    def _step(self, char: str) -> End:
        if char == ":":
            self.frames[-1].key = (self._last or "")[:_SHORT]
            self._last = None
            self._key_place = False
        elif char == ",":
            self._flush()
            self._key_place = True
        elif char in "{[":
            self._open(char)
        elif self.frames[-1].is_object != (char == "}"):
            return End.BROKEN
        elif self._close():
            return End.DONE
        return End.MORE

    def _open(self, char: str) -> None:
        if self.frames:
            self._end_member()
        self.frames.append(Frame(char == "{") if len(self.frames) < DEEPEST else self._deep[char])
        self.frames[-1].key = ""
        self._key_place = char == "{"

    def _close(self) -> bool:
        self._flush()
        self.verdict = self.frames.pop().kind()
        if self.frames:
            self._put(self.verdict)
            self._key_place = False
        return not self.frames

    def _put(self, kind: str) -> None:
        self.frames[-1].put(kind)
        self._last = None
        if len(self.frames) == 1:
            top = self.frames[0]
            foreign = top.members >= 4 and not top.keys if top.is_object else top.members > top.calls
            self.doomed = self.doomed or foreign

    def _end_member(self) -> None:
        """What begins now makes the string before it a value."""
        if self._last is not None:
            tool_use = self.frames[-1].key == "type" and self._last == "tool_use"
            self._put("string:tool_use" if tool_use else "string")

    def _flush(self) -> None:
        self._end_member()
        self.frames[-1].key = ""

    def _word(self, token: str, text: str, end: int, final: bool) -> End | None:
        """Place a bare word: a literal, a number, or a key; anything else is prose."""
        if token in _LITERALS or _NUMBER.match(token):
            if self.frames[-1].is_object and not self.frames[-1].key:
                return End.BROKEN if not token[0].isdigit() else None
            self._put("scalar")
            return None
        if not self.frames[-1].is_object or not self._key_place:
            return End.BROKEN
        colon = _COLON.match(text, end)
        if colon is None:
            rest = text[end : end + _SHORT]
            return End.MORE if not final and len(rest) < _SHORT and not rest.strip() else End.BROKEN
        self._last = token
        return None


_BLANK_LINE = r"\n[ \t]{0,200}+\n(?:\s{0,200}+(?=\S)|\s{200})"
"""White space at the end of the text separates nothing."""
_PAIR = re.compile(rf"[(){{}}\[\]\"'#]|{_BLANK_LINE}")
_DELIMITER = re.compile(rf"""[(){{}}\[\]]|{_BLANK_LINE}|<escape>|<\|["']\|>""")
_DELIMITER_BEGUN = re.compile(r"<(?:e(?:s(?:c(?:a(?:p(?:e)?)?)?)?)?|\|(?:[\"'](?:\|)?)?)?\Z")
_BLANK_BEGUN = re.compile(r"\n[ \t]{0,200}(?:\n\s{0,200})?\Z")
_PARTNER = {")": "(", "]": "[", "}": "{"}


class PairScan(PythonEnd):
    """Reads one bracketed expression such as `[f(a="x")]`, `(a="x")` or `{city:<escape>Rome<escape>}`."""

    def __init__(self, *, delimited: bool = False, keep: int = 0) -> None:
        """`delimited`: strings stand between `<escape>` or `<|"|>` pairs, and quotes mean nothing."""
        super().__init__()
        self.stack: list[str] = []
        self.string = _OpenString(keep)
        self._tokens = _DELIMITER if delimited else _PAIR

    @property
    def in_string(self) -> bool:
        """What was read last stands in a string whose end was not seen."""
        return self._mode not in {"", "n"} and not (self._mode[0] == "o" and self._count == 2)

    def feed(self, piece: str, at: int = 0, *, final: bool = False) -> End:
        """Read on from `at`; what stands behind `self.at` afterwards is to be fed again."""
        end = End.MORE
        while at < len(piece) and not end and not self.string.full:
            if self._mode:
                begun, at = at, self._inside(piece, at, final)
                if at == begun and self._mode:
                    break
                continue
            found = self._tokens.search(piece, at)
            if found is None:
                open_end = None if final else _DELIMITER_BEGUN.search(piece, at) or _BLANK_BEGUN.search(piece, at)
                at = open_end.start() if open_end else len(piece)
                break
            token, at = found.group(), found.end()
            if token[0] == "\n" or (token in _PARTNER and self.stack[-1:] != [_PARTNER[token]]):
                at, end = found.start(), End.BROKEN
            elif token in _PARTNER:
                self.stack.pop()
                end = End.MORE if self.stack else End.DONE
            elif token in "([{":
                self.stack.append(token)
            elif len(token) > 1:
                self._mode = token
            else:
                self._bracket(token)
        self.at = at
        return end

    def _inside(self, piece: str, at: int, final: bool) -> int:
        """Read on in a string or a comment."""
        mode = self._mode
        if mode == "n":
            end = piece.find("\n", at)
            self._mode = "n" if end < 0 else ""
            return len(piece) if end < 0 else end
        begin, piece = at, self.string.room(piece, at)
        at = self._delimited(piece, at, mode, final) if mode[0] == "<" else self._quoted(piece, at, mode)
        self.string.add(piece[begin:at])
        if not self._mode:
            self.string.forget()
        return at

    def _delimited(self, piece: str, at: int, delimiter: str, final: bool) -> int:
        end = piece.find(delimiter, at)
        if end < 0:
            return len(piece) if final else max(at, len(piece) - len(delimiter) + 1)
        self._mode = ""
        return end + len(delimiter)
