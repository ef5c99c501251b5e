"""The tab Size: what the records take by table and year, how long they are kept, and giving room back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QWidget

from workbench.store.retention import Retention
from workbench.ui.theme.fonts import px
from workbench.ui.theme.theme import fix_size
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.fields import NumberField
from workbench.ui.widgets.frames import SectionHeader, column, frame, hairline, label, row
from workbench.ui.widgets.quantities import counted

if TYPE_CHECKING:
    from workbench.store.room import Room

_NAMES = {
    "events": tr("Events"), "chunks": tr("Received bytes"), "blobs": tr("Large documents"), "run_text": tr("Search index"),
    "chain": tr("Chain of hashes"), "runs": tr("Lines of the history"), "run_details": tr("Prompts and targets"),
    "steps": tr("Places of replies"), "toolsets": tr("Tools of runs"), "batches": tr("Comparisons"), "batch_items": tr("Graded runs"),
}  # fmt: skip
_FEWEST = 4
"""Tables that are named; the small ones are summed up."""


class SizePanel(QFrame):
    """A meter, two limits and what they would remove, and the acts that free room."""

    rule_changed = Signal()
    apply_asked = Signal()
    shrink_asked = Signal()
    check_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.head = SectionHeader(tr("Size of the history"), "", height=40)
        self._lines = QGridLayout()
        self._lines.setContentsMargins(0, 0, 0, 0)
        self._lines.setHorizontalSpacing(px(24))
        self._lines.setVerticalSpacing(px(6))
        self.days = NumberField(tr("Keep days"), 0, 36_500, 0, zero=tr("for ever"))
        self.megabytes = NumberField(tr("Keep megabytes"), 0, 100_000_000, 0, zero=tr("any size"))
        for field in (self.days, self.megabytes):
            fix_size(field, width=96)
            field.value_changed.connect(lambda _value: self.rule_changed.emit())
        self.would_go = label("", "second")
        self.apply = Button(
            tr("Keep so"),
            icon="check",
            tip=tr("Save these limits, and remove for good what they leave no room for"),
            on_click=self.apply_asked.emit,
        )
        self.shrink = Button(tr("Give room back"), icon="database", tip=tr("Write the file anew without its empty pages"),
                             on_click=self.shrink_asked.emit)  # fmt: skip
        self.check = Button(tr("Check"), icon="check", tip=tr("Look for damage and follow the chain of hashes over every run"),
                            on_click=self.check_asked.emit)  # fmt: skip
        self.found = label("", "second", wrap=True, selectable=True)
        self._lay_out()

    def _lay_out(self) -> None:
        inside = frame("surface")
        keep = row(label(tr("Keep runs for"), "body"), self.days, label(tr("days"), "second"), label(tr("and at most"), "body"),
                   self.megabytes, label("MB", "second"), None, gap=8)  # fmt: skip
        acts = row(self.apply, self.shrink, self.check, None, gap=8)
        holder = QWidget()
        holder.setLayout(self._lines)
        body = column(holder, keep, self.would_go, acts, self.found, margins=(16, 14, 16, 14), gap=14)
        body.addStretch(1)
        inside.setLayout(body)
        area = QScrollArea()
        area.setAccessibleName(tr("What the records take"))
        area.setWidgetResizable(True)
        area.setWidget(inside)
        self.setLayout(column(self.head, hairline(), area, gap=0))

    @property
    def rule(self) -> Retention:
        """The limits as they stand in the fields."""
        return Retention(self.days.value, self.megabytes.value)

    def show_rule(self, rule: Retention) -> None:
        """Show limits without telling of it."""
        for field, value in ((self.days, rule.days), (self.megabytes, rule.megabytes)):
            field.set_value(value)

    def begin(self) -> None:
        """It is measured."""
        self.head.note.setText(tr("measuring …"))

    def show_room(self, found: Room, rule: Retention) -> None:
        """Show what was measured."""
        self.head.note.setText(tr("{total}, of which {free} stand empty", total=_mb(found.total), free=_mb(found.free)))
        while (item := self._lines.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.deleteLater()
        names = list(found.tables.items())
        rest = sum(size for _, size in names[_FEWEST:])
        tables = [(_NAMES.get(name, name), _mb(size)) for name, size in names[:_FEWEST]]
        tables += [(tr("Everything else"), _mb(rest))] if rest else []
        years = [(str(year), f"{counted(kept.runs, 'run')}, {_mb(kept.bytes)}") for year, kept in found.years.items()]
        years += [(tr("In the bin"), f"{counted(found.binned.runs, 'run')}, {_mb(found.binned.bytes)}")]
        for at, lines in enumerate((tables, years)):
            for line, (name, size) in enumerate(lines):
                self._lines.addWidget(label(name, "second"), line, at * 2)
                self._lines.addWidget(label(size, "body", selectable=True), line, at * 2 + 1)
        self._lines.setColumnStretch(4, 1)
        gone = found.would_go
        words = tr("These limits would remove {runs}, {bytes}.", runs=counted(gone.runs, "run"), bytes=_mb(gone.bytes))
        self.would_go.setText(words if any(rule) else tr("Nothing is removed: everything is kept for ever."))

    def say(self, words: str) -> None:
        """What an act came to."""
        self.found.setText(words)


def _mb(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"
