from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from workbench.ui.gateway.values import ConversationLine
from workbench.ui.gateway.view import GatewayView
from workbench.ui.widgets.buttons import Button


@pytest.fixture
def page(theme, qtbot) -> GatewayView:
    made = GatewayView([("claude_code", "Claude Code"), ("curl", "curl")])
    qtbot.addWidget(made)
    made.resize(1368, 830)
    made.show()
    return made


def test_the_strip_folds_to_one_line(page: GatewayView, qtbot) -> None:
    qtbot.mouseClick(page.address.fold, Qt.MouseButton.LeftButton)
    assert page.strip_folded
    assert not page.address.isVisible()
    qtbot.mouseClick(page.unfold, Qt.MouseButton.LeftButton)
    assert page.address.isVisible()


def test_trouble_stands_above_the_conversations_until_it_is_over(page: GatewayView) -> None:
    page.show_trouble("Port 8000 cannot be used.", "http://127.0.0.1:8000", "Use another port.", "Use port 8001")
    assert page.trouble.isVisible()
    assert page.port_taken.text() == "Use port 8001"
    assert page.port_taken.hasFocus()
    page.show_trouble("", "", "", "")
    assert not page.shows_trouble
    assert page.client.copy.hasFocus()  # what comes next
    page.conversations.filter.setFocus()
    page.show_trouble("Port 8000 cannot be used.", "http://127.0.0.1:8000", "Use another port.", "")
    assert page.conversations.filter.hasFocus()  # who types is left alone


def test_panes_can_be_walked_in_every_state(page: GatewayView) -> None:
    page.show_nothing("broadcast", "Not listening", "Press Start.")
    before = page.focus_panes()
    page.show_conversation("Read a file", "m → P / m")
    assert page.shows_conversation
    assert page.area in page.focus_panes()
    assert page.area not in before
    page.conversations.show_lines([ConversationLine("a", "Read a file", "curl", 1, 0.0)])
    assert all(pane.isVisible() for pane in page.focus_panes())


def test_releasing_is_the_first_thing_while_something_is_held(page: GatewayView) -> None:
    page.show_held(1)
    assert page.keep.kind == "normal"
    page.show_held(0)
    assert page.keep.kind == "primary"
    page.show_hold(on=True)
    assert page.hold.kind == "chosen"


@pytest.mark.parametrize("width", [1368, 1208, 952])
def test_the_panels_share_the_width(page: GatewayView, width: int) -> None:
    page.resize(width, 740)
    page.show_conversation("x", "y")
    right = page.routes.mapTo(page, page.routes.rect().topRight()).x()
    assert right <= width
    assert page.routes.width() >= 360
    for button in page.client.clients.findChildren(Button):
        assert button.width() >= button.sizeHint().width(), f"{button.text()} is cut"
    assert not page.grab().isNull()
