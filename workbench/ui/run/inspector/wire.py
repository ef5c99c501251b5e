"""The Wire tab: one step's exchanges as they crossed the network."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from workbench.core.calls import Region, Span
from workbench.ui.run.inspector.chunk_rows import ChunkRows
from workbench.ui.run.inspector.chunks import ChunkTable
from workbench.ui.run.inspector.wire_text import body_text, endpoint_words, headers_text, raw_text
from workbench.ui.run.run_words import step_place
from workbench.ui.run.span_index import place_in_record
from workbench.ui.theme.fonts import px
from workbench.ui.theme.syntax import lexed_regions
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.fields import ComboField
from workbench.ui.widgets.frames import ElidedLabel, column, hairline, label, row
from workbench.ui.widgets.quantities import counted, number, seconds
from workbench.ui.widgets.raw_pane import RawPane
from workbench.ui.widgets.segments import Segments
from workbench.ui.widgets.shown_text import units

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from workbench.core.events import ChunkReceived
    from workbench.ui.run.run_view import ExchangeView, StepView
    from workbench.ui.run.span_index import PlacedPiece

LONGEST_LEXED = 65_536
ROOM_FOR_END = 460
"""Height from which a delta and the end of the stream are shown together."""


class WireTab(QWidget):
    """Request, response, headers and raw bytes of the chosen exchange."""

    piece_chosen = Signal(int)
    """A delta was chosen: its number among the pieces of the span index."""
    exchange_chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.rows = ChunkRows(self)
        self.table = ChunkTable(self.rows)
        self._step: StepView | None = None
        self._exchange: ExchangeView | None = None
        self._wanted = "response"
        self._title = label("", "section")
        self._status = label("", "label")
        self._line = ElidedLabel("", "mono_small")
        self._facts = ElidedLabel("", "label")
        self.tries = ComboField(name=tr("Which try"), small=True)
        self.segments = Segments(
            [("request", tr("Request")), ("response", tr("Response")), ("headers", tr("Headers")), ("raw", tr("Raw"))],
            spread=False,
        )
        self.text = RawPane(tr("Wire text"), size=11, line=15)
        self.record = RawPane(tr("One delta as sent"), size=11, line=15)
        self._ends = {
            name: label("", "mono_small", selectable=True) for name in ("finish_reason", "usage", tr("served model"))
        }
        self._nothing = label("", "empty", wrap=True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._nothing.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        self._nothing.setContentsMargins(px(12), px(8), px(12), px(8))
        self._one, self._end = QWidget(), QWidget()
        self._stack = QStackedWidget()
        self._set_up()

    def _set_up(self) -> None:
        self.tries.value_chosen.connect(self.exchange_chosen.emit)
        self.tries.hide()
        self.segments.choose("response")
        self.segments.chosen.connect(self._on_segment)
        self.table.row_chosen.connect(self._on_row)
        head = column(
            row(self._title, None, self._status), self._line, self._facts, self.tries, margins=(12, 12, 12, 6), gap=3
        )
        self._stack.addWidget(self._response_page())
        self._stack.addWidget(self._text_page())
        box = QVBoxLayout()
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addLayout(head)
        box.addLayout(row(self.segments, margins=(8, 2, 8, 8)))
        box.addWidget(hairline())
        box.addWidget(self._stack, 1)
        self.setLayout(box)

    def _response_page(self) -> QWidget:
        page = QWidget()
        self.record.setFixedHeight(px(5 * 15 + 6))
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(px(1))
        grid.setHorizontalSpacing(px(10))
        grid.setColumnStretch(1, 1)
        for line, (name, value) in enumerate(self._ends.items()):
            grid.addWidget(label(name, "mono_small"), line, 0, Qt.AlignmentFlag.AlignTop)
            value.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            grid.addWidget(value, line, 1)
        one = column(label(tr("One delta as sent"), "label"), self.record, margins=(12, 8, 12, 6), gap=6)
        self._one.setLayout(column(hairline(), one, gap=0))
        self._one.hide()
        ends = column(label(tr("End of stream"), "label"), grid, margins=(12, 8, 12, 8), gap=6)
        self._end.setLayout(column(hairline(), ends, gap=0))
        box = column(self._nothing, self.table, self._one, self._end, gap=0)
        box.setStretch(0, 1)
        box.setStretch(1, 1)
        page.setLayout(box)
        return page

    def _text_page(self) -> QWidget:
        page = QFrame()
        page.setLayout(column(self.text, margins=(12, 8, 4, 8)))
        return page

    @property
    def exchange(self) -> ExchangeView | None:
        """The exchange shown."""
        return self._exchange

    def show_exchange(self, step: StepView | None, exchange: ExchangeView | None) -> None:
        """Show one exchange of a step; of a refused one the body, for it holds no deltas."""
        self._step, self._exchange = step, exchange
        self.rows.reset(exchange.started_us if exchange else 0)
        if exchange is not None:
            self.rows.append(exchange.chunks)
        if exchange is None or exchange.ended_us is not None:
            self.table.scrollToTop()
        self._one.hide()
        self._fit()
        told = exchange is not None and exchange.error is not None and bool(exchange.chunks) and not self.rows.rows
        self.segments.choose("raw" if told else self._wanted)
        self.refresh()
        self._fill()

    def _on_segment(self, value: str) -> None:
        self._wanted = value
        self._fill()

    def grow(self, chunks: Sequence[ChunkReceived]) -> None:
        """Add chunks that arrived."""
        self.rows.append(chunks)

    def refresh(self) -> None:
        """Bring the lines above and below the table up to date."""
        step, exchange = self._step, self._exchange
        if step is None:
            return
        self._title.setText(step_place(step))
        self.tries.setVisible(len(step.exchanges) > 1)
        if exchange is None:
            self._status.setText(tr("not sent"))
            return
        self._status.setText(_status_words(exchange))
        method, path, host = endpoint_words(exchange.request)
        self._line.setText(f"{method} {path}")
        spent = (
            exchange.ended_us or max([exchange.started_us, *(c.at_us for c in exchange.chunks[-1:])])
        ) - exchange.started_us
        streamed = "stream" if step.request.stream else "whole"
        self._facts.setText(f"{host} · {streamed} · {seconds(spent)} · {counted(len(exchange.chunks), 'chunk')}")
        if len(step.exchanges) > 1:
            total = len(step.exchanges)
            self.tries.set_items(
                (tr("try {number} of {total}", number=one.number + 1, total=total), one.number)
                for one in step.exchanges
            )
            self.tries.choose(exchange.number)
        self._nothing.setText(_nothing_words(exchange))
        self._nothing.setVisible(not self.rows.rows)
        self.table.setVisible(bool(self.rows.rows))
        self._fill_ends(step)

    def _fill_ends(self, step: StepView) -> None:
        reply, usage = step.reply, step.usage
        words = tr("{input} in · {output} out", input=number(usage.input), output=number(usage.output))
        if usage.cached:
            words += tr(" · {cached:,} cached", cached=usage.cached)
        stop = tr(" (stopped at {stop_fired!r})", stop_fired=reply.stop_fired) if reply and reply.stop_fired else ""
        self._ends["finish_reason"].setText((reply.finish_reason + stop if reply else "") or "–")
        self._ends["usage"].setText(words)
        self._ends[tr("served model")].setText((reply.served_model or tr("not said")) if reply else "–")

    def _fill(self) -> None:
        value, exchange = self.segments.value, self._exchange
        self._stack.setCurrentIndex(0 if value == "response" else 1)
        if value == "response" or exchange is None:
            if exchange is None:
                self.text.show_text("")
            return
        match value:
            case "request":
                text = body_text(exchange.request.body)
                self.text.show_text(text, lexed_regions(text) if len(text) < LONGEST_LEXED else ())
            case "headers":
                self.text.show_text(headers_text(exchange.request.headers, exchange.status, exchange.headers))
            case _:
                self.text.show_text(raw_text(exchange.body()))

    def link(self, pieces: Sequence[PlacedPiece], start: int, end: int) -> None:
        """Mark the rows that carried characters of a source, and show the first one as sent."""
        rows = self.rows.link(pieces, start, end)
        if not rows:
            self._one.hide()
            self._fit()
            return
        self._show_record(rows[0])
        if (page := self.table.parentWidget()) is not None and (layout := page.layout()) is not None:
            layout.activate()  # the table has become shorter: only now is it known what is in sight
        self.table.show_row(rows[0])

    def _fit(self) -> None:
        """In a low inspector the deltas are worth more than the end of the stream, which the loop tells too."""
        self._end.setVisible(self._one.isHidden() or self.height() >= px(ROOM_FOR_END))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _on_row(self, index: int) -> None:
        self._show_record(index)
        piece = self.rows.rows[index].piece
        if piece is not None:
            self.piece_chosen.emit(piece)

    def _show_record(self, index: int) -> None:
        if self._exchange is None:
            return
        one = self.rows.rows[index]
        record = self._exchange.body()[one.at[0] : one.at[1]].decode("utf-8", "replace").rstrip("\r\n")
        linked = self.rows.linked(index)
        place = place_in_record(record, one.text, *linked) if linked else None
        regions = [Region("special", Span(*place))] if place else []
        self._one.show()
        self._fit()
        self.record.show_text(record, [region._replace(role="linked") for region in regions])  # type: ignore[arg-type]
        if place:
            cursor = self.record.textCursor()
            cursor.setPosition(units(record[: place[1]]))
            self.record.setTextCursor(cursor)
            self.record.ensureCursorVisible()


def _nothing_words(exchange: ExchangeView) -> str:
    """Why there is no delta: each kind of nothing has its own words."""
    if exchange.ended_us is None:
        return tr("no byte of the reply yet")
    if exchange.status is None:
        return tr("no answer came: nothing was received")
    if not exchange.chunks:
        return tr("the answer {status} came without a body", status=exchange.status)
    return tr("no delta in the answer: its bytes are under Raw")


def _status_words(exchange: ExchangeView) -> str:
    if exchange.error is not None and exchange.status is None:
        return exchange.error.kind.value.replace("_", " ")
    if exchange.status is None:
        return tr("no answer yet")
    return f"{exchange.status} OK" if exchange.status == 200 else str(exchange.status)
