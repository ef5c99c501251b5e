"""Expected arguments against given ones. What the rule ignores is folded and listed, never hidden.

Treated as equal: other key order, other spellings of one number (`3` and `3.0`, never `"3"`), a value left out or
given that is the schema's default. Text is compared to the letter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.core.batch import FieldRow, FieldState

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from workbench.core.case import ExpectedArgument, ExpectedCall
    from workbench.core.tools import ToolSpec

Path = tuple[str | int, ...]
KEY_ORDER, NUMBER, DEFAULT = "key order", "numeric spelling", "schema default"
_DEEPEST = 64
"""Levels that get lines of their own; below, values are compared whole."""
_NOTHING = object()


def compare_arguments(expected: ExpectedCall, given: dict[str, Any], spec: ToolSpec | None) -> tuple[FieldRow, ...]:
    """Lines for all arguments that are not plainly equal; empty where nothing differs at all."""
    schema = spec.parameters if spec else {}
    rows: list[FieldRow] = []
    for name, wanted in expected.arguments.items():
        below = _property(schema, name)
        if name in given:
            rows += _compare_any((name,), wanted, given[name], below)
        elif not wanted.optional:
            rows.append(_left_out((name,), wanted.values, below))
    if not expected.extra_arguments:
        more = ((name, value) for name, value in given.items() if name not in expected.arguments)
        rows += (_unasked((name,), value, _property(schema, name)) for name, value in more)
    rows += _order((), expected.arguments, given)
    return tuple(rows)


def compared(expected: ExpectedCall, given: dict[str, Any]) -> int:
    """How many arguments are held against each other."""
    asked = sum(name in given or not wanted.optional for name, wanted in expected.arguments.items())
    more = 0 if expected.extra_arguments else sum(name not in expected.arguments for name in given)
    return asked + more


def faults(rows: Iterable[FieldRow]) -> list[FieldRow]:
    """Lines that make a call wrong."""
    return [row for row in rows if row.state not in (FieldState.EQUAL, FieldState.FOLDED)]


def _compare_any(path: Path, wanted: ExpectedArgument, actual: Any, schema: dict[str, Any]) -> list[FieldRow]:
    """Compare with the closest of the allowed values; no values: anything is right."""
    tries = [compare(path, value, actual, schema) for value in wanted.values]
    if not tries:
        return []
    best = min(tries, key=lambda rows: (len(faults(rows)), len(rows)))
    if not faults(best) or len(tries) == 1:
        return best
    others = [repr(value) for value, rows in zip(wanted.values, tries, strict=True) if rows is not best]
    return [row._replace(note=f"or {', '.join(others)}") for row in best]


def compare(path: Path, expected: Any, actual: Any, schema: dict[str, Any]) -> list[FieldRow]:
    """Lines for what differs between two JSON values."""
    kind = _kind(expected)
    if kind != _kind(actual):
        return [FieldRow(path, FieldState.WRONG_TYPE, expected, actual)]
    if kind == "object" and len(path) < _DEEPEST:
        return list(_objects(path, expected, actual, schema))
    if kind == "array" and len(path) < _DEEPEST:
        return list(_arrays(path, expected, actual, schema))
    if kind == "number" and type(expected) is not type(actual) and expected == actual:
        return [FieldRow(path, FieldState.FOLDED, expected, actual, NUMBER)]
    return [] if _same(expected, actual) else [FieldRow(path, FieldState.WRONG_VALUE, expected, actual)]


def _kind(value: Any) -> str:
    """JSON type; true and false are no numbers."""
    match value:
        case bool():
            return "boolean"
        case int() | float():
            return "number"
        case str():
            return "string"
        case None:
            return "null"
        case dict():
            return "object"
        case list() | tuple():
            return "array"
        case _:
            return type(value).__name__


def _same(one: Any, other: Any) -> bool:
    try:
        return bool(one == other) or (one != one and other != other)  # noqa: PLR0124  NaN is no second value
    except RecursionError:
        return False


def _objects(
    path: Path, expected: dict[str, Any], actual: dict[str, Any], schema: dict[str, Any]
) -> Iterator[FieldRow]:
    for name, value in expected.items():
        below = _property(schema, name)
        if name in actual:
            yield from compare((*path, name), value, actual[name], below)
        else:
            yield _left_out((*path, name), (value,), below)
    for name, value in actual.items():
        if name not in expected:
            yield _unasked((*path, name), value, _property(schema, name))
    yield from _order(path, expected, actual)


def _arrays(path: Path, expected: list[Any], actual: list[Any], schema: dict[str, Any]) -> Iterator[FieldRow]:
    items = schema.get("items")
    below = items if isinstance(items, dict) else {}
    for at, (one, other) in enumerate(zip(expected, actual, strict=False)):
        yield from compare((*path, at), one, other, below)
    for at in range(len(actual), len(expected)):
        yield FieldRow((*path, at), FieldState.MISSING, expected[at])
    for at in range(len(expected), len(actual)):
        yield FieldRow((*path, at), FieldState.EXTRA, None, actual[at])


def _left_out(path: Path, values: tuple[Any, ...], schema: dict[str, Any]) -> FieldRow:
    default = schema.get("default", _NOTHING)
    if default is not _NOTHING and (not values or any(not compare((), value, default, {}) for value in values)):
        return FieldRow(path, FieldState.FOLDED, default, None, DEFAULT)
    return FieldRow(path, FieldState.MISSING, values[0] if values else None)


def _unasked(path: Path, value: Any, schema: dict[str, Any]) -> FieldRow:
    default = schema.get("default", _NOTHING)
    if default is not _NOTHING and not faults(compare((), default, value, {})):
        return FieldRow(path, FieldState.FOLDED, None, value, DEFAULT)
    return FieldRow(path, FieldState.EXTRA, None, value)


def _order(path: Path, expected: dict[str, Any], actual: dict[str, Any]) -> Iterator[FieldRow]:
    one = [name for name in expected if name in actual]
    other = [name for name in actual if name in expected]
    if one != other:
        yield FieldRow(path, FieldState.FOLDED, one, other, KEY_ORDER)


def _property(schema: dict[str, Any], name: str) -> dict[str, Any]:
    properties = schema.get("properties")
    found = properties.get(name) if isinstance(properties, dict) else None
    return found if isinstance(found, dict) else {}
