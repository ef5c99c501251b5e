"""What is done with the text in Forensics, with real clicks and keys."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from tests.kit.forensics import TOOLS, TWO
from tests.kit.gui import open_window
from tests.kit.issue_threads import RAW, issue
from tests.kit.waiting import LIMIT_S, until
from workbench.app.forensics import Specimen
from workbench.replay.faults import FailedReading, FaultyReply
from workbench.ui.run.case.keep_dialog import KeepCaseDialog

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from workbench.ui.forensics.controller import ForensicsController
    from workbench.ui.main.session import Session
    from workbench.ui.theme.theme import Theme

pytestmark = pytest.mark.usefixtures("leak_check")
LONG = "Let me look at this first.\n" * 60 + TWO + "\nThat was all." * 20


def _click(widget: QWidget) -> None:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)


async def _shown(session: Session, specimen: Specimen) -> ForensicsController:
    window = session.window
    window.activateWindow()
    await until(window.isActiveWindow)
    window.go("forensics")
    page = window.page("forensics")
    page.show_specimen(specimen)  # type: ignore[attr-defined]
    await _read(page)  # type: ignore[arg-type]
    return page  # type: ignore[return-value]


def _kept(home: Path) -> str:
    return "".join(path.read_text(encoding="utf-8") for path in home.glob("suites/*/*.yaml"))


async def _read(page: ForensicsController) -> None:
    await until(lambda: page.text.exam is not None and page.text.exam.survey.text == page.page.editor.text)
    await until(lambda: page.page.matrix.model.rowCount() > 0)


def test_a_text_is_made_small_and_brought_back(home: Path, theme: Theme, run_async: Callable[..., None]) -> None:
    async def story() -> None:
        async with open_window(theme, home) as session:
            page = await _shown(session, Specimen(LONG, "qwen_xml", TOOLS))
            before = page.page.findings.model.line(1).outcome
            _click(page.page.minimise)
            await until(lambda: "Minimised" in page.page.work.words.text())
            small = page.page.editor.text
            assert len(small) < 90
            assert "schemas smaller" in page.page.work.words.text()
            assert "what stays: recovered: trailing comma" in page.page.work.words.text()
            await _read(page)
            lines = [page.page.findings.model.line(n).outcome for n in range(page.page.findings.model.rowCount())]
            assert lines == [before] == ["recovered"]
            _click(page.page.work.button)
            assert page.page.editor.text == LONG
            assert page.page.work.isHidden()
            await _read(page)

    run_async(story())


def test_stopped_search_keeps_its_findings(
    home: Path, theme: Theme, run_async: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, usual, tries = threading.Event(), FailedReading.stands_in, iter(range(1_000_000))

    def gated(fault: FailedReading, reply: FaultyReply) -> bool:
        if next(tries) > 4:
            gate.wait(LIMIT_S)
        return usual(fault, reply)

    monkeypatch.setattr(FailedReading, "stands_in", gated)

    async def story() -> None:
        async with open_window(theme, home) as session:
            page = await _shown(session, Specimen(LONG, "qwen_xml", TOOLS))
            _click(page.page.minimise)
            await until(lambda: page.text_actions.is_searching and page.page.work.button.isVisible())
            words = page.page.work.words
            assert words.text().startswith("Minimising: ")
            await until(lambda: f"→ {len(LONG):,} " not in words.text())  # something was left out
            _click(page.page.work.button)
            gate.set()
            await until(lambda: page.page.work.words.text().startswith("Made smaller: "))
            assert 90 < len(page.page.editor.text) < len(LONG)
            await _read(page)

    run_async(story())


def test_pasted_texts_are_kept(home: Path, theme: Theme, run_async: Callable[..., None]) -> None:
    async def story() -> None:
        async with open_window(theme, home) as session:
            page = await _shown(session, Specimen(TWO, "qwen_xml", TOOLS))
            QGuiApplication.clipboard().setText("Another one.")
            _click(page.page.paste)
            assert page.page.editor.text == "Another one."
            _click(page.page.clear)
            assert page.page.editor.text == ""
            assert "gave way" in page.page.work.words.text()
            for text in ("Another one.", TWO):
                QTest.keyClick(session.window, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
                assert page.page.editor.text == text
            await _read(page)

    run_async(story())


def test_the_reply_in_a_pasted_issue_is_taken_with_its_tools(
    home: Path, theme: Theme, run_async: Callable[..., None]
) -> None:
    async def story() -> None:
        async with open_window(theme, home) as session:
            page = await _shown(session, Specimen(TWO, "qwen_xml", TOOLS))
            words = page.page.work.words
            text = issue(RAW["hermes"], "json", "tools", "markdown")
            QGuiApplication.clipboard().setText(text)
            _click(page.page.paste)
            await until(lambda: page.page.editor.text == RAW["hermes"])
            assert words.text().endswith("in an issue beside 2 tools: this is read of what you pasted.")
            assert [tool.name for tool in page.text.specimen.tools or ()] == ["get_weather", "search_web"]
            await _read(page)
            for before in (text, TWO):
                QTest.keyClick(session.window, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
                assert page.page.editor.text == before
            await _read(page)

    run_async(story())


def test_a_pasted_request_is_said_to_be_none_and_opens_in_try(
    home: Path, theme: Theme, run_async: Callable[..., None]
) -> None:
    async def story() -> None:
        async with open_window(theme, home) as session:
            page = await _shown(session, Specimen(TWO, "qwen_xml", TOOLS))
            text = '{"model": "m", "messages": [{"role": "user", "content": "How is the weather in Rome?"}]}'
            QGuiApplication.clipboard().setText(text)
            _click(page.page.paste)
            assert page.page.editor.text == text
            await until(lambda: page.page.work.words.text() == "Request to m: this is no reply.")
            assert page.page.work.button.text() == "Open in Try"
            await _read(page)
            _click(page.page.work.button)
            await until(lambda: session.window.current == "try")

    run_async(story())


def test_line_numbers_are_taken_off_what_is_pasted_and_its_format_stays(
    home: Path, theme: Theme, run_async: Callable[..., None]
) -> None:
    async def story() -> None:
        async with open_window(theme, home) as session:
            page = await _shown(session, Specimen(TWO, "qwen_xml", TOOLS))
            text = f"I look.\n{RAW['hermes']}"
            numbered = "\n".join(f"{at}: {line}" for at, line in enumerate(text.split("\n"), 1))
            QGuiApplication.clipboard().setText(numbered)
            _click(page.page.paste)
            await until(lambda: page.page.editor.text == text)
            assert "line numbers taken off" in page.page.work.words.text()
            assert page.text.specimen.format == "qwen_xml"
            assert page.text.specimen.tools == TOOLS
            await _read(page)

    run_async(story())


def test_a_pasted_reply_opens_in_try_and_comes_back(home: Path, theme: Theme, run_async: Callable[..., None]) -> None:
    async def story() -> None:
        async with open_window(theme, home) as session:
            window = session.window
            page = await _shown(session, Specimen(TWO, "qwen_xml", TOOLS))
            _click(page.top_widgets()[0])
            await until(lambda: window.current == "try")
            view = window.page("try").page  # type: ignore[attr-defined]
            assert view.run.steps[0].text == TWO
            assert len(view.run.steps[0].calls) == 2
            assert window.page("try").status[0].startswith("A pasted reply, read as a run")
            _click(view.bar.formats)
            assert window.current == "forensics"
            await _read(page)
            assert page.text.specimen.recorded
            _click(page.top_widgets()[0])
            await until(lambda: window.current == "try")

    run_async(story())


@pytest.mark.parametrize("recorded", [True, False])
def test_a_reply_is_kept_as_a_case(home: Path, theme: Theme, run_async: Callable[..., None], recorded: bool) -> None:
    async def story() -> None:
        async with open_window(theme, home) as session:
            specimen = Specimen(TWO, "qwen_xml", TOOLS, title="Two cities")
            if recorded:
                specimen = replace(specimen, recorded=True, run_id="example:05-two-calls-and-an-answer")
            page = await _shown(session, specimen)
            _click(page.page.result.keep)
            await until(lambda: bool(session.window.findChildren(KeepCaseDialog)))
            dialog = session.window.findChildren(KeepCaseDialog)[0]
            await until(dialog.keep.isEnabled)
            _click(dialog.keep)
            await until(lambda: bool(_kept(home)))
            kept = _kept(home)
            assert "get_weather" in kept
            assert ("Two cities" in kept) is not recorded
            await until(lambda: not session.window.findChildren(KeepCaseDialog))

    run_async(story())


def test_a_pasted_text_waits_for_the_next_start(home: Path, theme: Theme, run_async: Callable[..., None]) -> None:
    async def typing() -> None:
        async with open_window(theme, home) as session:
            page = await _shown(session, Specimen(TWO, "qwen_xml", TOOLS, "length"))
            QTest.keyClicks(page.page.editor, "Then ")

    async def starting_again() -> None:
        async with open_window(theme, home) as session:
            session.window.go("forensics")
            page: ForensicsController = session.window.page("forensics")  # type: ignore[assignment]
            assert page.page.editor.text == "Then " + TWO
            assert page.page.given.asked.value == "qwen_xml"
            assert page.text.specimen.tools == TOOLS
            await _read(page)
            page.text_actions.clear()
            session.window.go("try")
            session.window.go("forensics")
            assert page.page.editor.text == ""

    async def starting_once_more() -> None:
        async with open_window(theme, home) as session:
            session.window.go("forensics")
            assert session.window.page("forensics").page.editor.text == ""  # type: ignore[attr-defined]

    run_async(typing())
    run_async(starting_again())
    run_async(starting_once_more())
