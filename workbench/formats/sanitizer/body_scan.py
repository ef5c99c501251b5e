"""Where the body of a call ends, by structure: JSON as models write it, and bracketed calls.

Both scanners are fed piece by piece and never look back, so time is linear and memory is the nesting depth. The JSON
scanner is lenient (single and smart quotes, bare keys, Python literals, comments, stray commas), but a word where a
value should stand is prose: there the body is broken, and everything from that word on is somebody else's text.
"""

from __future__ import annotations

import re
from enum import Enum

DEEPEST = 200
"""Brackets deeper than this are only counted."""


class Scan(Enum):
    """Where a scanner stands."""

    MORE = "more"
    """All that was given is body; it goes on."""
    DONE = "done"
    """The body ended just before the returned offset."""
    BROKEN = "broken"
    """What stands at the returned offset cannot be part of the body."""


_TOKEN = re.compile(r"""\s+|[{}\[\],:]|["'“]|//[^\n]{0,180}\n|/\*(?:[^*]|\*(?!/)){0,180}\*/|[\w$.+\-]{1,128}""")
_STRING = {
    '"': re.compile(r'(?:[^"\\]++|\\.)*+', re.DOTALL),
    "'": re.compile(r"(?:[^'\\]++|\\.)*+", re.DOTALL),
    "“": re.compile(r"(?:[^”\\]++|\\.)*+", re.DOTALL),
}
_CLOSER = {'"': '"', "'": "'", "“": "”"}
_LITERALS = frozenset("true false null True False None NaN Infinity -Infinity undefined TRUE FALSE NULL".split())
_NUMBER = re.compile(r"[+\-]?[\d.][\w.+\-]*\Z")
_COLON = re.compile(r"\s{0,60}:")
_SHORT = 64

TOOL_KEYS = frozenset("tool tool_name function function_name recipient_name".split())
ARGUMENT_KEYS = frozenset("arguments parameters args params kwargs tool_input action_input input".split())
LIST_KEYS = frozenset("function_calls tool_calls tool_uses tool_call function_call".split())
_KEYS = TOOL_KEYS | ARGUMENT_KEYS | LIST_KEYS | frozenset("name action type description properties".split())


class _Strings:
    """Reads strings piece by piece and remembers the current one, for a text that ends inside of it."""

    def __init__(self, keep: int) -> None:
        self.quote = ""
        """What ends the current string, empty outside of strings."""
        self.string: list[str] = []
        """The pieces of the current string, as far as it is kept."""
        self.full = False
        """As much as may be kept was read; the owner looks at it and calls `forget`."""
        self.length = 0
        """How much of the current string was read."""
        self._keep = keep
        self._size = 0

    def forget(self) -> None:
        """Start remembering afresh."""
        self.string.clear()
        self._size = self.length = 0
        self.full = False

    def read(self, text: str, at: int, final: bool) -> tuple[int, bool]:
        """Read on inside a string; return the offset, and whether the string has ended."""
        known = _STRING.get(self.quote)
        if known is not None:
            found = known.match(text, at)
            end = found.end() if found else at
            closed = end < len(text) and text[end] == _CLOSER[self.quote]
        else:
            end = text.find(self.quote, at)
            closed = end >= 0
            end = end if closed else max(at, len(text) - len(self.quote) + 1)
        after = end + (len(_CLOSER.get(self.quote, self.quote)) if closed else 0)
        end = after if closed or not final else len(text)
        if self._keep and self._size + end - at > self._keep:
            end, closed = at + self._keep - self._size, False
            self.full = True
        if self._keep or self._size < _SHORT:
            self.string.append(text[at:end])
            self._size += end - at
        self.length += end - at
        if closed:
            self.quote = ""
        return end, closed


class _Frame:
    """One open bracket, with what is known of its members."""

    __slots__ = ("alone", "calls", "is_object", "key", "keys", "members")

    def __init__(self, is_object: bool) -> None:
        self.is_object = is_object
        self.key = ""
        self.keys: dict[str, str] = {}
        self.members = 0
        self.calls = 0
        self.alone = True

    def put(self, kind: str) -> None:
        """Take a value: a member of the list, or what stands behind the last key."""
        self.members += 1
        self.calls += kind == "call"
        if self.key in _KEYS:
            self.keys.setdefault(self.key, kind)
        elif self.key:
            self.alone = False
        self.key = ""

    def kind(self) -> str:
        """Return what this is to its parent."""
        if not self.is_object:
            return "calls" if self.members and self.members == self.calls else "array"
        if self.is_call():
            return "call"
        return "schema" if "properties" in self.keys else "object"

    def is_call(self) -> bool:
        """Tell whether the object carries the key pair of a call format."""
        keys = self.keys
        if any(keys.get(key) in {"call", "calls"} for key in LIST_KEYS) or keys.get("function") == "call":
            return True
        if self.calls and not keys and self.alone:
            return self.members == self.calls
        given = {key for key in ARGUMENT_KEYS & keys.keys() if keys[key] in {"object", "string", "call", "array"}}
        if not given or "schema" in keys.values():
            return False
        if any(keys.get(key, "").startswith("string") for key in TOOL_KEYS):
            return True
        if keys.get("action", "").startswith("string"):
            return bool(given & {"action_input", "arguments", "args", "parameters"})
        if not keys.get("name", "").startswith("string"):
            return False
        if "arguments" in given or keys.get("type") == "string:tool_use":
            return True
        body = given & {"parameters", "args", "kwargs", "tool_input"}
        return "description" not in keys and any(keys[key] == "object" for key in body)


class _Light(_Frame):
    """Brackets too deep to matter: one for all of a scan, remembers nothing."""

    __slots__ = ()

    def put(self, kind: str) -> None:
        """Forget the value."""

    def kind(self) -> str:
        """Return what this is to its parent."""
        return "object" if self.is_object else "array"


class JsonScan:
    """Reads one JSON object or list; `verdict` says whether it is call-shaped."""

    def __init__(self, *, opened: str = "", keep: int = 0) -> None:
        self.frames: list[_Frame] = []
        self.strings = _Strings(keep)
        self.verdict = ""
        self.doomed = False
        """The outermost value is certainly no call: it began with foreign members."""
        self._deep = {"{": _Light(True), "[": _Light(False)}
        self._last: str | None = None
        self._key_place = False
        if opened:
            self._open(opened)

    @property
    def almost_call(self) -> bool:
        """Tell for a text that ends inside whether it was becoming a call."""
        return any(frame.is_object and self._would_call(frame) for frame in self.frames[:3]) or self._almost_list

    @property
    def _almost_list(self) -> bool:
        """It is a list of calls so far, one at least, alone or under its key."""
        if len(self.frames) > 1 and self.frames[0].is_object and self.frames[0].key in LIST_KEYS:
            frame = self.frames[1]
        else:
            frame = self.frames[0]
        return not frame.is_object and 0 < frame.members == frame.calls

    @property
    def whole_but_brace(self) -> bool:
        """Tell where the body broke whether a complete call lacks nothing but its last brace."""
        return len(self.frames) == 1 and self.frames[0].is_object and self.frames[0].is_call()

    @staticmethod
    def _would_call(frame: _Frame) -> bool:
        if frame.key in ARGUMENT_KEYS and frame.key not in frame.keys:
            before = frame.keys.copy()
            frame.keys[frame.key] = "object"
            found = frame.is_call()
            frame.keys = before
            return found
        return frame.is_call()

    def feed(self, text: str, at: int, final: bool) -> tuple[Scan, int]:
        """Read on from `at`; return where it stands and the first offset not read."""
        size = len(text)
        while at < size:
            if self.strings.quote:
                at, closed = self.strings.read(text, at, final)
                if not closed:
                    return Scan.MORE, at
                self._last = "".join(self.strings.string)[:-1][:_SHORT]
                self.strings.forget()
                continue
            found = _TOKEN.match(text, at)
            if found is None:
                waits = text[at] == "/" and not final and size - at < 200
                return Scan.MORE if waits else Scan.BROKEN, at
            end = found.end()
            token = found.group()
            char = token[0]
            if char in "{[":
                self._open(char)
            elif char in "}]":
                if self.frames[-1].is_object != (char == "}"):
                    return Scan.BROKEN, at
                if self._close():
                    return Scan.DONE, end
            elif char == ",":
                self._flush()
                self._key_place = True
            elif char == ":":
                self.frames[-1].key = (self._last or "")[:_SHORT]
                self._last = None
                self._key_place = False
            elif char in _STRING:
                self._end_member()
                self.strings.quote = char
            elif char == "/" or char.isspace():
                pass
            else:
                if end == size and not final:
                    return Scan.MORE, at
                word = self._word(token, text, end, final)
                if word is not None:
                    return word, at
            at = end
        return Scan.MORE, at

    def _open(self, char: str) -> None:
        if self.frames:
            self._end_member()
        self.frames.append(_Frame(char == "{") if len(self.frames) < DEEPEST else self._deep[char])
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

    def _word(self, token: str, text: str, end: int, final: bool) -> Scan | None:
        """Place a bare word: a literal, a number, or a key; anything else is prose."""
        if token in _LITERALS or _NUMBER.match(token):
            if self.frames[-1].is_object and not self.frames[-1].key:
                return Scan.BROKEN if not token[0].isdigit() else None
            self._put("scalar")
            return None
        if not self.frames[-1].is_object or not self._key_place:
            return Scan.BROKEN
        colon = _COLON.match(text, end)
        if colon is None:
            rest = text[end : end + _SHORT]
            return Scan.MORE if not final and len(rest) < _SHORT and not rest.strip() else Scan.BROKEN
        self._last = token
        return None


_BLANK_LINE = r"\n[ \t]{0,200}+\n(?:\s{0,200}+(?=\S)|\s{200})"
"""White space at the end of the text separates nothing."""
_PAIR = re.compile(rf"[(){{}}\[\]\"']|{_BLANK_LINE}")
_DELIMITER = re.compile(rf"""[(){{}}\[\]]|{_BLANK_LINE}|<escape>|<\|["']\|>""")
_DELIMITER_BEGUN = re.compile(r"<(?:e(?:s(?:c(?:a(?:p(?:e)?)?)?)?)?|\|(?:[\"'](?:\|)?)?)?\Z")
_BLANK_BEGUN = re.compile(r"\n[ \t]{0,200}(?:\n\s{0,200})?\Z")
_PARTNER = {")": "(", "]": "[", "}": "{"}


class PairScan:
    """Reads one bracketed expression such as `[f(a="x")]`, `(a="x")` or `{city:<escape>Rome<escape>}`."""

    def __init__(self, *, delimited: bool = False, keep: int = 0) -> None:
        """`delimited`: strings stand between `<escape>` or `<|"|>` pairs, and quotes mean nothing."""
        self.stack: list[str] = []
        self.strings = _Strings(keep)
        self._delimited = delimited

    def feed(self, text: str, at: int, final: bool) -> tuple[Scan, int]:
        """Read on from `at`; return where it stands and the first offset not read."""
        size = len(text)
        while at < size:
            if self.strings.quote:
                at, closed = self.strings.read(text, at, final)
                if not closed:
                    return Scan.MORE, at
                self.strings.forget()
                continue
            found = (_DELIMITER if self._delimited else _PAIR).search(text, at)
            if found is None:
                begun = None if final else _DELIMITER_BEGUN.search(text, at) or _BLANK_BEGUN.search(text, at)
                return Scan.MORE, begun.start() if begun else size
            token, at = found.group(), found.end()
            if token in "([{":
                self.stack.append(token)
            elif token in ")]}":
                if not self.stack or self.stack[-1] != _PARTNER[token]:
                    return Scan.BROKEN, found.start()
                self.stack.pop()
                if not self.stack:
                    return Scan.DONE, at
            elif token[0] == "\n":
                return Scan.BROKEN, found.start()
            else:
                self.strings.quote = token
        return Scan.MORE, at
