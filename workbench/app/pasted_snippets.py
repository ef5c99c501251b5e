"""A request as other programs write it: code in JavaScript, Python or PowerShell, HTTPie, wget, a `.http` file, Postman.

    fetch("https://…/v1/chat/completions", {body: JSON.stringify({model: …, messages: […]})})
    client.chat.completions.create(model="…", messages=[…])            Invoke-RestMethod -Uri … -Body '{…}'

Nothing of it is executed: literals are read, names are followed to where literals are assigned to them.
"""

from __future__ import annotations

import ast
import json
import re
import shlex
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard

from workbench.core.json_text import parse_json
from workbench.formats.kit.loose_json import read_json
from workbench.tools.pasted_request import PastedRequest

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST = 400_000
_TRIES = 60
"""Braces at which a body is looked for."""
_PROGRAMS = (
    ("Postman", re.compile(r"getpostman\.com|\"request\"\s*:\s*\{.*\"mode\"\s*:\s*\"raw\"", re.DOTALL)),
    ("PowerShell", re.compile(r"\b(?:Invoke-(?:RestMethod|WebRequest)|irm|iwr)\b", re.IGNORECASE)),
    ("wget", re.compile(r"(?:^|[$>]\s)wget\s.*--(?:post|body)-(?:data|file)", re.MULTILINE | re.DOTALL)),
    ("HTTPie", re.compile(r"(?:^|[|$]\s*)https?\s+(?:-\S+\s+)*(?:POST\s+)?(?:https?://|:|[\w.]+[:/])", re.MULTILINE)),
    ("a .http file", re.compile(r"^(?:POST|PUT)\s+(?:https?://|\{\{|/)", re.MULTILINE)),
    ("JavaScript", re.compile(r"\bfetch\(|\baxios\b|\.create\(\s*\{|JSON\.stringify\(")),
    ("Python", re.compile(r"\.create\(|\.stream\(|\b(?:requests|httpx|client|session)\.(?:post|request|stream)\(|\bcompletion\(")),
)  # fmt: skip
_PROSE = re.compile(
    r"\s*(?!import |from |async |await |const |let |var )[A-Z]?[a-z']+,? [a-z']+,? [a-z']+[ ,.:]|.*?^[ \t]*```",
    re.DOTALL | re.MULTILINE,
)
"""Words, or a block of code in some: a reply or a report, not code."""
_URL = re.compile(r"https?://[^\s'\"<>`)}\\]+")
_BASE = re.compile(r"\b(?:base_?url|api_base)[\"']?\s*[:=]\s*[\"'`](https?://[^\"'`\s]+)", re.IGNORECASE)
_JS_NAME = re.compile(r"\b(?:const|let|var)\s+(\w+)\s*(?::[^=\n]+)?=\s*(?=[\[{\"'`])")
_PATHS = (
    ("messages.create", "/v1/messages"), ("messages.stream", "/v1/messages"),
    ("responses.create", "/v1/responses"), ("responses.stream", "/v1/responses"),
)  # fmt: skip
_CHAT = "/v1/chat/completions"
_POWER = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"`]|`.)*\"|@\{|@\(|\$(?:true|false|null)|[(){}]|[;\n]|=", re.IGNORECASE)


class Snippet(NamedTuple):
    """A request that somebody's code would send."""

    program: str
    request: PastedRequest | None
    """None: no body can be read; `address` says where it goes."""
    address: str = ""
    """A URL that the text names."""
    more: int = 0
    """Further requests in the text."""


def snippet_in(text: str) -> Snippet | None:
    """Return the first request that a piece of code or another program's file holds; None: it is none of these."""
    if len(text) > _LONGEST or _PROSE.match(text):
        return None
    program = next((name for name, sign in _PROGRAMS if sign.search(text)), "")
    if not program:
        return None
    base = _BASE.search(text)
    address = base[1] if base else next((found.group() for found in _URL.finditer(text)), "")
    found = _bodies(text, program)
    if not found:
        return Snippet(program, None, address) if address else None
    body, path = found[0]
    return Snippet(program, PastedRequest(body, path or (address if not base else "")), address, len(found) - 1)


def _bodies(text: str, program: str) -> list[tuple[dict[str, Any], str]]:
    """Bodies of requests, each with the path that code names by a method."""
    if program == "Python" and (called := list(_python(text))):
        return called
    if program == "HTTPie" and (body := _httpie(text)):
        return [(body, "")]
    found = list(_written(_with_names(text) if program == "JavaScript" else text))
    if not found and program == "PowerShell":
        found = list(_written(_from_powershell(text)))
    path = next((path for name, path in _PATHS if name in text), "")
    return [(body, path) for body in found]


def _is_body(value: Any) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict) and any(
        isinstance(value.get(key), list | str) and value[key] for key in ("messages", "contents", "input")
    )


def _written(text: str) -> Iterator[dict[str, Any]]:
    """Bodies as JSON or nearly so, also inside of a string."""
    at, tries = text.find("{"), 0
    while at >= 0 and tries < _TRIES:
        tries += 1
        start = at
        value = None
        if text[at - 1 : at] == '"':
            with suppress(ValueError, RecursionError):
                inner, end = json.JSONDecoder().raw_decode(text, at - 1)
                value, at = parse_json(inner), end
        if value is None:
            read = read_json(text, start)
            value, at = (read.value, read.end) if not read.error else (None, start)
        if _is_body(value):
            yield value
        else:
            at = start + 1
        at = text.find("{", at)


def _with_names(text: str) -> str:
    """JavaScript with the literals that its names stand for."""
    known: dict[str, str] = {}
    for found in _JS_NAME.finditer(text):
        read = read_json(text, found.end())
        if not read.error:
            known[found[1]] = json.dumps(read.value)
    for name, value in known.items():
        text = _replaced(rf"(?<=[:\[])(\s*){name}(?=\s*[,\]}}])", value, text)
        text = _replaced(rf"(?<=[{{,])(\s*){name}(?=\s*[,}}])", f"{name}: {value}", text)
    return text


def _replaced(pattern: str, value: str, text: str) -> str:
    """A text with what a pattern finds, but for its first group, replaced by a value as it is."""
    return re.sub(pattern, lambda one: f"{one[1]}{value}", text)


# Python


def _python(text: str) -> Iterator[tuple[dict[str, Any], str]]:
    tree = None
    with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        tree = ast.parse(re.sub(r"^(?:>>>|\.\.\.) ?", "", text, flags=re.MULTILINE))
    if tree is None:
        return
    known: dict[str, ast.expr] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            known.setdefault(node.targets[0].id, node.value)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            given = {one.arg: _value(one.value, known) for one in node.keywords if one.arg}
            called = ast.unparse(node.func)
            inner = next((given[key] for key in ("json", "data", "content") if key in given), None)
            with suppress(ValueError, RecursionError, TypeError):
                inner = parse_json(inner) if isinstance(inner, str) else inner
            if _is_body(inner):
                yield inner, next((one for one in map(_text_of, (given.get("url"), *_first(node, known))) if one), "")
            elif _is_body(given):
                path = next((path for name, path in _PATHS if called.endswith(name)), _CHAT)
                extra = given.pop("extra_body", None)
                kept = {key: value for key, value in given.items() if value is not None}
                yield {**kept, **(extra if isinstance(extra, dict) else {})}, path


def _first(node: ast.Call, known: dict[str, ast.expr]) -> list[Any]:
    return [_value(one, known) for one in node.args[:2]]


def _text_of(value: Any) -> str:
    return value if isinstance(value, str) and value.startswith("http") else ""


def _value(node: ast.expr, known: dict[str, ast.expr], depth: int = 0) -> Any:
    """What a literal is, names followed; None for what only running would tell."""
    if depth > 40:
        return None
    match node:
        case ast.Constant():
            return node.value if not isinstance(node.value, bytes | complex) else None
        case ast.Name() if node.id in known:
            return _value(known[node.id], {key: value for key, value in known.items() if key != node.id}, depth + 1)
        case ast.List() | ast.Tuple():
            return [_value(one, known, depth + 1) for one in node.elts]
        case ast.Dict():
            keys = [_value(key, known, depth + 1) if key is not None else None for key in node.keys]
            return {
                key: _value(one, known, depth + 1)
                for key, one in zip(keys, node.values, strict=True)
                if isinstance(key, str)
            }
        case ast.Call() if ast.unparse(node.func) in ("json.dumps", "dumps", "dict") and node.args:
            return _value(node.args[0], known, depth + 1)
        case ast.JoinedStr():
            return ast.unparse(node)[2:-1]
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return -number
        case _:
            return None


# others


def _httpie(text: str) -> dict[str, Any]:
    body: dict[str, Any] = {}
    with suppress(ValueError):
        for word in shlex.split(text.replace("\\\n", " ")):
            if (found := re.match(r"(\w+):=(.+)\Z", word, re.DOTALL)) is not None:
                with suppress(ValueError):
                    body[found[1]] = parse_json(found[2])
            elif (found := re.match(r"(\w+)=(?!=)(.*)\Z", word, re.DOTALL)) is not None:
                body[found[1]] = found[2]
    return body if _is_body(body) else {}


def _from_powershell(text: str) -> str:
    """Hash tables and lists as JSON writes them."""
    closers: list[str] = []

    def put(found: re.Match[str]) -> str:
        token = found.group()
        if token in ("@{", "@("):
            closers.append("}" if token == "@{" else "]")
            return "{" if token == "@{" else "["
        if token in ("{", "("):
            closers.append("}" if token == "{" else ")")
            return token
        if token in ("}", ")"):
            return closers.pop() if closers else token
        if token[0] in "'\"":
            quoted = token[1:-1].replace("''", "'") if token[0] == "'" else token[1:-1].replace('`"', '"')
            return json.dumps(quoted)
        if token[0] == "$":
            return token[1:].lower()
        if token == "=":
            return ":" if closers else "="
        return "," if closers and closers[-1] == "}" else " "

    made = _POWER.sub(put, text)
    return re.sub(r"([\[{])[\s,]+", r"\1", re.sub(r",(?:\s*,)+", ",", made))
