"""Full JSON Schema (the one importer of jsonschema): arguments against a tool, and tool definitions themselves.

A schema is compiled once. A broken one is no reason to stop a run: what of it can be used is used, and `check_schema`
tells its author what is wrong. References are followed inside the schema alone, never to a file or an address.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, UndefinedTypeCheck, UnknownType, best_match
from jsonschema.validators import validator_for
from referencing import Registry
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jsonschema.exceptions import ValidationError

    from workbench.core.tools import ToolSpec

Path = tuple[str | int, ...]
Problem = tuple[Path, str]
"""Where and what."""

_KEPT = 512
_MOST = 50
"""Violations reported for one call."""
_LONGEST = 300
"""Characters of one message: it quotes the value that does not fit."""
_BROKEN = (
    SchemaError,
    UnknownType,
    UndefinedTypeCheck,
    Unresolvable,
    re.error,
    RecursionError,
    ArithmeticError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
)
"""What comes out of the library where a schema is broken."""


class JsonSchemaChecker:
    """Checks arguments; implements `core.protocols.SchemaChecker`."""

    def __init__(self) -> None:
        self._compiled: dict[str, Any] = {}

    def problems(self, tool: ToolSpec, arguments: dict[str, Any]) -> list[Problem]:
        """Return `(path, message)` of each violation, sorted by path; empty if the arguments fit."""
        validator = self._validator(tool.parameters)
        if validator is None:
            return []
        found, broken = _violations(validator, arguments)
        if broken:
            found = sorted({*found, *_property_violations(validator, arguments)}, key=_order)
        return found

    def _validator(self, schema: dict[str, Any]) -> Any:
        try:
            key = json.dumps(schema, sort_keys=True)
        except (TypeError, ValueError, RecursionError):
            return None
        if key not in self._compiled:
            if len(self._compiled) >= _KEPT:
                self._compiled.clear()
            self._compiled[key] = _compile(schema)
        return self._compiled[key]


def check_schema(schema: Any) -> list[Problem]:
    """Return what is wrong with the schema of a tool's arguments, as `(path in the schema, message)`."""
    if not isinstance(schema, dict):
        return [((), "The schema is not an object.")]
    meta = _dialect(schema).META_SCHEMA
    found, _ = _violations(_dialect(meta)(meta), schema)
    kind = schema.get("type", "object")
    if kind != "object" and not any(path == ("type",) for path, _ in found):
        found.append((("type",), f"Arguments are an object; the schema says {kind!r}."))
    if not found:
        found = [*_bad_patterns(schema, ()), *_bad_references(schema, schema, ())]
    return found


def _dialect(schema: dict[str, Any]) -> Any:
    named = schema.get("$schema")
    return validator_for(schema, default=Draft202012Validator) if isinstance(named, str) else Draft202012Validator


def _compile(schema: dict[str, Any]) -> Any:
    return _dialect(schema)(schema, registry=Registry())


def _violations(validator: Any, value: Any) -> tuple[list[Problem], bool]:
    """The violations, and whether the schema turned out to be broken where this value met it."""
    found: dict[Problem, None] = {}
    broken = False
    try:
        for error in validator.iter_errors(value):
            found[_problem(error)] = None
            if len(found) == _MOST:
                break
    except _BROKEN:
        broken = True
    return sorted(found, key=_order), broken


def _property_violations(validator: Any, arguments: dict[str, Any]) -> Iterator[Problem]:
    """Check each argument by itself, so that one broken property does not hide the others."""
    properties = validator.schema.get("properties")
    for name, schema in properties.items() if isinstance(properties, dict) else ():
        if name in arguments and isinstance(schema, dict | bool):
            for path, message in _violations(validator.evolve(schema=schema), arguments[name])[0]:
                yield (name, *path), message


def _order(problem: Problem) -> list[str]:
    return [str(part) for part in problem[0]]


def _problem(error: ValidationError) -> Problem:
    message = error.message
    if error.context:  # a choice between schemas: the closest one tells more than "none fits"
        closest = best_match(error.context)
        if closest is not None:
            message = f"{message}; closest: {closest.message}"
    shown = message if len(message) <= _LONGEST else message[:_LONGEST] + "…"
    return tuple(error.absolute_path), shown


def _bad_patterns(schema: Any, path: Path) -> Iterator[Problem]:
    for at, part in _parts(schema, path):
        pattern = part.get("pattern")
        try:
            re.compile(pattern if isinstance(pattern, str) else "")
        except re.error as error:
            yield (*at, "pattern"), f"{pattern!r} is no regular expression: {error}."


def _bad_references(schema: Any, root: dict[str, Any], path: Path) -> Iterator[Problem]:
    resolver = Registry().with_resource("", DRAFT202012.create_resource(root)).resolver()
    for at, part in _parts(schema, path):
        target = part.get("$ref")
        if not isinstance(target, str):
            continue
        try:
            resolver.lookup(target)
        except _BROKEN:
            yield (*at, "$ref"), f"{target!r} leads to nothing inside this schema."


def _parts(schema: Any, path: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Every object inside a schema, except values that are data and not schema."""
    waiting: list[tuple[Path, Any]] = [(path, schema)]
    while waiting:
        at, value = waiting.pop()
        if isinstance(value, dict):
            yield at, value
            skipped = ("default", "examples", "enum", "const")
            waiting += [((*at, key), item) for key, item in value.items() if key not in skipped]
        elif isinstance(value, list):
            waiting += [((*at, index), item) for index, item in enumerate(value)]


def fits_as_written(schema: Any, value: Any) -> bool:
    """Whether a value fits a schema that is sound itself, by the library's own strict check: a broken schema fits nothing."""
    try:
        dialect = validator_for(schema, default=Draft202012Validator)
        dialect.check_schema(schema)
        return next(dialect(schema, registry=Registry()).iter_errors(value), None) is None
    except _BROKEN:
        return False
