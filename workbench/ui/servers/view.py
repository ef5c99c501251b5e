"""The servers page: what runs and what could run at the left; a start, or one server with its live log, at the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QSizePolicy, QStackedWidget, QWidget

from workbench.ui.servers.start_form import FactsGrid, StartFormView
from workbench.ui.theme.fonts import px
from workbench.ui.theme.theme import fix_size
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.chips import Chip
from workbench.ui.widgets.entry_list import EntryDelegate, EntryModel
from workbench.ui.widgets.frames import SectionHeader, column, frame, hairline, label, row
from workbench.ui.widgets.rows import RowList
from workbench.ui.widgets.stack import PageStack
from workbench.ui.widgets.stacking import StackRow
from workbench.ui.widgets.states import Emptiness, Spinner

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.ui.servers.values import ServerFacts
    from workbench.ui.widgets.entry_list import ListEntry

_LIST = 320
_STACK_BELOW = 820
"""Width of the page below which the right side stands under the list."""
_LIST_HEIGHT = 200
"""Of the list above the form; where nothing stands in it, it takes what its words need."""
_ROW = 52
_LOG_LINES = 2_000


class ServersView(QFrame):
    """Lays the parts out; the controller fills them."""

    server_chosen = Signal(str)
    """Name in the list; empty: nothing is chosen."""
    new_asked = Signal()
    stop_asked = Signal()
    try_asked = Signal()
    setup_asked = Signal()
    """Start the chosen set-up."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.lines = EntryModel(self)
        self.list = RowList(tr("Servers"))
        self.list.setItemDelegate(EntryDelegate(_ROW, self.list))
        self.list.setModel(self.lines)
        self.list.row_chosen.connect(lambda at: self.server_chosen.emit(self.lines.line(at).name if at >= 0 else ""))
        self.new = Button(tr("Start …"), icon="plus", keys="Ctrl+N", on_click=self.new_asked.emit)
        self.form = StartFormView()
        self.right = QStackedWidget()
        self.right.addWidget(self._start_page())
        self.right.addWidget(self._server_page())
        self.panes = StackRow(
            self._left(), self.right, below=_STACK_BELOW, widths=(_LIST, 0), heights=(_LIST_HEIGHT, 300), ruled=True
        )
        self.setLayout(column(self.panes))

    def _left(self) -> QWidget:
        side = frame("surface")
        head = SectionHeader(tr("Servers"), "", self.new, height=44)
        self.none = Emptiness("hard-drives", tr("Nothing runs"), tr("Choose a model file and start it."))
        self.below = PageStack()
        self.below.addWidget(self.list)
        self.below.addWidget(self.none)
        side.setLayout(column(head, hairline(), self.below, gap=0))
        return side

    def _start_page(self) -> QWidget:
        head = frame("surface")
        head.setLayout(row(label(tr("Start a model"), "object"), None, margins=(24, 0, 12, 0)))
        fix_size(head, height=54)
        made = frame("surface")
        box = column(head, hairline(), self.form, gap=0)
        box.setStretch(2, 1)
        made.setLayout(box)
        return made

    def _server_page(self) -> QWidget:
        self.title = label("", "object")
        self.state = Chip("", "plain")
        self.spinner = Spinner()
        self.start_setup = Button(tr("Start …"), icon="play", kind="primary", on_click=self.setup_asked.emit)
        self.try_it = Button(tr("Try it"), icon="play", on_click=self.try_asked.emit)
        self.stop = Button(tr("Stop"), icon="x", on_click=self.stop_asked.emit)
        head = frame("surface")
        buttons = (self.spinner, None, self.start_setup, self.try_it, self.stop)
        head.setLayout(row(self.title, self.state, *buttons, margins=(24, 0, 12, 0)))
        fix_size(head, height=54)
        self.facts = FactsGrid()
        told = frame("surface")
        told.setLayout(column(self.facts, margins=(24, 12, 24, 12)))
        told.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.log = QPlainTextEdit()
        self.log.setReadOnly(True)
        self.log.setUndoRedoEnabled(False)
        self.log.setMaximumBlockCount(_LOG_LINES)
        self.log.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.log.setProperty("role", "pane")
        self.log.setAccessibleName(tr("Log"))
        self.log.setTabChangesFocus(True)
        self.log.document().setDocumentMargin(px(12))
        self.log_head = SectionHeader(tr("Log"), "", height=36)
        head_box = self.log_head.layout()
        assert head_box is not None
        head_box.setContentsMargins(24, 0, 16, 0)
        self._log_box = frame("surface")
        indented = row(self.log, margins=(12, 0, 0, 0))
        log_box = column(self.log_head, hairline(), indented, gap=0)
        log_box.setStretch(2, 1)
        self._log_box.setLayout(log_box)
        made = frame("surface")
        self._no_log = frame("surface")
        whole = column(head, hairline(), told, hairline(), self._log_box, self._no_log, gap=0)
        whole.setStretch(4, 1)
        whole.setStretch(5, 1)
        made.setLayout(whole)
        return made

    def show_servers(self, lines: Sequence[ListEntry], chosen: str = "") -> None:
        """Fill the list and choose a line in it."""
        self.lines.show_lines(lines)
        self.below.setCurrentIndex(0 if lines else 1)
        self.panes.set_height(0, _LIST_HEIGHT if lines else 0)
        at = self.lines.row_of(chosen) if chosen else -1
        if at >= 0:
            self.list.choose_row(at)

    def show_start(self) -> None:
        """Show the form of a start."""
        self.list.clearSelection()
        self.list.setCurrentIndex(self.lines.index(-1, 0))
        self.right.setCurrentIndex(0)

    def show_server(self, server: ServerFacts, log: str) -> None:
        """Show one server; its log follows by `add_log`."""
        self.right.setCurrentIndex(1)
        self.title.setText(server.name)
        self.state.setText(server.word)
        self.state.set_kind(server.state)
        self.spinner.setVisible(server.busy)
        self.facts.show_facts(server.facts)
        self.stop.setVisible(server.can_stop)
        self.try_it.setVisible(server.can_try)
        self.start_setup.setVisible(server.can_start)
        self._log_box.setVisible(bool(log))
        self._no_log.setVisible(not log)
        self.log_head.note.setText(log)

    def show_log(self, lines: Sequence[str]) -> None:
        """Replace the log's text."""
        self.log.setPlainText("\n".join(lines))
        self.log.verticalScrollBar().setValue(self.log.verticalScrollBar().maximum())

    def add_log(self, lines: Sequence[str]) -> None:
        """Append lines; who reads further up is not moved."""
        bar = self.log.verticalScrollBar()
        at_end = bar.value() >= bar.maximum() - 2
        self.log.appendPlainText("\n".join(lines))
        if at_end:
            bar.setValue(bar.maximum())

    @property
    def chosen(self) -> str:
        """Name of the chosen line; empty in the form of a start."""
        at = self.list.currentIndex().row()
        return self.lines.line(at).name if at >= 0 else ""

    def focus_panes(self) -> list[QWidget]:
        """Where F6 goes."""
        panes: list[QWidget] = [self.list] if self.below.currentIndex() == 0 else []
        return [*panes, self.form.file if self.right.currentIndex() == 0 else self.log]
