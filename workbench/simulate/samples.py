"""Strings that fit a JSON Schema's `format`, `pattern` and lengths when the prompt holds nothing that does."""

from __future__ import annotations

import contextlib
import importlib
import re
from typing import Any

_FORMATS: dict[str, tuple[str, str]] = {
    "date": (r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])", "2026-01-15"),
    "date-time": (
        r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)",
        "2026-01-15T10:00:00Z",
    ),
    "time": (r"\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", "10:00:00Z"),
    "duration": (r"P(?=.)(\d+[YMWD])*(T(\d+[HMS])+)?", "P1D"),
    "email": (r"[\w.+-]+@[\w-]+(\.[\w-]+)+", "someone@example.com"),
    "idn-email": (r"\S+@\S+", "someone@example.com"),
    "uri": (r"[a-zA-Z][a-zA-Z\d+.-]*:[^\s<>\"{}|\\^`]+", "https://example.com/"),
    "url": (r"https?://[^\s<>\"{}|\\^`]+", "https://example.com/"),
    "uri-reference": (r"[^\s<>\"{}|\\^`]*", "https://example.com/"),
    "iri": (r"[a-zA-Z][a-zA-Z\d+.-]*:\S+", "https://example.com/"),
    "hostname": (r"(?=.{1,253}$)[A-Za-z\d]([A-Za-z\d-]*[A-Za-z\d])?(\.[A-Za-z\d]([A-Za-z\d-]*[A-Za-z\d])?)*", "example.com"),
    "ipv4": (r"(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.|$)){4}", "192.0.2.1"),
    "ipv6": (r"[\da-fA-F]*:[\da-fA-F:]+", "2001:db8::1"),
    "uuid": (r"[\da-fA-F]{8}(-[\da-fA-F]{4}){3}-[\da-fA-F]{12}", "0a1b2c3d-4e5f-4a7b-8c9d-0e1f2a3b4c5d"),
    "regex": (r"[\w ./-]*(\.\*)?", ".*"),
    "json-pointer": (r"(/[^/~]*)*", "/a"),
}  # fmt: skip


_KEYWORDS: dict[str, type | tuple[type, ...]] = {
    "required": list, "enum": list, "allOf": list, "anyOf": list, "oneOf": list, "examples": list, "prefixItems": list,
    "properties": dict, "pattern": str, "format": str, "description": str, "$ref": str, "type": (str, list),
    "minItems": int, "maxItems": int, "minLength": int, "maxLength": int, "minProperties": int,
    "minimum": (int, float), "maximum": (int, float), "exclusiveMinimum": (int, float),
    "exclusiveMaximum": (int, float), "multipleOf": (int, float),
}  # fmt: skip


_LARGEST = {"minItems": 256, "minLength": 100_000, "minProperties": 64}
"""What is asked for beyond this is not made: a schema must not fill the memory."""


def usable(schema: Any) -> dict[str, Any]:
    """Return a schema without the keywords whose values make no sense, so that nobody has to look twice."""
    return {key: item for key, item in schema.items() if _sensible(key, item)} if isinstance(schema, dict) else {}


def _sensible(key: str, item: Any) -> bool:
    if key not in _KEYWORDS:
        return True
    if isinstance(item, bool) or not isinstance(item, _KEYWORDS[key]):
        return False
    if isinstance(item, int | float):
        return abs(item) < 1e300 and item <= _LARGEST.get(key, item) and (key != "multipleOf" or item > 1e-9)
    return True


def fits(text: str, schema: dict[str, Any]) -> bool:
    """True if a string meets the schema's lengths, pattern and format."""
    least, most = schema.get("minLength", 0), schema.get("maxLength")
    if len(text) < least or (most is not None and len(text) > most):
        return False
    known = _FORMATS.get(str(schema.get("format", "")))
    if known and not re.fullmatch(known[0], text, re.DOTALL):
        return False
    pattern = schema.get("pattern")
    return not isinstance(pattern, str) or _meets(pattern, text)


def fitted(text: str, schema: dict[str, Any]) -> str:
    """Return `text` if it fits, or something like it that does: cut, padded, else made from format and pattern."""
    if fits(text, schema):
        return text
    least, most = schema.get("minLength", 0), schema.get("maxLength")
    resized = (text or "x").ljust(least, "x")[: most if most is not None else None]
    known = _FORMATS.get(str(schema.get("format", "")))
    pattern = schema.get("pattern")
    made = _from_pattern(pattern, least) if isinstance(pattern, str) else ""
    for candidate in (resized, text.lower(), text.upper(), text.replace(" ", "_"), known[1] if known else "", made):
        if fits(candidate, schema):
            return candidate
    return made or (known[1] if known else resized)


def _meets(pattern: str, text: str) -> bool:
    with contextlib.suppress(re.error, RecursionError):
        return re.search(pattern, text) is not None
    return True  # not a pattern of ours: nothing can be said against the text


def _from_pattern(pattern: str, least: int) -> str:
    """Write a text that the pattern matches, by walking the compiled expression's own tree."""
    with contextlib.suppress(re.error, RecursionError):
        parser: Any = importlib.import_module("re._parser")
        text = _walk(parser.parse(pattern), least)
        if _meets(pattern, text):
            return text
    return ""


def _walk(tree: Any, least: int) -> str:
    return "".join(_one(str(op), argument, least) for op, argument in tree)


def _one(op: str, argument: Any, least: int) -> str:
    match op:
        case "LITERAL":
            return chr(argument)
        case "NOT_LITERAL":
            return "a" if argument != ord("a") else "b"
        case "ANY":
            return "x"
        case "IN":
            return _member(argument)
        case "BRANCH":
            return _walk(argument[1][0], least)
        case "SUBPATTERN":
            return _walk(argument[-1], least)
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            low, high, body = argument
            count = min(max(int(low), min(int(high), least)), 256)
            return "".join(_walk(body, 0) for _ in range(count))
        case _:
            return ""  # anchors and look-arounds take no characters


def _member(choices: Any) -> str:
    """A character of a class; for a negated class the first harmless one outside it."""
    if str(choices[0][0]) == "NEGATE":
        refused = {item for op, item in choices[1:] if str(op) == "LITERAL"}
        return next((letter for letter in "ax1_-" if ord(letter) not in refused), "~")
    op, item = choices[0]
    match str(op):
        case "LITERAL":
            return chr(item)
        case "RANGE":
            return chr(item[0])
        case _:
            name = str(item)
            return "1" if "DIGIT" in name else " " if name == "CATEGORY_SPACE" else "-" if "NOT_WORD" in name else "a"
