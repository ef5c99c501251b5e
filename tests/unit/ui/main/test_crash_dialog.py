from __future__ import annotations

from PySide6.QtGui import QGuiApplication

from workbench.ui.main.crash_dialog import CrashDialog
from workbench.ui.widgets.buttons import Button


def test_the_report_can_be_copied_and_the_window_goes_on(theme, qtbot) -> None:
    dialog = CrashDialog("Traceback: boom", "Written to /tmp/crash.txt", None)
    dialog.show()
    buttons = {button.text(): button for button in dialog.findChildren(Button)}
    buttons["Copy report"].click()
    assert QGuiApplication.clipboard().text() == "Traceback: boom"
    assert not dialog.isModal()
    with qtbot.waitSignal(dialog.destroyed):
        buttons["Go on"].click()
