"""What a screen reader and a keyboard need, on every page of the real window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QWidget

from tests.kit import events as kit
from tests.kit.gui import open_window, settle
from tests.kit.waiting import until
from workbench.ui.main.rail import ENTRIES

if TYPE_CHECKING:
    from pathlib import Path

PAGES = ("start", "forensics", *(entry.key for entry in ENTRIES))


_SEEN = 60
"""Cells of a table that are asked; the others are made alike."""


def _nameless(node: QAccessibleInterface, path: tuple[str, ...] = ()) -> list[str]:
    """What takes the focus below a node of the accessibility tree, is seen, and has no name to read out or no role."""
    state, name, role = node.state(), node.text(QAccessible.Text.Name), node.role()
    if state.invisible:
        return []
    here = (*path, name)
    dumb = not name or role is QAccessible.Role.NoRole
    found = [f"{role} in {path[-3:]}"] if state.focusable and not state.disabled and dumb else []
    children = (node.child(at) for at in range(min(node.childCount(), _SEEN)))
    return found + [one for child in children if child and child.isValid() for one in _nameless(child, here)]


def test_screen_reader_finds_a_name_for_everything(theme, run_async, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            for key in PAGES:
                session.window.go(key)
                await until(lambda: not [name for name in session.tasks.running() if "servers" not in name])
                root = QAccessible.queryAccessibleInterface(session.window)
                assert root is not None
                assert (key, _nameless(root)) == (key, [])

    run_async(body())


def test_a_field_with_a_list_tells_its_value_and_what_it_is_for(theme, run_async, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            for key in ("compare", "settings", "try"):
                session.window.go(key)
                view = session.window.page(key).view
                await until(lambda view=view: any(one.isVisible() for one in view.findChildren(QComboBox)))
                for one in filter(QComboBox.isVisible, view.findChildren(QComboBox)):
                    told = QAccessible.queryAccessibleInterface(one)
                    assert told is not None
                    heard = told.text(QAccessible.Text.Name) + told.text(QAccessible.Text.Description)
                    assert one.accessibleName()
                    assert one.accessibleName() in heard
                    assert one.currentText() in heard

    run_async(body())


def test_tab_reaches_every_part_of_a_page_and_comes_back(theme, run_async, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            window = session.window
            window.activateWindow()
            window.go("providers")
            await until(lambda: not session.tasks.running())
            seen: list[QWidget] = []
            for _ in range(60):
                QTest.keyClick(window.focusWidget() or window, Qt.Key.Key_Tab)
                now = window.focusWidget()
                assert now is not None
                if now in seen:
                    break
                seen.append(now)
            assert window.rail.button("providers") in seen
            assert window.top.field in seen
            assert any(type(widget).__name__ == "RowList" for widget in seen)

    run_async(body())


def test_shortcuts_of_the_rail_lead_to_their_pages(theme, run_async, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            window = session.window
            window.activateWindow()
            for entry in ENTRIES:
                if window.rail.button(entry.key) is not None:
                    assert window.actions_table.run(f"go.{entry.key}")
                    assert window.current == entry.key

    run_async(body())


def test_tab_walks_the_first_page_in_reading_order(theme, run_async, home: Path, leak_check) -> None:
    """The first steps and the texts of a recording come after the page was made, and still stand in their places."""

    async def body() -> None:
        async with open_window(theme, home) as session:
            window = session.window
            window.activateWindow()
            await until(window.isActiveWindow)
            window.go("start")
            page = window.page("start").page
            await until(lambda: page.steps.buttons and page.preview.glance.step is not None)
            settle()
            page.paste_field.setFocus()
            seen: list[QWidget] = []
            for _ in range(80):
                QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Tab)
                now = QApplication.focusWidget()
                assert now is not None
                if now is page.paste_field:
                    break
                seen.append(now)
            raw = page.preview.glance.parts["raw"].pane.text
            wanted = (page.provider_button, *page.steps.buttons.values(), page.table, raw, page.preview.open_button,
                      page.compare_button, window.top.field, window.rail.button("try"))  # fmt: skip
            places = [seen.index(one) for one in wanted]
            assert places == sorted(places)

    run_async(body())


def test_tab_walks_try_in_reading_order(theme, run_async, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            window = session.window
            window.activateWindow()
            await until(window.isActiveWindow)
            window.go("try")
            page = window.page("try").page
            page.show_events(kit.story())
            settle()
            composer = page.composer
            composer.user.setFocus()
            seen: list[QWidget] = []
            for _ in range(80):
                QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Tab)
                now = QApplication.focusWidget()
                assert now is not None
                if now is composer.user:
                    break
                seen.append(now)
            wanted = (composer.tools.chips[0], composer.preview, composer.run, page.bar.fold, page.verdict.keep,
                      page.inspector.tabs, page.inspector.wire.table, window.top.field)  # fmt: skip
            places = [seen.index(one) for one in wanted]
            assert places == sorted(places)

    run_async(body())


def test_tab_walks_tools_in_reading_order(theme, run_async, home: Path, leak_check) -> None:
    """Fields of a sample call are made anew for each tool, and still come between the definition and the top bar."""

    async def body() -> None:
        async with open_window(theme, home) as session:
            window = session.window
            window.activateWindow()
            await until(window.isActiveWindow)
            window.go("tools")
            page = window.page("tools").page
            await until(page.tools.rowCount)
            for row in (2, 1):
                page.tool_list.choose_row(row)
            settle()
            page.filter.setFocus()
            seen: list[QWidget] = []
            for _ in range(80):
                QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Tab)
                now = QApplication.focusWidget()
                assert now is not None
                if now is page.filter:
                    break
                seen.append(now)
            fields = list(page.sample.form.fields.values())
            wanted = (page.tool_list, page.definition.text, *fields, page.sample.call, window.top.field)
            places = [seen.index(one) for one in wanted]
            assert places == sorted(places)
            assert window.rail.button("tools") in seen

    run_async(body())
