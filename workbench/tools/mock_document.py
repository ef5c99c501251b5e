"""One mock as a JSON value, both ways.

{"result": VALUE}   {"template": TEXT}   {"error": TEXT}          each with "delay_ms": N; a bare value is a result
{"sequence": [MOCK, MOCK, …]}                                     one for each call, the last one for all that follow
{"rules": [{"when": {"city": "Rome"}, "then": MOCK}, …]}          the first whose arguments fit
"""

from __future__ import annotations

import re
from typing import Any

from workbench.core.errors import InvalidInput
from workbench.core.tools import ArgumentRule, MockKind, MockRule

_KEYS = frozenset({"kind", "result", "template", "error", "delay_ms", "sequence", "rules", "recorded"})
_KINDS: tuple[MockKind, ...] = ("echo", "fixed", "template", "failing", "sequence", "rules")
_DEEPEST = 8


class ToolsetError(InvalidInput):
    """The document cannot be used; `line` and `column` (from 1) say where, 0 where that is not known."""

    def __init__(self, message: str, *, hint: str = "", line: int = 0, column: int = 0) -> None:
        super().__init__(message, hint=hint)
        self.line = line
        self.column = column


def mock_rule(value: Any, place: str = "The mock", depth: int = 0) -> MockRule:
    """Read one mock; raise ToolsetError naming the place."""
    if not isinstance(value, dict) or not value or not _KEYS.issuperset(value):
        return MockRule("fixed", value)
    delay, kind, recorded = value.get("delay_ms", 0), value.get("kind"), bool(value.get("recorded", False))
    if not isinstance(delay, int) or isinstance(delay, bool) or delay < 0:
        raise ToolsetError(f"{place}: 'delay_ms' is not a count of milliseconds: {delay!r}.")
    if kind is not None and kind not in _KINDS:
        raise ToolsetError(f"{place}: there is no mock kind {kind!r}.", hint=f"Known: {', '.join(_KINDS)}.")
    if depth > _DEEPEST:
        raise ToolsetError(f"{place}: mocks inside of mocks, more than {_DEEPEST} deep.")
    if "sequence" in value or kind == "sequence":
        steps = _list(value.get("sequence"), f"{place}: 'sequence'")
        read = tuple(mock_rule(one, f"{place}: sequence[{number}]", depth + 1) for number, one in enumerate(steps))
        return MockRule("sequence", steps=read)
    if "rules" in value or kind == "rules":
        rules = _list(value.get("rules"), f"{place}: 'rules'")
        return MockRule("rules", rules=tuple(_rule(one, f"{place}: rules[{n}]", depth) for n, one in enumerate(rules)))
    if "template" in value or kind == "template":
        return MockRule("template", str(value.get("template", value.get("result", ""))), delay_ms=delay)
    if "error" in value or kind == "failing":
        return MockRule("failing", error=str(value.get("error", "")), delay_ms=delay, recorded=recorded)
    if "result" in value or kind == "fixed":
        return MockRule("fixed", value.get("result"), delay_ms=delay, recorded=recorded)
    return MockRule(delay_ms=delay)


def _list(value: Any, place: str) -> list[Any]:
    if not isinstance(value, list) or not value:
        raise ToolsetError(f"{place} is not a list with something in it.")
    return value


def _rule(value: Any, place: str, depth: int) -> ArgumentRule:
    if not isinstance(value, dict) or not isinstance(value.get("when", {}), dict) or "then" not in value:
        raise ToolsetError(f"{place} is not a rule.", hint='Write {"when": {"argument": VALUE}, "then": MOCK}.')
    when = dict(value.get("when", {}))
    for name, wanted in when.items():
        pattern = wanted.get("pattern") if isinstance(wanted, dict) else None
        try:
            re.compile(pattern if isinstance(pattern, str) else "")
        except re.error as error:
            raise ToolsetError(f"{place}: the pattern of {name!r} is no regular expression: {error}.") from error
    return ArgumentRule(when, mock_rule(value["then"], f"{place}: then", depth + 1))


def mock_to_json(rule: MockRule) -> dict[str, Any]:
    """Return the value that `mock_rule` reads back."""
    said: dict[str, dict[str, Any]] = {
        "fixed": {"result": rule.result},
        "template": {"template": rule.result},
        "failing": {"error": rule.error},
        "echo": {"kind": "echo"},
        "sequence": {"sequence": [mock_to_json(one) for one in rule.steps]},
        "rules": {"rules": [{"when": one.when, "then": mock_to_json(one.then)} for one in rule.rules]},
    }
    more = ({"delay_ms": rule.delay_ms} if rule.delay_ms else {}) | ({"recorded": True} if rule.recorded else {})
    return said[rule.kind] | more
