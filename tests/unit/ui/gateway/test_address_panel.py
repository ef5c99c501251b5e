from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from workbench.ui.gateway.address_panel import AddressPanel
from workbench.ui.widgets.buttons import Button


@pytest.fixture
def panel(theme, qtbot) -> AddressPanel:
    made = AddressPanel()
    qtbot.addWidget(made)
    made.resize(344, 236)
    made.show()
    return made


def press(field, tip: str) -> None:
    next(button for button in field.findChildren(Button) if button.accessibleName() == tip).click()


def test_the_port_can_be_chosen_while_it_does_not_listen(panel: AddressPanel) -> None:
    panel.show_address("", 8123)
    assert panel.port.isVisible()
    assert panel.port.value == 8123
    assert panel.state.text() == "not listening"
    panel.show_address("http://127.0.0.1:8123", 8123)
    assert panel.url.isVisible()
    assert not panel.port.isVisible()
    assert panel.mark.state == "pass"


def test_what_is_copied_is_the_whole_token(panel: AddressPanel) -> None:
    told: list[tuple[str, str]] = []
    panel.copied.connect(lambda what, text: told.append((what, text)))
    panel.show_address("http://127.0.0.1:8000", 8000)
    panel.show_token("", listening=False)
    assert panel.token.text() == "is made at the start"
    panel.show_token("wb-0123456789abcdef")
    assert "0123" not in panel.token.text()
    press(panel.token, "Copy the token")
    press(panel.url, "Copy the address")
    assert told == [("token", "wb-0123456789abcdef"), ("address", "http://127.0.0.1:8000")]


def test_switches_tell_what_was_chosen(panel: AddressPanel, qtbot) -> None:
    told: list[object] = []
    panel.record_chosen.connect(told.append)
    panel.repair_chosen.connect(told.append)
    panel.keep_changed.connect(lambda: told.append((panel.days.value, panel.megabytes.value)))
    panel.show_switches("nothing", repair=True, days=3, megabytes=50)
    assert told == []
    qtbot.mouseClick(panel.record.button("findings"), Qt.MouseButton.LeftButton)
    qtbot.mouseClick(panel.repair.button("off"), Qt.MouseButton.LeftButton)
    panel.days.selectAll()
    qtbot.keyClicks(panel.days, "7")
    assert told == ["findings", False, (7, 50)]
