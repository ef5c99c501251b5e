from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QWidget

from workbench.ui.bridge.action import Action, Command
from workbench.ui.bridge.page import Page
from workbench.ui.main import window as window_module
from workbench.ui.main.window import FRAME, MINIMUM, USUAL, MainWindow
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.roomy import RoomyPage


class _Plain(Page):
    """A page with one field and one action."""

    def __init__(self, shell: Any, name: str, log: list[str]) -> None:
        super().__init__(shell)
        self.name, self.log = name, log
        self.widget = QWidget()
        self.field = QLineEdit(self.widget)
        self.set_title(name, "context")
        self.set_status(f"{name} ready", "parser")
        self.button = Button(f"{name} does")

    @property
    def view(self) -> QWidget:
        return self.widget

    def top_widgets(self) -> list[QWidget]:
        return [self.button]

    def shown(self) -> None:
        self.log.append(f"{self.name} shown")

    def hidden(self) -> None:
        self.log.append(f"{self.name} hidden")


def _commands(key: str) -> list[Command[_Plain]]:
    return [Command(f"{key}.act", f"Act on {key}", lambda page: page.log.append(page.name), ("F9",), key.title())]


def _window(qtbot, log: list[str]) -> MainWindow:
    window = MainWindow()
    qtbot.addWidget(window, before_close_func=lambda one: one.quit_now())
    shell: Any = SimpleNamespace(window=window)
    for key in ("try", "history"):
        window.add_page(key, lambda key=key: _Plain(shell, key, log), _commands(key))
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window


def test_pages_are_created_when_shown(theme, qtbot) -> None:
    log: list[str] = []
    window = _window(qtbot, log)
    assert window.pages() == []
    window.go("try")
    assert (window.top.title.text(), window.status.left.text()) == ("try", "try ready")
    QTest.keyClick(window, Qt.Key.Key_4, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(window, Qt.Key.Key_F9)
    assert log == ["try shown", "try hidden", "history shown", "history"]
    assert window.current == "history"
    window.pages()[0].set_title("changed behind")
    assert window.top.title.text() == "history"
    window.pages()[1].set_title("changed", "now")
    assert window.top.title.text() == "changed"


def test_a_command_of_another_page_goes_there_first(theme, qtbot) -> None:
    log: list[str] = []
    window = _window(qtbot, log)
    window.go("try")
    assert [action.id for action in window.actions_of("try")] == ["try.act"]
    elsewhere = window.actions_elsewhere()
    assert [action.id for action in elsewhere] == ["history.act"]
    elsewhere[0].call()
    assert log == ["try shown", "try hidden", "history shown", "history"]


def test_disabled_command_is_reported(theme, qtbot) -> None:
    window = _window(qtbot, [])
    shell: Any = SimpleNamespace(window=window)
    never = Command("cases.never", "Never", list, enabled=lambda _page: False)
    window.add_page("cases", lambda: _Plain(shell, "cases", []), [never])
    window.actions_elsewhere()[-1].call()
    assert window.current == "cases"
    assert window.status.left.text().startswith("Never: ")


def test_a_page_that_needs_more_room_scrolls(theme, qtbot) -> None:
    window = _window(qtbot, [])
    window.go("try")
    page = window.page("try")
    assert isinstance(page, _Plain)
    page.widget.setMinimumSize(3000, 100)
    room = window.stack.currentWidget()
    assert isinstance(room, RoomyPage)
    qtbot.waitUntil(lambda: page.widget.width() == 3000)
    assert (room.horizontalScrollBar().maximum() > 0, room.verticalScrollBar().maximum()) == (True, 0)
    page.widget.setMinimumSize(0, 0)
    qtbot.waitUntil(lambda: page.widget.width() == room.viewport().width())


def test_what_can_be_done_everywhere_is_bound_on_each_page(theme, qtbot) -> None:
    window, done = _window(qtbot, []), []
    window.add_everywhere([Action("text.larger", "Larger text", lambda: done.append(window.current), ("Ctrl++",))])
    for key in ("try", "history"):
        window.go(key)
        QTest.keyClick(window, Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    assert done == ["try", "history"]


def test_the_window_stands_where_it_stood_if_a_screen_is_there(theme, qtbot) -> None:
    window = MainWindow()
    qtbot.addWidget(window, before_close_func=lambda one: one.quit_now())
    window.take_place(QPoint(30, 50))
    assert window.pos() == QPoint(30, 50)
    window.take_place(QPoint(90_000, 50))
    assert window.pos() == QPoint(30, 50)


def test_closing_is_a_request(theme, qtbot) -> None:
    window = _window(qtbot, [])
    with qtbot.waitSignal(window.close_requested):
        window.close()
    assert window.isVisible()
    window.quit_now()
    assert not window.isVisible()


def test_panes_are_walked(theme, qtbot) -> None:
    window = _window(qtbot, [])
    window.go("try")
    page = window.page("try")
    assert isinstance(page, _Plain)
    page.widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    QTest.keyClick(window, Qt.Key.Key_F6)
    first = window.focusWidget()
    QTest.keyClick(window, Qt.Key.Key_F6)
    assert window.focusWidget() is not first
    QTest.keyClick(window, Qt.Key.Key_F6, Qt.KeyboardModifier.ShiftModifier)
    assert window.focusWidget() is first


def test_placeholders_replace_each_other(theme, qtbot) -> None:
    window = _window(qtbot, [])
    one, two = QWidget(), QWidget()
    window.show_placeholder(one)
    window.show_placeholder(two)
    assert window.stack.currentWidget() is two
    window.clear_placeholder()
    assert window.stack.count() == 0
    window.say("done")
    assert window.status.left.text() == "done"


def test_the_first_painting_is_told_once(theme, qtbot) -> None:
    window = MainWindow()
    qtbot.addWidget(window, before_close_func=lambda one: one.quit_now())
    seen: list[int] = []
    window.painted.connect(lambda: seen.append(1))
    with qtbot.waitExposed(window):
        window.show()
    qtbot.waitUntil(lambda: bool(seen))
    window.repaint()
    assert seen == [1]


@pytest.mark.parametrize(
    ("free", "expected", "least"),
    [
        (QSize(1920, 1040), USUAL, MINIMUM),
        (QSize(1280, 770), QSize(1276, 734), MINIMUM),
        (QSize(640, 400), QSize(636, 364), QSize(636, 364)),
    ],
)
def test_it_never_opens_larger_than_the_free_area(
    theme, qtbot, monkeypatch, free: QSize, expected: QSize, least: QSize
) -> None:
    monkeypatch.setattr(window_module, "free_area", lambda _window: QRect(QPoint(0, 24), free))
    window = MainWindow()
    qtbot.addWidget(window, before_close_func=lambda one: one.quit_now())
    assert (window.size(), window.minimumSize()) == (expected, least)
    window.take_size(QSize(5000, 5000))
    assert window.size() == free - FRAME


def test_a_window_that_stands_out_is_moved_into_the_free_area(theme, qtbot, monkeypatch) -> None:
    free = QRect(0, 24, 1500, 900)
    monkeypatch.setattr(window_module, "free_area", lambda _window: free)
    window = MainWindow()
    qtbot.addWidget(window, before_close_func=lambda one: one.quit_now())
    window.move(300, 200)
    with qtbot.waitExposed(window):
        window.show()
    qtbot.waitUntil(lambda: free.contains(window.frameGeometry()))


def test_a_palette_opened_before_the_records_learns_to_read_what_is_pasted(theme, qtbot) -> None:
    window = _window(qtbot, [])
    window.open_palette()
    asked: list[Any] = []
    tasks: Any = SimpleNamespace(latest=lambda name, work: asked.append(work))
    reader: Any = SimpleNamespace(identify=lambda text: text)
    search: Any = len
    window.set_search(tasks, search)
    window.set_pasting(reader)
    window.palette_box.field.take("two lines\nof a reply")
    assert [item.title for item in window.palette_box.found] == ["Read the pasted text"]
    for work in asked:
        work.close()
