"""The preview: exactly what Run will send, as a conversation and as bytes on the wire."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame

from workbench.ui.run.inspector.wire_text import body_text, header_list, messages_text, raw_text
from workbench.ui.theme.syntax import lexed_regions
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.frames import ElidedLabel, column, hairline, label, row
from workbench.ui.widgets.quantities import counted, size
from workbench.ui.widgets.raw_pane import RawPane
from workbench.ui.widgets.segments import Segments

if TYPE_CHECKING:
    from workbench.core.exchange import WireRequest
    from workbench.core.messages import ChatRequest

LONGEST_LEXED = 65_536


class PreviewPanel(QFrame):
    """Shown in place of the loop; stays up to date while the composer is edited."""

    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self._request: ChatRequest | None = None
        self._wire: WireRequest | None = None
        self.facts = ElidedLabel("", "second")
        self.segments = Segments(
            [
                ("messages", tr("Messages")),
                ("json", tr("Request")),
                ("headers", tr("Headers")),
                ("bytes", tr("Bytes as sent")),
            ]
        )
        self.text = RawPane(tr("What will be sent"))
        self.close_button = Button(tr("Back to the loop"), keys="Esc", small=True, on_click=self.closed.emit)
        head = row(label(tr("Preview"), "section"), self.facts, self.close_button, margins=(16, 8, 16, 4))
        head.setStretch(1, 1)
        body = column(self.text, margins=(16, 8, 4, 4))
        self.setLayout(column(head, row(self.segments, margins=(12, 0, 16, 8)), hairline(), body, gap=0))
        self.segments.chosen.connect(lambda _value: self._fill())

    @property
    def wire(self) -> WireRequest | None:
        """The request that is shown."""
        return self._wire

    def show_request(self, request: ChatRequest, wire: WireRequest) -> None:
        """Show a request."""
        if (request, wire) == (self._request, self._wire):
            return
        self._request, self._wire = request, wire
        words = counted(len(request.messages), "message")
        self.facts.setText(f"{wire.method} {wire.url}  ·  {words}  ·  {size(len(wire.body))}")
        self._fill()

    def show_problem(self, reason: str) -> None:
        """Say why there is nothing to show."""
        self._request = self._wire = None
        self.facts.setText(reason)
        self.text.show_text("")

    def _fill(self) -> None:
        if self._request is None or self._wire is None:
            return
        match self.segments.value:
            case "messages":
                self.text.show_text(_conversation(self._request))
            case "json":
                text = body_text(self._wire.body)
                self.text.show_text(text, lexed_regions(text) if len(text) < LONGEST_LEXED else ())
            case "headers":
                self.text.show_text(header_list("request", self._wire.headers))
            case _:
                self.text.show_text(raw_text(self._wire.body))


def _conversation(request: ChatRequest) -> str:
    parts = [messages_text(request.messages)]
    if request.tools:
        parts.append(f"── tools field: {', '.join(tool.name for tool in request.tools)} ──")
    if request.stop:
        parts.append(f"── stop sequences: {', '.join(map(repr, request.stop))} ──")
    if request.reasoning is not None:
        parts.append(f"── reasoning: {request.reasoning} ──")
    return "\n\n".join(parts)
