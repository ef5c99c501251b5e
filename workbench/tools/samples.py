"""Sample arguments from a schema, and the fields of a form for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workbench.core.tools import ToolSpec

_BY_FORMAT = {
    "date": "2026-01-31",
    "date-time": "2026-01-31T12:00:00Z",
    "time": "12:00:00",
    "email": "someone@example.org",
    "uri": "https://example.org/",
    "url": "https://example.org/",
    "uuid": "00000000-0000-4000-8000-000000000000",
    "hostname": "example.org",
    "ipv4": "192.0.2.1",
}
_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class FormField:
    """One argument in a form."""

    name: str
    kind: str
    """`string`, `integer`, `number`, `boolean`, `choice`, or `json` for everything that has parts."""
    required: bool
    description: str
    choices: tuple[Any, ...] = ()
    default: Any = None
    """Used where it is left out; None: there is none."""
    sample: Any = None


def form_fields(spec: ToolSpec) -> tuple[FormField, ...]:
    """The form of a tool's arguments, in the order of the schema, required ones first."""
    fields = [_field(name, schema, spec) for name, schema in spec.properties.items()]
    return tuple(sorted(fields, key=lambda one: not one.required))


def sample_arguments(spec: ToolSpec, *, all_of_them: bool = False) -> dict[str, Any]:
    """Arguments that fit as far as the schema tells: the required ones, or all."""
    wanted = spec.properties if all_of_them else [name for name in spec.properties if name in spec.required]
    return {name: sample(spec.properties[name], spec.parameters) for name in wanted}


def _field(name: str, schema: Any, spec: ToolSpec) -> FormField:
    own = _followed(schema, spec.parameters)
    kind = own.get("type")
    choices = own.get("enum")
    if isinstance(choices, list) and choices:
        word = "choice"
    else:
        word = kind if kind in ("string", "integer", "number", "boolean") else "json"
    text = str(own.get("description") or "")
    given = sample(own, spec.parameters)
    return FormField(name, word, name in spec.required, text, tuple(choices or ()), own.get("default"), given)


def sample(schema: Any, root: dict[str, Any], depth: int = 0) -> Any:
    """A value that a schema allows, the plainest that it names itself."""
    own = _followed(schema, root)
    if "default" in own:
        return own["default"]
    if "const" in own:
        return own["const"]
    for key in ("enum", "examples"):
        if isinstance(own.get(key), list) and own[key]:
            return own[key][0]
    for key in ("anyOf", "oneOf", "allOf"):
        if isinstance(own.get(key), list) and own[key] and "type" not in own:
            return sample(own[key][0], root, depth + 1)
    kind = own.get("type")
    kind = next((one for one in kind if one != "null"), "null") if isinstance(kind, list) else kind
    return _of_kind(str(kind), own, root, depth)


def _of_kind(kind: str, own: dict[str, Any], root: dict[str, Any], depth: int) -> Any:
    match kind:
        case "string":
            text = _BY_FORMAT.get(str(own.get("format")), "text")
            return text.ljust(_number(own.get("minLength")), "x")[: _number(own.get("maxLength")) or None]
        case "integer" | "number":
            return _within(own, kind)
        case "boolean":
            return True
        case "array":
            count = max(1, _number(own.get("minItems")))
            return [sample(own.get("items", {}), root, depth + 1)] * count if depth < _DEEPEST else []
        case "object":
            properties = own.get("properties")
            needed = own.get("required") or []
            inner = properties if isinstance(properties, dict) and depth < _DEEPEST else {}
            return {name: sample(one, root, depth + 1) for name, one in inner.items() if name in needed}
        case "null":
            return None
    return "text"


def _within(own: dict[str, Any], kind: str) -> Any:
    low, high = own.get("minimum"), own.get("maximum")
    if isinstance(own.get("exclusiveMinimum"), int | float):
        low = own["exclusiveMinimum"] + 1
    value = low if isinstance(low, int | float) else min(1, high) if isinstance(high, int | float) else 1
    return int(value) if kind == "integer" else value


def _number(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _followed(schema: Any, root: dict[str, Any]) -> dict[str, Any]:
    """A schema with its reference into the same document followed."""
    for _ in range(_DEEPEST):
        if not isinstance(schema, dict):
            return {}
        target = schema.get("$ref")
        if not isinstance(target, str) or not target.startswith("#/"):
            return schema
        found: Any = root
        for part in target[2:].split("/"):
            found = found.get(part) if isinstance(found, dict) else None
        schema = found
    return {}
