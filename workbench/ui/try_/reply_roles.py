"""Roles and argument spans of finished steps: read at once where that is quick, else in a thread."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from workbench.core.calls import ParseResult, Region, Span
from workbench.core.errors import UnknownName
from workbench.formats import get_format

if TYPE_CHECKING:
    from workbench.core.calls import ParsedCall
    from workbench.core.events import StepReply
    from workbench.ui.bridge.page import Shell
    from workbench.ui.try_.view import TryPage

READ_AT_ONCE = 100_000
"""Characters up to which a reply is read in the window's own thread: some milliseconds."""


class ReplyRoles(QObject):
    """Asks the application what the characters of a reply are, and tells the page."""

    said = Signal(str)
    """A line for the status bar."""

    def __init__(self, shell: Shell, page: TryPage) -> None:
        super().__init__(page)
        self._shell, self._page = shell, page
        page.step_finished.connect(self._on_step_finished)
        page.calls_read.connect(self._on_calls_read)

    def _on_step_finished(self, number: int) -> None:
        reply = self._page.run.steps[number].reply
        if reply is None:
            return
        if len(reply.text) <= READ_AT_ONCE:
            self._read(number, reply)
        else:
            self._shell.tasks.start(self._read_later(number, reply), f"try: read step {number}")

    def _on_calls_read(self, number: int, first: int) -> None:
        """Colour calls while the rest of the reply still arrives: each by itself, so that no character is read twice."""
        step = self._page.run.steps[number]
        text = step.raw.source("text")
        for view in step.calls[first:]:
            self._page.area.add_regions(number, call_regions(text, view.call))

    def _read(self, number: int, reply: StepReply) -> None:
        wb = self._shell.wb
        try:
            self._page.set_reading(number, wb.regions(reply), wb.fields(reply))
        except UnknownName as error:  # recorded with a format that is gone: the text stays plain
            self.said.emit(str(error))

    async def _read_later(self, number: int, reply: StepReply) -> None:
        wb = self._shell.wb
        try:
            regions, fields = await asyncio.to_thread(lambda: (wb.regions(reply), wb.fields(reply)))
        except UnknownName as error:
            self.said.emit(str(error))
            return
        step = self._page.run.steps.get(number)
        if step is not None and step.reply is reply:
            self._page.set_reading(number, regions, fields)


def call_regions(text: str, call: ParsedCall) -> list[Region]:
    """Roles of one call's characters as its format's parser tells them; empty for a native call."""
    start, end, source = call.span
    if source != "text" or not call.format:
        return []

    def moved(span: Span, by: int) -> Span:
        return Span(span.start + by, span.end + by, span.source)

    inside = call._replace(
        span=moved(call.span, -start),
        name_span=moved(call.name_span, -start),
        arguments_span=moved(call.arguments_span, -start),
    )
    found = get_format(call.format).regions(text[start:end], ParseResult((inside,), format=call.format))
    return [Region(one.role, moved(one.span, start)) for one in found]
