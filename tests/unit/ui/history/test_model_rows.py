"""The summary of models as columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from workbench.grading.performance import RunPerformance, performance
from workbench.ui.history.model_rows import MODEL_COLUMNS, FormatRecord, FormatRecordsModel

if TYPE_CHECKING:
    from pytestqt.modeltest import ModelTester


def line(executed: int, tried: int, model: str = "m", runs: int = 10) -> FormatRecord:
    parts = [RunPerformance(str(at), executed, tried, 120_000, 310_000, 1_500_000, 42.0) for at in range(runs)]
    return FormatRecord("P", model, "qwen_xml", performance(parts))


NOTHING = FormatRecord("P", "silent", "react", performance([RunPerformance("r", 0, 0, None, None, None, None)]))


@pytest.mark.parametrize(
    ("shown", "words"),
    [
        (line(2, 2, runs=100), ["m", "qwen_xml", "100", "200 / 200", "96–100 %", "yes", "0.12", "0.31", "1.50", "42"]),
        (NOTHING, ["silent", "react", "1", *["–"] * 7]),
    ],
)
def test_columns_in_words(shown: FormatRecord, words: list[str]) -> None:
    assert [column.text(shown) for column in MODEL_COLUMNS] == words


def test_rows_are_sorted_and_spoken(qtmodeltester: ModelTester) -> None:
    model = FormatRecordsModel()
    model.show_lines([line(1, 2, "half"), NOTHING, line(2, 2, "whole")])
    qtmodeltester.check(model)
    model.sort(3)
    assert [model.line(row).model for row in range(3)] == ["silent", "half", "whole"]
    assert model.spoken(model.line(1)).startswith("P, half, qwen_xml, 10 runs, calls executed 10 / 20, interval ")
