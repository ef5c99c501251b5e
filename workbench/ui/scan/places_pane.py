"""What the page shows before anything was scanned: sessions of agents on this computer, none of them read yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QWidget

from workbench.ui.theme.fonts import px
from workbench.ui.theme.theme import bound_width
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.check_box import CheckBox
from workbench.ui.widgets.frames import ElidedLabel, column, label, row
from workbench.ui.widgets.keyboard import keyboard_is_here
from workbench.ui.widgets.paragraph import Paragraph, TextRun
from workbench.ui.widgets.states import Glyph
from workbench.ui.widgets.tab_order import tab_through
from workbench.ui.widgets.wrap import WrapBox

if TYPE_CHECKING:
    from collections.abc import Sequence

_WIDTH = 620
_LEAD = tr(
    "Point at what agents and servers left: sessions, logs, HAR, cassettes, traces, exports. You see which calls were "
    "lost, leaked or mangled, with the characters. Files are only read, and keys are masked before anything is shown."
)


class PlacesPane(QFrame):
    """Usual places to choose from, files and folders to add."""

    places_chosen = Signal(list)
    """Names of sources."""
    files_asked = Signal()
    folder_asked = Signal()
    paste_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.boxes: list[CheckBox] = []
        self._names: list[str] = []
        self._list = column(gap=8)
        self._found = label("", "strong")
        self.start = Button(tr("Scan these"), icon="file-search", kind="primary", on_click=self._on_start)
        self.files = Button(tr("Add files"), icon="file-text", keys="Ctrl+O", on_click=self.files_asked.emit)
        self.folder = Button(tr("Add a folder"), icon="folder", on_click=self.folder_asked.emit)
        self.paste = Button(tr("Paste"), icon="clipboard-text", keys="Ctrl+V", on_click=self.paste_asked.emit)
        self._lay_out()
        self.show_places(())

    def _lay_out(self) -> None:
        inside = QWidget()
        bound_width(inside, most=_WIDTH)
        title = row(Glyph("file-search", "text3", 24), label(tr("Nothing was scanned yet"), "section"), None, gap=10)
        self._buttons = WrapBox([self.start, self.files, self.folder, self.paste])
        hint = Paragraph(TextRun(tr("Or drop files and folders here."), token="text3"), size=11)
        box = column(title, Paragraph(TextRun(_LEAD, token="text2")), 8, self._found, gap=10)
        box.addLayout(self._list)
        box.addSpacing(px(8))
        box.addWidget(self._buttons)
        box.addWidget(hint)
        inside.setLayout(box)
        middle = row(None, inside, None, gap=0)
        middle.setStretch(1, 1_000)  # as wide as there is room, up to its bound
        whole = column(None, middle, margins=(16, 0, 16, 0), gap=0)
        whole.addStretch(2)
        self.setLayout(whole)

    def show_places(self, places: Sequence[tuple[str, str]]) -> None:
        """Offer `(title, name)` of places that are on this computer; all are chosen at first, none is read."""
        while (item := self._list.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self.boxes, self._names = [], []
        for title, name in places:
            box = CheckBox(title)
            box.setChecked(True)
            box.toggled.connect(lambda _on: self._show_start())
            self.boxes.append(box)
            self._names.append(name)
            line = QWidget()
            path = ElidedLabel(name, "label")
            both = row(box, path, gap=10)
            both.setStretch(1, 1)
            line.setLayout(both)
            self._list.addWidget(line)
        self._found.setText(
            tr("Found on this computer, not read yet")
            if places
            else tr("No sessions of agents are in their usual places")
        )
        tab_through((*self.boxes, self.start, self.files, self.folder, self.paste))
        self._show_start()

    def take_focus(self) -> None:
        """Give the keyboard to what people do next; who is elsewhere meanwhile, as in the palette, keeps it."""
        if keyboard_is_here(self):
            (self.start if self.boxes else self.files).setFocus()

    def _show_start(self) -> None:
        self.start.setVisible(bool(self.boxes))
        self._buttons.refit()
        self.start.setEnabled(any(box.isChecked() for box in self.boxes))

    def _on_start(self) -> None:
        self.places_chosen.emit([name for name, box in zip(self._names, self.boxes, strict=True) if box.isChecked()])
