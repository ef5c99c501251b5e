"""Gemma's own argument syntax: `{city:<|"|>Rome<|"|>,days:3}` with bare keys and strings between delimiter tokens.

Delimiters get lost (sgl-project/sglang#39240, vllm-project/vllm#39440): then a string ends where a comma and a key,
or a closing bracket, follow.
"""

from __future__ import annotations

import re
from html import escape, unescape
from typing import TYPE_CHECKING, Any

from workbench.formats.kit.bent_close import without_close, without_doubled
from workbench.formats.kit.loose_json import MAX_DEPTH, JsonRead, finite, read_json
from workbench.formats.kit.window import INVISIBLE

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    Known = Callable[[Sequence[str | int]], Collection[str]]
    """The keys that are known of the object at a path; none: any key may be one."""

DELIMITERS = ('<|"|>', "<escape>")
"""What strings stand between: Gemma 4's token, and FunctionGemma's."""
_SPACE = re.compile(rf"[\s{INVISIBLE}]*+")
_KEY = re.compile(r"[\w$.\-]+(?=\s*:)")
_SET_KEY = re.compile(r"""[\w$.\-]+(?=\s*(?:=(?!=)|<\|"\|>|<escape>))""")
_SPACED_KEY = re.compile(r"[^\W\d][\w$.\- \t]{0,127}?(?=\s*:)")
_ANY_KEY = r"""(?:[\w$.\-]+|"[^"\\\n]{1,200}"|<\|"\|>[^<\n]{1,200}<\|"\|>|<escape>[^<\n]{1,200}<escape>)"""
_NEXT = re.compile(rf"\s*(?:[}}\]]|,\s*(?:{_ANY_KEY}\s*(?:[:=]|<\|\"\|>|<escape>)|\Z)|\Z)")
_KEY_BEFORE = re.compile(rf",\s*{_ANY_KEY}\s*:\s*\Z")
"""Before a delimiter that opens the next value."""
_KEY_REACH = 240
"""No key is longer, with what stands around it."""
_TWICE = re.compile(r"""(?:[:=]\s*){1,4}(?=<\|"\|>|<escape>|[{\[])""")
"""A sign between key and string that stands there already."""
_OPENLESS = re.compile(r"[A-Za-z_][\w$.\-]*\s*:\s*[{\[]")
"""A key in the place of a value: the brace before it is lost."""
_NEXT_ITEM = re.compile(r"\s*(?:[}\],]|\Z)")
_BARE_END = re.compile(rf",\s*({_ANY_KEY})\s*:|[}}\]]")
_SINGLE = re.compile(r"'((?:[^'\\\n]|\\.)*)'")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_PLAIN = re.compile(
    rf"(?:true|false|null|none|nil|{_NUMBER.pattern})(?=\s*,\s*[^\W\d][\w$.\- \t]{{0,127}}:)", re.IGNORECASE
)
"""A word or a number before a key with spaces."""
_SURE = re.compile(rf"\s*(?:true|false|null|none|nil|{_NUMBER.pattern})\s*", re.IGNORECASE)
_DEFINITE = re.compile(r"""\s*(?:<\|"\|>|<escape>|[{\[])""")
"""A value that no text is: what stands before it is a key, whoever knows it."""
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None, "none": None, "nil": None}
_NO_NUMBERS = ("NaN", "Infinity", "-Infinity")


class _BracedStop(ValueError):
    """Reading cannot go on; carries a refusal code."""


class _BracedReader:
    def __init__(
        self, text: str, at: int, end: int, delimiter: str, *, strict: bool, known: Known | None = None
    ) -> None:
        self.known = known
        self.signed = at
        self.text, self.at, self.end, self.delimiter, self.strict = text, at, end, delimiter, strict
        self.start = at
        self.repairs: dict[str, None] = {}
        self.marks: list[tuple[tuple[str | int, ...], int, int, int, int]] = []
        self.path: list[str | int] = []

    def space(self) -> str:
        self.at = _SPACE.match(self.text, self.at, self.end).end()  # type: ignore[union-attr]
        return self.text[self.at] if self.at < self.end else ""

    def value(self, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise _BracedStop("too_large")
        char = self.space()
        if char == "{":
            return self.mapping(depth)
        if char == "[":
            return self.sequence(depth)
        if self.path and not self.strict and _OPENLESS.match(self.text, self.at, self.end):
            self.repairs["missing_brace"] = None
            self.at -= 1
            return self.mapping(depth)
        in_list = bool(self.path) and isinstance(self.path[-1], int)
        if self.text.startswith(self.delimiter, self.at, self.end):
            return self.item() if in_list and not self.strict else self.string()
        if char == "<" and not self.strict and (halved := self.halved()) is not None:
            return halved
        if char == '"':
            return self.json_string()
        if char == "'" and not self.strict:
            quoted = self.single_quoted()
            if quoted is not None:
                return quoted
        return self.bare(in_list=in_list)

    def mapping(self, depth: int) -> dict[str, Any]:
        self.at += 1
        found: dict[str, Any] = {}
        while (char := self.space()) != "}":
            if not char:
                raise _BracedStop("truncated")
            if char == ",":
                self.at += 1
                continue
            start = self.at
            key = self.key()
            stop = self.at
            sign = self.space()
            if not self.strict and (sign == "=" or self.text.startswith(self.delimiter, self.at, self.end)):
                self.repairs["near_miss_tag"] = None
                self.at -= sign != "="
            elif sign != ":":
                raise _BracedStop("bad_json" if self.at < self.end else "truncated")
            self.signed = self.at = self.at + 1
            if self.space() in (":", "=") and not self.strict and (twice := _TWICE.match(self.text, self.at, self.end)):
                self.repairs["near_miss_tag"] = None
                self.signed = self.at = twice.end()
            begin = self.at
            self.path.append(key)
            if key in found:
                self.repairs["name_dup"] = None  # the last one counts, as in JSON
            found[key] = self.value(depth + 1)
            self.marks.append((tuple(self.path), begin, self.at, start, stop))
            self.path.pop()
        self.at += 1
        return found

    def key(self) -> str:
        match = _KEY.match(self.text, self.at, self.end) or _SPACED_KEY.match(self.text, self.at, self.end)
        if match is not None:
            self.at = match.end()
            return match.group()
        if not self.strict and (match := _SET_KEY.match(self.text, self.at, self.end)) is not None:
            self.at = match.end()
            return match.group()
        if self.text.startswith(self.delimiter, self.at, self.end):
            return self.string()
        if self.text[self.at] == '"':
            return self.json_string()
        raise _BracedStop("bad_json")

    def sequence(self, depth: int) -> list[Any]:
        self.at += 1
        found: list[Any] = []
        while (char := self.space()) != "]":
            if not char or char == "}":
                raise _BracedStop("bad_json" if char else "truncated")
            if char == ",":
                self.at += 1
                continue
            begin = self.at
            self.path.append(len(found))
            found.append(self.value(depth + 1))
            self.marks.append((tuple(self.path), begin, self.at, begin, begin))
            self.path.pop()
        self.at += 1
        return found

    def string(self) -> str:
        """A string between delimiters; where the closing one is lost, the look-ahead finds the end."""
        begin = self.at + len(self.delimiter)
        at = begin
        if self.strict:
            stop = self.text.find(self.delimiter, begin, self.end)
            if stop < 0:
                raise _BracedStop("truncated")
            self.at = stop + len(self.delimiter)
            return self.text[begin:stop]
        while (stop := self.text.find(self.delimiter, at, self.end)) >= 0:
            after = stop + len(self.delimiter)
            if _NEXT.match(self.text, after, self.end) is not None or self.text[after : min(after + 1, self.end)] in (
                ":",
                "",
            ):
                lost = self.bare_end(begin, stop)
                if lost is not None and self.opens_here(stop) and self.text[lost.start()] == ",":
                    break
                self.at = after
                return self.kept(*without_doubled(self.text[begin:stop], self.delimiter))
            if self.opens_here(stop):
                break
            at = after
        lost = _KEY_BEFORE.search(self.text, max(begin, stop - _KEY_REACH), stop) if stop >= 0 else None
        lost = lost or self.bare_end(begin, self.end)
        if lost is None:
            raise _BracedStop("truncated")
        self.repairs |= dict.fromkeys(("missing_close_tag", "open_value"))
        self.at = lost.start()
        text = self.text[begin : lost.start()]
        plain = text.rstrip()
        if plain.endswith('"') and not plain.endswith('|"') and text.count('"') % 2:  # the wrong sign closes it
            text = plain[:-1]
        return self.kept(*without_close(text, self.delimiter))

    def kept(self, text: str, bent: bool) -> str:
        """Note that a delimiter was bent, or written twice; one that stays inside makes the value's end doubtful."""
        if text.startswith(self.delimiter):
            text, bent = text[len(self.delimiter) :], True
        if self.delimiter in text:
            self.repairs["open_value"] = None
        if bent:
            self.repairs["near_miss_tag"] = None
        return text

    def item(self) -> str:
        """A string between delimiters in a list: where the closing one is lost, the next one opens behind a comma."""
        begin = at = self.at + len(self.delimiter)
        while (stop := self.text.find(self.delimiter, at, self.end)) >= 0:
            at = stop + len(self.delimiter)
            if _NEXT_ITEM.match(self.text, at, self.end):
                self.at = at
                return self.kept(*without_doubled(self.text[begin:stop], self.delimiter))
            before = self.text[begin:stop].rstrip()
            if before.endswith(","):
                self.repairs |= dict.fromkeys(("missing_close_tag", "open_value"))
                self.at = begin + len(before) - 1
                return before[:-1].rstrip()
        return self.string()

    def opens_here(self, at: int) -> bool:
        """True if the delimiter at `at` opens a string: a colon, comma or bracket stands before it."""
        before = self.text[max(self.start, at - 200) : at].rstrip()
        return before.endswith(":") and _BARE_END.search(self.text, max(self.start, at - 80), at + 1) is not None

    def json_string(self) -> str:
        read = read_json(self.text, self.at, self.end)
        if read.error or not isinstance(read.value, str):
            raise _BracedStop("bad_json")
        self.repairs["near_miss_tag"] = None
        self.at = read.end
        return read.value

    def halved(self) -> str | None:
        """A string whose delimiters are halved, as `<|"Rome"|>`; None where none ends well."""
        cut = self.delimiter.find("|", 2) if self.delimiter.startswith("<|") else -1
        opener, closer = self.delimiter[:cut], self.delimiter[cut - 1 :]
        if cut < 0 or not self.text.startswith(opener, self.at, self.end):
            return None
        begin = self.at + len(opener)
        stop = self.text.find(closer, begin, self.end)
        if stop < 0 or _NEXT.match(self.text, stop + len(closer), self.end) is None:
            return None
        self.repairs["near_miss_tag"] = None
        self.at = stop + len(closer)
        return self.text[begin:stop]

    def single_quoted(self) -> str | None:
        """A string in single quotes, with a closing delimiter too many perhaps; None where none ends well."""
        match = _SINGLE.match(self.text, self.at, self.end)
        if match is None:
            return None
        after = match.end()
        after += len(self.delimiter) if self.text.startswith(self.delimiter, after, self.end) else 0
        if _NEXT.match(self.text, after, self.end) is None:
            return None
        self.repairs["single_quotes"] = None
        self.at = after
        return match.group(1)

    def bare_end(self, at: int, end: int) -> re.Match[str] | None:
        """Find what ends text without delimiters: a bracket, or a comma and a key, of those that are known where some are."""
        names = self.known(self.path[:-1]) if self.known is not None else ()
        for found in _BARE_END.finditer(self.text, at, end):
            key = found.group(1)
            if not names or key is None or key[0] == "<" or key.strip('"') in names:
                return found
            if _DEFINITE.match(self.text, found.end(), self.end) or _SURE.fullmatch(self.text[at : found.start()]):
                return found
        return None

    def bare(self, *, in_list: bool) -> Any:
        """A number, a word, or a string whose opening delimiter is lost."""
        broken = "\n" in self.text[self.signed : self.at]
        stop = self.text.find(self.delimiter, self.at, self.end)
        lost = (
            re.compile(r"[,}\]]").search(self.text, self.at, self.end) if in_list else self.bare_end(self.at, self.end)
        )
        end = lost.start() if lost else self.end
        if not in_list and (plain := _PLAIN.match(self.text, self.at, end)) is not None:
            self.at = plain.end()
            text = plain.group().lower()
            return _WORDS[text] if text in _WORDS else _number(text)
        if 0 <= stop < end or (
            stop >= 0 and _NEXT.match(self.text, stop + len(self.delimiter), self.end) and not self.opens_here(stop)
        ):
            text = self.text[self.at : stop]
            if self.strict:
                raise _BracedStop("bad_json")
            self.at = stop + len(self.delimiter)
            self.repairs |= dict.fromkeys(("missing_open_tag", "open_value"))
            return text[1:] if text[:1] == "'" and "'" not in text[1:] else text
        text = self.text[self.at : end].strip()
        if lost is None:
            raise _BracedStop("truncated")
        self.at = end
        if text.endswith(",") and not in_list and not self.strict:
            text = text.rstrip(", \t\r\n")
            self.repairs["trailing_comma"] = None
        if text.lower() in _WORDS:
            return _WORDS[text.lower()]
        if _NUMBER.fullmatch(text):
            return _number(text)
        if text in _NO_NUMBERS:
            raise _BracedStop("bad_json")
        if self.strict:
            raise _BracedStop("bad_json")
        self.repairs["schema_coerced"] = None
        if broken and not in_list:
            self.repairs["open_value"] = None  # the line breaks before it may be its own
        return text


def _number(text: str) -> int | float:
    try:
        return finite(text) if set(text) & set(".eE") else int(text)
    except ValueError:
        raise _BracedStop("bad_json") from None


def read_braced(text: str, at: int, end: int, delimiter: str, known: Known | None = None) -> JsonRead:
    """Read the object at `at`, to the letter if possible; of `known` keys one must be that begins another value behind bare text."""
    escaped = escape(delimiter, quote=False)
    if text.find("&", at, end) >= 0 and text.find(escaped, at, end) >= 0 and text.find(delimiter, at, end) < 0:
        reader = _read(text, at, end, escaped, False, known)
        return reader._replace(value=_unescaped(reader.value), repairs=(*reader.repairs, "html_escaped"))
    if text.find(delimiter, at, end) < 0 and any(text.find(other, at, end) >= 0 for other in DELIMITERS):
        return JsonRead(None, end, (), "bad_json", "The strings stand between another model's tokens.")
    reader = _read(text, at, end, delimiter, True)
    if reader.error:
        reader = _read(text, at, end, delimiter, False, known)
    return reader


def _unescaped(value: Any) -> Any:
    if isinstance(value, str):
        return unescape(value)
    if isinstance(value, list):
        return [_unescaped(item) for item in value]
    return {key: _unescaped(item) for key, item in value.items()} if isinstance(value, dict) else value


def _read(text: str, at: int, end: int, delimiter: str, strict: bool, known: Known | None = None) -> JsonRead:
    reader = _BracedReader(text, at, end, delimiter, strict=strict, known=known)
    try:
        value = reader.value(0)
    except _BracedStop as stop:
        return JsonRead(None, reader.at, tuple(reader.repairs), str(stop), "The arguments cannot be read.")
    except (RecursionError, ValueError):
        return JsonRead(None, reader.at, tuple(reader.repairs), "too_large", "The arguments cannot be read.")
    return JsonRead(value, reader.at, tuple(reader.repairs))


def braced_marks(
    text: str, at: int, end: int, delimiter: str, known: Known | None = None
) -> list[tuple[tuple[str | int, ...], int, int, int, int]]:
    """Return where each value stands: path, value start and end, key start and end."""
    for strict in (True, False):
        reader = _BracedReader(text, at, end, delimiter, strict=strict, known=None if strict else known)
        try:
            reader.value(0)
        except (ValueError, RecursionError):
            continue
        return reader.marks
    return []


def write_braced(value: Any, delimiter: str) -> str:
    """Write a value in this syntax."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{key}:{write_braced(item, delimiter)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(write_braced(item, delimiter) for item in value) + "]"
    if isinstance(value, str):
        return f"{delimiter}{value}{delimiter}"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return repr(value)
