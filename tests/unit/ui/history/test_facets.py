from __future__ import annotations

from datetime import date

import pytest
from PySide6.QtCore import Qt

from workbench.store.filter import parse_filter
from workbench.ui.history.facets import Day, FacetModel, facet_lines, filled_days, values_of, with_value

GROUPS = {"verdict": [("pass", 84_012), ("fail", 27_870)], "model": [("qwen-hasty", 14_118)]}


@pytest.mark.parametrize(
    ("before", "field", "value", "chosen", "after"),
    [
        ("", "verdict", "fail", True, "verdict:fail"),
        ("verdict:fail since:7d", "verdict", "error", True, "verdict:fail,error since:7d"),
        ("verdict:fail,error since:7d", "verdict", "fail", False, "verdict:error since:7d"),
        ("verdict:fail words", "verdict", "fail", False, "words"),
        ("-verdict:pass words", "verdict", "fail", True, "-verdict:pass words verdict:fail"),
        ('"a  phrase" model:x', "model", "my model", True, '"a  phrase" model:x,"my model"'),
        ('model:"my model",x', "model", "my model", False, "model:x"),
        ("verdict:fail x verdict:error", "verdict", "pass", True, "verdict:fail,error,pass x"),
    ],
)
def test_a_click_writes_the_expression(before, field, value, chosen, after) -> None:
    written = with_value(before, field, value, chosen=chosen)
    assert written == after
    parse_filter(written)


def test_values_of_a_field() -> None:
    assert values_of('verdict:fail,error -verdict:pass model:"my model"', "verdict") == ("fail", "error")
    assert values_of('model:"my model"', "model") == ("my model",)


def test_facet_lines_mark_and_keep_choices() -> None:
    lines = facet_lines(GROUPS, "verdict:fail,error", [("Failures", "verdict:fail,error")])
    titles = [line.title for line in lines]
    assert titles == ["Saved views", "Failures", "Verdict", "pass", "fail", "error", "Model", "qwen-hasty"]
    assert [line.title for line in lines if line.chosen] == ["Failures", "fail", "error"]
    assert next(line for line in lines if line.title == "error").count == 0


def test_days_without_runs_are_filled_in() -> None:
    last = date(2026, 11, 20)
    days = filled_days([Day(date(2026, 11, 18), 4, 1)], last, least=5)
    assert [day.runs for day in days] == [0, 0, 4, 0, 0]
    old = filled_days([Day(date(2026, 1, 1), 1, 0)], last, least=5)
    assert (old[0].day, old[-1].day) == (date(2026, 1, 1), last)


def test_it_is_a_proper_model(qtmodeltester) -> None:
    model = FacetModel()
    model.show_lines(facet_lines(GROUPS, ""))
    qtmodeltester.check(model)
    assert model.flags(model.index(0, 0)) == Qt.ItemFlag.NoItemFlags
    assert model.index(1, 0).data(Qt.ItemDataRole.AccessibleTextRole) == "pass, 84,012 runs"


def test_new_counts_keep_the_place(qtbot) -> None:
    model = FacetModel()
    model.show_lines(facet_lines(GROUPS, ""))
    with qtbot.assertNotEmitted(model.modelReset):
        model.show_lines(facet_lines(GROUPS, "verdict:fail"))
    assert model.line(2).chosen
