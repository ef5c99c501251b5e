"""What differs between two readings of one reply, or two JSON values: a list of places, noise folded away.

Key order and numeric spelling (`1`, `1.0`, `1e0`) are not differences; what was folded is listed, so that nobody
has to guess what was treated as equal. `true` is never `1`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from workbench.core.calls import ParsedCall, ParseProblem, ParseResult

MISSING = "(absent)"
"""Stands for a value that one side does not have."""


class Change(NamedTuple):
    """One place where the two sides differ."""

    path: str
    """Such as `calls[0].arguments.city`."""
    before: Any
    after: Any

    @property
    def kind(self) -> str:
        """`added`, `removed` or `changed`."""
        if self.before is MISSING:
            return "added"
        return "removed" if self.after is MISSING else "changed"


@dataclass(frozen=True, slots=True)
class Difference:
    """All that differs, and what was treated as equal."""

    changes: tuple[Change, ...] = ()
    folded: tuple[str, ...] = ()
    """Places where only spelling differs: `arguments: key order`, `arguments.n: 1 and 1.0`."""

    def __bool__(self) -> bool:
        return bool(self.changes)


def same_json(before: Any, after: Any) -> bool:
    """Say whether two JSON values are equal, key order and numeric spelling aside."""
    if isinstance(before, bool) or isinstance(after, bool):
        return before is after
    if isinstance(before, int | float) and isinstance(after, int | float):
        return before == after or (isnan(before) and isnan(after))
    if isinstance(before, dict) and isinstance(after, dict):
        return before.keys() == after.keys() and all(same_json(before[key], after[key]) for key in before)
    if isinstance(before, list | tuple) and isinstance(after, list | tuple):
        return len(before) == len(after) and all(map(same_json, before, after))
    return type(before) is type(after) and bool(before == after)


def compare_json(before: Any, after: Any, path: str = "") -> Difference:
    """Return where two JSON values differ."""
    changes: list[Change] = []
    folded: list[str] = []
    _walk(before, after, path, changes, folded)
    return Difference(tuple(changes), tuple(folded))


def _walk(before: Any, after: Any, path: str, changes: list[Change], folded: list[str]) -> None:
    pending = [(path, before, after)]
    while pending:
        path, before, after = pending.pop()
        if isinstance(before, dict) and isinstance(after, dict):
            if before.keys() == after.keys() and list(before) != list(after):
                folded.append(f"{path or 'value'}: key order")
            pending.extend(reversed(_members(before, after, path)))
        elif isinstance(before, list | tuple) and isinstance(after, list | tuple):
            pending.extend(reversed(_items(before, after, path)))
        elif not same_json(before, after):
            changes.append(Change(path, before, after))
        elif type(before) is not type(after) or repr(before) != repr(after):
            folded.append(f"{path or 'value'}: {before!r} and {after!r}")


def _members(before: dict[str, Any], after: dict[str, Any], path: str) -> list[tuple[str, Any, Any]]:
    keys = dict.fromkeys((*before, *after))
    dot = "." if path else ""
    return [(f"{path}{dot}{key}", before.get(key, MISSING), after.get(key, MISSING)) for key in keys]


def _items(before: Any, after: Any, path: str) -> list[tuple[str, Any, Any]]:
    count = max(len(before), len(after))
    return [
        (
            f"{path}[{index}]",
            before[index] if index < len(before) else MISSING,
            after[index] if index < len(after) else MISSING,
        )
        for index in range(count)
    ]


def excerpts(before: Any, after: Any, size: int = 60) -> tuple[str, str]:
    """Both values as short texts on one line; of long ones the part where they begin to differ."""
    texts = [value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
             for value in (before, after)]  # fmt: skip
    first, second = (" ".join(text.split()) for text in texts)
    if first == second:  # only white space or the kind of value differs: it must be seen
        first, second = (json.dumps(value, ensure_ascii=False, default=str) for value in (before, after))
    if max(len(first), len(second)) <= size:
        return first, second
    common = next(
        (at for at, (one, other) in enumerate(zip(first, second, strict=False)) if one != other),
        min(len(first), len(second)),
    )
    start = 0 if common < size - 8 else common - size // 3
    return _cut(first, start, size), _cut(second, start, size)


def _cut(text: str, start: int, size: int) -> str:
    shown = f"…{text[start + 1 :]}" if start else text
    return shown if len(shown) <= size else f"{shown[: size - 1]}…"


def same_reading(before: ParseResult, after: ParseResult) -> bool:
    """Say quickly whether two readings agree in everything that a user would notice."""
    return (
        before.text == after.text
        and before.reasoning == after.reasoning
        and len(before.calls) == len(after.calls)
        and len(before.problems) == len(after.problems)
        and all(map(_same_call, before.calls, after.calls))
        and all(map(_same_problem, before.problems, after.problems))
    )


def _same_call(before: ParsedCall, after: ParsedCall) -> bool:
    return (
        before.name == after.name
        and before.outcome is after.outcome
        and before.id == after.id
        and before.span[:2] == after.span[:2]
        and sorted(before.repairs) == sorted(after.repairs)
        and same_json(before.arguments, after.arguments)
    )


def _same_problem(before: ParseProblem, after: ParseProblem) -> bool:
    return before.code == after.code and before.outcome is after.outcome and before.span[:2] == after.span[:2]


def compare_readings(before: ParseResult, after: ParseResult) -> Difference:
    """Return where two readings of one reply differ: calls, problems, text, reasoning."""
    return compare_json(reading_json(before), reading_json(after))


def reading_json(result: ParseResult) -> dict[str, Any]:
    """Return what counts in a reading, as JSON. Wording of messages does not count."""
    return {
        "calls": [
            {
                "name": call.name,
                "arguments": call.arguments,
                "id": call.id,
                "outcome": call.outcome.value,
                "repairs": sorted(call.repairs),
                "span": list(call.span[:2]),
            }
            for call in result.calls
        ],
        "problems": [
            {
                "code": problem.code,
                "outcome": problem.outcome.value if problem.outcome else None,
                "span": list(problem.span[:2]),
            }
            for problem in result.problems
        ],
        "text": result.text,
        "reasoning": result.reasoning,
    }
