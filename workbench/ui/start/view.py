"""The first screen: recorded failures to explore and simulated models to run, before any key is typed in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QWidget

from workbench.ui.start.first_minute import FirstSteps, FoundServers
from workbench.ui.start.paste_answer import PasteAnswer
from workbench.ui.start.preview import ExamplePreview
from workbench.ui.start.rows import ExampleModel
from workbench.ui.theme.fonts import px, scale
from workbench.ui.theme.theme import bound_width
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.columns import column_table
from workbench.ui.widgets.frames import ElidedLabel, SectionHeader, column, frame, hairline, label, row
from workbench.ui.widgets.paste_field import PasteField
from workbench.ui.widgets.stacking import StackRow
from workbench.ui.widgets.states import Glyph
from workbench.ui.widgets.tab_order import tab_through
from workbench.ui.widgets.tips import set_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from workbench.ui.run.glance import Glance
    from workbench.ui.start.first_minute import StepLine
    from workbench.ui.start.rows import ExampleLine, PersonaLine

_ROW = 44
_CARD, _CARD_HEIGHT = 288, 94
_PREVIEW = 419
_STACK_BELOW = 700
"""Width of the page below which its parts stand one under the other."""


class PersonaCard(QFrame):
    """One simulated model: name, what it is like, its true fault rates, Run."""

    run_asked = Signal(str)

    def __init__(self, line: PersonaLine) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        name = f"{line.name} (planner)" if line.planner else line.name
        run = Button(tr("Run"), icon="play", small=True, on_click=lambda: self.run_asked.emit(line.name))
        run.setAccessibleName(tr("Run {line}", line=line.name))
        rates = row(gap=4)
        for title, rate in line.rates[:2]:
            rates.addWidget(label(f"{rate:.0%}".replace("%", " %"), "strong"))
            rates.addWidget(ElidedLabel(title, "label"))
            rates.addSpacing(px(6))
        rates.addStretch(1)
        if not line.rates:
            rates.insertWidget(0, label(tr("no built-in fault"), "label"))
        summary = ElidedLabel(line.summary, "second")
        head = row(Glyph("flask", "text2", 16), label(name, "mono_strong"), None, run)
        set_tip(self, "\n".join(f"{title}: {rate:.0%}" for title, rate in line.rates))
        self.setLayout(column(head, summary, rates, margins=(16, 7, 12, 7), gap=2))
        bound_width(self, least=_CARD)


class PersonaStrip(QScrollArea):
    """The simulated models side by side, to be scrolled sideways; or in rows, as high as they are."""

    run_asked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(tr("Simulated models"))
        self._inside = frame("surface")
        self._box = QGridLayout()
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(0)
        self._inside.setLayout(self._box)
        self.setWidget(self._inside)
        self._cards: list[QWidget] = []
        self._in_rows = False
        self._place()

    def show_lines(self, lines: Sequence[PersonaLine]) -> None:
        """Replace the cards."""
        for old in self._cards:
            old.hide()
            old.deleteLater()
        self._cards = []
        for line in lines:
            card = PersonaCard(line)
            card.run_asked.connect(self.run_asked)
            self._cards.append(frame("surface"))
            self._cards[-1].setLayout(row(card, hairline(vertical=True), gap=0))
        self._place()

    def show_rows(self, in_rows: bool) -> None:
        """Show all below each other, in as many columns as there is room for."""
        self._in_rows = in_rows
        self._place()

    def _place(self) -> None:
        seen = max(1, self.width() // px(_CARD))
        across = seen if self._in_rows else max(1, len(self._cards))
        for at, card in enumerate(self._cards):
            card.setMinimumWidth(0 if self._in_rows else self.width() // seen)  # none is cut before it is scrolled to
            self._box.addWidget(card, at // across, at % across)
        self.setFixedHeight(px(_CARD_HEIGHT) * max(1, -(-len(self._cards) // across)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.StyleChange and hasattr(self, "_cards"):  # Qt asks before the object is whole
            self._place()


class StartView(QFrame):
    """Hint strip, list of recordings with a preview, strip of simulated models."""

    example_chosen = Signal(str)
    open_asked = Signal(str)
    reparse_asked = Signal(str)
    run_asked = Signal(str)
    paste_asked = Signal(str)
    provider_asked = Signal()
    compare_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.model = ExampleModel(self)
        self.table = column_table(tr("Recorded failures"), _ROW, self.model)
        self.table.row_chosen.connect(self._on_row)
        self.table.row_opened.connect(lambda _row: self.open_chosen())
        self.preview = ExamplePreview()
        self.preview.open_button.clicked.connect(self.open_chosen)
        self.preview.reparse_button.clicked.connect(self.reparse_chosen)
        self.strip = PersonaStrip()
        self.strip.run_asked.connect(self.run_asked)
        self.header = SectionHeader(tr("Recorded failures"), "", label(tr("F3 next problem"), "label"))
        self.compare_button = Button(
            tr("Compare them"), icon="scales", kind="quiet", small=True, tip=tr("Set up a comparison over the built-in cases"),
            on_click=self.compare_asked.emit,
        )  # fmt: skip
        self.personas_header = SectionHeader(
            tr("Simulated models"), tr("served on this computer with known fault rates; always marked simulated"),
            self.compare_button, height=36,
        )  # fmt: skip
        left = column(self.header, hairline(), self.table, gap=0)
        lists = frame("surface")
        lists.setLayout(left)
        self._panes = StackRow(
            lists, self.preview, below=_STACK_BELOW, widths=(0, _PREVIEW), heights=(300, 340), ruled=True
        )
        self._panes.turned.connect(self.strip.show_rows)
        whole = column(self._hint_strip(), hairline(), self._panes, gap=0)
        whole.setStretch(2, 1)
        for widget in (hairline(strong=True), self.personas_header, hairline(), self.strip):
            whole.addWidget(widget)
        self.setLayout(whole)

    def _hint_strip(self) -> QWidget:
        strip = frame("surface")
        words = column(
            None,
            label(tr("No key needed to start"), "strong"),
            ElidedLabel(tr("All below runs on this computer."), "second"),
            None,
            gap=2,
        )
        self.paste_field = PasteField(
            hint=tr("Paste anything: a log line, an error body, curl, HAR, a stream, a reply"), icon_name="clipboard-text",
            name=tr("Paste anything to have it read"),
        )  # fmt: skip
        self.paste_field.pasted.connect(self.paste_asked)
        self.paste_field.returnPressed.connect(lambda: self.paste_asked.emit(self.paste_field.text()))
        self.paste_button = Button(tr("Paste"), keys="Ctrl+Shift+V", on_click=self.paste_field.paste_now)
        set_tip(self.paste_button, tr("Read what is on the clipboard, whatever it is"))
        self.provider_button = Button(
            tr("Add provider"), icon="plus", kind="primary", on_click=self.provider_asked.emit
        )
        said, asked = QWidget(), QWidget()
        said.setLayout(row(Glyph("key", "accent", 18), words, gap=12))
        asked.setLayout(row(self.paste_field, self.paste_button, self.provider_button, gap=12))
        box = StackRow(said, asked, below=_STACK_BELOW, margins=(16, 12, 12, 12), gap=12)
        box.set_shares(2, 7)
        strip.setLayout(column(box))
        self.told = PasteAnswer()
        whole = frame("surface")
        self.servers, self.steps = FoundServers(), FirstSteps()
        whole.setLayout(column(strip, self.told, self.servers, self.steps, gap=0))
        return whole

    def show_examples(self, lines: Sequence[ExampleLine]) -> None:
        """Fill the list and choose its first line."""
        self.model.show_lines(lines)
        self.header.note.setText(tr("{lines} runs, read only, made for exploring", lines=len(lines)))
        self.table.choose_row(0)

    def show_personas(self, lines: Sequence[PersonaLine]) -> None:
        """Fill the strip."""
        self.strip.show_lines(lines)

    def show_glance(self, example_id: str, glance: Glance, note: str = "") -> None:
        """Fill the preview, if that recording is still the chosen one."""
        line = self.chosen
        if line is not None and line.id == example_id:
            self.preview.show_run(glance, note)
            self.order_tabs()

    def show_steps(self, steps: Sequence[StepLine]) -> None:
        """Show how far somebody is."""
        if self.steps.show_steps(steps):
            self.order_tabs()

    def order_tabs(self) -> None:
        """The keyboard walks the page as it is read, also through what came later."""
        steps, shown = self.steps, self.preview
        order = (
            self.paste_field, self.paste_button, self.provider_button, *self.servers.findChildren(Button),
            *steps.buttons.values(), steps.close_button, self.table, *shown.glance.stops(), shown.open_button,
            shown.reparse_button, self.compare_button, self.strip, *self.strip.findChildren(Button),
        )  # fmt: skip
        tab_through(order)

    @property
    def chosen(self) -> ExampleLine | None:
        """The recording that is chosen."""
        at = self.table.currentIndex().row()
        return self.model.line(at) if at >= 0 else None

    def choose_next_problem(self, step: int = 1) -> None:
        """Choose the next recording that did not pass."""
        at = max(0, self.table.currentIndex().row())
        self.table.choose_row(self.model.next_problem(at, step))

    def choose_next(self, step: int = 1) -> None:
        """Choose the next recording."""
        self.table.choose_row(self.table.currentIndex().row() + step)

    def open_chosen(self) -> None:
        """Ask to show the chosen recording in Try."""
        if self.chosen is not None:
            self.open_asked.emit(self.chosen.id)

    def reparse_chosen(self) -> None:
        """Ask to read the chosen recording again."""
        if self.chosen is not None:
            self.reparse_asked.emit(self.chosen.id)

    def focus_panes(self) -> list[QWidget]:
        """Where F6 goes."""
        return [self.table, self.preview, self.strip]

    def _on_row(self, at: int) -> None:
        if at >= 0:
            line = self.model.line(at)
            self.preview.show_line(line)
            self.example_chosen.emit(line.id)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._panes.set_width(1, max(340, min(_PREVIEW, int(self.width() / scale() * 0.31))))
