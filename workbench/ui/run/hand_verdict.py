"""A verdict set by hand on the run that a page shows: read, told, asked for with a reason, taken back.

Nothing is overwritten: each word is appended, and taking one back is a word, too. The machine's verdict stays.
"""

from __future__ import annotations

import asyncio
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu

from workbench.core.clock import Clock
from workbench.core.verdict import VerdictState
from workbench.store.opinions import HAND, UNKNOWN, Opinion, in_force
from workbench.ui.theme.tokens import verdict_word
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.dialogs import ask_text
from workbench.ui.widgets.menus import Menu, open_below
from workbench.ui.widgets.quantities import short_time

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    from PySide6.QtWidgets import QWidget

    from workbench.core.errors import WorkbenchError
    from workbench.ui.bridge.page import Shell

WORDS = ("pass", "fail")
TIP = tr("Set the run's verdict by hand, beside the machine's")


def hand_menu(parent: QWidget, *, held: bool, chosen: Callable[[str], None]) -> QMenu:
    """What may be said of a run; `chosen` gets `pass`, `fail`, or nothing for what is taken back."""
    menu = Menu(parent)
    for word in WORDS:
        menu.addAction(tr("Set to {word} by hand…", word=word), partial(chosen, word))
    if held:
        menu.addAction(tr("Take back what was set by hand"), partial(chosen, ""))
    return menu


def hand_words(said: Opinion) -> tuple[str, str]:
    """The word itself, and who said it when and why."""
    when = short_time(said.made_us, datetime.now().astimezone())
    return tr(
        "by hand: {state}", state=verdict_word(said.state) if said.state else ""
    ), f"{said.who}, {when}: {said.why}"


async def say_by_hand(shell: Shell, run_id: str, word: str) -> bool:
    """Ask why, then keep the word; without a reason nothing is set. Taking back needs none. Tell whether it was kept."""
    why = ""
    if word:
        told = tr("Why? It stands beside the machine's verdict, which stays.")
        why = ((await ask_text(shell.window, tr("Set to {word} by hand", word=word), told, tr("Set"))) or "").strip()
        if not why:
            return False
    state = VerdictState(word) if word else None
    said = Opinion(run_id, Clock().now_us(), HAND, shell.wb.user or UNKNOWN, state, why)
    await asyncio.to_thread(shell.wb.store.opinions.add, said)
    return True


class HandVerdict:
    """Serves a page: `run` gives the id of what it shows, empty without any; `shown` gets what holds of it."""

    def __init__(
        self, shell: Shell, name: str, button: QWidget, run: Callable[[], str], shown: Callable[[Opinion | None], None]
    ) -> None:
        self._shell, self._name, self._button, self._run, self._shown = shell, name, button, run, shown
        self.held: Opinion | None = None

    @property
    def possible(self) -> bool:
        """A run is shown whose verdict can be set."""
        return bool(self._run())

    def show(self) -> None:
        """Another run is shown: read what was said of it."""
        self.forget()
        if run_id := self._run():
            self._latest("read", self._read(run_id))

    async def _read(self, run_id: str) -> None:
        said = await asyncio.to_thread(self._shell.wb.store.opinions.of_run, run_id)
        if self._run() == run_id:
            self._show(in_force(said).get(run_id))

    def forget(self) -> None:
        """Nothing is known of what is shown."""
        self._show(None)

    def _show(self, held: Opinion | None) -> None:
        self.held = held
        self._shown(held)

    def menu(self) -> None:
        """Offer what may be said."""
        if self._run():
            menu = hand_menu(self._button, held=self.held is not None, chosen=self.say)
            open_below(menu, self._button)

    def take_back(self) -> None:
        """Let the machine's verdict stand alone again."""
        if self.held is not None:
            self.say("")

    def say(self, word: str) -> None:
        """Set the shown run to `pass` or `fail` after asking why; an empty word takes back."""
        if run_id := self._run():
            self._latest("say", self._say(run_id, word))

    async def _say(self, run_id: str, word: str) -> None:
        if await say_by_hand(self._shell, run_id, word):
            await self._read(run_id)
            number = (await asyncio.to_thread(self._shell.wb.store.find, run_id)).number
            done = (
                tr("set to {word} by hand; Shift+V takes it back", word=word)
                if word
                else tr("the verdict set by hand is taken back")
            )
            self._shell.say(tr("Run {number:,}: {done}", number=number, done=done))

    def _latest(self, what: str, work: Coroutine[Any, Any, None]) -> None:
        self._shell.tasks.latest(f"{self._name} hand {what}", work, on_error=self._on_error)

    def _on_error(self, error: WorkbenchError) -> None:
        self._shell.say(str(error))
