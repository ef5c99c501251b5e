"""A page that shows its set-up or its results: a bar, the answer, progress, a table, and a panel that folds away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QStackedWidget, QWidget

from workbench.ui.compare.progress_panel import ProgressPanel
from workbench.ui.theme.theme import fix_size
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.error_card import ErrorCard
from workbench.ui.widgets.frames import column, frame, hairline, row
from workbench.ui.widgets.keyboard import keyboard_is_here
from workbench.ui.widgets.stack import PageStack

if TYPE_CHECKING:
    from PySide6.QtWidgets import QHBoxLayout

    from workbench.ui.compare.answer_strip import AnswerStrip
    from workbench.ui.widgets.states import Emptiness

PANEL = 395
DRAWER_BELOW = 1300
"""Width of the page below which the panel is a drawer, closed at first."""


class ResultsPage(QFrame):
    """What the comparison and the verification have in common; the parts that differ are laid out by `lay_out`."""

    stopped = ""
    """Heads the card of a trouble."""

    def __init__(self, setup: QWidget, panel: QWidget, answer: AnswerStrip, nothing: Emptiness, fold: str = "") -> None:
        """Take the parts; `fold` is the word on the button that folds the panel away."""
        super().__init__()
        self.setProperty("role", "surface")
        self.answer, self.nothing = answer, nothing
        self.progress, self.trouble = ProgressPanel(), ErrorCard()
        self.fold = Button(fold, icon="layout", tip=tr("Panel"), keys="Ctrl+I", on_click=self.toggle_panel)
        self.middle, self.stack = QStackedWidget(), PageStack()
        self._setup, self._panel = setup, panel
        self._results, self._card = frame("surface"), frame("surface")
        self._narrow: bool | None = None
        self._wanted: bool | None = None

    def lay_out(self, box: QHBoxLayout, table: QWidget) -> None:
        """Lay out what stands in the bar, and the table of the results."""
        bar, left = frame("surface"), frame("surface")
        bar.setLayout(box)
        fix_size(bar, height=44)
        self.middle.addWidget(table)
        self.middle.addWidget(self.nothing)
        self._card.setLayout(column(self.trouble, margins=(16, 12, 16, 12)))
        self._card.hide()
        whole = column(bar, hairline(), self.answer, self.progress, self._card, self.middle, gap=0)
        whole.setStretch(5, 1)
        left.setLayout(whole)
        inner = row(left, self._panel, gap=0)
        inner.setStretch(0, 1)
        self._results.setLayout(inner)
        fix_size(self._panel, width=PANEL)
        self.stack.addWidget(self._setup)
        self.stack.addWidget(self._results)
        self.setLayout(column(self.stack))

    @property
    def cells(self) -> QWidget:
        """Where the keyboard goes when results come to the front."""
        raise NotImplementedError

    def show_setup(self) -> None:
        """Show the set-up."""
        self.stack.setCurrentWidget(self._setup)

    @property
    def shows_setup(self) -> bool:
        """The set-up is in front."""
        return self.stack.currentWidget() is self._setup

    def show_results(self) -> None:
        """Show the table; the keyboard goes there, not into the bar, unless the user took it elsewhere."""
        if self.shows_setup:
            here = keyboard_is_here(self, self._setup)
            self.stack.setCurrentWidget(self._results)
            if here:
                self.cells.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_trouble(self, what: str, following: str = "") -> None:
        """Say why it could not go on; empty: nothing is wrong."""
        self._card.setVisible(bool(what))
        self.trouble.setVisible(bool(what))
        if what:
            self.trouble.show_error(self.stopped, what, "", following)

    def toggle_panel(self) -> None:
        """Fold the panel away or bring it back."""
        self._wanted = self._panel.isHidden()
        self.place_panel()

    def open_panel(self) -> None:
        """Bring the panel into sight, such as for a chosen cell."""
        self._wanted = True
        self.place_panel()

    def place_panel(self) -> bool:
        """Open it where there is room, else as a drawer that a chosen cell opens; return whether it is in sight."""
        shown = self._wanted if self._wanted is not None else not self._narrow
        self._panel.setVisible(shown)
        self.fold.set_kind("chosen" if shown else "normal")
        return shown

    def fit_panel(self, narrow: bool) -> None:
        """Take the room that there is now; what the user wanted holds for the room in which it was said."""
        if narrow != self._narrow:
            self._narrow, self._wanted = narrow, None
            self.place_panel()
