from __future__ import annotations

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFormLayout, QWidget

from workbench.settings.values import ToolSettings
from workbench.ui.settings.tool_limits import ToolLimits


def _limits(qtbot) -> tuple[ToolLimits, QWidget]:
    page, form = QWidget(), QFormLayout()
    qtbot.addWidget(page)
    page.setLayout(form)
    made = ToolLimits(page)
    made.lay_out(lambda title, widget, note: form.addRow(f"{title}: {note}", widget), 320)
    page.show()
    return made, page


def test_commands_are_switched_on_with_the_programs_that_may_run(theme, qtbot) -> None:
    made, _ = _limits(qtbot)
    before = ToolSettings(command_seconds=2.5)
    made.show_limits(before)
    assert made.taken(before) == before
    assert not made.programs.isEnabled()
    with qtbot.waitSignal(made.changed):
        made.commands.button("yes").click()
    assert made.programs.isEnabled()
    made.programs.setText("ls,  git ls")
    made.seconds.selectAll()
    with qtbot.waitSignal(made.changed):
        QTest.keyClicks(made.seconds, "7")
    after = made.taken(before)
    assert (after.commands, after.allowed, after.command_seconds) == (True, ("ls", "git"), 7.0)
    assert after.command_output == before.command_output
