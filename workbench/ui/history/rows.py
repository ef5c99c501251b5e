"""The history's table: rows by pages of 256, read by key as the user scrolls, so that a million runs cost nothing."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from workbench.ui.widgets.quantities import full_time, short_time

if TYPE_CHECKING:
    from collections.abc import Sequence

AnyIndex = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
PAGE = 256
COLUMNS = ("Verdict", "Time ↓", "Prompt", "Model", "Format", "Code", "s")
VERDICT, TIME, PROMPT, MODEL, FORMAT, CODE, SECONDS = range(7)


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """One run."""

    id: str
    number: int
    started_us: int
    state: str
    """A verdict state."""
    reason: str
    prompt: str
    provider: str
    model: str
    format: str
    mode: str
    codes: tuple[str, ...]
    seconds: float
    simulated: bool = False
    marked: bool = False
    """Kept at hand to be compared with another run."""

    @property
    def code(self) -> str:
        """The failure code that counts most."""
        return self.codes[0] if self.codes else ""


class HistoryModel(QAbstractTableModel):
    """Shows what has been read; asks for the next page when the view comes near the end."""

    page_wanted = Signal(str)
    """The id after which the next page begins."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lines: list[HistoryLine] = []
        self._rows: dict[str, int] = {}
        self._more = False
        self._asked = False
        self._now = datetime.now().astimezone()

    def show_first(self, lines: Sequence[HistoryLine], now: datetime | None = None) -> None:
        """Start anew with a first page."""
        self.beginResetModel()
        self._now = now or datetime.now().astimezone()
        self._lines = list(lines)
        self._rows = {line.id: row for row, line in enumerate(self._lines)}
        self._more = len(lines) >= PAGE
        self._asked = False
        self.endResetModel()

    def add_page(self, lines: Sequence[HistoryLine]) -> None:
        """Append the next page; a short one is the last."""
        self._asked = False
        self._more = len(lines) >= PAGE
        fresh = [line for line in lines if line.id not in self._rows]
        if not fresh:
            return
        first = len(self._lines)
        self.beginInsertRows(QModelIndex(), first, first + len(fresh) - 1)
        self._lines += fresh
        self._rows.update((line.id, first + at) for at, line in enumerate(fresh))
        self.endInsertRows()

    def replace_line(self, line: HistoryLine) -> None:
        """Show one run differently, such as after it ended."""
        row = self._rows.get(line.id)
        if row is not None:
            self._lines[row] = line
            self.dataChanged.emit(self.index(row, 0), self.index(row, len(COLUMNS) - 1))

    def remove(self, run_id: str) -> None:
        """Take one run out of the list."""
        row = self._rows.get(run_id)
        if row is None:
            return
        self.beginRemoveRows(QModelIndex(), row, row)
        del self._lines[row]
        self._rows = {line.id: at for at, line in enumerate(self._lines)}
        self.endRemoveRows()

    def line(self, row: int) -> HistoryLine:
        """Return one run."""
        return self._lines[row]

    def row_of(self, run_id: str) -> int:
        """Return where a run stands, or -1."""
        return self._rows.get(run_id, -1)

    def canFetchMore(self, parent: AnyIndex) -> bool:
        return not parent.isValid() and self._more and not self._asked

    def fetchMore(self, parent: AnyIndex) -> None:
        if self.canFetchMore(parent):
            self._asked = True
            self.page_wanted.emit(self._lines[-1].id)

    def rowCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._lines)

    def columnCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        line = self._lines[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._text(line, index.column())
            case Qt.ItemDataRole.ToolTipRole:
                return self._tip(line, index.column())
            case Qt.ItemDataRole.AccessibleTextRole if index.column() == VERDICT:
                marked = ", marked" if line.marked else ""
                return f"run {line.number}, {line.state}, {line.prompt}, {line.model}, {line.code}{marked}"
            case Qt.ItemDataRole.TextAlignmentRole if index.column() == SECONDS:
                return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def text(self, row: int, column: int) -> str:
        """What a cell shows; delegates paint by it, thousands of cells a second."""
        return self._text(self._lines[row], column)

    def _text(self, line: HistoryLine, column: int) -> str:
        match column:
            case 0:
                return line.state.replace("_", " ")
            case 1:
                return short_time(line.started_us, self._now)
            case 2:
                return line.prompt
            case 3:
                return line.model
            case 4:
                return f"boost · {line.format}" if line.mode == "boost" else line.format
            case 5:
                return line.code
        return f"{line.seconds:.1f}" if line.seconds else ""

    def _tip(self, line: HistoryLine, column: int) -> str:
        match column:
            case 0:
                return line.reason
            case 1:
                return f"run {line.number:,}, {full_time(line.started_us, self._now)}"
            case 2:
                return line.prompt
            case 3:
                simulated = ", simulated" if line.simulated else ""
                return f"{line.provider} / {line.model}{simulated}"
            case 5:
                return ", ".join(line.codes)
        return ""

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return COLUMNS[section]
        if role == Qt.ItemDataRole.TextAlignmentRole and section == SECONDS:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None
