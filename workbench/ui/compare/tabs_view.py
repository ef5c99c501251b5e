"""The comparison's three tabs: Matrix, Verify, Earlier."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFrame

from workbench.ui.compare.setup_view import EarlierList
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.frames import column
from workbench.ui.widgets.stack import PageStack
from workbench.ui.widgets.tabs import Tabs

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

MATRIX, VERIFY, EARLIER = "matrix", "verify", "earlier"


class CompareTabs(QFrame):
    """One view a tab; the earlier list holds comparisons and verifications alike."""

    def __init__(self, matrix: QWidget, verify: QWidget) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.tabs = Tabs([(MATRIX, tr("Matrix")), (VERIFY, tr("Verify")), (EARLIER, tr("Earlier"))])
        self.earlier = EarlierList(
            tr("Earlier"),
            tr("Nothing was run yet"),
            tr("Comparisons and verifications stay here and can be opened again."),
            menu=True,
        )
        self._stack = PageStack()
        for part in (matrix, verify, self.earlier):
            self._stack.addWidget(part)
        self.tabs.tab_chosen.connect(lambda _key: self._stack.setCurrentIndex(self.tabs.currentIndex()))
        whole = column(self.tabs, self._stack, gap=0)
        whole.setStretch(1, 1)
        self.setLayout(whole)
