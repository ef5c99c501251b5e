"""Arguments for a tool, taken from the prompt and fitted to the tool's JSON Schema.

Each value has a strength: `SURE` stands in the prompt where the parameter points at it, `LIKELY` is the best that
the prompt has, `MADE` comes from the schema alone. Optional parameters are filled only where the value is sure.
"""

from __future__ import annotations

import math
from typing import Any

from workbench.simulate.pool import Pool
from workbench.simulate.prompt_words import stem, words
from workbench.simulate.samples import fits, fitted, usable

SURE, LIKELY, MADE = 2, 1, 0
_DEEPEST = 8

Filled = tuple[Any, int]
"""A value and its strength."""


def fill(parameters: dict[str, Any], pool: Pool) -> tuple[dict[str, Any], int]:
    """Return arguments that the schema accepts, and how many of them stand in the prompt for sure."""
    filler = _Filler(parameters, pool)
    value, _ = filler.object(filler.plain(parameters), 0)
    return value, filler.sure


class _Filler:
    """Fills one set of arguments; a value of the prompt goes to one parameter only."""

    def __init__(self, root: dict[str, Any], pool: Pool) -> None:
        self._root = root
        self._pool = pool
        self.sure = 0

    def plain(self, given: Any) -> dict[str, Any]:
        """Follow `$ref` and fold `allOf` into one schema."""
        if not isinstance(given, dict):
            return {} if given is not False else {"enum": [None]}
        schema = usable(given)
        for _ in range(_DEEPEST):
            reference = schema.get("$ref")
            if not isinstance(reference, str):
                break
            rest = {key: item for key, item in schema.items() if key != "$ref"}
            schema = usable(self._at(reference)) | rest
        for part in schema.get("allOf") or ():
            schema = _merged({key: item for key, item in schema.items() if key != "allOf"}, self.plain(part))
        return schema

    def _at(self, reference: str) -> dict[str, Any]:
        found: Any = self._root
        for key in reference.lstrip("#").strip("/").split("/"):
            found = found.get(key.replace("~1", "/").replace("~0", "~")) if isinstance(found, dict) and key else found
        return found if isinstance(found, dict) else {}

    def value(self, schema: Any, name: str, depth: int, *, needed: bool) -> Filled:
        """Return one value that the schema accepts."""
        schema = self.plain(schema)
        if "const" in schema:
            return schema["const"], LIKELY if needed else MADE
        if schema.get("enum"):
            return self._choice(schema)
        for key in ("anyOf", "oneOf"):
            if schema.get(key):
                return self._branch(schema, key, name, depth, needed=needed)
        kind = schema.get("type")
        if isinstance(kind, list):
            kinds = [item for item in kind if item != "null"] or ["null"]
            branches = {"anyOf": [{**schema, "type": item} for item in kinds]}
            return self._branch(branches, "anyOf", name, depth, needed=needed)
        return self._typed(str(kind or _guessed_type(schema)), schema, name, depth, needed=needed)

    def _typed(self, kind: str, schema: dict[str, Any], name: str, depth: int, *, needed: bool) -> Filled:
        match kind:
            case "object":
                return self.object(schema, depth + 1)
            case "array":
                return self._array(schema, name, depth, needed=needed)
            case "integer" | "number":
                return self._number(schema, name, whole=kind == "integer", needed=needed)
            case "boolean":
                said = self._pool.says(name)
                return (said, SURE) if said is not None else (bool(schema.get("default", False)), MADE)
            case "null":
                return None, MADE
            case _:
                return self._string(schema, name, needed=needed)

    def object(self, schema: dict[str, Any], depth: int) -> Filled:
        """Return an object: what is required, and what the prompt speaks of."""
        out: dict[str, Any] = {}
        best = MADE
        properties: dict[str, Any] = schema.get("properties", {})
        required = [name for name in schema.get("required") or () if isinstance(name, str)]
        order = [name for name in properties if name in required] + [
            name for name in required if name not in properties
        ]
        order += [name for name in properties if name not in required]
        for name in order:
            needed = name in required
            if not needed and depth >= _DEEPEST:
                continue
            mark = self._pool.mark()
            value, strength = self.value(properties.get(name, {}), name, depth, needed=needed)
            if needed or strength == SURE or len(out) < schema.get("minProperties", 0):
                out[name] = value
                best = max(best, strength)
                self.sure += strength == SURE
            else:
                self._pool.reset(mark)
        if not properties and not required and schema.get("additionalProperties") is not False:
            return self._free_object(schema)
        return {name: out[name] for name in [*properties, *required] if name in out}, best

    def _free_object(self, schema: dict[str, Any]) -> Filled:
        """An object of any keys: the pairs that the prompt writes as `key=value`."""
        wanted = schema.get("additionalProperties")
        pairs = dict(self._pool.pairs())
        for number in range(len(pairs), int(schema.get("minProperties", 0))):
            pairs[f"key{number + 1}"] = "value"
        if isinstance(wanted, dict) and self.plain(wanted).get("type") not in (None, "string"):
            return {name: self.value(wanted, name, _DEEPEST, needed=True)[0] for name in pairs}, LIKELY
        return pairs, SURE if pairs else MADE

    def _branch(self, schema: dict[str, Any], key: str, name: str, depth: int, *, needed: bool) -> Filled:
        base = {part: item for part, item in schema.items() if part != key}
        best: Filled | None = None
        for option in schema[key]:
            mark = self._pool.mark()
            filled = self.value(_merged(base, self.plain(option)), name, depth, needed=needed)
            if filled[1] == SURE:
                return filled
            self._pool.reset(mark)
            if best is None or filled[1] > best[1] or (best[0] is None and filled[0] is not None):
                best = filled
        assert best is not None
        return best

    def _choice(self, schema: dict[str, Any]) -> Filled:
        options = schema["enum"]
        for option in options:
            if option is not None and not isinstance(option, bool) and self._pool.mentions(str(option)):
                return option, SURE
        if "default" in schema and schema["default"] in options:
            return schema["default"], MADE
        return options[0], MADE

    def _number(self, schema: dict[str, Any], name: str, *, whole: bool, needed: bool) -> Filled:
        found, sure = self._pool.number(name, any_will_do=needed)
        if found is None:
            found = schema.get("default", schema.get("minimum", 1))
            return _bounded(found, schema, whole=whole), MADE
        value = _bounded(found, schema, whole=whole)
        return value, SURE if sure and value == found else LIKELY

    def _array(self, schema: dict[str, Any], name: str, depth: int, *, needed: bool) -> Filled:
        items = schema.get("prefixItems") or schema.get("items") or {}
        least = int(schema.get("minItems", 0))
        most = int(schema.get("maxItems", max(least, 16)))
        if isinstance(items, list):
            return [self.value(item, name, depth + 1, needed=True)[0] for item in items], LIKELY
        out: list[Any] = [option for option in self._options(items) if self._pool.mentions(str(option))][:most]
        best = SURE if out else MADE
        while len(out) < most and depth < _DEEPEST:
            mark = self._pool.mark()
            value, strength = self.value(items, _singular(name), depth + 1, needed=needed or bool(out))
            if strength == MADE or (strength == LIKELY and out) or value in out:
                self._pool.reset(mark)
                break
            out.append(value)
            best = max(best, strength)
            if isinstance(value, str):
                beside = [text for text in self._pool.siblings(value) if text not in out]
                out += [text for text in beside if fits(text, self.plain(items))][: most - len(out)]
        while len(out) < least:
            value, _ = self.value(items, name, depth + 1, needed=True)
            out.append(_different(value, out, schema))
        return out, best

    def _options(self, items: Any) -> list[Any]:
        """The strings that a list may hold, where its items are an enumeration."""
        options = self.plain(items).get("enum")
        return [item for item in options if isinstance(item, str)] if isinstance(options, list) else []

    def _string(self, schema: dict[str, Any], name: str, *, needed: bool) -> Filled:
        hint = f"{schema.get('format', '')} {schema.get('description', '')}"
        found, sure = self._pool.text(name, hint, any_will_do=needed)
        if found is not None and (fits(found, schema) or not sure):
            value = fitted(found, schema)
            return value, (SURE if sure else LIKELY) if value == found else MADE
        if isinstance(schema.get("default"), str):
            return schema["default"], MADE
        for example in schema.get("examples") or ():
            if isinstance(example, str):
                return example, MADE
        return fitted(found or stem(name) or "x", schema), MADE


def _guessed_type(schema: dict[str, Any]) -> str:
    """The type of a schema that names none."""
    if "properties" in schema or "required" in schema or "additionalProperties" in schema:
        return "object"
    if "items" in schema or "minItems" in schema:
        return "array"
    return "number" if "minimum" in schema or "maximum" in schema or "multipleOf" in schema else "string"


def _merged(base: dict[str, Any], part: dict[str, Any]) -> dict[str, Any]:
    """Two schemas that must both hold, as one."""
    out = base | part
    if isinstance(base.get("properties"), dict) and isinstance(part.get("properties"), dict):
        out["properties"] = base["properties"] | part["properties"]
    if base.get("required") and part.get("required"):
        out["required"] = [*base["required"], *(name for name in part["required"] if name not in base["required"])]
    return out


def _bounded(value: Any, schema: dict[str, Any], *, whole: bool) -> int | float:
    """The nearest number that the schema allows."""
    given = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300
    number = float(value) if given else 1.0
    step = schema.get("multipleOf") or (1 if whole else 0)
    low, high = schema.get("minimum", -math.inf), schema.get("maximum", math.inf)
    for key, sign in (("exclusiveMinimum", 1), ("exclusiveMaximum", -1)):
        edge = schema.get(key)
        if isinstance(edge, int | float) and not isinstance(edge, bool):
            edge = edge + sign * (step or 0.5)
            low, high = (max(low, edge), high) if sign == 1 else (low, min(high, edge))
    number = min(max(number, low), high)
    if step:
        steps = round(number / step)
        steps += (steps * step < low) - (steps * step > high)
        number = steps * step
    return int(number) if float(number).is_integer() and (whole or isinstance(value, int)) else number


def _different(value: Any, seen: list[Any], schema: dict[str, Any]) -> Any:
    """Another value where items must be unique."""
    if not schema.get("uniqueItems") or value not in seen:
        return value
    if isinstance(value, str):
        return next(text for number in range(2, 1000) if (text := f"{value}{number}") not in seen)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return max(item for item in seen if isinstance(item, int | float)) + 1
    return value if not isinstance(value, bool) else not value


def _singular(name: str) -> str:
    """The name of one item of a list."""
    parts = words(name)
    return parts[-1] if parts else name
