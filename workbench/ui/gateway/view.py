"""The gateway page: a strip with address, settings for clients and routes; below it conversations and their exchanges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QStackedWidget, QWidget

from workbench.ui.gateway.address_panel import AddressPanel
from workbench.ui.gateway.breakpoint_bar import BreakpointBar
from workbench.ui.gateway.client_panel import ClientPanel
from workbench.ui.gateway.conversation_list import ConversationPane
from workbench.ui.gateway.exchange_area import ExchangeArea
from workbench.ui.gateway.routes_panel import RoutesPanel
from workbench.ui.theme.fonts import px
from workbench.ui.theme.theme import bound_width, fix_size
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.error_card import ErrorCard
from workbench.ui.widgets.frames import UNBOUNDED, ElidedLabel, SectionHeader, column, frame, hairline, row
from workbench.ui.widgets.keyboard import keyboard_is_here, keyboard_kept
from workbench.ui.widgets.stacking import StackRow
from workbench.ui.widgets.states import Emptiness

if TYPE_CHECKING:
    from collections.abc import Sequence


_ADDRESS, _CLIENT, _ROUTES = 344, 432, 591
_LIST, _LEAST_LIST = 280, 216
_STRIP = 226
_STACK_BELOW, _CLIENT_HEIGHT, _ROUTES_HEIGHT, _LIST_HEIGHT, _EXCHANGES_HEIGHT = 940, 190, 160, 240, 480
"""Width of the page below which all stands one under the other, and the least heights then."""


class GatewayView(QFrame):
    """Lays the parts out; the controller fills them."""

    breakpoint_asked = Signal()
    compare_asked = Signal()
    keep_asked = Signal()

    def __init__(self, clients: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.address, self.client, self.routes = AddressPanel(), ClientPanel(clients), RoutesPanel()
        self.conversations, self.area, self.bar = ConversationPane(), ExchangeArea(), BreakpointBar()
        self.unfold = Button("", icon="caret-right", kind="quiet", small=True, keys="Ctrl+I",
                             tip=tr("Show address, settings and routes"), on_click=lambda: self.fold_strip(False))  # fmt: skip
        self.address.fold_asked.connect(lambda: self.fold_strip(True))
        self.summary = ElidedLabel("", "second")
        self.port_taken = Button("", kind="primary")
        self.try_again = Button(tr("Try again"))
        self.trouble = ErrorCard([self.port_taken, self.try_again])
        self.title = ElidedLabel("", "section")
        self.hold = Button(tr("Breakpoint"), icon="hand-palm", tip=tr("Hold the next request of this conversation"), keys="B",
                           on_click=self.breakpoint_asked.emit)  # fmt: skip
        self.compare = Button(tr("Compare"), icon="scales", tip=tr("Keep the exchange as a case and compare models over it"),
                              on_click=self.compare_asked.emit)  # fmt: skip
        self.keep = Button(
            tr("Keep as case"), icon="bookmark-simple", kind="primary", keys="Ctrl+E", on_click=self.keep_asked.emit
        )
        self.nothing = Emptiness("broadcast", tr("Not listening"), "")
        self._strip = self._make_strip()
        self._middle = QStackedWidget()
        self._middle.addWidget(self.nothing)
        self._middle.addWidget(self._exchange_side())
        self._lower = StackRow(
            self.conversations, self._middle, below=_STACK_BELOW, heights=(_LIST_HEIGHT, _EXCHANGES_HEIGHT), ruled=True
        )
        self._lower.set_shares(1, 4)
        self._again = QTimer(self, singleShot=True, interval=0)  # once all parts have their new sizes
        self._again.timeout.connect(self._limit_widths)
        for part in (self._lower, self._strip):
            part.turned.connect(lambda _down: self._limit_widths())
        self._error_side = QWidget()
        self._error_side.setLayout(column(self.trouble, margins=(16, 12, 16, 12)))
        self._error_side.hide()
        self._line = self._folded_strip()
        whole = column(self._line, self._strip, hairline(), self._error_side, gap=0)
        whole.addWidget(self._lower, 1)
        self.setLayout(whole)
        self._limit_widths()

    def _limit_widths(self) -> None:
        """At the text size of now."""
        bound_width(self.conversations, least=_LEAST_LIST)
        self.conversations.setMaximumWidth(UNBOUNDED if self._lower.is_stacked else px(_LIST))
        needs = self.address.sizeHint()  # with small text its margins and borders take more than their share
        for panel, width in ((self.client, px(_CLIENT)), (self.address, max(px(_ADDRESS), needs.width()))):
            panel.setMaximumWidth(UNBOUNDED if self._strip.is_stacked else width)
        height = max(px(_STRIP), needs.height())
        self._strip.setMinimumHeight(0 if self._strip.is_stacked else height)
        self._strip.setMaximumHeight(UNBOUNDED if self._strip.is_stacked else height)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.StyleChange and hasattr(self, "_again"):
            self._again.start()

    def _make_strip(self) -> StackRow:
        made = StackRow(
            self.address,
            self.client,
            self.routes,
            below=_STACK_BELOW,
            heights=(0, _CLIENT_HEIGHT, _ROUTES_HEIGHT),
            ruled=True,
        )
        made.set_shares(_ADDRESS, _CLIENT, _ROUTES)
        return made

    def _folded_strip(self) -> QFrame:
        made = frame("surface")
        box = row(self.unfold, self.summary, margins=(8, 0, 16, 0), gap=4)
        box.setStretch(1, 1)
        made.setLayout(box)
        fix_size(made, height=44)
        made.hide()
        return made

    def _exchange_side(self) -> QWidget:
        made = frame("chrome")
        head = SectionHeader(self.title, "", self.hold, self.compare, self.keep, height=48)
        self.about = head.note
        self.title.setSizePolicy(self.title.sizePolicy().Policy.Maximum, self.title.sizePolicy().Policy.Fixed)
        whole = column(head, hairline(), self.area, hairline(), self.bar, gap=0)
        whole.setStretch(2, 1)
        made.setLayout(whole)
        return made

    # -- states --------------------------------------------------------------------------------------------------------

    @property
    def strip_folded(self) -> bool:
        """Address, settings and routes are one line."""
        return self._strip.isHidden()

    def fold_strip(self, folded: bool) -> None:
        """Fold the strip to one line, or show it."""
        self._strip.setVisible(not folded)
        self._line.setVisible(folded)
        (self.unfold if folded else self.address.fold).setFocus()

    def show_conversation(self, title: str, about: str) -> None:
        """Show the exchanges' side under a title."""
        self.title.setText(title)
        self.about.setText(about)
        self._middle.setCurrentIndex(1)

    def show_nothing(self, icon: str, word: str, sentence: str) -> None:
        """Show that there is no conversation, and why."""
        self.nothing.set_state(icon, word, sentence)
        self._middle.setCurrentIndex(0)

    @property
    def shows_conversation(self) -> bool:
        """Exchanges are shown."""
        return self._middle.currentIndex() == 1

    def show_trouble(self, what: str, where: str, following: str, button: str) -> None:
        """Say why it does not listen, with the keyboard on the way out of it; an empty sentence takes that back."""
        after = self.unfold if self.strip_folded else self.client.copy
        with keyboard_kept(lambda: [self._error_side] if self.shows_trouble else [], after):
            self._error_side.setVisible(bool(what))
        if what:
            self.trouble.show_error(tr("The gateway does not listen"), what, where, following)
            self.port_taken.setText(button)
            self.port_taken.set_tip(button)
            self.port_taken.setVisible(bool(button))
            if keyboard_is_here(self):
                (self.port_taken if button else self.try_again).setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def shows_trouble(self) -> bool:
        """It is said why it does not listen."""
        return not self._error_side.isHidden()

    def show_held(self, count: int) -> None:
        """While something is held, releasing it is the first thing to do."""
        self.keep.set_kind("normal" if count else "primary")
        self.bar.show_held(count)

    def show_hold(self, *, on: bool) -> None:
        """A breakpoint is set here, or none."""
        self.hold.set_kind("chosen" if on else "normal")
        self.hold.setAccessibleDescription("set" if on else tr("not set"))

    def focus_panes(self) -> list[QWidget]:
        """Where F6 goes."""
        strip = (
            [] if self.strip_folded else [self.address.record.button("everything"), self.client.copy, self.routes.table]
        )
        lower = [self.area, self.bar.button("request")] if self.shows_conversation else []
        return [*strip, self.conversations.list, *lower]
