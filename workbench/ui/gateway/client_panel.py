"""The second panel of the strip: what a known client must be told, ready to be copied, and when it was last seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame

from workbench.core.calls import Region, Span
from workbench.ui.theme.theme import bound_width
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.frames import ElidedLabel, column, label, row
from workbench.ui.widgets.raw_pane import RawPane
from workbench.ui.widgets.segments import Segments
from workbench.ui.widgets.states import Glyph

if TYPE_CHECKING:
    from collections.abc import Sequence


class ClientPanel(QFrame):
    """Shows one client's settings with the token hidden; what is copied has it."""

    client_chosen = Signal(str)
    copy_asked = Signal()

    def __init__(self, clients: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.clients = Segments(clients, wraps=True)
        self.clients.setAccessibleName(tr("Settings for"))
        self.clients.chosen.connect(self.client_chosen)
        self.copy = Button(tr("Copy"), icon="copy", small=True, keys="C", on_click=self.copy_asked.emit)
        self.text = RawPane(tr("Settings of the client"))
        self._mark = Glyph("check", "text3", 13)
        self.seen = ElidedLabel("", "label")
        box = QFrame()
        box.setProperty("role", "sunken")
        box.setLayout(column(self.text, margins=(10, 6, 4, 4)))
        head = row(label(tr("Settings for"), "section"), None, self.copy)
        foot = row(self._mark, self.seen, gap=6)
        foot.setStretch(1, 1)
        whole = column(head, self.clients, box, foot, margins=(16, 8, 16, 8), gap=6)
        whole.setStretch(2, 1)
        self.setLayout(whole)
        bound_width(self.clients, least=200)

    @property
    def client(self) -> str:
        """The chosen client."""
        return self.clients.value

    def show_settings(self, text: str, hidden: str) -> None:
        """Show settings; `hidden` stands where the token would."""
        regions = [Region("name", Span(at, at + len(word))) for at, word in _names(text)]
        if hidden and (at := text.find(hidden)) >= 0:
            regions.append(Region("special", Span(at, at + len(hidden))))
        self.text.show_text(text, sorted(regions, key=lambda one: one.span.start))

    def show_seen(self, words: str, *, seen: bool) -> None:
        """Say when the client was last seen."""
        self._mark.set_icon("check" if seen else "hourglass", "passed" if seen else "text3")
        self.seen.setText(words)


def _names(text: str) -> list[tuple[int, str]]:
    """Names of shell variables, with their places."""
    found, start = [], 0
    for line in text.splitlines(keepends=True):
        if line.startswith("export ") and "=" in line:
            name = line[7 : line.index("=")]
            found.append((start + 7, name))
        start += len(line)
    return found
