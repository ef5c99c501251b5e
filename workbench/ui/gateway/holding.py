"""Breakpoints of the page: what the bar says is put in force, what is held is shown, and decisions go back."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from workbench.core.errors import WorkbenchError
from workbench.gateway.breakpoints import Breakpoint, Part, Ruling, When
from workbench.ui.gateway.breakpoint_bar import EVERYWHERE, HERE
from workbench.ui.gateway.from_gateway import held_view
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.keyboard import keyboard_kept, row_in_use

if TYPE_CHECKING:
    from workbench.gateway.breakpoints import HoldDesk
    from workbench.ui.bridge.page import Shell
    from workbench.ui.gateway.held_row import HeldRow
    from workbench.ui.gateway.shown_conversation import ShownConversation
    from workbench.ui.gateway.view import GatewayView

_TICK_MS = 250
_EVERY = ""


@dataclass(slots=True)
class _HoldWish:
    """What shall be held in one scope."""

    parts: tuple[str, ...] = ()
    when: str = "always"


class GatewayHolding(QObject):
    """Between the desk and the page."""

    changed = Signal()
    """Something is held, or no longer."""

    def __init__(self, shell: Shell, page: GatewayView, desk: HoldDesk, shown: ShownConversation) -> None:
        super().__init__(page)
        self._shell, self._page, self._desk, self._shown = shell, page, desk, shown
        self._wanted: dict[str, _HoldWish] = {}
        """By conversation; empty: every one."""
        self._seconds = round(shell.wb.settings.gateway.hold_seconds)
        self._clock = QTimer(self)
        self._clock.setInterval(_TICK_MS)
        self._clock.timeout.connect(self.refresh)
        self._end = desk.watch(self.refresh)
        page.bar.changed.connect(self._on_bar)
        page.bar.scope_chosen.connect(self._on_scope)
        page.bar.release_all_asked.connect(self.release_all)
        page.breakpoint_asked.connect(self.toggle)

    def close(self) -> None:
        """Let everything go on, and follow nothing any more."""
        self._end()
        self._clock.stop()
        self._desk.set_points(())
        self._desk.release_all()

    # -- what shall be held ----------------------------------------------------------------------------------------

    @property
    def _scope(self) -> str:
        """The scope that the bar speaks of: a conversation's id, or every one."""
        here = self._shown.conversation
        return _EVERY if self._page.bar.scope.value == EVERYWHERE or here is None else here.id

    def show(self) -> None:
        """Show what is in force in the bar's scope."""
        wanted = self._wanted.get(self._scope, _HoldWish())
        self._page.bar.show_points(wanted.parts, wanted.when, self._seconds)
        self._page.show_hold(on=self._holds_here())

    def _holds_here(self) -> bool:
        here = self._shown.conversation
        scopes = (_EVERY, here.id) if here is not None else (_EVERY,)
        return any(self._wanted[one].parts for one in scopes if one in self._wanted)

    def toggle(self) -> None:
        """Hold the requests of the chosen conversation, or nothing of it any more."""
        here = self._shown.conversation
        if here is None:
            self._shell.say(tr("Choose a conversation first, or hold in every conversation"))
            return
        on = not self._holds_here()
        self._wanted.pop(_EVERY if not on and _EVERY in self._wanted else here.id, None)
        if on:
            self._wanted[here.id] = _HoldWish(("request",), str(self._page.bar.when.value))
            self._page.bar.scope.choose(HERE)
        else:
            self._wanted.pop(here.id, None)
        self._put_in_force()
        self._shell.say(
            tr("The next request of this conversation is held") if on else tr("Nothing of this conversation is held")
        )

    def _on_scope(self, scope: str) -> None:
        """What is in force goes along to the scope that was chosen: else it would hold on, and not be shown."""
        here = self._shown.conversation
        if here is not None:
            before, now = (here.id, _EVERY) if scope == EVERYWHERE else (_EVERY, here.id)
            if (moved := self._wanted.pop(before, _HoldWish())).parts:
                self._wanted[now] = moved
        self._put_in_force()

    def _on_bar(self) -> None:
        bar = self._page.bar
        self._wanted[self._scope] = _HoldWish(bar.parts, str(bar.when.value))
        self._seconds = bar.seconds.value
        self._put_in_force()

    def _put_in_force(self) -> None:
        points = [
            Breakpoint(Part(part), When(wanted.when), scope, float(self._seconds))
            for scope, wanted in self._wanted.items()
            for part in wanted.parts
        ]
        self._desk.set_points(sorted(points, key=lambda point: not point.conversation))  # one's own before every one's
        self.show()

    # -- what is held ----------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show what is held in the chosen conversation, and for how long it stays."""
        waiting, here = self._desk.waiting, self._shown.conversation
        now = asyncio.get_running_loop().time() if waiting else 0.0
        own = [held for held in waiting if here is not None and held.seen.client.conversation == here.id]
        with keyboard_kept(lambda: self._page.area.held, self._page.area):
            self._page.area.show_held([held_view(held, now) for held in own], self._connect)
        self._page.show_held(len(waiting))
        if waiting and not self._clock.isActive():
            self._clock.start()
        elif not waiting:
            self._clock.stop()
        self.changed.emit()

    @property
    def count(self) -> int:
        """How many exchanges are held."""
        return len(self._desk.waiting)

    def _connect(self, row: HeldRow) -> None:
        row.released.connect(lambda number, text: self._decide(row, number, Ruling.RELEASE, text))
        row.answered.connect(lambda number, text: self._decide(row, number, Ruling.ANSWER, text))
        row.refused.connect(lambda number: self._decide(row, number, Ruling.REFUSE, None))

    def _decide(self, row: HeldRow, number: int, ruling: Ruling, document: str | None) -> None:
        try:
            self._desk.decide(number, ruling, document)
        except WorkbenchError as error:
            row.say(str(error))
            self._shell.say(str(error))
            return
        said = {
            Ruling.RELEASE: tr("Released"),
            Ruling.ANSWER: tr("Answered here"),
            Ruling.REFUSE: tr("Refused: the agent sees a 503"),
        }
        self._shell.say(
            tr("{said}, edited", said=said[ruling]) if ruling is Ruling.RELEASE and document else said[ruling]
        )

    def _first(self) -> HeldRow | None:
        return row_in_use(self._page.area.held, self._page)

    def jump(self) -> None:
        """Go to what is held, in whichever conversation."""
        if not self._page.area.held and (waiting := self._desk.waiting):
            self._page.conversations.choose(waiting[0].seen.client.conversation)
        if row := self._first():
            row.release_button.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def release(self) -> None:
        """Release what is held."""
        if row := self._first():
            row.release()

    def answer(self) -> None:
        """Write the answer in place of the model."""
        if row := self._first():
            row.answer()

    def refuse(self) -> None:
        """Refuse what is held."""
        if row := self._first():
            row.refuse()

    def release_all(self) -> None:
        """Let everything go on as it is."""
        if count := self._desk.release_all():
            self._shell.say(tr("{count} released", count=count))
