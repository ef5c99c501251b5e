from __future__ import annotations

from dataclasses import replace

import pytest

from tests.kit.batches import batch, case, result, target
from workbench.core.verdict import Basis
from workbench.grading.honesty import CellState, Heat
from workbench.grading.matrix import CaseFilter, case_rates, labels, matrix
from workbench.grading.rates import Rate

MADE = batch(
    {
        "calm": ["ssssss", "ssssss"],
        "split": ["ssssss", "ffffff"],
        "flaky": ["pfpfpf", "pppppf"],
        "trouble": ["eeeeee", "ppppee"],
        "early": ["p.....", "ppp..."],
    }
)


def test_rows_with_most_disagreement_come_first() -> None:
    """Then the more flaky ones, then the order of the suite."""
    assert [row.case.id for row in matrix(MADE).rows] == ["split", "flaky", "calm", "trouble", "early"]


@pytest.mark.parametrize(
    ("case_id", "place", "state", "text", "errors", "left"),
    [
        ("calm", 0, CellState.PASS, "6/6", 0, 0),
        ("split", 1, CellState.FAIL, "0/6", 0, 0),
        ("flaky", 0, CellState.FLAKY, "3/6", 0, 0),
        ("trouble", 0, CellState.ERROR, "0/0", 6, 0),
        ("trouble", 1, CellState.PASS, "4/4", 2, 0),
        ("early", 0, CellState.RUNNING, "1/1", 0, 5),
        ("early", 1, CellState.PASS, "3/3", 0, 3),
    ],
)
def test_cells(case_id: str, place: int, state: CellState, text: str, errors: int, left: int) -> None:
    cell = matrix(MADE).cell(case_id, place)

    assert cell is not None
    assert (cell.state, cell.text, cell.errors, cell.left) == (state, text, errors, left)


def test_errors_leave_the_rate_and_stay_in_the_bounds() -> None:
    cell = matrix(MADE).cell("trouble", 1)

    assert cell is not None
    assert cell.rate == Rate(4, 4)
    assert cell.bounds == (4 / 6, 1.0)


def test_a_cell_leads_to_its_runs_codes_and_strict_part() -> None:
    table = matrix(MADE)
    cell, calm = table.cell("flaky", 1), table.cell("calm", 0)

    assert cell is not None
    assert calm is not None
    assert cell.runs[0] == "run-flaky-1-0"
    assert cell.codes == (("decision.no_call", 1),)
    assert (cell.strict, calm.strict) == (0, 6)
    assert cell.flakiness == pytest.approx(2 * 5 / 30)


def test_filters_count_rows() -> None:
    table = matrix(MADE)

    assert table.counts == {
        CaseFilter.ALL: 5,
        CaseFilter.FAILING: 1,
        CaseFilter.ERROR: 1,
        CaseFilter.DIFFERING: 2,
        CaseFilter.FLIPPED: 0,
        CaseFilter.FLAKY: 1,
    }
    assert [row.case.id for row in table.filtered(CaseFilter.DIFFERING)] == ["split", "flaky"]


def test_flips_against_a_baseline() -> None:
    before = batch({"calm": ["ffffff", "ssssss"], "split": ["ssssss", "ffffff"], "flaky": ["ffffff", "pppppp"]})
    table = matrix(MADE, before)

    assert [row.case.id for row in table.filtered(CaseFilter.FLIPPED)] == ["calm"]
    assert [cell.flipped for cell in table.rows[2].cells] == [True, False]


def test_totals_are_means_over_cases() -> None:
    first, second = matrix(batch({"a": ["pppp", "pppp"], "b": ["ff", "pp"]})).columns

    assert first.score is not None
    assert (first.score.value, first.rate) == (0.5, Rate(4, 6))
    assert second.score is not None
    assert (second.score.value, second.heat) == (1.0, Heat.NONE)


def test_a_target_without_a_judged_run_has_no_score() -> None:
    (column,) = matrix(batch({"a": ["ee."]})).columns

    assert (column.score, column.heat, column.errors, column.left) == (None, Heat.NONE, 2, 1)


def test_trimmed_cells_were_not_asked() -> None:
    cell = matrix(batch({"a": ["---", "ppp"]})).cell("a", 0)

    assert cell is not None
    assert (cell.state, cell.left) == (CellState.NOT_ASKED, 0)


def test_cases_without_expectation_never_enter_a_rate_of_correctness() -> None:
    made = batch({"a": ["ppf"]})
    items = tuple(
        replace(item, result=result(letter, basis=Basis.INTRINSIC))
        for item, letter in zip(made.items, "ppf", strict=True)
    )
    table = matrix(replace(made, items=items))
    (cell,) = table.rows[0].cells

    assert (cell.state, cell.rate, cell.clean, cell.ungraded) == (CellState.NOT_GRADABLE, Rate(0, 0), Rate(2, 3), 3)
    assert table.columns[0].score is None


def test_equal_target_names_are_numbered() -> None:
    assert labels([target("a"), target("b"), target("a")]) == (
        "Simulator/a · qwen_xml #1",
        "Simulator/b · qwen_xml",
        "Simulator/a · qwen_xml #2",
    )


def test_mixed_versions_are_noted() -> None:
    made = batch({"a": ["pppp"]})
    first = made.items[0]
    mixed = replace(made, items=(replace(first, sample=replace(first.sample, parser="0", model="n")), *made.items[1:]))

    assert matrix(made).warnings == ()
    parser, model = matrix(mixed).warnings
    assert "parser versions" in parser
    assert "m, n" in model


def test_families_are_clusters() -> None:
    made = batch({"a": ["p"], "b": ["p"], "c": ["p"]}, cases=[case("a", family="x"), case("b", family="x"), case("c")])

    assert [item.cluster for item in case_rates(made, 0)] == ["family x", "family x", "c"]


def test_a_model_of_its_own_for_each_target_is_no_mixture() -> None:
    made = batch({"a": ["pp", "pp"]})
    items = [replace(one, sample=replace(one.sample, model=f"m{one.target}")) for one in made.items]
    assert matrix(replace(made, items=tuple(items))).warnings == ()
