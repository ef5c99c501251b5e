from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtWidgets import QWidget

from workbench.ui.bridge.page import Page


def test_page_keeps_its_status(theme, qtbot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    shell: Any = SimpleNamespace(window=window)
    page = Page(shell)
    with qtbot.waitSignal(page.title_changed) as seen:
        page.set_title("History", "12 runs")
    assert seen.args == ["History", "12 runs"]
    page.set_status("found", "parser")
    page.set_status("", "other parser")
    assert (page.title, page.status) == (("History", "12 runs"), ("found", "other parser"))
    assert page.top_widgets() == ()
    page.shown()
    page.hidden()
    with pytest.raises(AssertionError, match="Page has no view"):
        _ = page.view
