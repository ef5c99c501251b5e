"""Tool definitions inside a prompt's text, however a scaffold writes them.

Read are JSON objects with a name and a schema (OpenAI, flat, Anthropic), a schema under a line that names the tool,
signatures (`name(city: string, days?: int)`, also TypeScript's), and at last plain lists of names.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from workbench.core.tools import TOOL_NAME, ToolSpec

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_MOST_TRIES = 3000
"""Brackets that are tried as the begin of a JSON value, so that hostile prompts stay cheap."""
_DECODER = json.JSONDecoder()
_BRACKET = re.compile(r"[{\[]")
_SCHEMA_KEYS = ("parameters", "input_schema", "inputSchema", "parametersJsonSchema", "parameter_definitions")
_LABEL = re.compile(
    r"^[ \t]*+(?:#{1,6}[ \t]*+|[-*•+][ \t]++|\d+[.)][ \t]*+)?(?:tool(?:[ _]name)?|name|function)?[ \t]*+:?[ \t]*+"
    r"[`*\"']{0,3}(?P<name>[A-Za-z_][\w.-]*)[`*\"']{0,3}[ \t]*(?:$|[:(–—-]+[ \t]*(?P<about>.*)$)",
    re.MULTILINE | re.IGNORECASE,
)
_ABOUT = re.compile(r"^[ \t]*description[ \t]*:[ \t]*(.+)$", re.MULTILINE | re.IGNORECASE)
_NOT_NAMES = frozenset(
    "parameters parameter arguments args input schema description tools tool name example note properties inputs"
    " functions required format json input_schema".split()
)
_SIGNATURE = re.compile(
    r"(?:^[ \t]*(?:[-*•][ \t]+|\d+[.)][ \t]*)?(?:async[ \t]+)?(?:def[ \t]+|function[ \t]+)?[`*]{0,2})"
    r"(?P<name>[A-Za-z_][\w.]*)\((?P<params>[^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\)[`*]{0,2}[ \t]*+(?:->[ \t]*+[\w\[\], |]++)?"
    r"[`*]{0,2}[ \t]*(?:[:–—-]+[ \t]*(?P<about>[^\n]*))?$",
    re.MULTILINE,
)
_TYPESCRIPT = re.compile(
    r"(?P<about>(?:^[ \t]*//[^\n]*\n)*)^[ \t]*type[ \t]+(?P<name>\w+)[ \t]*=[ \t]*\(_:[ \t]*\{(?P<params>.*?)\n?\}\)",
    re.MULTILINE | re.DOTALL,
)
_PARAM = re.compile(r"(?P<name>[A-Za-z_]\w*)(?P<optional>\?)?\s*:\s*(?P<type>[^,=;\n]+)(?:=\s*(?P<default>[^,\n]+))?")
_BULLET = re.compile(r"^[ \t]*[-*•][ \t]+[`*]{1,2}(?P<name>[A-Za-z_][\w.-]*)[`*]{1,2}[ \t]*[:–—-]+[ \t]*(?P<about>.+)$", re.MULTILINE)  # fmt: skip
_TYPES = {
    "str": "string", "string": "string", "text": "string", "path": "string", "int": "integer", "integer": "integer",
    "float": "number", "number": "number", "bool": "boolean", "boolean": "boolean", "list": "array", "array": "array",
    "dict": "object", "object": "object", "any": "string",
}  # fmt: skip


def tools_in_text(text: str) -> tuple[ToolSpec, ...]:
    """Return the tools that a text defines, each name once, in order."""
    for found in (_from_json(text), _from_signatures(text), _from_bullets(text)):
        tools: dict[str, ToolSpec] = {}
        for spec in found:
            tools.setdefault(spec.name, spec)
        if tools:
            return tuple(tools.values())
    return ()


def json_values(text: str) -> Iterator[tuple[int, int, Any]]:
    """Yield each outermost JSON object or list that stands in a text, with its place."""
    at, tries = 0, 0
    while (match := _BRACKET.search(text, at)) and tries < _MOST_TRIES:
        tries += 1
        try:
            value, at = _DECODER.raw_decode(text, match.start())
        except RecursionError:  # nothing that deep is a tool, and each bracket of it would be tried again
            at = len(text) - len(text[match.end() :].lstrip("{[ \n\t"))
            continue
        except ValueError:
            at = match.end()
            continue
        yield match.start(), at, value


def _from_json(text: str) -> Iterator[ToolSpec]:
    for start, _, value in json_values(text):
        found = list(_defined(value))
        if not found and _is_schema(value):
            label = _label_before(text[max(0, start - 1500) : start])
            found = [ToolSpec(label[0], label[1], value)] if label else []
        yield from found


def _defined(value: Any) -> Iterator[ToolSpec]:
    """The definitions in a JSON value: one, a list, or an object that holds a list."""
    if isinstance(value, list):
        for item in value:
            yield from _defined(item)
    elif isinstance(value, dict):
        if isinstance(value.get("function"), dict):
            value = value["function"]
        for key in ("tools", "functions", "functionDeclarations"):
            if isinstance(value.get(key), list):
                yield from _defined(value[key])
        name = value.get("name")
        if isinstance(name, str) and TOOL_NAME.fullmatch(name) and (schema := _schema_of(value)) is not None:
            yield ToolSpec(name, str(value.get("description") or ""), schema)


def _schema_of(value: dict[str, Any]) -> dict[str, Any] | None:
    """The schema of a definition; an example call, whose parameters are plain values, has none."""
    for key in _SCHEMA_KEYS:
        schema = value.get(key)
        if isinstance(schema, dict) and (_is_schema(schema) or (not schema and "description" in value)):
            return schema or {"type": "object", "properties": {}}
    if "description" in value and not {"arguments", "args", *_SCHEMA_KEYS} & value.keys():
        return {"type": "object", "properties": {}}
    return None


def _is_schema(value: Any) -> bool:
    return isinstance(value, dict) and (value.get("type") == "object" or isinstance(value.get("properties"), dict))


def _label_before(text: str) -> tuple[str, str] | None:
    """Name and description from the lines above a schema."""
    block = text.rsplit("\n\n", 2)
    for part in reversed(block):
        for match in reversed(list(_LABEL.finditer(part))):
            if match["name"].lower() not in _NOT_NAMES and TOOL_NAME.fullmatch(match["name"]):
                about = (match["about"] or "").strip()
                told = _ABOUT.search(part, match.end())
                return match["name"], told[1].strip() if told else about
    return None


def _from_signatures(text: str) -> Iterator[ToolSpec]:
    for match in (*_TYPESCRIPT.finditer(text), *_SIGNATURE.finditer(text)):
        about = re.sub(r"^[ \t]*//[ \t]?", "", match["about"] or "", flags=re.MULTILINE).strip()
        yield ToolSpec(match["name"], about, _parameters(match["params"]))


def _parameters(text: str) -> dict[str, Any]:
    properties, required = {}, []
    for match in _PARAM.finditer(re.sub(r"//[^\n]*", "", text)):
        properties[match["name"]] = _type(match["type"])
        if not match["optional"] and match["default"] is None and "optional" not in match["type"].lower():
            required.append(match["name"])
    return {"type": "object", "properties": properties, "required": required}


def _type(text: str) -> dict[str, Any]:
    options = re.findall(r"[\"']([^\"']+)[\"']", text)
    if options:
        return {"type": "string", "enum": options}
    plain = text.strip().lower()
    if plain.endswith("[]") or re.match(r"(?:list|array)\b", plain):
        inner = re.search(r"[<\[](\w+)", plain)
        item = plain[:-2] if plain.endswith("[]") else inner[1] if inner else "string"
        return {"type": "array", "items": {"type": _TYPES.get(item, "string")}}
    word = re.match(r"\w+", plain)
    return {"type": _TYPES.get(word[0] if word else "", "string")}


def _from_bullets(text: str) -> Iterable[ToolSpec]:
    return (ToolSpec(match["name"], match["about"].strip()) for match in _BULLET.finditer(text))
