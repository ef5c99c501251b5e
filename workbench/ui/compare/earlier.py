"""What can be done with an earlier comparison: open it, send its failures again, pin it as its suite's baseline."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu

from workbench.cases.baselines import pin, pins_of
from workbench.core.errors import InvalidInput, WorkbenchError
from workbench.ui.theme.icons import icon
from workbench.ui.theme.translation import tr
from workbench.ui.widgets import dialogs
from workbench.ui.widgets.menus import Menu, open_at
from workbench.ui.widgets.shown_text import shown_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtCore import QPoint

    from workbench.core.batch import BatchRow
    from workbench.ui.bridge.page import Shell
    from workbench.ui.compare.setup_view import EarlierList
    from workbench.ui.compare.values import BatchChoice


class EarlierMenu:
    """The menu of a line, and which of the lines are baselines."""

    def __init__(
        self, shell: Shell, view: EarlierList, replay_failed: Callable[[str], None], read: Callable[[], None]
    ) -> None:
        """`replay_failed` gets a filter of History; `read` reads the list again."""
        self._shell, self._view, self._replay_failed, self._read = shell, view, replay_failed, read
        self._suites: dict[str, str] = {}
        """Of comparisons, by id."""
        self._pinned: dict[str, str] = {}
        """The batch in force, by suite."""
        view.menu_asked.connect(self.open)

    async def marked(
        self, choices: Sequence[BatchChoice], rows: Sequence[BatchRow], verified: set[str]
    ) -> list[BatchChoice]:
        """The lines with the word `pinned baseline` at those that are one."""
        self._suites = {row.id: row.suite for row in rows if row.id not in verified}
        try:
            pins = await asyncio.to_thread(
                lambda: {suite: pins_of(self._shell.wb.home.path, suite) for suite in {*self._suites.values()}}
            )
        except InvalidInput as error:
            pins = {}
            self._shell.say(str(error))
        self._pinned = {suite: found[-1].batch for suite, found in pins.items() if found}
        days = {found[-1].batch: found[-1].pinned[:10] for found in pins.values() if found}
        return [
            one._replace(note=tr("{note} · pinned baseline since {days}", note=one.note, days=days[one.id]))
            if one.id in days
            else one
            for one in choices
        ]

    def open(self, batch: str, place: QPoint) -> QMenu:
        """Open the menu of a line."""
        made = Menu(self._view)
        made.addAction(icon("scales"), tr("Open"), partial(self._view.opened.emit, batch))
        if suite := self._suites.get(batch):
            made.addAction(icon("arrow-clockwise"), tr("Send its failures once more …"), partial(self._send, batch))
            made.addSeparator()
            now = self._pinned.get(suite)
            words = tr("Move the baseline of {} here …") if now else tr("Pin as the baseline of {}")
            words = tr("This is the pinned baseline of {}") if now == batch else words
            action = made.addAction(
                icon("push-pin"), words.format(shown_line(suite).replace("&", "&&")), partial(self._start, batch, suite)
            )
            action.setEnabled(now != batch)
        open_at(made, place)
        return made

    def _send(self, batch: str) -> None:
        self._replay_failed(tr("batch:{batch}", batch=batch))

    def _start(self, batch: str, suite: str) -> None:
        self._shell.tasks.latest("compare baseline", self._pin(batch, suite), on_error=self._on_error)

    async def _pin(self, batch: str, suite: str) -> None:
        move = suite in self._pinned
        words = tr(
            "Checks of {suite} that name the pinned baseline are held against this comparison from now on.", suite=suite
        )
        if move and not await dialogs.confirm(
            self._shell.window, tr("Move the baseline?"), words, tr("Move the baseline")
        ):
            return
        await asyncio.to_thread(pin, self._shell.wb.home.path, suite, batch, move=move)
        self._shell.say(
            tr("The baseline of {suite} is {what}", suite=suite, what=tr("moved") if move else tr("pinned"))
        )
        self._read()

    def _on_error(self, error: WorkbenchError) -> None:
        self._shell.say(str(error))
