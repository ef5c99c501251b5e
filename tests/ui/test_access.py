"""What a screen reader and a keyboard need, on every page of the real window."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractScrollArea, QComboBox

from tests.kit import events as kit
from tests.kit.access import nameless, tab_stops
from tests.kit.fakes import READ_FILE
from tests.kit.forensics import TWO
from tests.kit.gui import go_to, open_window, settle
from tests.kit.scan_page import leaky_session
from tests.kit.verify_tab import verify_tab
from tests.kit.waiting import until
from workbench.core.target import ModelRef
from workbench.ui.forensics.controller import ForensicsController
from workbench.ui.main.rail import ENTRIES
from workbench.ui.scan.controller import ScanController
from workbench.ui.try_.prompt_draft import PromptDraft

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

PAGES = ("start", "forensics", *(entry.key for entry in ENTRIES))


def test_screen_reader_finds_a_name_for_everything(theme, run_async, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            for key in PAGES:
                session.window.go(key)
                await until(lambda: not [name for name in session.tasks.running() if "servers" not in name])
                assert (key, nameless(session.window)) == (key, [])
            await verify_tab(session)
            areas = session.window.findChildren(QAbstractScrollArea)
            silent = [
                area for area in areas if area.focusPolicy() & Qt.FocusPolicy.TabFocus and not area.accessibleName()
            ]
            assert silent == [], "seen or not: what scrolls or lists takes the keyboard, and has no words of its own"

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
            await until(window.isActiveWindow)
            seen = [window.top.field, *tab_stops(window, window.top.field)]
            assert window.rail.button("providers") in seen
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
            seen = tab_stops(window, page.paste_field)
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
            seen = tab_stops(window, composer.user)
            wanted = (composer.tools.chips[0], composer.preview, composer.run, page.bar.fold, page.verdict.keep,
                      page.inspector.tabs, page.inspector.wire.table, window.top.field)  # fmt: skip
            places = [seen.index(one) for one in wanted]
            assert places == sorted(places)

    run_async(body())


def test_tab_leads_through_the_loop_to_a_waiting_call_before_the_inspector(
    theme, run_async, home: Path, leak_check
) -> None:
    """Cells and approvals are made while a run goes on, and still come between the loop's bar and the verdict."""

    async def body() -> None:
        async with open_window(theme, home) as session:
            window = session.window
            window.activateWindow()
            await until(window.isActiveWindow)
            window.go("try")
            controller: Any = window.page("try")
            page = controller.page
            tools = {"tools": [READ_FILE.to_openai()], "modes": {"read_file": "ask"}}
            asked = PromptDraft(user="Read the file app.toml.", tools=json.dumps(tools), format="qwen_xml")
            controller.show_draft(replace(asked, model=ModelRef("Simulator", "mistral-steady")))
            controller.run()
            await until(lambda: page.area.approvals)
            settle()
            (row,) = page.area.approvals
            await until(lambda: page.area.rows[0].cells is not None and page.area.rows[0].cells.raw.text is not None)
            cells = page.area.rows[0].cells
            seen = tab_stops(window, page.composer.user)
            _in_order(seen, page.bar.fold, cells.raw.text, row.allow_button, row.fields[0],
                      page.inspector.tabs, window.top.field)  # fmt: skip
            controller.stop()
            await until(lambda: not controller.is_running)

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
            seen = tab_stops(window, page.filter)
            fields = list(page.sample.form.fields.values())
            wanted = (page.tool_list, page.definition.text, *fields, page.sample.call, window.top.field)
            places = [seen.index(one) for one in wanted]
            assert places == sorted(places)
            assert window.rail.button("tools") in seen

    run_async(body())


def _in_order(seen: list[QWidget], *wanted: QWidget) -> None:
    places = [seen.index(one) for one in wanted]
    assert places == sorted(places)


def test_findings_of_a_scan_are_told_and_walked_in_reading_order(
    theme, run_async, home: Path, tmp_path: Path, leak_check
) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            window = session.window
            window.activateWindow()
            page = go_to(window, ScanController)
            page.add_names([str(leaky_session(tmp_path / "a.jsonl", leaks=3))])
            await until(lambda: not page.running.is_running and page.running.seen is not None)
            view = page.page
            await until(view.findings.model.rowCount)
            view.findings.table.choose_row(0)
            await until(view.finding.raw.isVisible)
            settle()
            assert nameless(window) == []
            seen = tab_stops(window, view.sources.list)
            assert view.findings.matrix.kinds not in seen, "its lines are reached with the arrows"
            _in_order(seen, view.findings.matrix.cells, view.findings.table, view.finding.raw, view.finding.keep,
                      view.finding.open, window.top.field, window.rail.button("scan"))  # fmt: skip

    run_async(body())


def test_a_text_in_forensics_is_told_and_walked_in_reading_order(theme, run_async, home: Path, leak_check) -> None:
    """Forensics has no entry in the rail, which Tab reaches all the same."""

    async def body() -> None:
        async with open_window(theme, home) as session:
            window = session.window
            window.activateWindow()
            page = go_to(window, ForensicsController)
            view = page.page
            view.editor.setPlainText(TWO)
            await until(lambda: page.text.exam is not None and view.findings.isVisible())
            await until(lambda: not [name for name in session.tasks.running() if "servers" not in name])
            settle()
            assert nameless(window) == []
            seen = tab_stops(window, view.paste)
            _in_order(seen, view.colours, view.editor, view.next, view.copy, view.matrix.table, window.top.field,
                      window.rail.button("try"))  # fmt: skip

    run_async(body())


def test_a_verification_is_told_and_walked_in_reading_order(theme, run_async, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            window = session.window
            window.activateWindow()
            verify = await verify_tab(session, 4)
            setup, view = verify.page.setup, verify.page
            await until(setup.run.isEnabled)
            assert nameless(window) == []
            _in_order(tab_stops(window, setup.reference), setup.pairs, setup.run, window.top.field)
            setup.run.click()
            await until(lambda: verify.found is not None and not verify.running.active and not view.model.running)
            view.table.cells.setCurrentIndex(view.model.index(0, 2))
            settle()
            assert nameless(window) == []
            seen = tab_stops(window, view.table.cells)
            _in_order(seen, view.panel.tabs, window.top.field, window.rail.button("compare"), view.fold)

    run_async(body())


def test_a_call_that_waits_is_told_and_walked_in_reading_order(theme, run_async, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            window = session.window
            window.activateWindow()
            window.go("try")
            page = window.page("try")
            await until(lambda: not [name for name in session.tasks.running() if "servers" not in name])
            asked = json.dumps({"tools": [READ_FILE.to_openai()], "modes": {"read_file": "ask"}})
            model = ModelRef("Simulator", "mistral-steady")
            page.show_draft(PromptDraft(user="Read the file app.toml.", tools=asked, model=model))
            await until(page.page.composer.run.isEnabled)
            page.page.composer.run.click()
            await until(lambda: page.page.area.approvals)
            settle()
            assert nameless(window) == []
            (waiting,) = page.page.area.approvals
            seen = tab_stops(window, page.page.composer.user)
            _in_order(seen, page.page.composer.preview, waiting.allow_button, waiting.edit_button,
                      waiting.refuse_button, window.top.field)  # fmt: skip
            waiting.refuse()
            await until(lambda: not page.is_running)

    run_async(body())
