"""A tool's schema with its composition written out, for turning text into typed values: references followed, branches joined.

References (`$ref`, also to an anchor or an id), `allOf`, `anyOf`, `oneOf`, `then`, `else`, `dependentSchemas` and `const`
become plain `type`, `properties`, `items` and `required`. What only one branch allows is allowed: the result is for
reading, the full check is made elsewhere.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

Schema = Any
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
_COMPOSED = frozenset(
    (*_REFERENCES, "allOf", "anyOf", "oneOf", "const", "if", "then", "else", "dependentSchemas", "patternProperties")
)
_DEEPEST = 12
_MOST = 3000
"""So many nodes are written out; a schema that refers to itself has no end."""
_KINDS = ((bool, "boolean"), (int, "integer"), (float, "number"), (str, "string"), (dict, "object"), (list, "array"))


def plain_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema without composition; the same object where it has none."""
    return _Shape(schema).of(schema, 0) if _composed(schema) else schema


def root_branches(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the branches of a schema's root, each with what holds for all of them, written out."""
    parts = [part for key in ("oneOf", "anyOf") for part in _parts(schema.get(key))]
    rest = {key: value for key, value in schema.items() if key not in ("oneOf", "anyOf")}
    shape = _Shape(schema)
    return [_both(shape.of(part, 0), shape.of(rest, 0)) for part in parts]


def _composed(value: Any, depth: int = 0) -> bool:
    if isinstance(value, dict):
        return not _COMPOSED.isdisjoint(value) or (
            depth < 24 and any(_composed(item, depth + 1) for item in value.values())
        )
    return isinstance(value, list) and depth < 24 and any(_composed(item, depth + 1) for item in value)


class _Shape:
    """Writes out one tool's schema."""

    def __init__(self, root: dict[str, Any]) -> None:
        self._root = root
        self._left = _MOST

    def of(self, schema: Schema, depth: int) -> dict[str, Any]:
        """Return what a schema says, references and branches included."""
        self._left -= 1
        if not isinstance(schema, dict) or depth > _DEEPEST or self._left < 0:
            return {}
        found = self._own(schema, depth)
        for key in _REFERENCES:
            if isinstance(schema.get(key), str):
                found = _both(found, self.of(self._target(schema[key]), depth + 1))
        for part in _parts(schema.get("allOf")):
            found = _both(found, self.of(part, depth + 1))
        for key in ("anyOf", "oneOf"):
            branches = [self.of(part, depth + 1) for part in _parts(schema.get(key))]
            if branches:
                joined = branches[0]
                for branch in branches[1:]:
                    joined = _either(joined, branch)
                found = _both(found, joined)
        return self._conditional(found, schema, depth)

    def _conditional(self, found: dict[str, Any], schema: dict[str, Any], depth: int) -> dict[str, Any]:
        """Members that a condition may add; what it demands is left to the full check."""
        dependent = schema.get("dependentSchemas")
        parts = [schema.get("then"), schema.get("else"), *(dependent.values() if isinstance(dependent, dict) else ())]
        added: dict[str, Any] = {}
        for part in parts:
            added = _members({"properties": added}, self.of(part, depth + 1), _either)["properties"]
        if not added:
            return found
        own = found.get("properties")
        known = {
            key: value for key, value in (own if isinstance(own, dict) else {}).items() if value or key not in added
        }
        return {**found, "properties": {**added, **known}}

    def _own(self, schema: dict[str, Any], depth: int) -> dict[str, Any]:
        """The schema's own words, its members written out."""
        found = {
            key: value for key, value in schema.items() if key not in _COMPOSED and key not in ("$defs", "definitions")
        }
        if isinstance(schema.get("properties"), dict):
            found["properties"] = {key: self.of(value, depth + 1) for key, value in schema["properties"].items()}
        for key in ("items", "additionalProperties"):
            if isinstance(schema.get(key), dict):
                found[key] = self.of(schema[key], depth + 1)
        patterns = schema.get("patternProperties")
        for part in patterns.values() if isinstance(patterns, dict) else ():
            known = found.get("additionalProperties")
            other = self.of(part, depth + 1)
            found["additionalProperties"] = _either(known, other) if isinstance(known, dict) else other
        if isinstance(schema.get("prefixItems"), list):
            found["prefixItems"] = [self.of(part, depth + 1) for part in schema["prefixItems"]]
        if "const" in schema:
            found["enum"] = [schema["const"]]
            found.setdefault("type", _kind(schema["const"]))
        return found

    def _target(self, reference: str) -> Schema:
        """What a reference inside the document points at; nothing for one that leads out of it."""
        if not reference.startswith("#/") and reference not in ("", "#"):
            return self._named(reference.removeprefix("#"))
        found: Any = self._root
        for step in reference[1:].strip("/").split("/"):
            step = unquote(step).replace("~1", "/").replace("~0", "~")
            if step:
                found = found.get(step) if isinstance(found, dict) else None
        return found

    def _named(self, name: str) -> Schema:
        """The definition with this anchor or id."""
        for group in ("$defs", "definitions"):
            known = self._root.get(group)
            for one in known.values() if isinstance(known, dict) else ():
                if isinstance(one, dict) and name in (one.get("$anchor"), one.get("$dynamicAnchor"), one.get("$id")):
                    return one
        return {}


def _parts(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _kind(value: Any) -> str:
    return next((name for kind, name in _KINDS if isinstance(value, kind)), "null")


def _types(schema: dict[str, Any]) -> list[str] | None:
    """The types that a schema allows; None: any."""
    declared = schema.get("type")
    if isinstance(declared, str):
        return [declared]
    if isinstance(declared, list):
        return [name for name in declared if isinstance(name, str)]
    if isinstance(schema.get("enum"), list):
        return list(dict.fromkeys(map(_kind, schema["enum"])))
    return ["object"] if isinstance(schema.get("properties"), dict) else None


def _both(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Both must hold."""
    if not one or not other:
        return one or other
    found = {**other, **one, **_members(one, other, _both)}
    first, second = _types(one), _types(other)
    if first is not None and second is not None:
        found["type"] = [name for name in first if name in second] or first
    elif first is not None or second is not None:
        found["type"] = first or second
    required = [*_parts(one.get("required")), *_parts(other.get("required"))]
    return {**found, "required": list(dict.fromkeys(required))} if required else found


def _either(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """One of them holds."""
    found = _members(one, other, _either)
    first, second = _types(one), _types(other)
    if first is not None and second is not None:
        found["type"] = list(dict.fromkeys((*first, *second)))
    found["required"] = [name for name in _parts(one.get("required")) if name in _parts(other.get("required"))]
    if one.get("nullable") is True or other.get("nullable") is True:
        found["nullable"] = True
    return found


def _members(one: dict[str, Any], other: dict[str, Any], join: Any) -> dict[str, Any]:
    """Join the schemas of members of the same name."""
    found: dict[str, Any] = {}
    first, second = one.get("properties"), other.get("properties")
    if isinstance(first, dict) or isinstance(second, dict):
        first, second = first or {}, second or {}
        shared = {key: join(first[key], second[key]) for key in first if key in second}
        found["properties"] = {**first, **second, **shared}
    for key in ("items", "additionalProperties"):
        inner = [schema[key] for schema in (one, other) if isinstance(schema.get(key), dict)]
        if inner:
            found[key] = join(*inner) if len(inner) == 2 else inner[0]
    return found
