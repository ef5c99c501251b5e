"""The first screen: recorded failures to explore and simulated models to run, before any key is typed in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QWidget

from workbench.ui.start.first_minute import FirstSteps, FoundServers
from workbench.ui.start.paste_answer import PasteAnswer
from workbench.ui.start.preview import ExamplePreview
from workbench.ui.start.rows import ExampleModel
from workbench.ui.theme.fonts import px
from workbench.ui.theme.theme import bound_width, fix_size
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.columns import column_table
from workbench.ui.widgets.frames import ElidedLabel, SectionHeader, column, frame, hairline, label, row
from workbench.ui.widgets.paste_field import PasteField
from workbench.ui.widgets.states import Glyph
from workbench.ui.widgets.tips import set_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from workbench.ui.run.glance import Glance
    from workbench.ui.start.rows import ExampleLine, PersonaLine

_ROW = 44
_CARD = 316


class PersonaCard(QFrame):
    """One simulated model: name, what it is like, its true fault rates, Run."""

    run_asked = Signal(str)

    def __init__(self, line: PersonaLine) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        name = f"{line.name} (planner)" if line.planner else line.name
        run = Button("Run", icon="play", small=True, on_click=lambda: self.run_asked.emit(line.name))
        run.setAccessibleName(f"Run {line.name}")
        rates = row(gap=4)
        for title, rate in line.rates[:2]:
            rates.addWidget(label(f"{rate:.0%}".replace("%", " %"), "strong"))
            rates.addWidget(label(title, "label"))
            rates.addSpacing(px(6))
        rates.addStretch(1)
        if not line.rates:
            rates.insertWidget(0, label("no built-in fault", "label"))
        summary = ElidedLabel(line.summary, "second")
        head = row(Glyph("flask", "text2", 16), label(name, "mono_strong"), None, run)
        set_tip(self, "\n".join(f"{title}: {rate:.0%}" for title, rate in line.rates))
        self.setLayout(column(head, summary, rates, margins=(16, 7, 12, 7), gap=2))
        bound_width(self, least=_CARD)


class PersonaStrip(QScrollArea):
    """The simulated models side by side; scrolls sideways where they do not fit."""

    run_asked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Simulated models")
        self._inside = frame("surface")
        self._box = QHBoxLayout()
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(0)
        self._inside.setLayout(self._box)
        self.setWidget(self._inside)
        fix_size(self, height=94)

    def show_lines(self, lines: Sequence[PersonaLine]) -> None:
        """Replace the cards."""
        while (item := self._box.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        for number, line in enumerate(lines):
            if number:
                self._box.addWidget(hairline(vertical=True))
            card = PersonaCard(line)
            card.run_asked.connect(self.run_asked)
            self._box.addWidget(card, 1)


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
        self.table = column_table("Recorded failures", _ROW, self.model)
        self.table.row_chosen.connect(self._on_row)
        self.table.row_opened.connect(lambda _row: self.open_chosen())
        self.preview = ExamplePreview()
        self.preview.open_button.clicked.connect(self.open_chosen)
        self.preview.reparse_button.clicked.connect(self.reparse_chosen)
        self.strip = PersonaStrip()
        self.strip.run_asked.connect(self.run_asked)
        self.header = SectionHeader("Recorded failures", "", label("F3 next problem", "label"))
        self.compare_button = Button(
            "Compare them", icon="scales", kind="quiet", small=True, tip="Set up a comparison over the built-in cases",
            on_click=self.compare_asked.emit,
        )  # fmt: skip
        self.personas_header = SectionHeader(
            "Simulated models", "served on this computer with known fault rates; always marked simulated",
            self.compare_button, height=36,
        )  # fmt: skip
        left = column(self.header, hairline(), self.table, gap=0)
        middle = row(gap=0)
        middle.addLayout(left, 1)
        middle.addWidget(hairline(vertical=True))
        middle.addWidget(self.preview)
        whole = column(self._hint_strip(), hairline(), gap=0)
        whole.addLayout(middle, 1)
        for widget in (hairline(strong=True), self.personas_header, hairline(), self.strip):
            whole.addWidget(widget)
        self.setLayout(whole)

    def _hint_strip(self) -> QWidget:
        strip = frame("surface")
        words = column(
            None,
            label("No key needed to start", "strong"),
            ElidedLabel("All below runs on this computer.", "second"),
            None,
            gap=2,
        )
        self.paste_field = PasteField(
            hint="Paste anything: a log line, an error body, curl, HAR, a stream, a reply", icon_name="clipboard-text",
            name="Paste anything to have it read",
        )  # fmt: skip
        self.paste_field.pasted.connect(self.paste_asked)
        self.paste_field.returnPressed.connect(lambda: self.paste_asked.emit(self.paste_field.text()))
        self.paste_button = Button("Paste", keys="Ctrl+Shift+V", on_click=self.paste_field.paste_now)
        set_tip(self.paste_button, "Read what is on the clipboard, whatever it is")
        self.provider_button = Button("Add provider", icon="plus", kind="primary", on_click=self.provider_asked.emit)
        box = row(Glyph("key", "accent", 18), words, margins=(16, 0, 12, 0), gap=12)
        box.setStretch(1, 2)
        box.addWidget(self.paste_field, 5)
        box.addWidget(self.paste_button)
        box.addWidget(self.provider_button)
        strip.setLayout(box)
        fix_size(strip, height=58)
        self.told = PasteAnswer()
        whole = frame("surface")
        self.servers, self.steps = FoundServers(), FirstSteps()
        whole.setLayout(column(strip, self.told, self.servers, self.steps, gap=0))
        return whole

    def show_examples(self, lines: Sequence[ExampleLine]) -> None:
        """Fill the list and choose its first line."""
        self.model.show_lines(lines)
        self.header.note.setText(f"{len(lines)} runs, read only, made for exploring")
        self.table.choose_row(0)

    def show_personas(self, lines: Sequence[PersonaLine]) -> None:
        """Fill the strip."""
        self.strip.show_lines(lines)

    def show_glance(self, example_id: str, glance: Glance, note: str = "") -> None:
        """Fill the preview, if that recording is still the chosen one."""
        line = self.chosen
        if line is not None and line.id == example_id:
            self.preview.show_run(glance, note)

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
        self.preview.setFixedWidth(max(px(340), min(px(419), self.width() * 31 // 100)))
