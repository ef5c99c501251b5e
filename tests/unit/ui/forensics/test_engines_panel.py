from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from workbench.ui.forensics.engines_panel import EngineLine, EngineModel, EnginesPanel

LINE = EngineLine("sglang 9.9 qwen25", "qwen_xml", "1 call", "0 calls", "streamed: the call get_weather is lost.")


def test_it_is_a_proper_model(qtmodeltester) -> None:
    model = EngineModel()
    model.add_lines([LINE])
    qtmodeltester.check(model)
    assert model.index(0, 4).data() == "streamed: the call get_weather is lost."


def test_it_comes_with_the_question_and_goes_with_a_click(theme, qtbot) -> None:
    panel = EnginesPanel()
    qtbot.addWidget(panel)
    assert panel.isHidden()
    panel.begin()
    assert "asking" in panel.head.note.text()
    panel.show_lines([LINE], "vllm: No module named 'vllm'")
    assert panel.table.isVisible()
    assert panel.missing.isVisible()
    panel.show_lines([], "Name a Python.")
    assert not panel.table.isVisible()
    QTest.mouseClick(panel.close_button, Qt.MouseButton.LeftButton)
    assert panel.isHidden()
