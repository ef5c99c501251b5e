"""What is known beside the text."""

from __future__ import annotations

from workbench.ui.forensics.given_bar import GivenBar
from workbench.ui.theme.theme import Theme
from workbench.ui.widgets.json_check import TextFault


def make(qtbot) -> GivenBar:
    bar = GivenBar()
    qtbot.addWidget(bar)
    bar.set_formats(["react", "qwen_xml"])
    bar.show()
    return bar


def test_showing_is_no_change(theme: Theme, qtbot) -> None:
    bar = make(qtbot)
    told: list[object] = []
    bar.changed.connect(lambda: told.append("changed"))
    bar.tools_edited.connect(told.append)
    bar.show_given("qwen_xml", "content_filter", '[{"name": "now"}]', 1)
    assert (bar.asked.value, bar.reason.value, bar.tools.text()) == ("qwen_xml", "content_filter", "Tools 1")
    assert told == []
    bar.show_given("", "", "", None)
    assert (bar.asked.value, bar.reason.value, bar.tools.text()) == ("", "", "Tools")


def test_tools_open_and_faults_are_shown(theme: Theme, qtbot) -> None:
    bar = make(qtbot)
    bar.tools.click()
    assert bar.editor.isVisible()
    bar.show_tools(None, TextFault("comma expected", 1, 3, 2), "Tools line 1, column 3: comma expected")
    assert bar.fault.isVisible()
    bar.show_tools(2, None, "")
    assert not bar.fault.isVisible()
    bar.tools.click()
    assert not bar.editor.isVisible()
