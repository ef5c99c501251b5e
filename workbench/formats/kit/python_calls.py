"""Calls written as Python: `get_weather(city="Rome", days=3)`. Nothing is run: what is no literal is kept as its text.

Accepted beyond Python: JSON's `true`, `false`, `null`, raw newlines in strings, parameters named like keywords, dotted names.
"""

from __future__ import annotations

import re
from keyword import iskeyword
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.formats.kit.expressions import as_value, expression_end
from workbench.formats.kit.json_end import End
from workbench.formats.kit.loose_json import MAX_DEPTH, MAX_SIZE, finite
from workbench.formats.kit.markdown_escapes import CODE as ESCAPED
from workbench.formats.kit.markdown_escapes import plain_name, plain_values
from workbench.formats.kit.python_end import PythonEnd
from workbench.formats.kit.python_source import FAILURES, literal
from workbench.formats.kit.types import wanted_types

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.toolset import Tool, ToolSet
    from workbench.formats.kit.window import Step

CALLEE_NAME = r"[^\W\d][\w.:/\\\-]{0,127}"
"""What may be called."""
CALLEE = re.compile(rf"{CALLEE_NAME}\s{{0,8}}\(")
_SPACE = re.compile(r"(?:\s|#[^\n]*\n|\\\r?\n)*+")
_KEY = re.compile(r"([A-Za-z_][\w\\]*)\s*=(?!=)|[\"']([A-Za-z_][\w.\-]*)[\"']\s*[:=]\s*|([A-Za-z_]\w*)\s*:\s*")
_NUMBER = re.compile(r"[+-]?(?:\d[\d_]*+(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?(?![\w.])")
_DIGITS = frozenset("0123456789._")
_NAMED = re.compile(r"[A-Za-z_][\w\\]*\s*=(?!=)")
_WORD = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*")
_STRING = re.compile(
    r"[rRbBuUfF]{0,2}(?:\"\"\"(?:[^\\]|\\.)*?\"\"\"|'''(?:[^\\]|\\.)*?'''|\"(?:[^\"\\]++|\\.)*+\"|'(?:[^'\\]++|\\.)*+')",
    re.DOTALL,
)
_GOES_ON = re.compile(r"\s*(?:[+%.\[*]|(?:if|in|is|and|or|not|for|==|!=)\b)")
"""What may follow a string inside a longer expression."""
_AFTER_LAST = r"\s*+(?:,\s*+[A-Za-z_][\w\\]*\s*=(?!=)|\Z|\)[ \t]*+(?:[\n;`<]|\Z|\s*+\]|,\s*+[A-Za-z_][\w.]*\())"
_LAST_QUOTES = {quote: re.compile(rf"{quote}(?={_AFTER_LAST})") for quote in "\"'"}
"""A quote after which the next keyword or the call's end follows."""
_ESCAPE_OR_QUOTE = re.compile(r"\\.|[\"'\r\n\x00]", re.DOTALL)
_IN_LITERAL = {"\r": "\\r", "\n": "\\n", "\x00": "\\x00"}
_NAME_REACH = 140
"""No parameter's name is longer, with the sign behind it."""
_WASTE = 1 << 20
"""Walking to the end of a reply in vain is allowed for so many characters, and some more in long replies."""
_WORDS: dict[str, Any] = {"True": True, "False": False, "None": None, "true": True, "false": False, "null": None}


class PythonCall(NamedTuple):
    """One call as written. Offsets are in the text that it was read from."""

    name: str
    keywords: dict[str, Any]
    positional: list[Any]
    start: int
    name_end: int
    open: int
    """Just after the opening parenthesis."""
    close: int
    """Of the closing parenthesis."""
    end: int
    repairs: tuple[str, ...]
    written: Mapping[str, str] = {}
    """Arguments that were no literals, such as `5/100`, as they stood there."""


class _ArgumentStop(ValueError):
    """The text is no call that can be read; carries a refusal code."""


class _Final(_ArgumentStop):
    """The same, and no other reading is to be tried."""


class _ArgumentReader:
    def __init__(self, text: str, at: int, end: int) -> None:
        self.text, self.at, self.end = text, at, end
        self.repairs: dict[str, None] = {}
        self.written: dict[str, str] = {}

    def space(self) -> str:
        self.at = _SPACE.match(self.text, self.at, self.end).end()  # type: ignore[union-attr]
        return self.text[self.at] if self.at < self.end else ""

    def arguments(self) -> tuple[dict[str, Any], list[Any]]:
        """Read what stands between the parentheses."""
        keywords: dict[str, Any] = {}
        positional: list[Any] = []
        while (char := self.space()) and char != ")":
            if char == "*" and self.text.startswith("**", self.at):
                self.at += 2
                self.space()
                value = self.value(0)
                if not isinstance(value, dict):
                    raise _ArgumentStop("bad_json")
                keywords.update(value)
                self.repairs["wrapper_arg"] = None
            else:
                match = _KEY.match(self.text, self.at, self.end)
                if match is not None:
                    self.at = match.end()
                    if match.group(1) is None or iskeyword(match.group(1)):
                        self.repairs["unquoted_key"] = None
                    self.space()
                    key = next(group for group in match.groups() if group)
                    if "\\" in key:
                        key = plain_name(key)
                        self.repairs[ESCAPED] = None
                    if key in keywords:
                        self.repairs["name_dup"] = None  # the last one counts, as in Python's own reader
                    keywords[key] = self.operand(")", 0, key)
                else:
                    positional.append(self.operand(")", 0))
            while self.space() in ("]", "}"):
                self.at += 1
                self.repairs["extra_brace"] = None
            self.separator(")")
        return keywords, positional

    def operand(self, close: str, depth: int, key: str = "") -> Any:
        """A literal, or where something else stands up to the next comma: that, as text."""
        start, noted = self.at, dict(self.repairs)
        try:
            value = self.value(depth)
            char = self.space()
            ends = char in ")]}" and (close != ")" or not depth)
            if not char or char in (",", close) or ends or (key and self.names_next()):
                return value
        except _Final:
            raise
        except _ArgumentStop as stop:
            if str(stop) != "bad_json":
                raise
        self.at, self.repairs = start, noted
        return self.expression(close, key)

    def quoted(self) -> str | None:
        """A keyword's string whose own quotes stand in it unescaped: it ends where the next keyword or the call's end follows."""
        after = _STRING.match(self.text, self.at, self.end)
        if after is not None and _GOES_ON.match(self.text, after.end(), self.end):
            return None
        start = self.at + 1
        close = _LAST_QUOTES[self.text[self.at]].search(self.text, start, self.end)
        if close is None:
            raise _Final("bad_json")
        self.at = close.end()
        self.repairs["unescaped_quote"] = None
        raw, quote = self.text[start : close.start()], self.text[start - 1]
        try:
            return str(literal(quote + _ESCAPE_OR_QUOTE.sub(_escaped, raw) + quote)) if "\\" in raw else raw
        except FAILURES:
            return raw

    def expression(self, close: str, key: str) -> Any:
        if key and close == ")" and self.text[self.at] in "\"'":
            raw = self.quoted()
            if raw is not None:
                return raw
        end = expression_end(self.text, self.at, self.end, close)
        raw = self.text[self.at : end].strip()
        read = as_value(raw) if end >= 0 else None
        if read is None:
            raise _Final("bad_json")
        self.at = end
        value, repair = read
        self.repairs[repair] = None
        if value == raw and repair == "schema_coerced":
            self.repairs["unquoted_text"] = None
        if key:
            self.written[key] = raw
        return value

    def separator(self, close: str) -> None:
        char = self.space()
        if char == ",":
            self.at += 1
        elif char and char in ")]}" and close != ")":
            return
        elif char and char != close and not (close == ")" and self.names_next()):
            raise _ArgumentStop("bad_json")

    def closed(self, char: str, close: str) -> None:
        """Pass a closing bracket; where another one stands in its place, it is missing."""
        if not char:
            raise _ArgumentStop("truncated")
        if char == close:
            self.at += 1
        else:
            self.repairs["missing_brace"] = None

    def names_next(self) -> bool:
        """True where the next argument begins, though a comma is missing."""
        if _NAMED.match(self.text, self.at, self.end) is None:
            return False
        self.repairs["missing_comma"] = None
        return True

    def value(self, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise _ArgumentStop("too_large")
        char = self.space()
        if not char:
            raise _ArgumentStop("truncated")
        if char in "[(":
            return self.sequence("]" if char == "[" else ")", depth)
        if char == "{":
            return self.mapping(depth)
        match = _STRING.match(self.text, self.at, self.end)
        if match is not None:
            return self.strings()
        match = _NUMBER.match(self.text, self.at, self.end)
        if match is not None:
            self.at = match.end()
            return _number(match.group())
        match = _WORD.match(self.text, self.at, self.end)
        if match is not None and match.group() in _WORDS:
            self.at = match.end()
            if match.group()[0].islower():
                self.repairs["py_literal"] = None
            return _WORDS[match.group()]
        raise _ArgumentStop("truncated" if char in "\"'" else "bad_json")

    def sequence(self, close: str, depth: int) -> Any:
        self.at += 1
        items: list[Any] = []
        commas = 0
        while (char := self.space()) and char != close and not (close == "]" and char in ")}"):
            items.append(self.operand(close, depth + 1))
            commas += self.space() == ","
            self.separator(close)
        if char != close and not items:
            raise _ArgumentStop("bad_json")  # a bracket with nothing in it that closes nothing: no value was written
        self.closed(char, close)
        return items[0] if close == ")" and len(items) == 1 and not commas else items

    def mapping(self, depth: int) -> Any:
        self.at += 1
        pairs: dict[str, Any] = {}
        items: list[Any] = []
        while (char := self.space()) and char not in ("}", ")", "]"):
            match = _KEY.match(self.text, self.at, self.end)
            if match is not None and match.group(3):
                self.repairs["unquoted_key"] = None
                key, self.at = match.group(3), match.end() - 1
                self.at = self.text.rindex(":", 0, match.end())
            else:
                key = self.value(depth + 1)
            if self.space() == ":":
                self.at += 1
                self.space()
                pairs[key if isinstance(key, str) else str(key)] = self.operand("}", depth + 1)
            else:
                items.append(key)
            self.separator("}")
        self.closed(char, "}")
        if items:
            self.repairs["schema_coerced"] = None  # a set
        return items if items and not pairs else pairs

    def strings(self) -> str:
        """One string literal, or several that stand side by side."""
        parts = []
        while (match := _STRING.match(self.text, self.at, self.end)) is not None:
            self.at = match.end()
            parts.append(self.literal(match.group()))
            self.space()
        return "".join(parts)

    def literal(self, token: str) -> str:
        quote = next(index for index, char in enumerate(token) if char in "\"'")
        prefix, body = token[:quote].lower(), token[quote:]
        if "f" in prefix and "{" in body:
            raise _Final("bad_json")  # what stands between its braces is known to a program alone
        octets = "b" in prefix
        if octets or "f" in prefix:
            self.repairs["schema_coerced"] = None
            prefix = prefix.replace("b", "").replace("f", "")
        if "\n" in body and not body.startswith(('"""', "'''")):
            self.repairs["raw_newline"] = None
            body = body.replace("\\\n", "").replace("\r", "\\r").replace("\n", "\\n")
        try:
            value = literal(prefix + body.replace("\x00", "\\x00"))
        except FAILURES:
            raise _ArgumentStop("bad_json") from None
        if octets and not value.isascii():
            raise _Final("bad_json")  # bytes that are no text
        return value if isinstance(value, str) else str(value)


def _escaped(match: re.Match[str]) -> str:
    """An escape as it is; a quote, or what ends a line, as it stands in a literal."""
    return match[0] if match[0][0] == "\\" else _IN_LITERAL.get(match[0], f"\\{match[0]}")


def _number(token: str) -> int | float:
    clean = token.replace("_", "")
    try:
        return int(clean) if clean.lstrip("+-").isdigit() else finite(clean)
    except ValueError:
        raise _Final("bad_json") from None


def read_python_call(
    text: str, start: int, open_at: int, end: int, *, closed: bool = True, cut: bool = False
) -> PythonCall | str:
    """Read the call whose name stands at `start` and whose parenthesis opens at `open_at`; a refusal code if it is none.

    `cut`: the reply ends there, so that a number may have had further digits.
    """
    if end - start > MAX_SIZE:
        return "too_large"
    name = text[start:open_at].strip()
    name_end = start + len(name)
    reader = _ArgumentReader(text, open_at + 1, end - 1 if closed else end)
    try:
        keywords, positional = reader.arguments()
    except _ArgumentStop as stop:
        return str(stop)
    except RecursionError:
        return "too_large"
    close = end - 1 if closed else end
    if closed and text[close] != ")":
        reader.repairs["missing_brace"] = None
    if reader.at < close and reader.space() == ")":  # a bracket inside is missing: the call ended here
        close, end = reader.at, reader.at + 1
    elif not closed:
        if cut and (text[end - 1] in _DIGITS or not text[open_at + 1 : end].strip()):
            return "truncated"  # a number may have gone on, and all of the arguments be missing
        if "unquoted_text" in reader.repairs and (keywords or len(positional) > 1):
            return "truncated"  # words behind a call that is cut off are no value
        reader.repairs["missing_brace"] = None
    if "\\" in name or ESCAPED in reader.repairs:
        name, keywords, positional = plain_name(name), plain_values(keywords), plain_values(positional)
        reader.repairs[ESCAPED] = None
        if "\\" in name:
            return "bad_name"
    return PythonCall(
        name,
        keywords,
        positional,
        start,
        name_end,
        open_at + 1,
        close,
        end,
        tuple(reader.repairs),
        reader.written,
    )


def bound(call: PythonCall, tool: Tool | None) -> tuple[dict[str, Any], tuple[str, ...]] | None:
    """Map positional arguments by the schema's order, only if all required ones are filled then."""
    if not call.positional:
        return _as_text(call, tool), ()
    if tool is None or (call.keywords and "unquoted_text" in call.repairs):
        return None  # a keyword whose sign is lost or written twice, perhaps
    first = call.positional[0]
    if (
        len(call.positional) == 1
        and isinstance(first, dict)
        and not call.keywords
        and tool.properties.keys() & first.keys()
    ):
        return first, ("wrapper_arg",)
    free = [name for name in tool.properties if name not in call.keywords]
    if len(call.positional) > len(free):
        return None
    placed = dict(zip(free, call.positional, strict=False))
    if any(not _placeable(value, tool.properties.get(name)) for name, value in placed.items()):
        return None
    arguments = {**placed, **call.keywords}
    return None if tool.missing(arguments) else (arguments, ("schema_coerced", "positional"))


def _placeable(value: Any, schema: Any) -> bool:
    """False of a list, an object or words where the schema wants none: they were not meant for that parameter."""
    wanted = wanted_types(schema)
    if isinstance(value, list | dict):
        return not wanted or not {"array", "object"}.isdisjoint(wanted)
    words = isinstance(value, str) and not any(map(str.isdigit, value))
    return not (words and wanted and {"integer", "number"}.issuperset(wanted))


def holds_call(call: PythonCall, tools: ToolSet) -> bool:
    """True if a value is what another call gives, which nobody knows: one of a declared tool, or of a program's own."""
    if "unquoted_text" not in call.repairs:
        return False
    values = (*call.written.values(), *(value for value in call.positional if isinstance(value, str)))
    return any(_is_call(value, tools) for value in values)


def _is_call(text: str, tools: ToolSet) -> bool:
    """`Rome (Italy)` would be one of Python's too: what is called must be declared, or be given something as a program does."""
    begun = CALLEE.match(text)
    if begun is None or not text.endswith(")"):
        return False
    given = _SPACE.match(text, begun.end()).end()  # type: ignore[union-attr]
    return begun.group()[:-1].strip() in tools.by_name or text[given] in "\"'" or _NAMED.match(text, given) is not None


def _as_text(call: PythonCall, tool: Tool | None) -> dict[str, Any]:
    """Where the schema wants text, a sum such as `2+3` is meant as it stands."""
    texts = {
        key: raw
        for key, raw in call.written.items()
        if tool is not None and not isinstance(call.keywords[key], str) and tool.wants_text(key)
    }
    return {**call.keywords, **texts} if texts else call.keywords


def walked_in_vain(scan: Scanner, at: int) -> bool:
    """True once so much was walked to no end that no further walk from `at` on is begun."""
    return scan.wasted > _WASTE + 4 * (scan.base + at)


def walk_call(scan: Scanner, at: int) -> Step[tuple[PythonCall | str, int] | None]:
    """Read the call that begins at `at`; None if no callee stands there. The second value is where it ends."""
    while True:
        match = CALLEE.match(scan.text, at)
        if match is not None:
            break
        rest = scan.tail(at)
        if not re.fullmatch(rf"(?:{CALLEE_NAME}\s{{0,8}})?", rest) or not (yield from scan.more()):
            return None
    open_at = match.end() - 1
    match = None
    if walked_in_vain(scan, at):
        return None
    state, stop = yield from scan.json_end(open_at, PythonEnd())
    while state is End.DONE and scan.text[stop - 1] != ")" and (yield from _goes_on(scan, stop)):
        state, stop = yield from scan.json_end(stop, PythonEnd(1))
    scan.wasted += 0 if state is End.DONE else stop - at
    if state is not End.DONE and scan.cut_short:
        return "truncated", stop
    if (state is not End.DONE) and (marker := _marker(scan, open_at, stop)) >= 0:
        before = read_python_call(scan.text, at, open_at, marker, closed=False)
        if not isinstance(before, str):
            scan.wasted += marker - before.end
            return before, before.end
    call = read_python_call(scan.text, at, open_at, stop, closed=state is End.DONE, cut=state is not End.DONE)
    if isinstance(call, str) or call.end == stop:
        return call, stop
    scan.wasted += stop - call.end
    return call, call.end


def _goes_on(scan: Scanner, at: int) -> Step[bool]:
    """True if the arguments go on, or end, behind a closing bracket that opens nowhere."""
    at = yield from scan.space(at)
    if scan.text[at : at + 1] == ")":
        return True
    if scan.text[at : at + 1] != ",":
        return False
    at = yield from scan.space(at + 1)
    yield from scan.at_least(at + _NAME_REACH)
    return _NAMED.match(scan.text, at, at + _NAME_REACH) is not None


def _marker(scan: Scanner, at: int, end: int) -> int:
    """Return where the format's own closing marker stands in a call that lacks its parenthesis; -1 if it does not."""
    found = (scan.text.find(marker, at, end) for marker in getattr(scan.grammar, "closes", ()))
    return min((place for place in found if place >= 0), default=-1)


def write_python(name: str, arguments: dict[str, Any]) -> str:
    """Write a call as Python."""
    return f"{name}({', '.join(f'{key}={value!r}' for key, value in arguments.items())})"
