"""promptfoo's assertions as an expectation: https://www.promptfoo.dev/docs/configuration/expected-outputs.

Of calls: `is-valid-openai-tools-call` and its kin demand some call, `tool-call-f1` and `trajectory:…` certain ones. Of
the answer: contains, equals, regex, starts-with and their negations. Case is ignored where we ignore it. Everything else
(programs, judges, prices, similarity) is named.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from workbench.core.case import Expectation, ExpectedArgument, ExpectedCall, PathChecks

if TYPE_CHECKING:
    from collections.abc import Iterable

_ANY_CALL = frozenset(
    {"is-valid-openai-tools-call", "is-valid-openai-function-call", "is-valid-function-call", "is-valid-tools-call"}
)


@dataclass(slots=True)
class _Gathered:
    expectation: Expectation = field(default_factory=Expectation)
    patterns: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    def add(self, **more: Any) -> None:
        """Set fields; tuples are added to."""
        joined: dict[str, Any] = {
            name: (*getattr(self.expectation, name), *value) if isinstance(value, tuple) else value
            for name, value in more.items()
        }
        self.expectation = replace(self.expectation, **joined)


def expectation_of(assertions: Iterable[Any]) -> tuple[Expectation | None, list[str]]:
    """Return what the assertions demand together, and what of them cannot be carried; None where nothing is left."""
    found = _Gathered()
    for assertion in assertions:
        _take(assertion, found)
    if found.patterns:
        found.add(answer_regex="".join(f"(?=[\\s\\S]*?(?:{pattern}))" for pattern in found.patterns)
                  if len(found.patterns) > 1 else found.patterns[0])  # fmt: skip
    if found.expectation.calls and found.expectation.any_call:
        found.expectation = replace(found.expectation, any_call=False)
    return (None if found.expectation == Expectation() else found.expectation), found.left_out


def _take(assertion: Any, found: _Gathered) -> None:
    kind = assertion.get("type") if isinstance(assertion, dict) else None
    if not isinstance(kind, str):
        found.left_out.append("an assertion without a type")
        return
    value = assertion.get("value")
    if kind == "assert-set":
        for inner in assertion.get("assert") or ():
            _take(inner, found)
        return
    if kind in _ANY_CALL:
        found.add(any_call=True)
    elif not (_of_calls(kind, value, assertion, found) or _of_answer(kind, value, found)):
        found.left_out.append(f"assertions of type {kind}")


def _of_calls(kind: str, value: Any, assertion: dict[str, Any], found: _Gathered) -> bool:
    match kind:
        case "tool-call-f1" if float(assertion.get("threshold") or 1) >= 1:
            names = value.split(",") if isinstance(value, str) else value
            if not isinstance(names, list):
                return False
            calls = tuple(ExpectedCall(str(name).strip()) for name in names)
            found.add(calls=calls, order="any", names_only=True)
        case "trajectory:tool-used":
            names = _names(value)
            found.add(calls=tuple(map(ExpectedCall, names)), order="any", names_only=True, extra_calls=True)
        case "not-trajectory:tool-used":
            found.add(must_not_call=tuple(_names(value)))
        case "trajectory:tool-sequence":
            steps = value.get("steps") if isinstance(value, dict) else value
            if not isinstance(steps, list):
                return False
            found.add(path=PathChecks(tools=tuple(name for step in steps for name in _names(step))))
        case "trajectory:tool-args-match" if isinstance(value, dict) and _names(value):
            arguments = value.get("args") or value.get("arguments") or {}
            rules = {str(name): ExpectedArgument((item,)) for name, item in arguments.items()}
            extra = value.get("mode", "partial") != "exact"
            found.add(
                calls=(ExpectedCall(_names(value)[0], rules, extra_arguments=extra),), order="any", extra_calls=True
            )
        case _:
            return False
    return True


def _names(value: Any) -> list[str]:
    if isinstance(value, dict):
        value = value.get("name") or value.get("tool") or value.get("names")
    return [str(name) for name in (value if isinstance(value, list) else [value]) if name]


def _of_answer(kind: str, value: Any, found: _Gathered) -> bool:
    texts = [str(item) for item in (value if isinstance(value, list) else [value]) if item is not None]
    if not texts:
        return False
    match kind:
        case "contains" | "icontains" | "contains-all" | "icontains-all":
            found.add(answer_contains=tuple(texts))
        case "not-contains" | "not-icontains" | "not-contains-any" | "not-icontains-any":
            found.add(answer_lacks=tuple(texts))
        case "contains-any" | "icontains-any":
            found.patterns.append(("(?i:" if kind.startswith("i") else "(?:") + "|".join(map(re.escape, texts)) + ")")
        case "starts-with":
            found.patterns.append(rf"\A\s*{re.escape(texts[0])}")
        case "equals" if isinstance(value, str):
            found.patterns.append(rf"\A\s*{re.escape(value)}\s*\Z")
        case "regex" if isinstance(value, str) and _compiles(value):
            found.patterns.append(value)
        case _:
            return False
    return True


def _compiles(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except re.error:
        return False
    return True
