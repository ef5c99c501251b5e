from __future__ import annotations

from tests.kit.gui import colours
from workbench.ui.theme.tokens import LIGHT
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.error_card import ErrorCard


def test_three_lines_a_bar_and_a_report(theme, qtbot) -> None:
    card = ErrorCard([Button("Retry")])
    qtbot.addWidget(card)
    card.show_error("The provider refused the key", "401 invalid", "GET /models", "Paste the key again.", "22:31")
    card.resize(600, 160)
    assert LIGHT.error.lower() in colours(card)
    assert card.report() == (
        "The provider refused the key\nWhat: 401 invalid\nWhere: GET /models\nNext: Paste the key again."
    )
    assert card.accessibleName() == "Error: The provider refused the key"


def test_an_empty_line_is_left_out(theme, qtbot) -> None:
    card = ErrorCard()
    qtbot.addWidget(card)
    card.show_error("Cut off", "the stream ended", "", "Try again.")
    assert "Where" not in card.report()
    assert card.line("Where").isHidden()
