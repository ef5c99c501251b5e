"""Calls in mode ask: they wait in the loop card until they are allowed, edited, refused, or their time is over."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from workbench.app.approval_desk import ApprovalDesk
from workbench.core.approvals import Consequence
from workbench.core.whole_files import expanded
from workbench.tools.preview import effect_of
from workbench.ui.run.loop.approval_row import WaitingView
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.keyboard import keyboard_kept, row_in_use

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench.app.approval_desk import WaitingCall
    from workbench.core.approvals import ApprovalRequest
    from workbench.tools.preview import Effect
    from workbench.ui.bridge.page import Shell
    from workbench.ui.run.loop.approval_row import ApprovalRow, Key
    from workbench.ui.try_.view import TryPage

_TICK_MS = 250
_ABOUT = ("path", "file", "url", "command")
_REASON = tr("The user refused this call.")
_MOST_LINES = 4


class TryApprovals(QObject):
    """Shows what waits at the desk, and takes the decisions there."""

    said = Signal(str)

    def __init__(self, shell: Shell, page: TryPage) -> None:
        super().__init__(page)
        self.desk = ApprovalDesk(self._refresh)
        self._shell, self._page = shell, page
        self._clock = QTimer(self)
        self._clock.setInterval(_TICK_MS)
        self._clock.timeout.connect(self._refresh)

    @property
    def waiting(self) -> bool:
        """Some call waits for the user."""
        return bool(self.desk.waiting)

    def _refresh(self) -> None:
        calls = self.desk.waiting
        shown = {row.view.key: row.view.consequences for row in self._page.area.approvals}
        with keyboard_kept(lambda: self._page.area.approvals, self._page.area):
            fresh = self._page.area.show_waiting([self._view(call, shown) for call in calls])
        for row in fresh:
            row.allowed.connect(self._on_allowed)
            row.answered.connect(self._on_answered)
            row.edited.connect(self._on_edited)
            row.refused.connect(self._on_refused)
        self._page.verdict.show_waiting(calls[0].request.setup.spec.name if calls else "")
        if calls and not self._clock.isActive():
            self._clock.start()
        elif not calls:
            self._clock.stop()

    def _effect(self, request: ApprovalRequest, arguments: dict[str, Any]) -> tuple[Consequence, ...]:
        folder = request.workspace or self._shell.wb.settings.run.workspace
        return consequences(effect_of(request.setup, arguments, expanded(folder) if folder else None))

    def _view(self, call: WaitingCall, shown: Mapping[Key, tuple[Consequence, ...]]) -> WaitingView:
        request = call.request
        step = self._page.run.steps.get(request.step)
        known = shown.get(request.key)
        return WaitingView(
            request.key,
            step.loop if step is not None else 0,
            request.setup.spec.name,
            request.arguments,
            self._effect(request, request.arguments) if known is None else known,
            _alike(request.arguments),
            call.until - asyncio.get_running_loop().time(),
            request.seconds,
        )

    def _on_allowed(self, key: Key, arguments: dict[str, Any] | None, alike: bool) -> None:
        if self.desk.allow(key, arguments, alike=alike):
            self.said.emit("Allowed with your arguments" if arguments is not None else "Allowed")

    def _on_answered(self, key: Key, result: Any) -> None:
        if self.desk.answer(key, result):
            self.said.emit("Answered by you: the tool was not called")

    def _on_edited(self, key: Key, arguments: dict[str, Any]) -> None:
        request = next((call.request for call in self.desk.waiting if call.request.key == key), None)
        if request is not None:
            self._shell.tasks.latest(f"effect of {key}", self._show_effect(request, arguments))

    async def _show_effect(self, request: ApprovalRequest, arguments: dict[str, Any]) -> None:
        told = await asyncio.to_thread(self._effect, request, arguments)
        for row in self._page.area.approvals:
            if row.view.key == request.key:
                row.show_consequences(told)

    def _on_refused(self, key: Key, alike: bool) -> None:
        if self.desk.refuse(key, _REASON, alike=alike):
            self.said.emit("Refused: the model is told so")

    def _first(self) -> ApprovalRow | None:
        return row_in_use(self._page.area.approvals, self._page)

    def allow(self) -> None:
        """Allow the waiting call."""
        if row := self._first():
            row.allow()

    def edit(self) -> None:
        """Go to the waiting call's arguments."""
        if row := self._first():
            row.edit()

    def answer(self) -> None:
        """Go to the result that is given in place of the waiting call."""
        if row := self._first():
            row.answer()

    def refuse(self) -> None:
        """Refuse the waiting call."""
        if row := self._first():
            row.refuse()

    def jump(self) -> None:
        """Go to the waiting call."""
        self._page.show_loop()
        self._page.area.jump_to_approval()


def consequences(effect: Effect) -> tuple[Consequence, ...]:
    """What a call would do, line by line; of many changed lines the first ones."""
    told = (
        [Consequence("warn", tr("The tool will refuse: {refused}", refused=effect.refused))] if effect.refused else []
    )
    told += [Consequence("does", fact) for fact in effect.facts]
    lines = effect.diff[:_MOST_LINES]
    told += [Consequence("added" if line.startswith("+") else "removed", line[1:]) for line in lines]
    if left := len(effect.diff) - len(lines):
        told.append(Consequence("does", tr("… {left} more changed lines", left=left)))
    if effect.undo:
        told.append(Consequence("undo", tr("It can be taken back on the page Tools")))
    return (*told, Consequence("undo", tr("Your decision is recorded and replayed offline")))


def _alike(arguments: dict[str, Any]) -> str:
    about = next((name for name in _ABOUT if name in arguments), "")
    return tr("this {about}, for this run", about=about) if about else tr("these arguments, for this run")
