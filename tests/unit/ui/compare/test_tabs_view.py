from __future__ import annotations

from PySide6.QtWidgets import QLabel

from workbench.ui.compare.tabs_view import EARLIER, MATRIX, VERIFY, CompareTabs


def test_each_tab_has_its_view(theme, qtbot) -> None:
    matrix, verify = QLabel("matrix"), QLabel("verify")
    view = CompareTabs(matrix, verify)
    qtbot.addWidget(view)
    view.show()
    assert view.tabs.current == MATRIX
    assert matrix.isVisible()
    view.tabs.choose(VERIFY)
    assert verify.isVisible()
    assert not matrix.isVisible()
    view.tabs.choose(EARLIER)
    assert view.earlier.isVisible()
