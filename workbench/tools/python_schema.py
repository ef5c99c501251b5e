"""A Python function as a tool definition: JSON Schema from type hints, texts from the docstring. Standard library only."""

from __future__ import annotations

import dataclasses
import enum
import inspect
import re
import types
import typing
from typing import Any

from workbench.tools.declared import MARK, Declared

_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null", dict: "object"}
_HEAD = re.compile(r"^\s*(?:args?|arguments|parameters|params)\s*:?\s*$", re.IGNORECASE)
_END = re.compile(r"^\s*(?:returns?|raises|yields|examples?|notes?)\s*:?\s*$", re.IGNORECASE)
_FIELD = re.compile(r"^\s*(?::param\s+(?:[\w\[\], ]+\s)?)?(?P<name>\w+)\s*(?:\([^)]*\))?\s*:\s*(?P<text>\S.*)$")


def definition(function: Any) -> dict[str, Any]:
    """Return `{"name", "description", "parameters"}`; raise TypeError where a parameter cannot be passed by name."""
    declared = getattr(function, MARK, Declared())
    summary, told = read_docstring(inspect.getdoc(function) or "")
    parameters = declared.parameters if declared.parameters is not None else _parameters(function, told)
    return {
        "name": declared.name or function.__name__,
        "description": declared.description or summary,
        "parameters": parameters,
    }


def hints_of(function: Any) -> dict[str, Any]:
    """The type hints as far as they can be understood."""
    try:
        return typing.get_type_hints(function, include_extras=True)
    except (NameError, TypeError, AttributeError, SyntaxError):
        return {}


def _parameters(function: Any, told: dict[str, str]) -> dict[str, Any]:
    hints = hints_of(function)
    properties: dict[str, Any] = {}
    required = []
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            continue
        if parameter.kind in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.VAR_POSITIONAL):
            raise TypeError(f"the parameter {name!r} cannot be passed by its name")
        schema = schema_of(hints.get(name, Any))
        if name in told and "description" not in schema:
            schema["description"] = told[name]
        if parameter.default is inspect.Parameter.empty:
            required.append(name)
        elif (default := _plain_value(parameter.default)) is not None:
            schema["default"] = default
        properties[name] = schema
    schema = {"type": "object", "properties": properties}
    return schema | ({"required": required} if required else {}) | _closed(function)


def _closed(function: Any) -> dict[str, Any]:
    kinds = {parameter.kind for parameter in inspect.signature(function).parameters.values()}
    return {} if inspect.Parameter.VAR_KEYWORD in kinds else {"additionalProperties": False}


def schema_of(hint: Any) -> dict[str, Any]:
    """The JSON Schema of a type hint; what is not known allows anything."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        texts = [one for one in inner[1:] if isinstance(one, str)]
        return schema_of(inner[0]) | ({"description": texts[0]} if texts else {})
    if origin is typing.Literal:
        return _choice(list(inner))
    if origin in (typing.Union, types.UnionType):
        return _union(inner)
    if origin in (list, set, frozenset, tuple) or hint in (list, set, tuple):
        items = [one for one in inner if one is not Ellipsis]
        return {"type": "array"} | ({"items": schema_of(items[0])} if len(items) == 1 else {})
    if origin is dict:
        return {"type": "object"} | ({"additionalProperties": schema_of(inner[1])} if len(inner) == 2 else {})
    if isinstance(hint, type):
        return _of_class(hint)
    return {}


def _of_class(hint: type) -> dict[str, Any]:
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    if issubclass(hint, enum.Enum):
        return _choice([member.value for member in hint])
    if dataclasses.is_dataclass(hint) or typing.is_typeddict(hint):
        return _of_fields(hint)
    return {}


def _of_fields(hint: Any) -> dict[str, Any]:
    hints = hints_of(hint)
    if dataclasses.is_dataclass(hint):
        missing = dataclasses.MISSING
        needed = [
            field.name
            for field in dataclasses.fields(hint)
            if field.default is missing and field.default_factory is missing
        ]
    else:
        needed = sorted(getattr(hint, "__required_keys__", hints))
    properties = {name: schema_of(one) for name, one in hints.items()}
    return {"type": "object", "properties": properties} | ({"required": needed} if needed else {})


def _choice(values: list[Any]) -> dict[str, Any]:
    kinds = {_PLAIN.get(type(value)) for value in values}
    kind = kinds.pop() if len(kinds) == 1 else None
    return ({"type": kind} if kind else {}) | {"enum": values}


def _union(inner: tuple[Any, ...]) -> dict[str, Any]:
    known = [schema_of(one) for one in inner]
    if all(set(one) == {"type"} for one in known):
        return {"type": [one["type"] for one in known]}
    return {"anyOf": known}


def _plain_value(value: Any) -> Any:
    if isinstance(value, enum.Enum):
        return value.value
    return value if isinstance(value, str | int | float | bool) else None


def read_docstring(text: str) -> tuple[str, dict[str, str]]:
    """The text before the parameters, and each parameter's own text."""
    summary: list[str] = []
    told: dict[str, str] = {}
    last, inside = "", False
    for line in text.splitlines():
        if _HEAD.match(line) or _END.match(line):
            inside, last = bool(_HEAD.match(line)), ""
            continue
        found = _FIELD.match(line)
        if found and (inside or line.lstrip().startswith(":param") or _lower(found["name"])):
            last, told[found["name"]] = found["name"], found["text"].strip()
        elif last and line.strip() and line[:1].isspace():
            told[last] += f" {line.strip()}"
        elif not told and not inside:
            summary.append(line)
    return "\n".join(summary).strip(), told


def _lower(name: str) -> bool:
    """A line such as `city: where` tells of a parameter; `Note: this` does not."""
    return name == name.lower()


def converted(value: Any, hint: Any) -> Any:
    """An argument as the hint wants it: enum members and dataclasses are made, everything else stays."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        return converted(value, inner[0])
    if origin in (typing.Union, types.UnionType):
        fitting = [one for one in inner if isinstance(one, type) and issubclass(one, enum.Enum)]
        return converted(value, fitting[0]) if fitting and value is not None else value
    if origin is list and inner and isinstance(value, list):
        return [converted(one, inner[0]) for one in value]
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return hint(value)
    if isinstance(hint, type) and dataclasses.is_dataclass(hint) and isinstance(value, dict):
        hints = hints_of(hint)
        return hint(**{name: converted(one, hints.get(name)) for name, one in value.items()})
    return value
