"""A form of labels, fields and notes: a note stands beside its field, and under it where the width is short."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from workbench.ui.theme.fonts import px
from workbench.ui.widgets.frames import Label, label

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent


class NoteLabel(Label):
    """A note in the third voice, in as many lines as it needs; it takes no room while it is empty."""

    def __init__(self, text: str = "") -> None:
        super().__init__(text)
        self.setProperty("role", "label")
        self.setWordWrap(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)

    def sizeHint(self) -> QSize:
        return super().sizeHint() if self.text() else QSize(0, 0)

    def minimumSizeHint(self) -> QSize:
        return super().minimumSizeHint() if self.text() else QSize(0, 0)

    def heightForWidth(self, width: int) -> int:
        return super().heightForWidth(width) if self.text() else 0


class _GridLine(NamedTuple):
    title: QWidget
    field: QWidget
    note: QWidget | None


class NotedGrid(QWidget):
    """Lines from top to bottom; numbers are pixels of the specification."""

    def __init__(
        self, *, labels: int, below: int, fields: int = 0, margins: tuple[int, int, int, int] = (0, 0, 0, 0)
    ) -> None:
        """`labels` and `fields` are the least widths of the first two columns; `below` puts notes under fields."""
        super().__init__()
        self._labels, self._fields, self._below = labels, fields, below
        self._lines: list[_GridLine] = []
        self._narrow = False
        self._grid = QGridLayout()
        self._grid.setContentsMargins(*margins)
        self.setLayout(self._grid)
        self._measure()

    @property
    def is_narrow(self) -> bool:
        """Notes stand under their fields."""
        return self._narrow

    def add_line(
        self, title: str | QWidget, field: QWidget, note: str | QWidget = "", align: Qt.AlignmentFlag | None = None
    ) -> QWidget:
        """Add a line; return its label."""
        named = label(title, "second") if isinstance(title, str) else title
        beside = (NoteLabel(note) if note else None) if isinstance(note, str) else note
        at = 2 * len(self._lines)
        self._grid.addWidget(named, at, 0)
        self._grid.addWidget(field, at, 1, 1, 2 if beside is None else 1, align or Qt.AlignmentFlag(0))
        self._lines.append(_GridLine(named, field, beside))
        self._place_note(at, beside)
        return named

    def clear(self) -> None:
        """Delete all lines."""
        for line in self._lines:
            for widget in filter(None, line):
                self._grid.removeWidget(widget)
                widget.hide()
                widget.deleteLater()
        self._lines = []

    def minimumSizeHint(self) -> QSize:
        margins, shown = self._grid.contentsMargins(), [line for line in self._lines if not line.field.isHidden()]
        titles = max((line.title.minimumSizeHint().width() for line in shown), default=0)
        fields = max(
            (max(line.field.minimumSizeHint().width(), line.field.minimumWidth()) for line in shown), default=0
        )
        notes = max((line.note.minimumSizeHint().width() for line in shown if line.note is not None), default=0)
        width = max(px(self._labels), titles) + self._grid.horizontalSpacing() + max(fields, notes)
        return QSize(width + margins.left() + margins.right(), self._grid.minimumSize().height())

    def _measure(self) -> None:
        self._grid.setHorizontalSpacing(px(12))
        self._grid.setVerticalSpacing(px(8))
        self._grid.setColumnMinimumWidth(0, px(self._labels))
        self._grid.setColumnMinimumWidth(1, 0 if self._narrow else px(self._fields))
        self._grid.setColumnStretch(1, 1 if self._narrow else 3 * (not self._fields))
        self._grid.setColumnStretch(2, 0 if self._narrow else 2)

    def _place_note(self, at: int, note: QWidget | None) -> None:
        if note is not None:
            self._grid.removeWidget(note)
            self._grid.addWidget(note, at + self._narrow, 1 if self._narrow else 2)

    def _turn(self) -> None:
        narrow = self.width() < px(self._below)
        if narrow != self._narrow:
            self._narrow = narrow
            for at, line in enumerate(self._lines):
                self._place_note(2 * at, line.note)
        self._measure()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._turn()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.StyleChange and hasattr(self, "_grid"):  # Qt asks before the object is whole
            self._turn()
