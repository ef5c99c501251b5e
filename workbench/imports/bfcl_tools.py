"""Function descriptions of the Berkeley Function-Calling Leaderboard as tools.

Its schemas have Python's, Java's or JavaScript's names of types. Python's become JSON Schema's; of Java and JavaScript
functions every argument is a text that holds a literal, as the leaderboard offers them, and the description says of what.
"""

from __future__ import annotations

from typing import Any, Literal

from workbench.core.errors import InvalidInput
from workbench.core.tools import ToolMode, ToolSetup, ToolSpec, tool_from_json

Language = Literal["python", "java", "javascript"]
_WORDS = {"python": "Python 3", "java": "Java 8", "javascript": "JavaScript"}
_TYPES = {
    "integer": "integer", "number": "number", "float": "number", "string": "string", "boolean": "boolean",
    "bool": "boolean", "array": "array", "list": "array", "tuple": "array", "dict": "object", "object": "object",
    "any": "string", "int": "integer", "str": "string",
}  # fmt: skip


def bfcl_tools(functions: Any, language: Language, place: str) -> tuple[ToolSetup, ...]:
    """Read the functions of a question; raise InvalidInput. Calls are recorded, nothing is executed."""
    listed = functions if isinstance(functions, list) else [functions]
    found: dict[str, ToolSpec] = {}
    for index, function in enumerate(listed):
        spec = _tool(function, language, f"{place}: function[{index}]")
        found.setdefault(spec.name, spec)
    return tuple(ToolSetup(spec, ToolMode.RECORD) for spec in found.values())


def _tool(function: Any, language: Language, place: str) -> ToolSpec:
    if not isinstance(function, dict):
        raise InvalidInput(f"{place} is not an object.")
    parameters = function.get("parameters")
    if not isinstance(parameters, dict):
        parameters = {}
    properties = {
        str(name): json_schema(schema) if language == "python" else _literal_schema(schema, language)
        for name, schema in properties_of(parameters).items()
    }
    schema = {**parameters, "type": "object", "properties": properties}
    description = f"{function.get('description') or ''} ({_WORDS[language]})".strip()
    return tool_from_json({"name": function.get("name"), "description": description, "parameters": schema}, place)


def properties_of(schema: dict[str, Any]) -> dict[str, Any]:
    """The members that a schema of an object declares."""
    found = schema.get("properties")
    return found if isinstance(found, dict) else {}


def json_schema(schema: Any) -> dict[str, Any]:
    """A schema with JSON Schema's names of types; a type that nobody knows becomes a text, as the leaderboard has it."""
    if not isinstance(schema, dict):
        return {}
    out = dict(schema)
    if "type" in schema or not any(key in schema for key in ("anyOf", "oneOf", "enum", "$ref")):
        out["type"] = _TYPES.get(str(schema.get("type")), "string")
    if isinstance(schema.get("properties"), dict):
        out["properties"] = {name: json_schema(inner) for name, inner in schema["properties"].items()}
    if isinstance(schema.get("items"), dict):
        out["items"] = json_schema(schema["items"])
    if schema.get("type") == "float":
        out["description"] = f"{schema.get('description') or ''} (a float)".strip()
    return out


def _literal_schema(schema: Any, language: Language) -> dict[str, Any]:
    told = schema if isinstance(schema, dict) else {}
    description = f"{told.get('description') or ''} (a text that holds a {_WORDS[language]} {type_words(told)})".strip()
    kept = {key: value for key, value in told.items() if key not in ("properties", "items", "type", "description")}
    return {"type": "string", "description": description, **kept}


def type_words(schema: dict[str, Any]) -> str:
    """`ArrayList of String`, `long`."""
    kind, items = str(schema.get("type") or "any"), schema.get("items")
    members = str(items.get("type") or "") if isinstance(items, dict) else ""
    return f"{kind} of {members}" if members and kind in ("Array", "ArrayList", "array") else kind
