"""What can be done with a whole suite: run it through targets, or replay what is recorded of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.ui.run.replay_ways import way_menu
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QMenu

    from workbench.ui.cases.view import CasesView


class SuiteActions:
    """Two buttons over the chosen suite; other pages do the work."""

    def __init__(self, page: CasesView, run: Callable[[str], None], replay: Callable[[str, str], None]) -> None:
        self._page, self._run, self._replay = page, run, replay
        self.run_button = Button(
            tr("Run suite"), icon="play", tip=tr("Compare targets over this suite"), on_click=self.run
        )
        self.replay_button = Button(
            tr("Replay"), icon="rewind", tip=tr("Replay what is recorded of this suite"), on_click=self.menu
        )
        self.buttons = (self.replay_button, self.run_button)

    def set_enabled(self, on: bool) -> None:
        """A suite without readable cases can do nothing."""
        for button in self.buttons:
            button.setEnabled(on)

    def run(self) -> None:
        """Go to Compare with the chosen suite."""
        if self._page.suite is not None and self.run_button.isEnabled():
            self._run(self._page.suite.name)

    def menu(self) -> QMenu:
        """Open the menu of ways to replay the suite's recorded runs."""
        return way_menu(self.replay_button, self.replay)

    def replay(self, mode: str = "parse") -> None:
        """Go to History and replay what is recorded of the suite, judged by its cases as they are now."""
        if self._page.suite is not None and self.replay_button.isEnabled():
            self._replay(self._page.suite.name, mode)
