"""Costs of the shown tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.kit.gui import colours
from workbench.ui.theme.tokens import LIGHT
from workbench.ui.tools.token_rows import TokenRows

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from workbench.ui.theme.theme import Theme


def test_a_row_for_each_target(qtbot: QtBot, theme: Theme) -> None:
    rows = TokenRows()
    qtbot.addWidget(rows)
    assert rows.isHidden()
    rows.show_costs([("openai_chat", 1240), ("react", 310)])
    rows.resize(240, rows.sizeHint().height())
    assert rows.accessibleDescription() == "openai_chat about 1,240 tokens; react about 310 tokens"
    assert LIGHT.text3.lower() in colours(rows)
    rows.show_costs(())
    assert rows.isHidden()
