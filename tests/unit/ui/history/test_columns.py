from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics

from tests.kit.gui import picture
from tests.kit.pages import NOW_US, history
from workbench.ui.history.columns import BY, COLUMNS
from workbench.ui.history.rows import HistoryModel
from workbench.ui.history.view import HistoryView
from workbench.ui.theme.fonts import mono_font, px
from workbench.ui.widgets.columns import Column

NOW = datetime.fromtimestamp(NOW_US / 1_000_000, UTC)


def test_cells_tips_and_alignment(qapp) -> None:
    model = HistoryModel()
    model.show_first(history(6), NOW)
    at = {model.headerData(place, Qt.Orientation.Horizontal): place for place in range(model.columnCount())}
    assert model.index(5, at["Verdict"]).data() == "cancelled"
    assert model.index(5, at["Format"]).data() == "boost · qwen_xml"
    assert model.index(0, at["Model"]).data(Qt.ItemDataRole.ToolTipRole) == "Simulator / qwen-hasty, simulated"
    assert model.index(0, at["s"]).data(Qt.ItemDataRole.TextAlignmentRole) & Qt.AlignmentFlag.AlignRight
    assert "run 1,048,213" in model.index(0, at["Time ↓"]).data(Qt.ItemDataRole.ToolTipRole)


@pytest.mark.parametrize(
    ("title", "prompt", "shown"),
    [
        ("Read the fi…", "Read the file\nand say more", "Read the file and say more"),
        ("Weather of one city", "Weather of one city, and more", "Weather of one city"),
        ("A name …", "Something else", "A name …"),
        ("", "Only a prompt", "Only a prompt"),
    ],
)
def test_a_cut_title_gives_way_to_its_prompt(qapp, title: str, prompt: str, shown: str) -> None:
    model = HistoryModel()
    model.show_first([replace(history(1)[0], title=title, prompt=prompt)], NOW)
    assert model.index(0, 2).data() == shown


def test_a_planted_column_is_shown_everywhere(theme, qtbot, monkeypatch) -> None:
    """As docs/new-page.md says: one entry of the table, and the whole page knows it."""
    planted = Column(
        "Calls", lambda line: f"{line.run.calls}", 52, tip=lambda _line: "calls that were made", right=True
    )

    class Model(HistoryModel):
        columns = (*COLUMNS, planted)

    monkeypatch.setattr("workbench.ui.history.view.HistoryModel", Model)
    view = HistoryView()
    qtbot.addWidget(view)
    view.resize(1500, 800)
    view.show_rows(True)
    view.show()
    before = picture(view.table)
    view.model.show_first(history(3), NOW)
    cell = view.model.index(0, len(COLUMNS))
    assert cell.data() == "1"
    assert cell.data(Qt.ItemDataRole.ToolTipRole) == "calls that were made"
    assert cell.data(Qt.ItemDataRole.TextAlignmentRole) & Qt.AlignmentFlag.AlignRight
    assert view.model.headerData(len(COLUMNS), Qt.Orientation.Horizontal) == "Calls"
    assert view.table.columnWidth(len(COLUMNS)) >= 40
    assert view.table.visualRect(cell).right() <= view.table.viewport().width()
    assert picture(view.table) != before


@pytest.mark.parametrize("width", [1208, 1368, 1848])
def test_a_boost_run_s_format_is_not_cut_at_usual_widths(theme, qtbot, width: int) -> None:
    view = HistoryView()
    qtbot.addWidget(view)
    view.resize(width, 830)
    view.model.show_first([replace(run, mode="boost", format="native_openai") for run in history(2)], NOW)
    view.show_rows(True)
    view.show()
    at = [column.title for column in COLUMNS].index("Format")
    words = view.model.index(0, at).data()
    assert words == "boost · native_openai"
    room = view.table.columnWidth(at) - px(COLUMNS[at].left) - px(8)
    assert QFontMetrics(mono_font(COLUMNS[at].size)).horizontalAdvance(words) <= room
    prompt = [column.title for column in COLUMNS].index("Prompt")
    assert view.table.columnWidth(prompt) >= 200


def test_who_recorded_a_run_is_shown_in_a_shared_history_only(theme, qtbot) -> None:
    view = HistoryView()
    qtbot.addWidget(view)
    view.model.show_first([replace(run, user="ada") for run in history(2)], NOW)
    assert view.table.isColumnHidden(BY)
    view.show_users()
    assert not view.table.isColumnHidden(BY)
    assert view.model.index(0, BY).data() == "ada"
