"""The real window, clicked through with simulated models, then looked at from its database."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from tests.kit.gui import open_window, settle
from tests.kit.waiting import LIMIT_S, until
from workbench.store import Store
from workbench.ui.history.controller import HistoryController
from workbench.ui.main.sheet import ShortcutSheet
from workbench.ui.providers.controller import ProvidersController
from workbench.ui.start.controller import StartController
from workbench.ui.try_.controller import TryController

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.ui.bridge.page import Page
    from workbench.ui.main.session import Session


def _page(session: Session, key: str, kind: type[Page]):
    page = session.window.page(key)
    assert isinstance(page, kind)
    return page


def test_first_start_shows_recorded_failures(run_async, theme, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            assert session.window.current == "start"
            start = _page(session, "start", StartController)
            view = start.page
            assert view.model.rowCount() >= 12
            glance = view.preview.glance
            await until(lambda: glance.step is not None)
            QTest.keyClick(view.table, Qt.Key.Key_J)
            QTest.keyClick(session.window, Qt.Key.Key_F3)
            assert view.table.currentIndex().row() == 2
            before = glance.step
            await until(lambda: glance.step is not before)
            QTest.mouseClick(view.preview.reparse_button, Qt.MouseButton.LeftButton)
            await until(view.preview.places["Parser"][1].text)
            QTest.mouseClick(view.preview.open_button, Qt.MouseButton.LeftButton)
            await until(lambda: session.window.current == "try")

    run_async(body())


def test_a_simulated_run_from_the_strip_reaches_the_history(run_async, theme, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            start = _page(session, "start", StartController)
            start.page.run_asked.emit("mistral-flash")
            trying = _page(session, "try", TryController)
            assert session.window.current == "try"
            await until(lambda: not trying.is_running and session.wb and session.wb.store.count())
            session.window.go("history")
            history = _page(session, "history", HistoryController)
            await until(lambda: history.page.model.rowCount() == 1)
            await until(lambda: history.page.preview.glance.step is not None)
            QTest.keyClick(history.page.table, Qt.Key.Key_P)
            await until(lambda: history.page.preview.replay.verdict == "same")
            QTest.mouseClick(history.page.preview.bin_button, Qt.MouseButton.LeftButton)
            await until(lambda: history.page.model.rowCount() == 0)
            history.page.tabs.choose("bin")
            await until(lambda: history.page.model.rowCount() == 1)
            QTest.mouseClick(history.page.preview.restore_button, Qt.MouseButton.LeftButton)
            await until(lambda: history.page.model.rowCount() == 0)

    async def again() -> None:
        async with open_window(theme, home) as session:
            assert session.window.current == "history"  # where it was left

    run_async(body())
    run_async(again())
    store = Store.open(home / "workbench.db")
    rows = store.list_runs()
    store.close()
    assert [(row.model, row.simulated, row.deleted_us) for row in rows] == [("mistral-flash", True, None)]


def test_a_wrong_filter_is_said_in_place(run_async, theme, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            session.window.go("history")
            page = _page(session, "history", HistoryController).page
            page.filter.setFocus()
            QTest.keyClicks(page.filter, "verdct:fail")
            QTest.keyClick(page.filter, Qt.Key.Key_Return)
            assert page.filter.is_invalid
            assert "Did you mean 'verdict'?" in page.complaint.text()
            page.filter.set_filter("")
            await until(lambda: not page.filter.is_invalid)

    run_async(body())


def test_a_provider_is_added_tested_and_removed(run_async, theme, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            session.window.go("providers")
            page = _page(session, "providers", ProvidersController)
            view = page.page
            await until(lambda: view.models.rowCount() > 5)
            page.add("")
            await until(lambda: view.title.text() == "My endpoint")
            view.form.base_url.selectAll()
            QTest.keyClicks(view.form.base_url, "http://127.0.0.1:9/v1")
            QTest.keyClick(session.window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
            assert session.wb is not None
            assert session.wb.saved_settings.provider("My endpoint").base_url == "http://127.0.0.1:9/v1"
            await until(lambda: view.form.base_url.text().endswith(":9/v1") and not view.form.differs)
            QTest.mouseClick(view.test, Qt.MouseButton.LeftButton)
            await until(lambda: view.state.text() == "not reachable")
            assert view.card.report().startswith("Nothing answers at this address")

    run_async(body())
    assert "127.0.0.1:9" in (home / "settings.toml").read_text("utf-8")


def test_a_key_is_kept_for_the_session_and_never_written(run_async, theme, home: Path, leak_check) -> None:
    secret = "sk-" + "very-secret-value-0123456789"

    async def body() -> None:
        async with open_window(theme, home) as session:
            session.window.go("providers")
            page = _page(session, "providers", ProvidersController)
            view = page.page
            await until(lambda: view.title.text() == "Simulator")
            page.add("groq")
            await until(lambda: view.title.text() == "Groq")
            view.form.base_url.setText("http://127.0.0.1:9/v1")
            view.form.base_url.textEdited.emit("")
            view.form.ask_save()
            await until(lambda: not view.form.differs)
            QTest.keyClicks(view.form.key, secret)
            QTest.mouseClick(view.form.use_key, Qt.MouseButton.LeftButton)
            assert view.form.key.text() == ""
            await until(lambda: "in memory" in view.form.notes["key"].text())
            assert secret[-4:] not in view.form.notes["key"].text()
            await until(lambda: not session.tasks.running())

    run_async(body())
    written = b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())
    assert secret.encode() not in written


def test_palette_and_sheet(run_async, theme, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            window = session.window
            QTest.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
            palette = window.palette_box
            assert palette.isVisible()
            QTest.keyClicks(palette.field, "go to prov")
            assert [item.title for item in palette.found] == ["Go to Providers"]
            QTest.keyClick(palette.field, Qt.Key.Key_Return)
            assert window.current == "providers"
            assert not palette.isVisible()
            for key, modifier in (
                (Qt.Key.Key_Slash, Qt.KeyboardModifier.ControlModifier),
                (Qt.Key.Key_F1, Qt.KeyboardModifier.NoModifier),
                (Qt.Key.Key_Question, Qt.KeyboardModifier.ShiftModifier),
            ):
                QTest.keyClick(window, key, modifier)
                sheets = [one for one in window.findChildren(ShortcutSheet) if one.isVisible()]
                assert len(sheets) == 1
                headings = [one.text() for one in sheets[0].findChildren(QLabel) if one.property("role") == "section"]
                assert headings[0] == "Providers"
                sheets[0].close()
                window.activateWindow()
                await until(window.isActiveWindow)

    run_async(body())


def test_the_theme_is_changed_and_remembered(run_async, theme, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            window = session.window
            window.go("settings")
            page = window.page("settings")
            view = page.view
            QTest.mouseClick(view.theme.button("dark"), Qt.MouseButton.LeftButton)
            assert theme.tokens.dark
            await until(lambda: view.data_note.text().startswith("0 runs"))
            window.resize(1300, 777)

    run_async(body())
    text = (home / "settings.toml").read_text("utf-8")
    assert 'theme = "dark"' in text
    assert "height = 777" in text


def test_a_broken_settings_file_is_said_and_can_be_mended(run_async, theme, home: Path, leak_check) -> None:
    home.mkdir(parents=True)
    (home / "settings.toml").write_text("[ui]\ntheme = 7\n")

    async def body() -> None:
        from workbench.ui.main.opening_failed import OpeningFailed
        from workbench.ui.main.session import Session
        from workbench.ui.main.window import MainWindow

        window = MainWindow()
        window.show()
        session = Session(window, theme, home)
        life = asyncio.get_running_loop().create_task(session.run())
        await until(lambda: window.findChild(OpeningFailed) is not None)
        card = window.findChild(OpeningFailed)
        assert isinstance(card, OpeningFailed)
        assert "settings.toml" in card.card.report()
        (home / "settings.toml").write_text("")
        card.again_asked.emit()
        await until(session.ready.is_set)
        window.close()
        assert await life == 0
        window.deleteLater()

    run_async(body())


def test_a_signal_ends_the_window_that_cannot_be_opened(run_async, theme, home: Path, leak_check) -> None:
    home.mkdir(parents=True)
    (home / "settings.toml").write_text("[ui]\ntheme = 7\n")

    async def body() -> None:
        from workbench.ui.main.opening_failed import OpeningFailed
        from workbench.ui.main.session import Session
        from workbench.ui.main.window import MainWindow

        window = MainWindow()
        window.show()
        life = asyncio.get_running_loop().create_task(Session(window, theme, home).run())
        await until(lambda: window.findChild(OpeningFailed) is not None)
        os.kill(os.getpid(), signal.SIGTERM)
        assert await asyncio.wait_for(life, LIMIT_S) == 0
        window.deleteLater()

    run_async(body())


class _Windows(QObject):
    """Notes what is shown as a window of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() is QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.seen.append(type(watched).__name__)
        return False


def test_no_part_of_a_page_flashes_as_a_window(run_async, theme, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            windows, app = _Windows(), QApplication.instance()
            assert app is not None
            app.installEventFilter(windows)
            for key in ("try", "compare", "cases", "history", "forensics", "providers", "servers", "settings", "start"):
                session.window.go(key)
                settle()
            app.removeEventFilter(windows)
            assert windows.seen == []

    run_async(body())
