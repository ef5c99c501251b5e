"""What a file, a server or a request offers, before it goes into a set: which of the tools, and into which set."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QDialog

from workbench.ui.theme.fonts import mono_font, px, ui_font
from workbench.ui.theme.icons import paint_icon
from workbench.ui.theme.theme import bound_width, tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.fields import LineField
from workbench.ui.widgets.frames import column, label, row
from workbench.ui.widgets.line_model import LineModel
from workbench.ui.widgets.painting import paint_text
from workbench.ui.widgets.quantities import counted
from workbench.ui.widgets.rows import RowDelegate, RowList

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from workbench.core.tools import ToolSetup
    from workbench.ui.widgets.line_model import AnyIndex

_ROW, _MOST = 44, 8
_WIDTH = 560


@dataclass(frozen=True, slots=True)
class OfferedTool:
    """A tool that may be taken."""

    setup: ToolSetup
    taken: bool = True


class OfferModel(LineModel[OfferedTool]):
    """The tools on offer; a screen reader hears whether each is taken."""

    def cell(self, line: OfferedTool, _column: int, role: int) -> Any:
        spec = line.setup.spec
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return spec.name
            case Qt.ItemDataRole.ToolTipRole:
                return spec.description
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{spec.name}, {'taken' if line.taken else 'left out'}, {spec.description}"
        return None

    def chosen(self) -> tuple[ToolSetup, ...]:
        """Those that are taken."""
        return tuple(line.setup for line in self._lines if line.taken)

    def turn(self, row: int) -> None:
        """Take a tool, or leave it out."""
        line = self.line(row)
        self.replace_row(row, replace(line, taken=not line.taken))

    def take(self, taken: bool) -> None:
        """Take all, or none."""
        self.update_lines([replace(line, taken=taken) for line in self._lines])


class OfferDelegate(RowDelegate):
    """A tick, the name, and under it what the tool says of itself."""

    def paint_cell(self, painter: QPainter, rect: QRect, index: AnyIndex, *, chosen: bool) -> None:
        model = index.model()
        assert isinstance(model, OfferModel)
        line, t = model.line(index.row()), tokens()
        if line.taken:
            paint_icon(
                painter, "check", QRect(rect.left() + px(12), rect.center().y() - px(7), px(14), px(14)), t.accent
            )
        left, room = rect.left() + px(36), rect.width() - px(48)
        colour = t.text if line.taken else t.text2
        upper = QRect(left, rect.top() + px(5), room, px(17))
        paint_text(painter, upper, line.setup.spec.name, mono_font(12, bold=chosen), colour)
        lower = QRect(left, rect.top() + px(23), room, px(16))
        about = " ".join(line.setup.spec.description.split()) or tr("no description")
        paint_text(painter, lower, about, ui_font(11), t.text2)


class ImportDialog(QDialog):
    """Space or a click turns a tool on and off; Enter imports."""

    def __init__(self, parent: QWidget | None, setups: Sequence[ToolSetup], source: str, name: str) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Import tools"))
        self.setModal(True)
        bound_width(self, least=_WIDTH)
        self.offer = OfferModel(self)
        self.offer.show_lines([OfferedTool(setup) for setup in setups])
        self.list = RowList(tr("Tools on offer"))
        self.list.setItemDelegate(OfferDelegate(_ROW, self.list))
        self.list.setModel(self.offer)
        self.list.setFixedHeight(px(_ROW) * min(max(len(setups), 2), _MOST) + px(2))
        self.list.installEventFilter(self)
        self.list.clicked.connect(lambda index: self.offer.turn(index.row()))
        self.offer.dataChanged.connect(lambda *_: self._count())
        self.into = LineField(name, name=tr("Name of the set"))
        self.into.selectAll()
        self.into.textChanged.connect(lambda _text: self._count())
        self.all = Button(tr("All"), small=True, on_click=lambda: self.offer.take(True))
        self.none = Button(tr("None"), small=True, on_click=lambda: self.offer.take(False))
        self.accept_button = Button(tr("Import"), kind="primary", on_click=self.accept)
        self.accept_button.setDefault(True)
        cancel = Button(tr("Cancel"), keys="Esc", on_click=self.reject)
        head = row(
            label(tr("{tools} of {source}", tools=counted(len(setups), "tool"), source=source), "body", wrap=True),
            None,
            self.all,
            self.none,
        )
        head.setStretch(0, 1)
        self.setLayout(
            column(
                label(tr("Import tools"), "object"), head, self.list, row(label(tr("Into the set"), "label"), self.into, gap=12),
                row(label(tr("Space takes a tool or leaves it out"), "second"), None, cancel, self.accept_button),
                margins=(20, 18, 20, 18), gap=12,
            )
        )  # fmt: skip
        self.setWindowFlag(Qt.WindowType.WindowContextHelpButtonHint, False)
        self.list.choose_row(0)
        self.into.setFocus()
        self._count()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        at = self.list.currentIndex().row()
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() == Qt.Key.Key_Space
            and at >= 0
        ):
            self.offer.turn(at)
            return True
        return super().eventFilter(watched, event)

    def _count(self) -> None:
        count = len(self.offer.chosen())
        self.accept_button.setText(tr("Import {count}", count=count))
        self.accept_button.setEnabled(bool(count and self.into.text().strip()))
