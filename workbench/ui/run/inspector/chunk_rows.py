"""The deltas of one exchange as rows: chunk, time, content; grows while the reply streams."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from workbench.core.exchange import (
    CallDelta,
    FaultDelta,
    FinishDelta,
    ModelDelta,
    NoticeDelta,
    ReasoningDelta,
    TextDelta,
    UsageDelta,
)
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.events import ChunkReceived
    from workbench.core.exchange import Delta
    from workbench.ui.run.span_index import PlacedPiece

LINKED_ROLE = Qt.ItemDataRole.UserRole + 1
"""`(start, end)` of the linked characters within a row's own text, or None."""
KIND_ROLE = Qt.ItemDataRole.UserRole + 2
"""`text`, `reasoning`, `call` or `other`."""
END = "end"
"""In place of a number, for what became certain only at the end of the body."""
_NOWHERE = QModelIndex()


class DeltaRow(NamedTuple):
    """One delta."""

    chunk: int
    at_us: int
    kind: str
    text: str
    at: tuple[int, int]
    """Byte range of its record in the response body."""
    piece: int | None
    """Number among the pieces of the span index, where it brought characters."""


def shown(text: str) -> str:
    """One line: control characters as escapes."""
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")


def _read(delta: Delta) -> tuple[str, str]:
    match delta:
        case TextDelta():
            return "text", delta.text
        case ReasoningDelta():
            return "reasoning", delta.text
        case CallDelta():
            return "call", delta.arguments or f"{delta.name}("
        case UsageDelta():
            return "other", tr(
                "usage {input} in, {output} out", input=_known(delta.usage.input), output=_known(delta.usage.output)
            )
        case FinishDelta():
            return "other", tr("finish_reason {reason}", reason=delta.reason)
        case ModelDelta():
            return "other", tr("model {model}", model=delta.model)
        case FaultDelta():
            return "fault", delta.error.message
        case NoticeDelta():
            return "other", f"{delta.code}: {delta.message}"


def _known(count: int | None) -> str:
    return "?" if count is None else f"{count:,}"


class ChunkRows(QAbstractTableModel):
    """Three columns; rows are appended, never changed."""

    HEADERS = ("#", "s", "delta")

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: list[DeltaRow] = []
        self._pieces: list[int] = []
        self._started_us = 0
        self._linked: dict[int, tuple[int, int]] = {}

    def reset(self, started_us: int) -> None:
        """Begin another exchange."""
        self.beginResetModel()
        self.rows, self._pieces, self._started_us, self._linked = [], [], started_us, {}
        self.endResetModel()

    def append(self, chunks: Sequence[ChunkReceived]) -> None:
        """Add the deltas of chunks."""
        rows: list[DeltaRow] = []
        pieces = len(self._pieces)
        for chunk in chunks:
            for delta in chunk.deltas:
                kind, text = _read(delta)
                brings = isinstance(delta, TextDelta | ReasoningDelta | CallDelta)
                rows.append(DeltaRow(chunk.index, chunk.at_us, kind, text, delta.at, pieces if brings else None))
                pieces += brings
        if not rows:
            return
        first = len(self.rows)
        self.beginInsertRows(_NOWHERE, first, first + len(rows) - 1)
        self._pieces += [first + number for number, row in enumerate(rows) if row.piece is not None]
        self.rows += rows
        self.endInsertRows()

    def link(self, pieces: Sequence[PlacedPiece], start: int, end: int) -> list[int]:
        """Mark the characters `[start, end)` of a source in the rows that carried them; return the rows."""
        before = list(self._linked)
        self._linked = {}
        for piece in pieces:
            if piece.row < len(self._pieces):
                row = self._pieces[piece.row]
                self._linked[row] = (max(start - piece.start, 0), min(end - piece.start, len(piece.text)))
        for row in {*before, *self._linked}:
            index = self.index(row, 2)
            self.dataChanged.emit(index, index, [LINKED_ROLE])
        return sorted(self._linked)

    def linked(self, row: int) -> tuple[int, int] | None:
        """The linked characters of a row."""
        return self._linked.get(row)

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else 3

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return (
                    str(row.chunk) if row.chunk >= 0 else END,
                    f"{(row.at_us - self._started_us) / 1e6:.3f}",
                    shown(row.text),
                )[index.column()]
            case Qt.ItemDataRole.AccessibleTextRole:
                where = tr("chunk {chunk}", chunk=row.chunk) if row.chunk >= 0 else tr("at the end")
                return f"{where}: {shown(row.text)}" if index.column() == 2 else None
            case _ if role == LINKED_ROLE:
                return self._linked.get(index.row())
            case _ if role == KIND_ROLE:
                return row.kind
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self.HEADERS[section]
        return None
