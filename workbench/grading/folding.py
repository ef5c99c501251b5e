"""Expected arguments against given ones. What the rule ignores is folded and listed, never hidden.

Treated as equal by default: other key order, other spellings of one number (`3` and `3.0`, never `"3"`), a value left
out or given that is the schema's default. Text is compared to the letter. A case may fold more or less
(`core.case.Matching`), and each argument may have rules of its own (`core.case.ExpectedArgument`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from workbench.core.batch import FieldRow, FieldState
from workbench.core.case import ExpectedArgument, Matching
from workbench.grading.literals import literal_kind
from workbench.grading.pairing import assign, in_order
from workbench.grading.text_match import fold_text, looks_like, unlike

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from workbench.core.case import ExpectedCall
    from workbench.core.tools import ToolSpec

Path = tuple[str | int, ...]
KEY_ORDER, NUMBER, DEFAULT = "key order", "numeric spelling", "schema default"
COERCED, TOLERANCE, LIST_ORDER = "text form", "within the tolerance", "list order"
TEXT = {"folded": "case and white space", "letters": "case, blanks and punctuation"}
"""Why two texts are one, by the rule."""
_DEEPEST = 64
"""Levels that get lines of their own; below, values are compared whole."""
_NOTHING = object()
_MOST_FREE = 64
"""Members of a list in free order, or with optional ones, that are paired in the best way; longer ones go place by place."""


def compare_arguments(
    expected: ExpectedCall, given: dict[str, Any], spec: ToolSpec | None, matching: Matching | None = None
) -> tuple[FieldRow, ...]:
    """Lines for all arguments that are not plainly equal; empty where nothing differs at all."""
    judge = _ArgumentComparison(matching or Matching())
    schema = spec.parameters if spec else {}
    return tuple(judge.members((), expected.arguments, given, schema, extra=expected.extra_arguments))


def compared(expected: ExpectedCall, given: dict[str, Any]) -> int:
    """How many arguments are held against each other."""
    asked = sum(name in given or not wanted.optional for name, wanted in expected.arguments.items())
    more = 0 if expected.extra_arguments else sum(name not in expected.arguments for name in given)
    return asked + more


def faults(rows: Iterable[FieldRow]) -> list[FieldRow]:
    """Lines that make a call wrong."""
    return [row for row in rows if row.state not in (FieldState.EQUAL, FieldState.FOLDED)]


def compare(path: Path, expected: Any, actual: Any, schema: dict[str, Any]) -> list[FieldRow]:
    """Lines for what differs between two JSON values, by the default rules."""
    return _ArgumentComparison(Matching()).values(path, expected, actual, schema)


@dataclass(frozen=True, slots=True)
class _ArgumentComparison:
    """The rules that hold at one place of the arguments."""

    matching: Matching

    def members(
        self,
        path: Path,
        wanted: dict[str, ExpectedArgument],
        given: dict[str, Any],
        schema: dict[str, Any],
        *,
        extra: bool,
    ) -> Iterator[FieldRow]:
        """An object's members against a rule each."""
        for name, rule in wanted.items():
            below = _property(schema, name)
            if name in given:
                yield from self.rule((*path, name), rule, given[name], below)
            elif not rule.optional:
                yield self._left_out((*path, name), rule.values, below)
        if not extra:
            yield from self._unasked_members(path, wanted, given, schema)
        yield from _order(path, wanted, given)

    def rule(self, path: Path, wanted: ExpectedArgument, actual: Any, schema: dict[str, Any]) -> list[FieldRow]:
        """Everything that a rule demands of one value."""
        if wanted.literal:
            return self._literal(path, wanted, actual)
        own = self._with(wanted)
        rows = own._choices(path, wanted, actual, schema)
        if wanted.fields is not None:
            rows += own._object_rule(path, wanted, actual, schema)
        if wanted.items is not None:
            rows += own._list_rule(path, wanted, actual, schema)
        if why := unlike(wanted, actual):
            rows.append(FieldRow(path, FieldState.WRONG_VALUE, why, actual))
        return rows

    def _literal(self, path: Path, wanted: ExpectedArgument, actual: Any) -> list[FieldRow]:
        """The rest of the rule over what the text holds; the tool's schema knows of a text only."""
        kind = literal_kind(wanted.literal)
        if not isinstance(actual, str) or kind is None:
            return [FieldRow(path, FieldState.WRONG_TYPE, f"a text that holds a {wanted.literal}", actual)]
        value = kind.read(actual)
        rows = self.rule(path, replace(wanted, literal=""), value, {})
        if faults(rows):
            return [row._replace(actual=actual) if row.path == path else row for row in rows]
        same = _same(value, actual)
        return rows if same else [FieldRow(path, FieldState.FOLDED, value, actual, f"{kind} literal"), *rows]

    def _with(self, wanted: ExpectedArgument) -> _ArgumentComparison:
        own = {name: said for name in ("text", "tolerance", "numbers") if (said := getattr(wanted, name)) is not None}
        return _ArgumentComparison(replace(self.matching, **own)) if own else self

    def _choices(self, path: Path, wanted: ExpectedArgument, actual: Any, schema: dict[str, Any]) -> list[FieldRow]:
        """Compare with the closest of what is allowed; nothing named: anything is right."""
        tries = [self.values(path, value, actual, schema) for value in wanted.values]
        tries += [self.rule(path, rule, actual, schema) for rule in wanted.one_of]
        if not tries:
            return []
        best = min(tries, key=lambda rows: (len(faults(rows)), len(rows)))
        if not faults(best) or len(tries) == 1:
            return best
        others = [repr(value) for value, rows in zip(wanted.values, tries, strict=False) if rows is not best]
        return [row._replace(note=f"or {', '.join(others)}") if others else row for row in best]

    def _object_rule(self, path: Path, wanted: ExpectedArgument, actual: Any, schema: dict[str, Any]) -> list[FieldRow]:
        assert wanted.fields is not None
        if not isinstance(actual, dict):
            return [FieldRow(path, FieldState.WRONG_TYPE, "an object", actual)]
        return list(self.members(path, wanted.fields, actual, schema, extra=wanted.extra))

    def _list_rule(self, path: Path, wanted: ExpectedArgument, actual: Any, schema: dict[str, Any]) -> list[FieldRow]:
        assert wanted.items is not None
        if not isinstance(actual, list | tuple):
            return [FieldRow(path, FieldState.WRONG_TYPE, "a list", actual)]
        below, rules = _items(schema), wanted.items
        pairs = [(at, at) for at in range(min(len(rules), len(actual)))]
        free = [rule.optional for rule in rules]
        if (wanted.any_order or any(free)) and max(len(rules), len(actual)) <= _MOST_FREE:
            costs = [[float(len(faults(self.rule((), rule, one, below)))) for one in actual] for rule in rules]
            pairs = (
                assign(costs, len(actual))
                if wanted.any_order
                else in_order(costs, len(actual), free, extra=wanted.extra)
            )
        rows = [row for e, m in pairs for row in self.rule((*path, m), rules[e], actual[m], below)]
        answered, used = {e for e, _ in pairs}, {m for _, m in pairs}
        if [m for _, m in pairs] != sorted(used):
            rows.append(FieldRow(path, FieldState.FOLDED, None, actual, LIST_ORDER))
        lacking = (at for at, rule in enumerate(rules) if at not in answered and not rule.optional)
        rows += [FieldRow((*path, at), FieldState.MISSING, _told(rules[at])) for at in lacking]
        more = [] if wanted.extra else [at for at in range(len(actual)) if at not in used]
        return [*rows, *(FieldRow((*path, at), FieldState.EXTRA, None, actual[at]) for at in more)]

    def values(self, path: Path, expected: Any, actual: Any, schema: dict[str, Any]) -> list[FieldRow]:
        """Lines for what differs between two JSON values."""
        kind = _kind(expected)
        if kind != _kind(actual):
            return [self._other_kind(path, expected, actual)]
        if kind == "object" and len(path) < _DEEPEST:
            return list(self._objects(path, expected, actual, schema))
        if kind == "array" and len(path) < _DEEPEST:
            return list(self._arrays(path, expected, actual, schema))
        if kind == "number":
            return self._numbers(path, expected, actual, schema)
        if _same(expected, actual):
            return []
        if kind == "string" and fold_text(expected, self.matching.text) == fold_text(actual, self.matching.text):
            return [FieldRow(path, FieldState.FOLDED, expected, actual, TEXT[self.matching.text])]
        return [FieldRow(path, FieldState.WRONG_VALUE, expected, actual)]

    def _other_kind(self, path: Path, expected: Any, actual: Any) -> FieldRow:
        same = self.matching.coerced and isinstance(actual, str) and looks_like(actual, expected)
        state = FieldState.FOLDED if same else FieldState.WRONG_TYPE
        return FieldRow(path, state, expected, actual, COERCED if same else "")

    def _numbers(self, path: Path, expected: Any, actual: Any, schema: dict[str, Any]) -> list[FieldRow]:
        """`3` and `3.0` are one, unless the case wants the type as well; the schema says which type is meant."""
        alike = _same(expected, actual)
        if not alike and not (self.matching.tolerance and _near(expected, actual, self.matching.tolerance)):
            return [FieldRow(path, FieldState.WRONG_VALUE, expected, actual)]
        whole = schema.get("type") == "integer" if schema.get("type") in ("integer", "number") else _whole(expected)
        if self.matching.numbers != "value" and _whole(actual) != whole and (self.matching.numbers == "type" or whole):
            return [FieldRow(path, FieldState.WRONG_TYPE, expected, actual)]
        if not alike:
            return [FieldRow(path, FieldState.FOLDED, expected, actual, TOLERANCE)]
        return (
            [] if _whole(expected) == _whole(actual) else [FieldRow(path, FieldState.FOLDED, expected, actual, NUMBER)]
        )

    def _objects(
        self, path: Path, expected: dict[str, Any], actual: dict[str, Any], schema: dict[str, Any]
    ) -> Iterator[FieldRow]:
        for name, value in expected.items():
            below = _property(schema, name)
            if name in actual:
                yield from self.values((*path, name), value, actual[name], below)
            else:
                yield self._left_out((*path, name), (value,), below)
        yield from self._unasked_members(path, expected, actual, schema)
        yield from _order(path, expected, actual)

    def _arrays(self, path: Path, expected: list[Any], actual: list[Any], schema: dict[str, Any]) -> Iterator[FieldRow]:
        below = _items(schema)
        for at, (one, other) in enumerate(zip(expected, actual, strict=False)):
            yield from self.values((*path, at), one, other, below)
        for at in range(len(actual), len(expected)):
            yield FieldRow((*path, at), FieldState.MISSING, expected[at])
        for at in range(len(expected), len(actual)):
            yield FieldRow((*path, at), FieldState.EXTRA, None, actual[at])

    def _left_out(self, path: Path, values: tuple[Any, ...], schema: dict[str, Any]) -> FieldRow:
        default = schema.get("default", _NOTHING) if self.matching.defaults else _NOTHING
        if default is not _NOTHING and (not values or any(not self.values((), value, default, {}) for value in values)):
            return FieldRow(path, FieldState.FOLDED, default, None, DEFAULT)
        return FieldRow(path, FieldState.MISSING, values[0] if values else None)

    def _unasked_members(
        self, path: Path, wanted: Container[str], given: dict[str, Any], schema: dict[str, Any]
    ) -> Iterator[FieldRow]:
        for name, value in given.items():
            if name not in wanted:
                yield self._unasked((*path, name), value, _property(schema, name))

    def _unasked(self, path: Path, value: Any, schema: dict[str, Any]) -> FieldRow:
        default = schema.get("default", _NOTHING) if self.matching.defaults else _NOTHING
        if default is not _NOTHING and not faults(self.values((), default, value, {})):
            return FieldRow(path, FieldState.FOLDED, None, value, DEFAULT)
        return FieldRow(path, FieldState.EXTRA, None, value)


def _told(rule: ExpectedArgument) -> Any:
    return rule.values[0] if rule.values else None


def _near(one: float, other: float, tolerance: float) -> bool:
    """In decimal, as it was written: 1.05 is 0.05 from 1.0, and no integer is too large for it."""
    if not all(isinstance(number, int) or math.isfinite(number) for number in (one, other)):
        return False
    return abs(Decimal(repr(one)) - Decimal(repr(other))) <= Decimal(repr(tolerance))


def _whole(number: float) -> bool:
    """An integer by its type, as JSON writes it: `3` is, `3.0` is not."""
    return isinstance(number, int)


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


def _items(schema: dict[str, Any]) -> dict[str, Any]:
    items = schema.get("items")
    return items if isinstance(items, dict) else {}


def _order(path: Path, expected: dict[str, Any], actual: dict[str, Any]) -> Iterator[FieldRow]:
    one = [name for name in expected if name in actual]
    other = [name for name in actual if name in expected]
    if one != other:
        yield FieldRow(path, FieldState.FOLDED, one, other, KEY_ORDER)


def _property(schema: dict[str, Any], name: str) -> dict[str, Any]:
    properties = schema.get("properties")
    found = properties.get(name) if isinstance(properties, dict) else None
    return found if isinstance(found, dict) else {}
