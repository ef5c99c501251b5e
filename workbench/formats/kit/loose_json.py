"""Reads JSON as models write it: strictly first, then in one tolerant pass that names every repair.

Limits keep hostile input harmless: 1 MiB per value, 64 levels. Nothing is evaluated; NaN and Infinity are refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from json.decoder import JSONDecoder
from math import isinf
from typing import Any, NamedTuple

from workbench.formats.kit.json_end import LOOSE_QUOTES

MAX_SIZE = 1 << 20
MAX_DEPTH = 64
_NAMED_TWICE = ("name_dup",)
LONG = 4096
"""In texts beyond this keys are looked for by themselves, if they are `_FEW`."""
_FEW = 16
_BLANK_COLON = re.compile(r'"\s++:')
QUICK_TRIES = 32
"""How many texts may fail to be strict JSON before no more are tried unseen: each failure costs a look at all before it."""

Path = tuple[str | int, ...]
Marks = list[tuple[Path, int, int, int, int]]
"""`(path, value start, value end, key start, key end)`; the key's are equal where there is no key."""


class JsonRead(NamedTuple):
    """What a read of one value gave."""

    value: Any
    end: int
    """Just after the value; where reading stopped if there is an error."""
    repairs: tuple[str, ...] = ()
    error: str = ""
    """Empty, or a refusal code: `bad_json`, `truncated`, `too_large`."""
    message: str = ""


class _Refused(ValueError):
    """A constant that JSON does not have."""


def _refuse(name: str) -> Any:
    raise _Refused(name)


def finite(text: str) -> float:
    """Read a number with a point or exponent; raises ValueError where it is too big for one."""
    value = float(text)
    if isinf(value):
        raise _Refused(text)
    return value


scan_once: Callable[[str, int], tuple[Any, int]] = JSONDecoder(parse_constant=_refuse, parse_float=finite).scan_once  # type: ignore[attr-defined]
"""The C scanner: `(value, end)` of the strict value at an index; raises StopIteration, ValueError, RecursionError."""


def depth_of(value: Any) -> int:
    """Return how deep lists and objects are nested, without recursion; stops counting above the limit."""
    depth, level = 0, [value]
    while level and depth <= MAX_DEPTH:
        level = [
            child
            for item in level
            if isinstance(item, dict | list)
            for child in (item.values() if isinstance(item, dict) else item)
            if isinstance(child, dict | list)
        ]
        depth += 1
    return depth


def read_strict(text: str, at: int) -> JsonRead | None:
    """Read one value to the letter of JSON, or None."""
    try:
        value, end = scan_once(text, at)
    except (StopIteration, ValueError, RecursionError):
        return None
    if end - at > MAX_SIZE:
        return JsonRead(None, end, error="too_large", message="The value is larger than 1 MiB.")
    brackets = text.count("{", at, end) + text.count("[", at, end) if end - at > MAX_DEPTH else 0
    if brackets > MAX_DEPTH and depth_of(value) > MAX_DEPTH:
        return JsonRead(None, end, error="too_large", message="The value is nested deeper than 64 levels.")
    return JsonRead(value, end, _NAMED_TWICE if names_twice(text, at, end, value) else ())


def scan_unique(text: str, at: int) -> tuple[Any, int]:
    """Do what `scan_once` does, and raise ValueError as well where an object has one key twice."""
    value, end = scan_once(text, at)
    if names_twice(text, at, end, value):
        raise _Refused("a key stands there twice")
    return value, end


def names_twice(text: str, at: int, end: int, value: Any) -> bool:
    """True if an object in the text has one key twice: the last one counts, as for every reader, and the first is lost.

    Nearly no text has more signs of keys than its value has keys; only such a one is read again.
    """
    if end - at <= LONG:
        if type(value) is dict and text.count(":", at, end) == len(value):
            return False
        if _key_signs(text, at, end) <= len(_keys_of(value)):
            return False
    else:
        keys = _keys_of(value)  # signs of short keys are found faster than all colons of a long text
        if len(keys) <= _FEW and len(set(keys)) == len(keys):
            if not any(_stands_twice(text, at, end, key) for key in keys):
                return False
        elif _key_signs(text, at, end) <= len(keys):
            return False
    twice = []

    def look(pairs: list[tuple[str, Any]]) -> None:
        if len(pairs) != len({key for key, _ in pairs}):
            twice.append(True)

    JSONDecoder(object_pairs_hook=look).decode(text[at:end])
    return bool(twice)


def _key_signs(text: str, at: int, end: int) -> int:
    """How many quotes have a colon behind them."""
    signs = text.count('":', at, end)
    return signs if signs == text.count(":", at, end) else signs + len(_BLANK_COLON.findall(text, at, end))


def _stands_twice(text: str, at: int, end: int, key: str) -> bool:
    """True if a key's quotes stand at a second place."""
    sign = f'"{key}"'
    first = text.find(sign, at, end)
    # where there is none it is written with escapes, perhaps; from the end Python finds several times as fast
    return first < 0 or text.rfind(sign, first + 1, end) >= 0


def _keys_of(value: Any) -> list[str]:
    """Return the keys of all objects of a value."""
    keys: list[str] = []
    left = [value]
    while left:
        item = left.pop()
        if type(item) is dict:
            keys += item
            left += item.values()
        elif type(item) is list:
            left += item
    return keys


def read_json(
    text: str, at: int, end: int | None = None, *, close: bool = False, marks: Marks | None = None
) -> JsonRead:
    """Read one value from `text[at:end]`, strictly if possible, else with named repairs.

    `close` allows to add the closing brackets that are missing at the end. `marks` collects where values stand.
    """
    if marks is None:
        if end is not None and at > 4096:  # an error's line number costs a look at all that stands before it
            strict = read_strict(text[at:end], 0)
            strict = strict and strict._replace(end=strict.end + at)
        else:
            strict = read_strict(text, at)
        if strict is not None and (end is None or strict.end <= end):
            return strict
    return _Tolerant(text, at, len(text) if end is None else end, close, marks).read()


_SPACE = re.compile(r"\s*+")
_QUIET = {'"': re.compile(r'[^"\\\x00-\x1f]*+')}
_WORD = re.compile(r"[^\s,:{}\[\]\"'“”‘’`<>()#;]++")
_KEY = re.compile(r"[\w$][\w$.\-]*+")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_LOOSE_NUMBER = re.compile(r"[+-]?(?:\d[\d_]*)?(?:\.\d*)?(?:[eE][+-]?\d+)?")
_COMMENT = re.compile(r"//[^\n]*+|#[^\n]*+|/\*.*?\*/", re.DOTALL)
_ESCAPES = {'"': '"', "'": "'", "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "`": "`"}
_HEX = re.compile(r"[0-9a-fA-F]{4}")
_DRIVE = re.compile(r"[A-Za-z]:\\(?!\\)")
"""A string begins as a path of Windows whose backslashes are not escaped: none in it is an escape."""
_LOOSE_QUIET = {quote: re.compile(f"[^{ends}\\\\]*+") for quote, ends in LOOSE_QUOTES.items()}
_LITERALS = {"true": True, "false": False, "null": None}
_PY_LITERALS = {"True": True, "False": False, "None": None, "TRUE": True, "FALSE": False, "undefined": None}


class _JsonStop(Exception):
    """Reading cannot go on; carries code, message and place."""

    def __init__(self, code: str, message: str, at: int) -> None:
        super().__init__(code, message, at)
        self.code, self.message, self.at = code, message, at


class _Tolerant:
    """One tolerant pass over `text[at:end]`."""

    def __init__(self, text: str, at: int, end: int, close: bool, marks: Marks | None) -> None:
        self.text, self.at, self.end, self.close = text, at, end, close
        self.marks = marks
        self.repairs: dict[str, None] = {}
        self._path = False
        self.path: list[str | int] = []

    def read(self) -> JsonRead:
        if self.end - self.at > MAX_SIZE:
            return JsonRead(None, self.end, error="too_large", message="The value is larger than 1 MiB.")
        try:
            self._space()
            value = self._value(0)
        except _JsonStop as stop:
            return JsonRead(None, stop.at, tuple(self.repairs), stop.code, stop.message)
        return JsonRead(value, self.at, tuple(self.repairs))

    def _note(self, repair: str) -> None:
        self.repairs[repair] = None

    def _space(self) -> str:
        """Skip white space and comments; return the next character, or an empty string at the end."""
        while True:
            at = _SPACE.match(self.text, self.at, self.end).end()  # type: ignore[union-attr]
            self.at = at
            if at >= self.end:
                return ""
            char = self.text[at]
            if char not in "/#":
                return char
            comment = _COMMENT.match(self.text, at, self.end)
            if comment is None:
                return char
            self._note("comment")
            self.at = comment.end()

    def _value(self, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise _JsonStop("too_large", "The value is nested deeper than 64 levels.", self.at)
        if self.at >= self.end:
            raise _JsonStop("truncated", "The value is cut off.", self.at)
        char = self.text[self.at]
        if char == "{":
            return self._object(depth)
        if char == "[":
            return self._list(depth)
        if char == '"':
            return self._string()
        if char in LOOSE_QUOTES:
            return self._loose_string()
        return self._scalar()

    def _object(self, depth: int) -> dict[str, Any]:
        self.at += 1
        value: dict[str, Any] = {}
        comma = True
        while True:
            char = self._space()
            if char == "}":
                if value and comma:
                    self._note("trailing_comma")
                self.at += 1
                return value
            if not char:
                self._close_missing(comma)
                return value
            if char == ",":
                if comma:
                    raise _JsonStop("bad_json", "A comma stands where a key belongs.", self.at)
                comma = True
                self.at += 1
                continue
            if not comma:
                if char == "]":
                    self._close_missing(False)
                    return value
                self._note("missing_comma")
            self._member(value, char, depth)
            comma = False

    def _member(self, value: dict[str, Any], char: str, depth: int) -> None:
        key_at = self.at
        key = self._key(char)
        key_end = self.at
        char = self._space()
        if char not in (":", "="):
            raise _JsonStop("truncated" if not char else "bad_json", f"No colon follows the key {key!r}.", self.at)
        if char == "=":
            self._note("unquoted_key")
        self.at += 1
        self._space()
        start = self.at
        self.path.append(key)
        if key in value:
            self._note("name_dup")
        value[key] = self._value(depth + 1)
        if self.marks is not None:
            self.marks.append((tuple(self.path), start, self.at, key_at, key_end))
        self.path.pop()

    def _key(self, char: str) -> str:
        if char == '"':
            return self._string()
        if char in LOOSE_QUOTES:
            return self._loose_string()
        match = _KEY.match(self.text, self.at, self.end)
        if match is None:
            raise _JsonStop("bad_json", f"{char!r} stands where a key belongs.", self.at)
        self._note("unquoted_key")
        self.at = match.end()
        return match.group()

    def _list(self, depth: int) -> list[Any]:
        self.at += 1
        value: list[Any] = []
        comma = True
        while True:
            char = self._space()
            if char == "]":
                if value and comma:
                    self._note("trailing_comma")
                self.at += 1
                return value
            if not char:
                self._close_missing(comma)
                return value
            if char == "," or (char == ";" and not comma):
                if comma:
                    raise _JsonStop("bad_json", "A comma stands where a value belongs.", self.at)
                if char == ";":
                    self._note("missing_comma")
                comma = True
                self.at += 1
                continue
            if not comma:
                if char == "}":
                    self._close_missing(False)
                    return value
                self._note("missing_comma")
            start = self.at
            self.path.append(len(value))
            value.append(self._value(depth + 1))
            if self.marks is not None:
                self.marks.append((tuple(self.path), start, self.at, start, start))
            self.path.pop()
            comma = False

    def _close_missing(self, open_member: bool) -> None:
        """Add a closing bracket, unless a member is yet to come: after a comma, or right after the opening bracket."""
        if not self.close or open_member:
            raise _JsonStop("truncated", "The value is cut off.", self.at)
        self._note("missing_brace")

    def _string(self) -> str:
        """A double-quoted string; raw control characters are kept as themselves."""
        at, parts, text = self.at + 1, [], self.text
        quiet, self._path = _QUIET['"'], _DRIVE.match(text, at) is not None
        while True:
            stop = quiet.match(text, at, self.end).end()  # type: ignore[union-attr]
            parts.append(text[at:stop])
            if stop >= self.end:
                raise _JsonStop("truncated", "A string is cut off.", stop)
            char = text[stop]
            if char == '"':
                self.at = stop + 1
                return "".join(parts)
            if char == "\\":
                piece, at = self._escape(stop)
                parts.append(piece)
            else:
                self._note("raw_newline")
                parts.append(char)
                at = stop + 1

    def _loose_string(self) -> str:
        """A string in single or typographic quotes: its end is the quote that a comma, colon or bracket follows."""
        text, quote = self.text, self.text[self.at]
        ends, quiet = LOOSE_QUOTES[quote], _LOOSE_QUIET[quote]
        self._note("single_quotes" if quote == "'" else "smart_quotes")
        twice = text.startswith(quote * 2, self.at) and text[self.at + 2 : self.at + 3] not in f",:}}] \n{quote}"
        at, parts = self.at + (2 if twice else 1), []
        self._path = _DRIVE.match(text, at) is not None
        while True:
            stop = quiet.match(text, at, self.end).end()  # type: ignore[union-attr]
            parts.append(text[at:stop])
            if stop >= self.end:
                raise _JsonStop("truncated", "A string is cut off.", stop)
            if twice and text.startswith(quote * 2, stop):
                self.at = stop + 2
                return "".join(parts)
            if text[stop] == "\\":
                piece, at = self._escape(stop)
                parts.append(piece)
                continue
            after = _SPACE.match(text, stop + 1, self.end).end()  # type: ignore[union-attr]
            if after >= self.end or text[after] in ",:}]/#" or text[stop] not in ends:
                self.at = stop + 1
                return "".join(parts)
            parts.append(text[stop:after])
            at = after

    def _escape(self, at: int) -> tuple[str, int]:
        """Read the escape at `at`; return its text and where to go on."""
        if at + 1 >= self.end:
            raise _JsonStop("truncated", "A string is cut off.", at)
        char = self.text[at + 1]
        if self._path and char in "bfnrtu":
            self._note("raw_newline")
            return "\\" + char, at + 2
        if char == "u":
            match = _HEX.match(self.text, at + 2, self.end)
            if match is None:
                code = "truncated" if self.end - at < 6 else "bad_json"
                raise _JsonStop(code, "A \\u escape is incomplete.", at)
            return self._unicode(int(match.group(), 16), at + 6)
        if char == "\n":
            return "", at + 2
        if char in _ESCAPES:
            return _ESCAPES[char], at + 2
        self._note("raw_newline")
        return "\\" + char, at + 2

    def _unicode(self, code: int, at: int) -> tuple[str, int]:
        if 0xD800 <= code < 0xDC00 and self.text.startswith("\\u", at):
            match = _HEX.match(self.text, at + 2, self.end)
            low = int(match.group(), 16) if match else 0
            if 0xDC00 <= low < 0xE000:
                return chr(0x10000 + (code - 0xD800 << 10) + (low - 0xDC00)), at + 6
        return chr(code), at

    def _scalar(self) -> Any:
        match = _WORD.match(self.text, self.at, self.end)
        if match is None:
            raise _JsonStop("bad_json", f"{self.text[self.at]!r} cannot stand here.", self.at)
        word, start = match.group(), self.at
        self.at = match.end()
        if word in _LITERALS:
            return _LITERALS[word]
        if word in _PY_LITERALS:
            self._note("py_literal")
            return _PY_LITERALS[word]
        number = _number(word)
        if number is None:
            begun = word in "+-." or any(literal.startswith(word) for literal in (*_LITERALS, *_PY_LITERALS))
            code = "truncated" if self.at >= self.end and begun else "bad_json"
            raise _JsonStop(code, f"{word[:40]!r} is not a JSON value.", start)
        if self.at >= self.end:
            raise _JsonStop("truncated", "The text ends inside a number.", start)
        if not _NUMBER.fullmatch(word):
            self._note("py_literal")
        return number


def _number(word: str) -> int | float | None:
    """Read a number, also with a plus sign, underscores or a bare point; None where it is not one."""
    if len(word) > 1000 or not _LOOSE_NUMBER.fullmatch(word) or not any(char.isdigit() for char in word):
        return None
    clean = word.replace("_", "")
    try:
        return int(clean) if clean.lstrip("+-").isdigit() else finite(clean)
    except ValueError:
        return None
