"""Checks of type and enum against a tool's schema, and coercions that lose nothing. Full JSON Schema is checked elsewhere."""

from __future__ import annotations

import re
from math import inf, isfinite
from typing import Any

from workbench.formats.kit.loose_json import MAX_DEPTH, read_json
from workbench.formats.kit.tag_tree import children
from workbench.formats.kit.window import INVISIBLE

Schema = Any
_ORDER = ("null", "boolean", "integer", "number", "object", "array", "string")
_INTEGER = re.compile(r"-?(?:0|[1-9]\d{0,300})")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,300})(?:\.\d+)?(?:[eE][+-]?\d{1,3})?")
_PADDED = re.compile(r"[+-]?0{0,300}\d{1,300}")
_POINTED = re.compile(r"[+-]?(?:\d{1,300}\.|\.\d{1,300})(?:[eE][+-]?\d{1,3})?")
_QUOTED = re.compile(r"""(["'])([^"'\\]{1,300})\1""")
_ESCAPED = re.compile(r'[\[{\s]{1,64}\\"')
_PYTHON: dict[str, tuple[type, ...]] = {
    "null": (type(None),),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "object": (dict,),
    "array": (list,),
    "string": (str,),
}
_ALIASES = {
    "str": "string",
    "text": "string",
    "int": "integer",
    "float": "number",
    "double": "number",
    "long": "integer",
}
_ALIASES |= {"bool": "boolean", "dict": "object", "list": "array", "tuple": "array", "none": "null", "enum": "string"}
_ALIASES |= dict.fromkeys(("uint", "short", "unsigned", "byte", "bigint"), "integer")
_ALIASES |= dict.fromkeys(("num", "decimal", "real"), "number")
_ALIASES |= dict.fromkeys(("char", "varchar"), "string")
_NO_VALUE = ("None", "NULL", "Null")
"""What Python, SQL and YAML write for null."""
_WORD = re.compile(r"[a-z]+")


def wanted_types(schema: Schema) -> tuple[str, ...]:
    """Return the types that a property's schema allows, in the order in which text is tried; empty: any."""
    if not isinstance(schema, dict):
        return ()
    found: set[str] = set()
    declared = schema.get("type")
    for name in declared if isinstance(declared, list) else [declared]:
        if isinstance(name, str):
            found.add(_plain_type(name.lower()))
    for key in ("anyOf", "oneOf"):
        branches = schema.get(key)
        for branch in branches if isinstance(branches, list) else ():
            inner = wanted_types(branch)
            if not inner:
                return ()
            found.update(inner)
    if not found and isinstance(schema.get("enum"), list):
        found.update(_type_of(item) for item in schema["enum"])
    if not found and isinstance(schema.get("properties"), dict):
        found.add("object")
    if schema.get("nullable") is True and found:
        found.add("null")
    return tuple(name for name in _ORDER if name in found)


def _plain_type(name: str) -> str:
    """Return JSON Schema's word for a type that another language calls otherwise, as `unsigned int` or `list[str]`."""
    if name in _PYTHON:
        return name
    word = _WORD.match(name)
    return _ALIASES.get(word.group() if word else name, name)


def _type_of(value: Any) -> str:
    return next((name for name in _ORDER if isinstance(value, _PYTHON[name])), "string")


def fits(value: Any, types: tuple[str, ...]) -> bool:
    """True if the value has one of the types (a bool is no number, a whole float is an integer)."""
    if not types:
        return True
    if isinstance(value, bool):
        return "boolean" in types
    if isinstance(value, float) and value.is_integer() and "integer" in types:
        return True
    return any(isinstance(value, _PYTHON[name]) for name in types)


def coerce(value: Any, schema: Schema, depth: int = 0) -> tuple[Any, bool]:
    """Return the value in the type that the schema wants, and whether it was changed; never loses anything."""
    types = wanted_types(schema)
    if not types:
        return value, False
    if (member := _listed(value, schema)) is not None:
        return member, True
    if fits(value, types):
        return _coerce_inside(value, schema, depth) if isinstance(value, dict | list) else (value, False)
    if isinstance(value, str):
        for name in types:
            found, new = _from_string(value, name)
            if found:
                return _coerce_inside(new, schema, depth)[0], True
        if "number" in types and _POINTED.fullmatch(value):
            return float(value), True
    elif "string" in types and isinstance(value, int) and not isinstance(value, bool):
        return str(value), True
    return value, False


def _listed(value: Any, schema: dict[str, Any]) -> str | int | float | None:
    """Return the one value of the schema's enum that is written like this one, which is none of them, but has another type."""
    listed = schema.get("enum")
    if not isinstance(listed, list) or not isinstance(value, str | int | float):
        return None
    if any(one == value and isinstance(one, bool) == isinstance(value, bool) for one in listed):
        return None
    text = isinstance(value, str)
    alike = [
        one
        for one in listed
        if isinstance(one, str | int | float) and isinstance(one, str) != text and _written(one) == _written(value)
    ]
    return alike[0] if len(alike) == 1 else None


def _written(value: str | float) -> str:
    return value if isinstance(value, str) else str(value).lower()


def _coerce_inside(value: Any, schema: Schema, depth: int) -> tuple[Any, bool]:
    if depth > 8 or not isinstance(schema, dict):
        return value, False
    if isinstance(value, dict) and ("properties" in schema or "additionalProperties" in schema):
        pairs = {key: coerce(item, member_schema(schema, key), depth + 1) for key, item in value.items()}
        if any(changed for _, changed in pairs.values()):
            return {key: item for key, (item, _) in pairs.items()}, True
    if isinstance(value, list) and ("items" in schema or "prefixItems" in schema):
        items = [coerce(item, item_schema(schema, index), depth + 1) for index, item in enumerate(value)]
        if any(changed for _, changed in items):
            return [item for item, _ in items], True
    return value, False


def member_schema(schema: Schema, key: str) -> Schema:
    """Return the schema of an object's member: its own, or that of all further ones; None if nothing is said."""
    inner = schema.get("properties") if isinstance(schema, dict) else None
    own = inner.get(key) if isinstance(inner, dict) else None
    return own if own is not None or not isinstance(schema, dict) else schema.get("additionalProperties")


def item_schema(schema: Schema, index: int) -> Schema:
    """Return the schema of a list's item."""
    first = schema.get("prefixItems") if isinstance(schema, dict) else None
    if isinstance(first, list) and index < len(first):
        return first[index]
    return schema.get("items") if isinstance(schema, dict) else None


def _from_string(text: str, name: str) -> tuple[bool, Any]:
    """Read a string as another type where that is certain."""
    if name == "null":
        return text == "null" or text in _NO_VALUE, None
    if name == "boolean":
        return text.lower() in ("true", "false"), text.lower() == "true"
    if name == "integer":
        return (True, int(text)) if _INTEGER.fullmatch(text) else (False, None)
    if name == "number":
        value = float(text) if _NUMBER.fullmatch(text) else inf
        return (True, value) if isfinite(value) else (False, None)
    if name in ("object", "array"):
        value = _whole_json(text)
        return (True, value) if isinstance(value, _PYTHON[name]) else (False, None)
    return False, None


def _whole_json(text: str) -> Any:
    """Read a text that is one JSON object or list and nothing else; None if it is not."""
    text = text.strip()
    if text[:1] not in ("{", "["):
        return None
    read = read_json(text, 0)
    return None if read.error or read.end != len(text) else read.value


def from_text(text: str, schema: Schema) -> tuple[Any, str]:
    """Turn an untyped text value into what the schema wants; return it and the repair that was needed, or none.

    Strings stay as they are, byte for byte. Without a type in the schema, text stays text.
    """
    types = wanted_types(schema)
    if not types:
        return text, ""
    bare = text.strip().strip(INVISIBLE)
    listed = schema.get("enum")
    if isinstance(listed, list) and text not in listed:
        quoted = _QUOTED.fullmatch(bare)
        if quoted is not None and quoted[2] in listed:
            return quoted[2], "double_encoded"
        if len(types) > 1 and bare in listed:
            return bare, ""
    elif isinstance(listed, list):
        return text, ""
    for name in types:
        if name == "string":
            return (None, "py_literal") if bare == "None" and "null" in types else (text, "")
        found, value = _typed(bare, name)
        if found:
            return value, ""
    for name in types:
        found, value, repair = _repaired(bare, name)
        if found:
            return value, repair
    tree = _tree(bare, schema) if bare[:1] == "<" and ("object" in types or "array" in types) else None
    return (text if tree is None else tree), "schema_coerced"


def _tree(text: str, schema: Schema, depth: int = 0) -> list[Any] | dict[str, Any] | None:
    """Return the object or list that a text of tags is; None where it is none. What a list's items are called does not matter."""
    tags = children(text) if depth <= MAX_DEPTH else []
    types, names = wanted_types(schema), [name for name, _ in tags]
    counted = names == [str(number) for number in range(len(names))]
    alike = counted or len(set(names)) == 1
    if not tags:
        return None
    if "array" in types or (not types and alike and (counted or len(names) > 1 or names == ["item"])):
        return [_leaf(inner, item_schema(schema, at), depth) for at, (_, inner) in enumerate(tags)] if alike else None
    if types and "object" not in types:
        return None
    found: dict[str, Any] = {}
    for name in dict.fromkeys(names):
        every, below = [inner for other, inner in tags if other == name], member_schema(schema, name)
        values = [
            _leaf(inner, below if len(every) == 1 else item_schema(below, at), depth) for at, inner in enumerate(every)
        ]
        found[name] = values[0] if len(values) == 1 else values
    return found


def _leaf(text: str, schema: Schema, depth: int) -> Any:
    """Return what stands in one tag: more tags, or a text."""
    tree = _tree(text, schema, depth + 1) if wanted_types(schema) != ("string",) else None
    return from_text(text.strip(), schema)[0] if tree is None else tree


def _repaired(text: str, name: str) -> tuple[bool, Any, str]:
    """Read a text as a value of the named type that it nearly is."""
    value = _python_literal(text)
    if value is not None and fits(value, (name,)):
        return True, value, "py_literal"
    if name in ("boolean", "integer", "number") and (quoted := _QUOTED.fullmatch(text)) is not None:
        return *_typed(quoted[2], name), "schema_coerced"
    if name == "null":
        return text in _NO_VALUE, None, "py_literal"
    if name == "boolean":
        if text in ("1", "0"):
            return True, text == "1", "schema_coerced"
        return text.lower() in ("true", "false"), text.lower() == "true", "py_literal"
    if name == "integer":
        return (True, int(text), "schema_coerced") if _PADDED.fullmatch(text) else (False, None, "")
    if name in ("object", "array"):
        value = _whole_json(text)
        if fits(value, (name,)):
            return True, value, "single_quotes"
        value = _encoded_twice(text)
        if value is not None and fits(value, (name,)):
            return True, value, "double_encoded"
    return False, None, ""


def _encoded_twice(text: str) -> Any:
    """Read an object or list that was made a string first, with its quotes or only with its backslashes; None if none was."""
    if text[:1] != '"' and not _ESCAPED.match(text):
        return None
    read = read_json(text if text[0] == '"' else f'"{text}"', 0)
    if read.error or not isinstance(read.value, str) or read.end < len(text):
        return None
    inner = read.value.strip()
    value = _whole_json(inner)
    return value if isinstance(value, dict | list) else _python_literal(inner)


def _typed(text: str, name: str) -> tuple[bool, Any]:
    """Read a text to the letter of JSON as a value of the named type."""
    if name == "null":
        return text == "null", None
    if name == "boolean":
        return text in ("true", "false"), text == "true"
    if name in ("object", "array"):
        if text[:1] not in ("{", "["):
            return False, None
        read = read_json(text, 0)
        return not (read.error or read.repairs or read.end != len(text)) and fits(read.value, (name,)), read.value
    found, value = _from_string(text, name)
    if found and name == "number" and _INTEGER.fullmatch(text):
        return True, int(text)
    return found, value


def _python_literal(text: str) -> Any:
    """Evaluate a Python literal and nothing else; None where it is not one."""
    if len(text) > 10_000 or text.count("[") + text.count("{") + text.count("(") > 64:
        return None
    from workbench.formats.kit.python_source import FAILURES, literal  # only values that are no JSON need it

    try:
        value = literal(text)
    except FAILURES:
        return None
    value = list(value) if isinstance(value, tuple) else value
    return value if _sound(value) else None


def _sound(value: Any) -> bool:
    """True if a literal is a value as JSON has them, and no number in it is too big to be one."""
    if isinstance(value, float):
        return isfinite(value)
    if isinstance(value, dict):
        return all(isinstance(key, str) for key in value) and all(map(_sound, value.values()))
    if isinstance(value, list | tuple):
        return all(map(_sound, value))
    return isinstance(value, str | int | None)
