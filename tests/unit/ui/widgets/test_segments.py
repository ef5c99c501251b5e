from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from workbench.ui.widgets.segments import Segments


def test_one_is_chosen_and_clicks_are_told(theme, qtbot) -> None:
    segments = Segments([("request", "Request"), ("response", "Response")])
    qtbot.addWidget(segments)
    segments.show()
    assert (segments.value, segments.button("request").kind) == ("request", "chosen")
    with qtbot.waitSignal(segments.chosen) as seen:
        QTest.mouseClick(segments.button("response"), Qt.MouseButton.LeftButton)
    assert seen.args == ["response"]
    assert segments.button("request").kind == "quiet"


def test_choosing_in_code_is_silent(theme, qtbot) -> None:
    segments = Segments([("a", "A"), ("b", "B")], spread=True)
    qtbot.addWidget(segments)
    with qtbot.assertNotEmitted(segments.chosen):
        segments.choose("b")
    assert segments.value == "b"
