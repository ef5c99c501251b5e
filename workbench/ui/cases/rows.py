"""Suites and cases as two item models."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter

from workbench.core.case import suite_title
from workbench.settings.paths import shown
from workbench.ui.theme.fonts import mono_font, px, ui_font
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.columns import Column, TableModel
from workbench.ui.widgets.line_model import LineModel
from workbench.ui.widgets.painting import paint_text
from workbench.ui.widgets.quantities import counted


class SuiteLine(NamedTuple):
    """One suite in the list."""

    name: str
    cases: int
    read_only: bool = False
    faults: int = 0
    """Files that cannot be read as they stand."""

    @property
    def title(self) -> str:
        """Its name; a file from elsewhere without its folder, which is in the note."""
        return suite_title(self.name)

    @property
    def note(self) -> str:
        """`14 cases · built in, read only`."""
        words = [counted(self.cases, "case")]
        words += [shown(Path(self.name).parent)] if self.title != self.name else []
        words += [tr("built in, read only")] if self.read_only else []
        words += [tr("{faults} to mend", faults=self.faults)] if self.faults else []
        return " · ".join(words)


@dataclass(frozen=True, slots=True)
class CaseLine:
    """One case of the chosen suite."""

    key: str
    """Path of its file, with the case's place where the file holds several."""
    id: str
    title: str
    expects: str
    tags: str = ""
    fault: str = ""
    """Why its file cannot be read."""
    edited: bool = False
    """What stands in the editor is not saved."""
    read_only: str = ""
    """Why it cannot be edited in place."""


class SuiteModel(LineModel[SuiteLine]):
    """The list of suites."""

    def row_of(self, name: str) -> int:
        """Where a suite stands, or -1."""
        return next((row for row, line in enumerate(self._lines) if line.name == name), -1)

    def cell(self, line: SuiteLine, _column: int, role: int) -> Any:
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return line.title
            case Qt.ItemDataRole.AccessibleTextRole | Qt.ItemDataRole.ToolTipRole:
                return f"{line.title}, {line.note}"
        return None


def _tip(line: CaseLine) -> str:
    return line.fault or f"{line.title}\n{line.tags}".strip()


def _paint_case(painter: QPainter, rect: QRect, line: CaseLine, chosen: bool) -> None:
    t = tokens()
    upper = QRect(rect.left(), rect.top() + px(5), rect.width(), px(18))
    room = upper.adjusted(0, 0, -px(44) if line.edited else 0, 0)
    paint_text(painter, room, line.id, mono_font(12, bold=chosen), t.text, elide=Qt.TextElideMode.ElideMiddle)
    if line.edited:
        paint_text(painter, upper, tr("edited"), ui_font(11), t.accent, align=Qt.AlignmentFlag.AlignRight)
    words, colour = (line.fault, t.failed) if line.fault else (line.title, t.text3)
    paint_text(painter, upper.translated(0, px(17)), words, ui_font(11), colour)


COLUMNS: tuple[Column[CaseLine], ...] = (
    Column(tr("Case"), lambda line: line.id, tip=_tip, left=16, paint=_paint_case, sort=lambda line: line.id.lower()),
    Column(tr("Expects"), lambda line: line.expects, 144, tip=_tip, size=11, sort=lambda line: line.expects),
)


class CaseModel(TableModel[CaseLine]):
    """The cases of the chosen suite."""

    columns = COLUMNS

    def spoken(self, line: CaseLine) -> str:
        state = tr(", not saved") if line.edited else tr(", cannot be read") if line.fault else ""
        return f"{line.id}, {line.title}, {line.expects}{state}"

    def replace_line(self, line: CaseLine) -> None:
        """Show one case differently, such as while it is edited."""
        row = self.row_of(line.key)
        if row >= 0 and self._lines[row] != line:
            self.replace_row(row, line)

    def row_of(self, key: str) -> int:
        """Where a case stands, or -1."""
        return next((row for row, line in enumerate(self._lines) if line.key == key), -1)

    def row_of_id(self, case_id: str) -> int:
        """Where the case of an id stands, or -1."""
        return next((row for row, line in enumerate(self._lines) if line.id == case_id), -1)
