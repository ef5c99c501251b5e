from __future__ import annotations

import pytest

from workbench.core.tools import ToolSetup, ToolSpec
from workbench.ui.tools.rows import ToolLine
from workbench.ui.tools.view import ToolsView
from workbench.ui.widgets.entry_list import ListEntry
from workbench.ui.widgets.json_check import TextFault


@pytest.fixture
def view(theme, qtbot) -> ToolsView:
    made = ToolsView()
    qtbot.addWidget(made)
    made.resize(1368, 800)
    made.show()
    return made


def entry(name: str) -> ListEntry:
    return ListEntry(name, "2 tools", "wrench", "pass", "ready")


def test_one_line_is_chosen_over_both_lists(view: ToolsView) -> None:
    told: list[str] = []
    view.source_chosen.connect(told.append)
    view.show_sources([entry("mine")], [entry("built-in")], "built-in")
    assert told == ["built-in"]
    view.set_list.choose_row(0)
    assert told == ["built-in", "mine"]
    assert not view.source_list.currentIndex().isValid()


def test_an_empty_set_says_what_to_do(view: ToolsView) -> None:
    view.show_tools([], "mine", "version 1")
    assert view.none.isVisible()
    assert view.nothing.isVisible()
    view.show_tools([ToolLine(ToolSetup(ToolSpec("a")), "x"), ToolLine(ToolSetup(ToolSpec("b")), "x")], "mine", "", "b")
    assert view.tool_list.isVisible()
    assert view.tool_list.currentIndex().row() == 1


@pytest.mark.parametrize("width", [1024, 1280, 1920])
def test_panes_share_every_width(view: ToolsView, width: int) -> None:
    view.resize(width, 700)
    assert view.definition.width() >= 300
    assert view.sample.width() >= 256
    assert all(pane.accessibleName() or pane.objectName() or pane.toolTip() for pane in view.focus_panes())


def test_both_lists_are_panes_of_their_own(view: ToolsView) -> None:
    view.show_sources([entry("mine")], [entry("built-in")], "built-in")
    assert view.focus_panes()[:2] == [view.set_list, view.source_list]
    assert view.source_list.isVisible()


def test_a_long_fault_of_the_definition_leaves_the_sample_call_in_the_window(view: ToolsView) -> None:
    view.resize(1204, 700)
    view.show_tools([ToolLine(ToolSetup(ToolSpec("a")), "x")], "mine", "")
    least = view.minimumSizeHint().width()
    view.definition.show_fault(TextFault("something follows the end of the document " * 4, 2, 8, 9))
    assert view.minimumSizeHint().width() == least
