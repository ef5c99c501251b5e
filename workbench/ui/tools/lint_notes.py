"""Notes of the linter on one tool: what is wrong or worth knowing, what follows from it, a fix where one is safe."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QWidget

from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.frames import SectionHeader, column, hairline, row
from workbench.ui.widgets.paragraph import Paragraph, TextRun
from workbench.ui.widgets.quantities import counted
from workbench.ui.widgets.states import Glyph

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST = 4


class NoteLine(NamedTuple):
    """One note as it is shown."""

    message: str
    consequence: str
    wrong: bool
    fixable: bool


class LintNotes(QFrame):
    """Hidden where there is nothing to say."""

    fix_asked = Signal(int)
    """Number of the note."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.head = SectionHeader(tr("Notes of the linter"), "", height=32)
        self._lines = QWidget()
        self.buttons: list[Button] = []
        self.setLayout(column(hairline(), self.head, self._lines, gap=0))
        self.hide()

    def show_notes(self, notes: Sequence[NoteLine], *, editable: bool) -> None:
        """Show the first notes; the heading counts all."""
        made, self.buttons = QWidget(), []
        box = column(margins=(16, 0, 16, 8), gap=6)
        for number, note in enumerate(notes[:_MOST]):
            glyph = Glyph("x" if note.wrong else "minus", "failed" if note.wrong else "text3", 12)
            words = Paragraph(TextRun(note.message), TextRun(f"  {note.consequence}", token="text3"))
            line = row(glyph, words)
            line.setStretch(1, 1)
            if note.fixable and editable:
                fix = Button(
                    tr("Fix"), icon="magic-wand", small=True, tip=tr("Mend it: {message}", message=note.message)
                )
                fix.clicked.connect(lambda _checked=False, at=number: self.fix_asked.emit(at))
                line.addWidget(fix)
                self.buttons.append(fix)
            box.addLayout(line)
        made.setLayout(box)
        layout = self.layout()
        assert layout is not None
        layout.replaceWidget(self._lines, made)
        self._lines.deleteLater()
        self._lines = made
        more = tr(" · {notes} more", notes=len(notes) - _MOST) if len(notes) > _MOST else ""
        self.head.note.setText(f"{counted(len(notes), 'note')}{more}")
        self.setVisible(bool(notes))
