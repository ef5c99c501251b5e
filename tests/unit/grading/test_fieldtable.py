from __future__ import annotations

from dataclasses import replace

from tests.kit.judged import FILE, PARIS, ROME, case
from workbench.core.batch import CallRow, CallState, FieldState
from workbench.core.events import ToolStarted
from workbench.core.tools import ToolMode
from workbench.grading.fieldtable import call_table, table_findings


def made(*calls: tuple[str, dict[str, object]]) -> list[ToolStarted]:
    return [
        ToolStarted(3, place, f"call_{place}", name, arguments, ToolMode.MOCK, 1)
        for place, (name, arguments) in enumerate(calls)
    ]


def test_field_table_lines_have_call_positions() -> None:
    (row,) = call_table(case(ROME), made(("get_weather", {"city": "Rome"})))

    assert row == CallRow(CallState.MATCHED, "get_weather", "get_weather", 0, 0, 3, (), 1)


def test_expected_calls_first_then_extra_calls() -> None:
    table = call_table(
        case(FILE, ROME, order="any"), made(("get_weather", {"city": "Rome"}), ("ping", {}), ("ping", {}))
    )

    assert [(row.state, row.expected, row.actual) for row in table] == [
        (CallState.WRONG_TOOL, "read_file", "ping"),
        (CallState.MATCHED, "get_weather", "get_weather"),
        (CallState.EXTRA, "", "ping"),
    ]


def test_the_nearest_call_is_held_against_each_other() -> None:
    table = call_table(
        case(ROME, PARIS, order="any"), made(("get_weather", {"city": "Oslo"}), ("get_weather", {"city": "Rome"}))
    )

    assert [(row.state, row.actual_at) for row in table] == [(CallState.MATCHED, 1), (CallState.MISMATCH, 0)]
    assert [field.state for field in table[1].fields] == [FieldState.WRONG_VALUE]


def test_decisions_come_before_arguments() -> None:
    table = call_table(case(ROME, FILE), made(("get_weather", {"city": "Oslo"})))

    assert [finding.code for finding in table_findings(table, any_made=True)] == [
        "decision.missing_call",
        "argument.wrong_value",
    ]


def test_long_values_are_cut_in_the_reason() -> None:
    table = call_table(case(ROME), made(("get_weather", {"city": "x" * 500})))

    assert len(table_findings(table, any_made=True)[0].message) < 160


def test_without_expectation_there_is_no_table() -> None:
    assert call_table(replace(case(ROME), expectation=None), made(("ping", {}))) == ()
