"""Fills the tab Size, and does what is asked there: limits, removing, giving room back, the check."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.app.retention import of_settings, trim
from workbench.core.hash_chain import short
from workbench.ui.theme.translation import tr
from workbench.ui.widgets import dialogs
from workbench.ui.widgets.quantities import counted

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any

    from workbench.core.errors import WorkbenchError
    from workbench.ui.bridge.page import Shell
    from workbench.ui.history.view import HistoryView

_TOLD = 8


class SizeMeter:
    """Works off the window's thread; nothing is removed without a question."""

    def __init__(self, shell: Shell, page: HistoryView) -> None:
        self._shell, self._panel = shell, page.size_meter
        panel = page.size_meter
        panel.rule_changed.connect(lambda: self._latest(self._measure_soon()))
        panel.apply_asked.connect(lambda: self._start(self._apply()))
        panel.shrink_asked.connect(lambda: self._start(self._shrink()))
        panel.check_asked.connect(lambda: self._start(self._check()))

    def show(self) -> None:
        """The tab is shown: measure."""
        self._panel.show_rule(of_settings(self._shell.wb))
        self._latest(self._measure())

    async def _measure(self) -> None:
        rule = self._panel.rule
        self._panel.begin()
        found = await asyncio.to_thread(self._shell.wb.store.room, rule)
        self._panel.show_room(found, rule)

    async def _measure_soon(self) -> None:
        await asyncio.sleep(0.4)  # a number is typed digit by digit
        await self._measure()

    async def _apply(self) -> None:
        wb, rule = self._shell.wb, self._panel.rule
        ids = await asyncio.to_thread(wb.store.too_much, rule)
        words = tr(
            "{runs} beyond {words} are removed for good, now and from now on. Kept cases stay.",
            runs=counted(len(ids), "run"),
            words=rule.words,
        )
        if ids and not await dialogs.confirm(self._shell.window, tr("Limit the history?"), words, tr("Remove")):
            return
        saved = wb.saved_settings
        kept = replace(saved.history, keep_days=rule.days, keep_megabytes=rule.megabytes)
        if kept != saved.history:
            wb.save(replace(saved, history=kept))
        gone = await asyncio.to_thread(trim, wb, rule)
        self._panel.say(
            tr(
                "Kept: {words}. {runs} removed; Give room back makes the file smaller.",
                words=rule.words,
                runs=counted(gone, "run"),
            )
        )
        await self._measure()

    async def _shrink(self) -> None:
        if self._shell.wb.runs.running:
            self._panel.say(tr("A run is under way: the file is written anew when nothing else writes."))
            return
        freed = await asyncio.to_thread(self._shell.wb.store.shrink)
        self._panel.say(tr("{freed:,.1f} MB given back.", freed=freed / 1000000.0))
        await self._measure()

    async def _check(self) -> None:
        self._panel.say(tr("Reading every record …"))
        found = await asyncio.to_thread(self._shell.wb.store.check)
        if found.problems:
            told = "\n".join(found.problems[:_TOLD])
            more = (
                tr("\nand {problems} more", problems=len(found.problems) - _TOLD) if len(found.problems) > _TOLD else ""
            )
            self._panel.say(tr("Damaged or altered:\n{told}{more}", told=told, more=more))
            return
        old = (
            tr(", {unhashed:,} older ones have no hash", unhashed=found.chain.unhashed) if found.chain.unhashed else ""
        )
        self._panel.say(
            tr(
                "{runs} sound{old}; the chain ends in {head}.",
                runs=counted(found.runs, "run"),
                old=old,
                head=short(found.chain.head),
            )
        )

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        self._shell.tasks.start(work, "history size", on_error=self._on_error)

    def _latest(self, work: Coroutine[Any, Any, None]) -> None:
        self._shell.tasks.latest("history size", work, on_error=self._on_error)

    def _on_error(self, error: WorkbenchError) -> None:
        self._panel.say(str(error))
        self._shell.say(str(error))
