"""The main window: rail, top bar, pages, status bar. It shows pages and knows nothing of what is on them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QStackedWidget, QWidget

from workbench.ui.bridge.action import Action
from workbench.ui.main.actions import ActionTable
from workbench.ui.main.bars import StatusBar, TopBar
from workbench.ui.main.rail import ENTRIES, Rail, RailEntry
from workbench.ui.theme.icons import icon
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.frames import column, hairline, row
from workbench.ui.widgets.roomy import RoomyPage
from workbench.ui.widgets.spoken import announce

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QCloseEvent, QPaintEvent

    from workbench.ui.bridge.action import Command
    from workbench.ui.bridge.page import Page
    from workbench.ui.bridge.tasks import Tasks
    from workbench.ui.main.palette import CommandPalette, Search
    from workbench.ui.main.pasting import Pasting

MINIMUM = QSize(1024, 680)
USUAL = QSize(1440, 900)
FRAME = QSize(4, 36)
"""What a window manager's frame takes, about; known only once the window is on the screen."""
TOUCHED = 40
"""Pixels inside the corner that must lie on a screen for the window to stand there again."""


def free_area(window: QWidget) -> QRect:
    """Where a window may stand: the screen without its panels. Pictures that no screen shows may have any size."""
    if QGuiApplication.platformName() in ("offscreen", "minimal"):
        return QRect(0, 0, 16_384, 16_384)
    return window.screen().availableGeometry()


def _way_to(entry: RailEntry, go: Callable[[str], None]) -> Action:
    return Action(
        f"go.{entry.key}",
        tr("Go to {title}", title=entry.title),
        partial(go, entry.key),
        (entry.keys,),
        icon=entry.icon,
    )


class MainWindow(QWidget):
    """Closing is a request: whoever runs the application answers it with `quit_now`."""

    close_requested = Signal()
    painted = Signal()
    """The first picture is on the screen; heavy things may be loaded now."""
    page_shown = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._has_painted = False
        self.setWindowTitle("Tool-Calling Workbench")
        self.setWindowIcon(icon("code", "accent"))
        self.take_size(USUAL)
        self.rail = Rail()
        self.top = TopBar()
        self.status = StatusBar()
        self.stack = QStackedWidget()
        self.actions_table = ActionTable(self)
        self._pages: dict[str, Page] = {}
        self._rooms: dict[str, RoomyPage] = {}
        self._makers: dict[str, Callable[[], Page]] = {}
        self._commands: dict[str, tuple[Command[Any], ...]] = {}
        self._everywhere: tuple[Action, ...] = ()
        self._current = ""
        self._placeholder: QWidget | None = None
        self._quitting = False
        right = column(self.top, hairline(), self.stack, hairline(), self.status, gap=0)
        right.setStretch(2, 1)
        whole = row(self.rail, hairline(vertical=True), gap=0)
        whole.addLayout(right, 1)
        self.setLayout(whole)
        self._palette: CommandPalette | None = None
        self._finding: tuple[Tasks, Search] | None = None
        self._pasting: Pasting | None = None
        self.top.field.clicked.connect(self.open_palette)
        self.rail.chosen.connect(self.go)

    def take_size(self, wanted: QSize) -> None:
        """Take a size, or as much of it as the screen has room for beside panels and the window's own frame."""
        frame = self.frameGeometry().size() - self.size() if self._has_painted else FRAME
        room = free_area(self).size() - frame
        self.setMinimumSize(MINIMUM.boundedTo(room))
        self.resize(wanted.boundedTo(room))

    def take_place(self, corner: QPoint) -> None:
        """Stand where it stood, if a screen is there still."""
        if (screen := QGuiApplication.screenAt(corner + QPoint(TOUCHED, TOUCHED))) is not None:
            self.setScreen(screen)
            self.move(corner)

    def stay_on_screen(self) -> None:
        """Shrink and move into the screen's free area, if the window manager's frame stands out of it."""
        free, taken = free_area(self), self.frameGeometry()
        if self.isMaximized() or free.contains(taken):
            return
        self.take_size(self.size())
        corner = taken.topLeft()
        corner.setX(max(free.left(), min(corner.x(), free.right() - self.frameGeometry().width() + 1)))
        corner.setY(max(free.top(), min(corner.y(), free.bottom() - self.frameGeometry().height() + 1)))
        self.move(corner)

    def add_page(self, key: str, make: Callable[[], Page], commands: Sequence[Command[Any]] = ()) -> None:
        """Add a page that is made when first shown, and what can be done on it."""
        self._makers[key] = make
        self._commands[key] = tuple(commands)
        self.rail.show_entries(tuple(self._makers))
        self._set_frame_actions()

    def add_everywhere(self, actions: Sequence[Action]) -> None:
        """Add what can be done on every page."""
        self._everywhere += tuple(actions)
        self._set_frame_actions()

    @property
    def current(self) -> str:
        """Key of the page that is shown."""
        return self._current

    def page(self, key: str) -> Page:
        """Return a page, made if it is not there yet."""
        if key not in self._pages:
            page = self._makers[key]()
            page.title_changed.connect(lambda title, context: self._on_title(key, title, context))
            page.status_changed.connect(lambda left, right: self._on_status(key, left, right))
            page.top_widgets_changed.connect(lambda: self._on_top_widgets(key))
            self._rooms[key] = RoomyPage(page.view)
            self.stack.addWidget(self._rooms[key])
            self._pages[key] = page
        return self._pages[key]

    def pages(self) -> list[Page]:
        """Return the pages made so far."""
        return list(self._pages.values())

    def go(self, key: str) -> None:
        """Show a page, if there is one of that key."""
        if key not in self._makers:
            return
        page = self.page(key)
        self.rail.set_current("try" if key == "start" else key)
        if key == self._current:
            return
        if self._current:
            self._pages[self._current].hidden()
        self._current = key
        self.stack.setCurrentWidget(self._rooms[key])
        self.actions_table.set_page(self.actions_of(key))
        self.top.show_title(*page.title)
        self.top.show_widgets(page.top_widgets())
        self.status.clear()
        self.status.show_text(*page.status)
        page.shown()
        self.page_shown.emit(key)

    def actions_of(self, key: str) -> list[Action]:
        """What can be done on a page."""
        page = self.page(key)
        return [command.on(page) for command in self._commands[key]]

    def actions_elsewhere(self) -> list[Action]:
        """What can be done on the pages that are not shown: go there and do it."""
        return [
            replace(command.on(None), call=partial(self._go_and_do, key, command), enabled=lambda: True)
            for key, commands in self._commands.items()
            if key != self._current
            for command in commands
        ]

    def _go_and_do(self, key: str, command: Command[Any]) -> None:
        self.go(key)
        if not self.actions_table.run(command.id):
            self.say(tr("{title}: there is nothing here yet that it could be done with", title=command.title))

    def show_placeholder(self, widget: QWidget) -> None:
        """Show a widget that is no page: the opening, or why it failed. Another one before it goes."""
        self.clear_placeholder()
        self._placeholder = widget
        self.stack.addWidget(widget)
        self.stack.setCurrentWidget(widget)

    def clear_placeholder(self) -> None:
        """Take the widget away that was shown before the pages."""
        if self._placeholder is not None:
            self.stack.removeWidget(self._placeholder)
            self._placeholder.hide()
            self._placeholder.deleteLater()
            self._placeholder = None

    def say(self, text: str) -> None:
        """Write into the status bar what happened; a screen reader says it."""
        self.status.show_text(text)
        announce(self.status, text)

    def _on_title(self, key: str, title: str, context: str) -> None:
        if key == self._current:
            self.top.show_title(title, context)

    def focusNextPrevChild(self, forwards: bool) -> bool:
        if self._current:
            self._pages[self._current].order_tabs()
        return super().focusNextPrevChild(forwards)

    def _on_status(self, key: str, left: str, right: str) -> None:
        if key == self._current:
            self.status.show_text(left, right)

    def _on_top_widgets(self, key: str) -> None:
        if key == self._current:
            self.top.show_widgets(self._pages[key].top_widgets())

    def _set_frame_actions(self) -> None:
        entries = [entry for entry in ENTRIES if entry.key in self._makers]
        self.actions_table.set_frame(
            [
                *(_way_to(entry, self.go) for entry in entries),
                *self._ways_beside_the_rail(),
                Action("palette.open", tr("Find anything"), self.open_palette, ("Ctrl+K",), hidden=True),
                Action(
                    "sheet.open",
                    tr("Shortcuts"),
                    self.show_shortcuts,
                    ("F1", "?", "Ctrl+/"),
                    icon="command",
                    words=tr("keys help keyboard"),
                ),
                *self._everywhere,
                Action("panes.next", tr("Next pane"), self.walk_panes, ("F6",), hidden=True),
                Action("panes.back", tr("Previous pane"), lambda: self.walk_panes(-1), ("Shift+F6",), hidden=True),
                Action("window.close", tr("Quit"), self.close, ("Ctrl+Q",), icon="x", words=tr("exit close")),
            ]
        )

    def set_search(self, tasks: Tasks, search: Search) -> None:
        """Let the palette find recorded runs too."""
        self._finding = (tasks, search)
        if self._palette is not None:
            self._palette.set_search(tasks, search)

    def set_pasting(self, pasting: Pasting) -> None:
        """Let the palette read what is pasted into it."""
        self._pasting = pasting
        if self._palette is not None:
            self._palette.set_pasting(pasting)

    @property
    def palette_box(self) -> CommandPalette:
        """The command palette, made when it is first wanted."""
        if self._palette is None:
            from workbench.ui.main.palette import CommandPalette

            self._palette = CommandPalette(self, lambda: self.actions_table.current, self.actions_elsewhere)
            if self._finding is not None:
                self._palette.set_search(*self._finding)
            if self._pasting is not None:
                self._palette.set_pasting(self._pasting)
        return self._palette

    def open_palette(self) -> None:
        """Open the command palette."""
        self.palette_box.open_palette()

    def _ways_beside_the_rail(self) -> list[Action]:
        """Pages that have no entry in the rail."""
        ways = (
            ("start", tr("Go to recorded failures and simulated models"), "Ctrl+0", "flask"),
            ("forensics", tr("Go to Forensics: one reply, all formats"), "Ctrl+Shift+F", "stack"),
        )
        return [
            Action(f"go.{key}", title, partial(self.go, key), (keys,), icon=icon)
            for key, title, keys, icon in ways
            if key in self._makers
        ]

    def show_shortcuts(self) -> None:
        """Open the shortcut sheet."""
        from workbench.ui.main.sheet import ShortcutSheet

        ShortcutSheet([*self.actions_table.current, *self.actions_elsewhere()], self).open()

    def walk_panes(self, step: int = 1) -> None:
        """Move the focus to the next pane: rail, then those that the page names."""
        panes: list[QWidget] = []
        if (button := self.rail.button(self._current)) is not None:
            panes.append(button)
        if self._current:
            view = self._pages[self._current].view
            panes += view.focus_panes() if hasattr(view, "focus_panes") else [view]
        inside = [pane for pane in panes if pane.isVisibleTo(self)]
        if not inside:
            return
        now = self.focusWidget()
        at = next((i for i, pane in enumerate(inside) if now is pane or (now and pane.isAncestorOf(now))), -1)
        pane = inside[(at + step) % len(inside)]
        pane.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if self._current:
            self._rooms[self._current].bring(pane)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._has_painted:
            self._has_painted = True
            self.stay_on_screen()
            self.painted.emit()

    def quit_now(self) -> None:
        """Close for good."""
        self._quitting = True
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask first: runs are ended and written before the window goes."""
        if self._quitting:
            event.accept()
            return
        event.ignore()
        self.close_requested.emit()
