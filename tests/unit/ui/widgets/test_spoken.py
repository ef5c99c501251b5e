from __future__ import annotations

from PySide6.QtWidgets import QWidget

from tests.kit.gui import listening
from workbench.ui.widgets.spoken import announce


def test_words_are_said_once(theme, qtbot, monkeypatch) -> None:
    heard = listening(monkeypatch)
    widget = QWidget()
    qtbot.addWidget(widget)
    announce(widget, "The run is over")
    announce(widget, "")
    assert heard == ["The run is over"]


def test_nothing_is_said_to_nobody(theme, qtbot, monkeypatch) -> None:
    heard = listening(monkeypatch, active=False)
    widget = QWidget()
    qtbot.addWidget(widget)
    announce(widget, "The run is over")
    assert heard == []
