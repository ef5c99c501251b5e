"""The first panel of the strip: where the gateway listens, the token, what is recorded and for how long, the repair switch."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QStackedWidget, QWidget

from workbench.ui.gateway.words import masked
from workbench.ui.theme.fonts import px
from workbench.ui.theme.theme import fix_size
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.fields import LineField, NumberField
from workbench.ui.widgets.frames import column, label, row
from workbench.ui.widgets.marks import VerdictLabel
from workbench.ui.widgets.segments import Segments
from workbench.ui.widgets.states import Glyph
from workbench.ui.widgets.tips import set_tip

_ROW_LABEL = 52
_FOOT = tr("This computer only. Keys stay on their own side.")


class AddressPanel(QFrame):
    """Shows and edits; what is chosen holds from the next request on."""

    fold_asked = Signal()
    copied = Signal(str, str)
    """What was copied, in a word, and the text."""
    renew_asked = Signal()
    """Another token is wanted."""
    record_chosen = Signal(str)
    repair_chosen = Signal(bool)
    keep_changed = Signal()
    """Days or megabytes are others."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self._token = ""
        self.mark = VerdictLabel("cancelled", word=False, size=10)
        self.state = label(tr("not listening"), "label")
        self.url = LineField(mono=True, name=tr("Address of the gateway"))
        self.url.setReadOnly(True)
        self.url.add_button("copy", tr("Copy the address"), lambda: self.copied.emit("address", self.url.text()))
        self.port = NumberField(tr("Port of the gateway"), 0, 65535, 8000)
        self._where = QStackedWidget()
        self._where.addWidget(self.url)
        self._where.addWidget(self._port_row())
        self.token = LineField(mono=True, name=tr("Token"), icon_name="key")
        self.token.setReadOnly(True)
        self.token.add_button("copy", tr("Copy the token"), lambda: self.copied.emit("token", self._token))
        self.token.add_button("arrows-clockwise", tr("Make another token"), self.renew_asked.emit)
        self.record = Segments([("everything", "everything"), ("findings", "findings"), ("nothing", "nothing")])
        self.record.setAccessibleName(tr("What is recorded"))
        self.record.chosen.connect(self.record_chosen)
        self.repair = Segments([("off", "off"), ("on", tr("mend and mark"))])
        self.repair.setAccessibleName(tr("Repair of calls on the way"))
        self.repair.chosen.connect(lambda value: self.repair_chosen.emit(value == "on"))
        self.days = NumberField(tr("Days for which exchanges are kept; empty: for ever"), 0, 36_500, 0, zero=tr("all"))
        self.megabytes = NumberField(
            tr("Megabytes that recorded exchanges may take; empty: any"), 0, 10_000_000, 0, zero=tr("any")
        )
        for field, width in ((self.days, 56), (self.megabytes, 80)):
            fix_size(field, width=width)
            set_tip(field, field.accessibleName())
            field.value_changed.connect(lambda _value: self.keep_changed.emit())
        self._lay_out()

    def _port_row(self) -> QWidget:
        made = QWidget()
        fix_size(self.port, width=72)
        set_tip(self.port, tr("0: a free one"))
        place = label("http://127.0.0.1:", "mono_second")
        place.setSizePolicy(place.sizePolicy().Policy.Fixed, place.sizePolicy().Policy.Fixed)
        made.setLayout(row(place, self.port, None, gap=4))
        return made

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setContentsMargins(px(6), 0, 0, 0)
        grid.setHorizontalSpacing(px(12))
        grid.setVerticalSpacing(px(6))
        grid.setColumnMinimumWidth(0, px(_ROW_LABEL))
        grid.setColumnStretch(1, 1)
        keep = QWidget()
        keep.setLayout(row(self.days, label(tr("days"), "label"), self.megabytes, label("MB", "label"), None, gap=6))
        rows: tuple[tuple[str, QWidget], ...] = (
            ("URL", self._where), (tr("Token"), self.token), (tr("Record"), self.record), (tr("Keep"), keep), (tr("Repair"), self.repair),
        )  # fmt: skip
        for number, (words, widget) in enumerate(rows):
            grid.addWidget(label(words, "label"), number, 0)
            grid.addWidget(widget, number, 1)
        self.fold = Button("", icon="caret-down", kind="quiet", small=True, keys="Ctrl+I",
                           tip=tr("Fold address, settings and routes"), on_click=self.fold_asked.emit)  # fmt: skip
        head = row(self.fold, label(tr("Address"), "section"), None, self.mark, self.state, gap=6)
        foot = row(6, Glyph("lock", "text3", 13), label(_FOOT, "faint"), None, gap=6)
        self.setLayout(column(head, grid, foot, None, margins=(10, 8, 16, 8), gap=6))

    def show_address(self, url: str, port: int) -> None:
        """Show where it listens; an empty address: it does not, and the port can be chosen."""
        self.url.setText(url)
        self.port.set_value(port)
        self._where.setCurrentIndex(0 if url else 1)
        self.mark.set_state("pass" if url else "cancelled")
        self.state.setText(tr("listening") if url else tr("not listening"))

    def show_token(self, token: str, *, listening: bool = True) -> None:
        """Show the end of a token; before the first start there is none to show."""
        self._token = token
        self.token.setText(masked(token) if token or listening else tr("is made at the start"))
        self.token.setCursorPosition(0)
        self.token.setAccessibleDescription(tr("all but its end is hidden"))

    def show_switches(self, record: str, *, repair: bool, days: int, megabytes: int) -> None:
        """Show what holds, silently."""
        self.record.choose(record)
        self.repair.choose("on" if repair else "off")
        for field, value in ((self.days, days), (self.megabytes, megabytes)):
            if not field.hasFocus():
                field.set_value(value)
