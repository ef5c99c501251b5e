"""A failed run becomes a report in two clicks, from History, from Try and from Forensics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from tests.kit.app import draft
from tests.kit.gui import open_window
from tests.kit.waiting import until
from workbench.app.forensics import Specimen
from workbench.app.pasted_setup import ServerSetup
from workbench.ui.run.export import upstream_reports
from workbench.ui.run.export.upstream_reports import UpstreamReports, receivers

if TYPE_CHECKING:
    from pathlib import Path

BENT = '<tool_call>{"name": "get_weather", "arguments": {"city": "Rome",}}</tool_call>'


def menu_of(session: Any) -> QMenu:
    return next(one for one in session.window.findChildren(QMenu) if one.isVisible())


async def _second_click(session: Any, reports: UpstreamReports, title: str) -> Any:
    await until(lambda: any(one.isVisible() for one in session.window.findChildren(QMenu)))
    menu = menu_of(session)
    next(one for one in menu.actions() if title in one.text()).trigger()
    menu.close()
    await until(lambda: reports.sheet is not None and reports.sheet.shows_report)
    return reports.sheet


def test_receivers_are_the_five_and_a_provider() -> None:
    assert [title for _, title in receivers()] == [
        "vLLM", "SGLang", "llama.cpp", "Ollama", "Transformers", "a provider",
    ]  # fmt: skip
    assert [name for name, _ in receivers("ollama")][:2] == ["ollama", "vllm"]


def test_two_clicks_from_history(run_async, theme, home: Path, leak_check, monkeypatch) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            assert session.wb is not None
            handle = await session.wb.runs.start(draft("model=gemma-tiny", rates={"*": 0, "argument missing": 1}))
            await handle.wait()
            session.window.go("history")
            page: Any = session.window.page("history")
            await until(lambda: page.page.chosen is not None)
            QTest.mouseClick(page.page.preview.report_button, Qt.MouseButton.LeftButton)
            sheet = await _second_click(session, page.chosen_run.reports, "SGLang")
            assert sheet.title.text() == "[Bug] gemma-tiny: call of read_file breaks its schema"
            assert "### Checklist" in sheet.text.toPlainText()
            sheet.title.setText("[Bug] mine")
            QTest.mouseClick(sheet.copy, Qt.MouseButton.LeftButton)
            assert QGuiApplication.clipboard().text().startswith("# [Bug] mine\n\n### Checklist")
            sheet.receiver.value_chosen.emit("ollama")
            await until(lambda: sheet.text.toPlainText().startswith("### What is the issue?"))
            out = home / "report.md"

            async def ask(*_: object) -> Path:
                return out

            monkeypatch.setattr(upstream_reports.dialogs, "ask_save_file", ask)
            QTest.mouseClick(sheet.save, Qt.MouseButton.LeftButton)
            await until(lambda: "Saved" in sheet.status.text())
            assert "### What is the issue?" in out.read_text("utf-8")
            sheet.reject()

    run_async(body())


def test_a_pasted_reply_is_reported_by_keyboard(run_async, theme, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            session.window.go("forensics")
            page: Any = session.window.page("forensics")
            page.show_specimen(Specimen(BENT, setup=ServerSetup("coder-7b", "vllm serve coder-7b")))
            await until(lambda: page.text.exam is not None)
            page.page.matrix.table.setFocus()
            assert session.window.actions_table.run("forensics.upstream")
            sheet = await _second_click(session, page.text_actions.reports, "vLLM")
            assert "coder-7b: call of get_weather stays in the content" in sheet.title.text()
            assert "vllm serve coder-7b" in sheet.text.toPlainText()
            sheet.activateWindow()
            await until(sheet.isActiveWindow)
            QTest.keyClick(sheet, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
            await until(lambda: "### 🐛 Describe the bug" in QGuiApplication.clipboard().text())
            QGuiApplication.clipboard().setText("")
            QTest.keyClick(sheet.copy, Qt.Key.Key_Return)
            assert "### 🐛 Describe the bug" in QGuiApplication.clipboard().text()
            sheet.reject()

    run_async(body())


def test_what_has_no_fault_is_said(run_async, theme, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            session.window.go("forensics")
            page: Any = session.window.page("forensics")
            page.show_specimen(Specimen("Hello."))
            await until(lambda: page.text.exam is not None)
            reports = page.text_actions.reports
            reports.start("vllm", page.text_actions._load)
            await until(lambda: reports.sheet is not None and "Nothing is wrong" in reports.sheet.status.text())
            assert not reports.sheet.shows_report
            assert not reports.sheet.copy.isEnabled()
            reports.sheet.reject()

    run_async(body())
