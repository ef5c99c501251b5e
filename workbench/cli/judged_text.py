"""How a run was held against its case, in lines: the rule, what differs from it, and what was treated as equal."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from workbench.cli.text import one_line
from workbench.core.batch import CallState, FieldState
from workbench.grading.folding import faults

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.core.batch import CallRow, CaseVerdict, FieldRow

_SAID = {
    CallState.MISSING: "was not called",
    CallState.EXTRA: "was called beyond what is expected",
    CallState.OUT_OF_ORDER: "was called out of order",
}


def judged_lines(found: CaseVerdict) -> Iterator[str]:
    """Lines below a run's verdict."""
    yield f"judged by: {found.rule}"
    for call in found.calls:
        if call.state is CallState.WRONG_TOOL:
            yield f"  ✕ {call.actual} was called instead of {call.expected}"
        elif call.state in _SAID:
            yield f"  ✕ {call.expected or call.actual} {_SAID[call.state]}"
        wrong = faults(call.fields)
        yield from (f"  ✕ {_place(call, row)}: {_difference(row)}" for row in wrong)
        yield from (f"  ≈ {_place(call, row)}: {_equal(row)}" for row in call.fields if row.state is FieldState.FOLDED)


def _place(call: CallRow, row: FieldRow) -> str:
    return ".".join(map(str, (call.expected or call.actual, *row.path)))


def _difference(row: FieldRow) -> str:
    match row.state:
        case FieldState.MISSING:
            return f"missing, expected {_value(row.expected)}"
        case FieldState.EXTRA:
            return f"{_value(row.actual)} was invented"
        case _:
            more = f" ({row.note})" if row.note else ""
            return f"{_value(row.actual)}, expected {_value(row.expected)}{more}"


def _equal(row: FieldRow) -> str:
    return f"{_value(row.actual)} for {_value(row.expected)}, treated as equal: {row.note}"


def _value(value: Any) -> str:
    try:
        return one_line(json.dumps(value, ensure_ascii=False, default=str), 60)
    except (RecursionError, ValueError):
        return "…"
