"""What the parsers of model servers read in the same reply: a line each with its version, and the difference in a sentence."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtWidgets import QFrame

from workbench.ui.theme.theme import fix_size
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.columns import Column, TableModel, column_table
from workbench.ui.widgets.frames import SectionHeader, column, hairline, label

_ROW, _ROWS = 28, 4


@dataclass(frozen=True, slots=True)
class EngineLine:
    """One parser of one server."""

    name: str
    """`sglang 0.5.1 qwen25`."""
    format: str
    whole: str
    """`1 call`, or that it failed."""
    streamed: str
    told: str
    """What it does otherwise than our strict reading."""


COLUMNS: tuple[Column[EngineLine], ...] = (
    Column(tr("Server and parser"), lambda line: line.name, 210, left=16, mono=True, size=11, token="text"),
    Column(tr("Format"), lambda line: line.format, 110, mono=True, size=11),
    Column(tr("Whole"), lambda line: line.whole, 80),
    Column(tr("Streamed"), lambda line: line.streamed, 80),
    Column(tr("What it does otherwise"), lambda line: line.told, token="text"),
)


class EngineModel(TableModel[EngineLine]):
    """The list of parsers."""

    columns = COLUMNS


class EnginesPanel(QFrame):
    """Hidden until the servers are asked."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.model = EngineModel(self)
        self.table = column_table(tr("Parsers of servers"), _ROW, self.model)
        self.close_button = Button(icon="x", kind="quiet", small=True, tip=tr("Close the list"), on_click=self.hide)
        self.head = SectionHeader(tr("Which server loses it?"), "", self.close_button, height=36)
        self.missing = label("", "second", wrap=True, selectable=True)
        self.missing.setContentsMargins(16, 4, 16, 8)
        self.setLayout(column(hairline(strong=True), self.head, hairline(), self.table, self.missing, gap=0))
        self.hide()

    def begin(self) -> None:
        """They are asked."""
        self.model.show_lines(())
        self.head.note.setText(tr("asking: a server's package takes long to load"))
        self.missing.hide()
        self.table.hide()
        self.show()

    def show_lines(self, lines: list[EngineLine], missing: str) -> None:
        """Show what they said, and in a sentence what is not there."""
        self.model.show_lines(lines)
        fix_size(self.table, height=_ROW * (min(len(lines), _ROWS) + 1))
        self.table.setVisible(bool(lines))
        self.head.note.setText(tr("against our strict reading") if lines else "")
        self.missing.setText(missing)
        self.missing.setVisible(bool(missing))
        self.show()
