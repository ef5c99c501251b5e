"""The field table: expected calls beside made ones, argument by argument, and what is wrong with them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from workbench.core.batch import CallRow, CallState, FieldRow, FieldState
from workbench.grading.findings import RunFinding
from workbench.grading.folding import COERCED, compare_arguments, compared, faults
from workbench.grading.pairing import WRONG_TOOL, pair
from workbench.grading.written import WrittenCall, changed_paths, literal_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.case import Case, Expectation, ExpectedCall
    from workbench.core.events import ToolStarted
    from workbench.core.tools import ToolSpec
    from workbench.grading.written import Written

_CODES = {
    FieldState.MISSING: "argument.missing",
    FieldState.EXTRA: "argument.invented",
    FieldState.WRONG_VALUE: "argument.wrong_value",
    FieldState.WRONG_TYPE: "argument.wrong_type",
}


def call_table(case: Case, made: Sequence[ToolStarted], written: Written | None = None) -> tuple[CallRow, ...]:
    """One line per expected call and per call too many: expected order first, then what was made beyond it.

    With `written`, a value that a parser turned into the schema's type is listed as treated as equal, or judged as it was
    written where the case says so.
    """
    expectation = case.expectation
    if expectation is None:
        return ()
    made, turned = _as_judged(made, written or {}, expectation)
    specs = {setup.spec.name: setup.spec for setup in case.tools}
    costs = [[_cost(wanted, event, specs, expectation) for event in made] for wanted in expectation.calls]
    found = pair(costs, len(made), ordered=expectation.order == "strict", extra_allowed=expectation.extra_calls)
    rows = [_paired(case, made, e, m, specs, turned[m], displaced=False) for e, m in found.pairs]
    rows += [_paired(case, made, e, m, specs, turned[m], displaced=True) for e, m in found.displaced]
    if not (expectation.missing_calls and rows):
        rows += [CallRow(CallState.MISSING, expectation.calls[e].name, "", e) for e in found.missing]
    rows.sort(key=lambda row: row.expected_at)
    extra = CallState.ALLOWED if expectation.extra_calls else CallState.EXTRA
    return (*rows, *(CallRow(extra, "", made[m].name, -1, m, made[m].step) for m in found.extra))


def _as_judged(
    made: Sequence[ToolStarted], written: Written, expectation: Expectation
) -> tuple[list[ToolStarted], list[tuple[FieldRow, ...]]]:
    """The calls with the arguments that are judged, and for each what a parser turned into another type before."""
    literals, by_letter = literal_names(expectation), expectation.matching.as_written
    events, turned = [], []
    for event in made:
        told = written.get((event.step, event.index), WrittenCall(event.name, event.arguments))
        as_told = told.arguments if by_letter else literals.get(event.name, ())
        judged = {name: told.arguments[name] if name in as_told else value for name, value in event.arguments.items()}
        events.append(replace(event, name=told.name if by_letter else event.name, arguments=judged))
        changed = changed_paths(told.arguments, judged)
        turned.append(tuple(FieldRow(path, FieldState.FOLDED, read, said, COERCED) for path, said, read in changed))
    return events, turned


def _fields(
    wanted: ExpectedCall, event: ToolStarted, spec: ToolSpec | None, rules: Expectation
) -> tuple[FieldRow, ...]:
    """The lines of one pair; none where only names count."""
    return () if rules.names_only else compare_arguments(wanted, event.arguments, spec, rules.matching)


def _cost(wanted: ExpectedCall, event: ToolStarted, specs: dict[str, ToolSpec], rules: Expectation) -> float:
    if wanted.name != event.name:
        return WRONG_TOOL
    wrong = len(faults(_fields(wanted, event, specs.get(wanted.name), rules)))
    return 0.1 + 0.8 * min(1.0, wrong / max(1, compared(wanted, event.arguments))) if wrong else 0.0


def _paired(
    case: Case,
    made: Sequence[ToolStarted],
    e: int,
    m: int,
    specs: dict[str, ToolSpec],
    turned: tuple[FieldRow, ...],
    *,
    displaced: bool,
) -> CallRow:
    assert case.expectation is not None
    wanted, event = case.expectation.calls[e], made[m]
    if wanted.name != event.name:
        return CallRow(CallState.WRONG_TOOL, wanted.name, event.name, e, m, event.step)
    rows = _fields(wanted, event, specs.get(wanted.name), case.expectation)
    state = CallState.MISMATCH if faults(rows) else CallState.OUT_OF_ORDER if displaced else CallState.MATCHED
    rows += () if case.expectation.names_only else turned
    return CallRow(state, wanted.name, event.name, e, m, event.step, rows, compared(wanted, event.arguments))


def table_findings(table: Sequence[CallRow], *, any_made: bool) -> list[RunFinding]:
    """What is wrong in the table, decisions before arguments."""
    decisions = [finding for row in table if (finding := _of_row(row, any_made=any_made))]
    arguments = [_of_field(row, field) for row in table for field in faults(row.fields)]
    return [*decisions, *arguments]


def _of_row(row: CallRow, *, any_made: bool) -> RunFinding | None:
    match row.state:
        case CallState.WRONG_TOOL:
            return RunFinding("decision.wrong_tool", f"{row.actual} was called instead of {row.expected}.")
        case CallState.MISSING if any_made:
            return RunFinding("decision.missing_call", f"{row.expected} was not called.")
        case CallState.MISSING:
            return RunFinding("decision.no_call", f"No call was made; {row.expected} was expected.")
        case CallState.EXTRA:
            return RunFinding("decision.extra_call", f"{row.actual} was called beyond what is expected.")
        case CallState.OUT_OF_ORDER:
            return RunFinding("decision.order", f"{row.expected} was called out of order.")
        case _:
            return None


def _of_field(row: CallRow, field: FieldRow) -> RunFinding:
    place = ".".join(map(str, (row.expected, *field.path)))
    match field.state:
        case FieldState.MISSING:
            told = f"{place} is missing."
        case FieldState.EXTRA:
            told = f"{place} was invented: {_shown(field.actual)}."
        case FieldState.WRONG_TYPE:
            told = f"{place} is {_shown(field.actual)}, another type than {_shown(field.expected)}."
        case _:
            told = f"{place} is {_shown(field.actual)} instead of {_shown(field.expected)}."
    return RunFinding(_CODES[field.state], told)


def _shown(value: Any) -> str:
    try:
        text = repr(value)
    except RecursionError:
        return "…"
    return text if len(text) <= 60 else f"{text[:59]}…"
