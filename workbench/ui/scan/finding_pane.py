"""The right column: one finding with its judgement, its characters, who reads it how, what was lost, what stood around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget

from workbench.ui.run.raw_editor import RawEditor
from workbench.ui.scan.detail import Detail, ReaderLine
from workbench.ui.theme.fonts import px
from workbench.ui.theme.theme import bound_height, fix_size
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.chips import Chip
from workbench.ui.widgets.columns import Column, TableModel, column_table
from workbench.ui.widgets.frames import ElidedLabel, column, frame, hairline, label, row
from workbench.ui.widgets.marks import VerdictLabel
from workbench.ui.widgets.paragraph import Paragraph, TextRun
from workbench.ui.widgets.segments import Segments
from workbench.ui.widgets.states import Emptiness, Glyph

if TYPE_CHECKING:
    from workbench.ui.scan.lines import GroupLine

VIEWS = [("raw", tr("Raw")), ("parsed", tr("Parsed")), ("line", tr("In the file"))]
_ROW, _CHIP = 28, 30
_NOTHING = (tr("No finding chosen"), tr("Choose a row to see its characters and who is to blame."))


class ReaderModel(TableModel[ReaderLine]):
    """Who reads the text, how many calls come of it."""

    columns: ClassVar[tuple[Column[Any], ...]] = (
        Column(tr("Reader"), lambda line: line.reader, 180, mono=True, size=11, token="text", left=16),
        Column(tr("Calls"), lambda line: line.calls, 74, token="text"),
        Column(tr("What it says"), lambda line: line.says, 0),
    )


class FindingPane(QFrame):
    """Shows a `Detail`; empty until one is chosen."""

    keep_asked = Signal()
    open_asked = Signal()
    report_asked = Signal()
    forensics_asked = Signal()
    format_asked = Signal()
    mark_asked = Signal()
    view_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self._detail: Detail | None = None
        self.mark = Button(
            icon="push-pin", kind="quiet", small=True, tip=tr("Mark"), keys="M", on_click=self.mark_asked.emit
        )
        self.forensics = Button(
            icon="stack",
            kind="quiet",
            small=True,
            tip=tr("All formats over this text"),
            keys="F",
            on_click=self.forensics_asked.emit,
        )
        self.word, self.kind = label("", "failed"), label("", "mono")
        self.title, self.sentence = Paragraph(), Paragraph()
        self.chips = row(gap=6)
        self.confidence = ElidedLabel("", "label")
        self.views = Segments(VIEWS)
        self.place = ElidedLabel("", "label")
        self.raw = RawEditor()
        self.raw.setReadOnly(True)
        self.raw.setPlaceholderText(tr("0 characters"))
        self.raw.document().documentLayout().documentSizeChanged.connect(lambda _size: self._fit_raw())
        self.readers = ReaderModel(self)
        self.table = column_table(tr("Readers"), _ROW, self.readers)
        self.lost_title, self.lost, self.fits = label(tr("What was lost"), "strong"), Paragraph(), Paragraph()
        self.around_title, self.around = label(tr("Before and after"), "strong"), column(gap=6)
        self.keep = Button(
            tr("Keep as case"),
            icon="bookmark-simple",
            kind="primary",
            keys="Ctrl+E",
            tip=tr("Keep as case"),
            on_click=self.keep_asked.emit,
        )
        self.report = Button(
            tr("Report upstream"), icon="export", tip=tr("Report upstream (U)"), on_click=self.report_asked.emit
        )
        self.open = Button(tr("Open"), icon="play", tip=tr("Open as a run (↵)"), on_click=self.open_asked.emit)
        self.format = Button(
            tr("Make a format"),
            icon="code",
            small=True,
            tip=tr("Draft a format from all findings in this markup (D)"),
            on_click=self.format_asked.emit,
        )
        self.nothing = Emptiness("file-search", *_NOTHING)
        self.views.chosen.connect(self._on_view)
        self._lay_out()
        self.show_detail(None)

    def _lay_out(self) -> None:
        head = row(
            VerdictLabel("fail", word=False, size=12),
            self.word,
            self.kind,
            None,
            self.mark,
            self.forensics,
            margins=(16, 0, 8, 0),
        )
        top = frame("surface")
        top.setLayout(head)
        bound_height(top, 44)
        told = column(self.title, self.sentence, self._about_row(), margins=(16, 8, 16, 10), gap=4)
        raw_head = row(label(tr("Raw text"), "strong"), self.place, self.views, margins=(16, 8, 8, 4))
        raw_head.setStretch(1, 1)
        below = column(
            self.lost_title, self.lost, self._fits_row(), 4, self.around_title, self.around,
            margins=(16, 10, 16, 12), gap=6,
        )  # fmt: skip
        inside = frame("surface")
        body = column(told_frame(told), hairline(), gap=0)
        body.addLayout(raw_head)
        body.addWidget(self.raw, 100)
        body.addWidget(hairline())
        body.addWidget(self.table)
        body.addLayout(below)
        body.addStretch(1)
        inside.setLayout(body)
        self.body_scroll = QScrollArea()
        self.body_scroll.setAccessibleName(tr("Chosen finding"))
        self.body_scroll.setWidgetResizable(True)
        self.body_scroll.setFrameShape(QFrame.Shape.NoFrame)
        self.body_scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.body_scroll.setWidget(inside)
        foot = frame("surface")
        foot.setLayout(row(self.keep, self.report, None, self.open, margins=(16, 8, 16, 8)))
        whole = column(top, hairline(), self.body_scroll, hairline(), foot, gap=0)
        whole.setStretch(2, 1)
        self._shown = QWidget()
        self._shown.setLayout(whole)
        both = column(self._shown, self.nothing, gap=0)
        self.setLayout(both)

    def _about_row(self) -> Any:
        made = row(self.chips, self.format, self.confidence)
        self.confidence.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        made.setStretch(2, 1)
        return made

    def _fits_row(self) -> Any:
        self.tick = Glyph("check", "accent", 14)
        made = row(self.tick, self.fits, gap=6)
        made.setStretch(1, 1)
        return made

    @property
    def detail(self) -> Detail | None:
        """What is shown."""
        return self._detail

    def show_none(self, *, matches: bool = True) -> None:
        """Say that no finding is chosen, or that the filter leaves none."""
        if matches:
            self.nothing.set_state("file-search", *_NOTHING)
        else:
            self.nothing.set_state("funnel", tr("No finding matches"), tr("Backspace shows all findings again."))
        self.show_detail(None)

    def show_waiting(self, group: GroupLine, word: str) -> None:
        """Say which finding is being read, before its formats are asked."""
        self.word.setText(word)
        self.kind.setText(group.shown.kind)
        self.show_marked(marked=group.marked)

    def show_narrow(self, *, narrow: bool) -> None:
        """Say less on the buttons of a narrow window; their tips say the rest."""
        for button, word in ((self.keep, tr("Keep")), (self.report, tr("Report"))):
            whole = tr("Keep as case") if button is self.keep else tr("Report upstream")
            button.setText(word if narrow else whole)
            button.setAccessibleName(whole)
            button.updateGeometry()

    def show_marked(self, *, marked: bool) -> None:
        """Say whether the finding is marked."""
        self.mark.set_kind("chosen" if marked else "quiet")

    def show_detail(self, detail: Detail | None) -> None:
        """Show a finding; None: nothing is chosen."""
        self._detail = detail
        self._shown.setVisible(detail is not None)
        self.nothing.setVisible(detail is None)
        if detail is None:
            return
        self.word.setText(detail.word)
        self.kind.setText(detail.kind)
        self.show_marked(marked=detail.marked)
        self.title.show_runs([TextRun(detail.title, bold=True, token="failed")])
        self.sentence.show_runs([TextRun(detail.headline, bold=True), TextRun(f" {detail.sentence}")])
        self._show_chips(detail)
        self.format.setVisible(detail.unknown)
        self.confidence.setText(detail.confidence)
        self._show_view()
        self.readers.show_lines(detail.readers)
        self.table.setFixedHeight(px(26) + px(_ROW) * len(detail.readers) + 2)
        for widget in (self.lost_title, self.lost):
            widget.setVisible(bool(detail.lost))
        self.lost.show_runs(list(detail.lost))
        self.tick.setVisible(bool(detail.fits))
        self.fits.setVisible(bool(detail.fits))
        known = {True: ("check", "accent"), False: ("x", "failed"), None: ("info", "text3")}
        self.tick.set_icon(*known[detail.fits_well])
        self.fits.show_runs([TextRun(detail.fits, token="text2")])
        self._show_around(detail)

    def show_view(self, value: str) -> None:
        """Show the raw text, what is read of it, or the line of the log."""
        self.views.choose(value)
        self._show_view()

    def _fit_raw(self) -> None:
        """Give a short text no more room than it fills, and a long one a piece that can be scrolled."""
        wanted = min(round(self.raw.document().size().height()), px(4_000)) + px(24)
        self.raw.setMaximumHeight(max(wanted, px(60)))
        self.raw.setMinimumHeight(min(max(wanted, px(60)), px(200)))

    def _on_view(self, value: str) -> None:
        self._show_view()
        self.view_chosen.emit(value)

    def _show_view(self) -> None:
        detail = self._detail
        if detail is None:
            return
        self.views.button("line").setEnabled(bool(detail.line_text))
        if self.views.value == "line" and not detail.line_text:
            self.views.choose("raw")
        text = {"raw": detail.raw, "parsed": detail.parsed, "line": detail.line_text}[self.views.value]
        is_raw = self.views.value == "raw"
        self.raw.set_first_number({"raw": detail.first_line, "line": detail.file_line}.get(self.views.value, 1))
        self.place.setText(detail.place)
        self.raw.show_text(text)
        self.raw.setReadOnly(True)
        self.raw.set_regions(detail.regions if is_raw else ())
        self.raw.set_linked(*([detail.span] if is_raw and detail.span.end > detail.span.start else []))
        if is_raw and detail.span.start > 0:
            self.raw.jump(detail.span)

    def _show_chips(self, detail: Detail) -> None:
        _empty(self.chips)
        for text in detail.chips:
            self.chips.addWidget(Chip(text if len(text) <= _CHIP else f"{text[: _CHIP - 1]}…", "plain", tip=text))

    def _show_around(self, detail: Detail) -> None:
        _empty(self.around)
        self.around_title.setVisible(bool(detail.around))
        for role, text in detail.around:
            who = label(role, "label")
            fix_size(who, width=44)
            who.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
            line = QWidget()
            box = row(who, Paragraph(text), gap=4)
            box.setStretch(1, 1)
            box.setAlignment(who, Qt.AlignmentFlag.AlignTop)
            line.setLayout(box)
            self.around.addWidget(line)


def told_frame(box: Any) -> QFrame:
    """The judgement on a ground of its own."""
    made = frame("surface")
    made.setLayout(box)
    return made


def _empty(box: Any) -> None:
    while (item := box.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()
