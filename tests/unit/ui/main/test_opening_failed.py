from __future__ import annotations

from workbench.core.errors import StoreError
from workbench.ui.main.opening_failed import OpeningFailed
from workbench.ui.widgets.buttons import Button


def test_three_lines_and_three_ways_on(theme, qtbot) -> None:
    card = OpeningFailed(StoreError("The file is not a database.", hint="Move it away."))
    qtbot.addWidget(card)
    assert "What: The file is not a database." in card.card.report()
    assert "Next: Move it away." in card.card.report()
    buttons = {button.text(): button for button in card.findChildren(Button)}
    with qtbot.waitSignal(card.again_asked):
        buttons["Try again"].click()
    with qtbot.waitSignals([card.quit_asked, card.again_asked]):
        buttons["Quit"].click()
