"""What the providers page shows, as plain values and two item models. No value here ever holds a key."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

if TYPE_CHECKING:
    from collections.abc import Sequence

AnyIndex = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
MODEL_COLUMNS = ("Name", "Format", "Detected from", "Tools", "")
NAME, FORMAT, WHY, TOOLS, CHIP = range(5)


@dataclass(frozen=True, slots=True)
class ProviderLine:
    """One provider in the list."""

    name: str
    subtitle: str
    icon: str
    state: str
    """A verdict state whose mark stands beside the word: `pass` for ready, `error`, `not_gradable` for not tested."""
    word: str


@dataclass(frozen=True, slots=True)
class ProviderForm:
    """The editable fields of one provider."""

    name: str
    wire: str
    base_url: str
    key_source: str
    """`keyring`, `session`, `none` or `env:VARIABLE`."""
    key_state: str
    """Where the key is, in one phrase."""
    has_key: bool
    tools: str
    parallel: int
    retries: int
    stall_s: float
    per_minute: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    extra: dict[str, Any] = field(default_factory=dict)
    preset: str = ""
    note: str = ""
    read_only: bool = False
    fixed_by: str = ""
    """Environment variable that sets this provider, if one does."""


@dataclass(frozen=True, slots=True)
class ProviderTrouble:
    """What a test found wrong, in the three lines of the error card."""

    title: str
    what: str
    where: str
    next: str
    time: str
    answer: str = ""
    """The provider's answer in full, masked."""
    needs_key: bool = False


@dataclass(frozen=True, slots=True)
class ModelLine:
    """One model that a provider offers."""

    name: str
    format: str
    why: str
    tools: str
    chip: str = ""
    """`guess`, or `yours` where the user decided something."""


class ProviderModel(QAbstractListModel):
    """The list of providers."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[ProviderLine, ...] = ()

    def show_lines(self, lines: Sequence[ProviderLine]) -> None:
        """Replace the list; where only states changed, the view keeps its choice."""
        if [line.name for line in lines] == [line.name for line in self._lines]:
            self._lines = tuple(lines)
            if lines:
                self.dataChanged.emit(self.index(0), self.index(len(lines) - 1))
            return
        self.beginResetModel()
        self._lines = tuple(lines)
        self.endResetModel()

    def line(self, row: int) -> ProviderLine:
        """Return one provider."""
        return self._lines[row]

    def row_of(self, name: str) -> int:
        """Return where a provider stands, or -1."""
        return next((row for row, line in enumerate(self._lines) if line.name == name), -1)

    def rowCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._lines)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        line = self._lines[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return line.name
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{line.name}, {line.subtitle}, {line.word}"
        return None


class ModelsModel(QAbstractTableModel):
    """The models of a provider, by a search text."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: tuple[ModelLine, ...] = ()
        self._search = ""
        self._lines: tuple[ModelLine, ...] = ()

    def show_lines(self, lines: Sequence[ModelLine]) -> None:
        """Replace the models."""
        self._all = tuple(lines)
        self._fill()

    def search(self, text: str) -> None:
        """Show the models whose name or format has all words."""
        self._search = text.lower()
        self._fill()

    def _fill(self) -> None:
        words = self._search.split()
        self.beginResetModel()
        self._lines = tuple(
            line for line in self._all if all(word in f"{line.name} {line.format}".lower() for word in words)
        )
        self.endResetModel()

    def line(self, row: int) -> ModelLine:
        """Return one model."""
        return self._lines[row]

    @property
    def total(self) -> int:
        """How many models there are without the search."""
        return len(self._all)

    def rowCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._lines)

    def columnCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(MODEL_COLUMNS)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        line = self._lines[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return (line.name, line.format, line.why, line.tools, line.chip)[index.column()]
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return MODEL_COLUMNS[section]
        return None
