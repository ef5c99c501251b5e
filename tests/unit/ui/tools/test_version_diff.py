"""Two versions of a tool set side by side."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from workbench.core.tools import ToolMode, ToolSetup, ToolSpec
from workbench.ui.tools.set_facts import SetVersion, change_lines
from workbench.ui.tools.version_diff import VersionDiff

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from workbench.ui.theme.theme import Theme

FIRST = (ToolSetup(ToolSpec("a", "one")), ToolSetup(ToolSpec("gone")))
SECOND = (replace(FIRST[0], spec=ToolSpec("a", "two"), mode=ToolMode.RUN), ToolSetup(ToolSpec("new")))


def test_the_last_two_are_shown_first(qtbot: QtBot, theme: Theme) -> None:
    view = VersionDiff(
        "s",
        [SetVersion("version 1", FIRST), SetVersion("version 2", SECOND), SetVersion("now", SECOND)],
        change_lines,
        None,
    )  # type: ignore[arg-type]
    view.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(view)
    assert view.words.text() == "Nothing differs."
    view.before.choose(0)
    view.before.value_chosen.emit(0)
    assert (view.model.rowCount(), view.words.text()) == (4, "3 tools differ")
