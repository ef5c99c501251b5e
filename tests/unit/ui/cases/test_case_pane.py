from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QLabel

from tests.kit.batches import case
from workbench.ui.cases.case_pane import CasePane
from workbench.ui.widgets.paragraph import Paragraph


def test_last_valid_reading_is_dimmed_while_invalid(theme, qtbot) -> None:
    reading = CasePane()
    qtbot.addWidget(reading)
    reading.resize(320, 500)
    reading.show()
    reading.show_case(replace(case("weather"), tags=("one",), tool_choice="required"))
    texts = "".join(one.text for one in reading.findChildren(Paragraph))
    assert "How is the weather in Rome?" in texts
    assert "get_weather(city" in texts
    assert any("tool_choice required" in one.text() for one in reading.findChildren(QLabel))
    inside = reading.widget()
    assert inside is not None
    reading.show_case(None)
    assert reading.widget() is inside
    assert not inside.isEnabled()
    reading.forget()
    assert reading.widget() is not inside
