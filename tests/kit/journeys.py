"""Short journeys through the real window on a real screen; each says what a user does and what must then be seen.

python -m tests.kit.journeys HOME     walks them all, one line of JSON each: {"journey", "error"}
"""

from __future__ import annotations

import asyncio
import json
import sys
import traceback
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from tests.kit.desktop import Hands
from tests.kit.fakes import READ_FILE
from tests.kit.issue_threads import RAW, issue
from tests.kit.scan_page import leaky_session
from tests.kit.waiting import until
from workbench.core.events import ApprovalDecided, ToolFinished
from workbench.core.target import ModelRef
from workbench.core.tools import ToolMode
from workbench.ui.bridge.loop import run_with_qt
from workbench.ui.main.looks import Looks
from workbench.ui.main.session import Session
from workbench.ui.main.start_app import show_frame
from workbench.ui.run.loop.content import FieldLink
from workbench.ui.tools.import_dialog import ImportDialog
from workbench.ui.try_.prompt_draft import PromptDraft

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    Journey = Callable[[Session, Hands], Awaitable[None]]

REPLY = 'I look.\n<tool_call>\n{"name": "read_file", "arguments": {"path": "a.txt",}}\n</tool_call>'


async def follow_the_tutorial(session: Session, hands: Hands) -> None:
    """What docs/tutorial.md has a reader do in the window: a recorded failure, all formats, a card's Run, a prompt, an argument."""
    window = session.window
    await until(lambda: window.current == "start")
    start: Any = window.page("start")
    await until(start.page.table.hasFocus)
    await hands.press("Return")
    await until(lambda: window.current == "try")
    page: Any = window.page("try")
    await until(page.page.bar.formats.isVisible)
    await _click_till(hands, page.page.bar.formats, lambda: window.current == "forensics")
    examined: Any = window.page("forensics")
    await until(lambda: examined.text.exam is not None and examined.text.exam.attribution.sentence)
    await hands.press("ctrl+0")
    await until(lambda: window.current == "start")
    await _click_till(hands, _named(start.page, "Run qwen-hasty"), lambda: window.current == "try")
    await until(lambda: not page.is_running and page.page.run.finished is not None)
    await hands.press("ctrl+0")
    await until(lambda: window.current == "start")
    await hands.press("ctrl+n")
    user = page.page.composer.user
    await until(lambda: window.current == "try" and user.hasFocus() and user.textCursor().hasSelection())
    await hands.type("Read the file config/app.toml.")
    await until(lambda: page.page.composer.draft.user == "Read the file config/app.toml.")
    await hands.press("ctrl+Return")
    await until(lambda: not page.is_running and page.page.run.finished is not None)
    cells = page.page.area.rows[0].cells
    path = FieldLink(0, ("path",))
    await until(lambda: cells.parsed.blocks.link_rect_center(path) is not None)
    await hands.click(cells.parsed.blocks, cells.parsed.blocks.link_rect_center(path))
    await until(lambda: cells.raw.text.linked_text() == ['"config/app.toml"'])
    await hands.click(user)
    await until(user.hasFocus)


async def _click_till(hands: Hands, widget: QWidget, then: Callable[[], bool]) -> None:
    """Click until it has its effect: what is still being laid out moves away under the mouse."""
    for _ in range(3):
        await hands.click(widget)
        with suppress(TimeoutError):
            async with asyncio.timeout(5):
                await until(then)
                return
    await until(then)


def _named(inside: QWidget, name: str) -> QWidget:
    return next(one for one in inside.findChildren(QWidget) if one.accessibleName() == name)


async def palette_on_every_page(session: Session, hands: Hands) -> None:
    """Ctrl+K opens the palette and Esc closes it, whatever the page does with Esc itself."""
    window = session.window
    for key in [name for name in window._makers if window.rail.button(name) is not None]:
        await hands.click(window.rail.button(key))
        await until(lambda key=key: window.current == key)
        await hands.press("ctrl+k")
        await until(lambda: window.palette_box.isVisible() and window.palette_box.field.hasFocus())
        await hands.type("zzz")
        await until(window.palette_box.nothing.isVisible)
        await hands.press("Escape")
        await until(lambda: not window.palette_box.isVisible())
        assert window.current == key


async def paste_anything(session: Session, hands: Hands) -> None:
    """A copied reply, pasted into the palette and taken with Enter, is read in Forensics."""
    window = session.window
    QGuiApplication.clipboard().setText(REPLY)
    await hands.press("ctrl+k")
    await until(window.palette_box.field.hasFocus)
    await hands.press("ctrl+v")
    await until(lambda: any(item.title == "Read the pasted text" for item in window.palette_box.found))
    await hands.press("Return")
    await until(lambda: window.current == "forensics")
    page: Any = window.page("forensics")
    await until(lambda: page.text.exam is not None and "read_file" in page.text.exam.specimen.text)


async def report_an_issue_upstream(session: Session, hands: Hands) -> None:
    """An issue with its form, tools and versions becomes the report for its server: four keys from the start page, six from anywhere."""
    window = session.window
    for keys in (("ctrl+v",), ("ctrl+k", "ctrl+v", "Return")):
        if len(keys) == 1:
            await hands.press("ctrl+0")
            await until(lambda: window.current == "start")
        QGuiApplication.clipboard().setText(issue(RAW["qwen3_coder"], "text", "tools", "page"))
        await hands.press(*keys[:1])
        if len(keys) > 1:
            await until(window.palette_box.field.hasFocus)
            await hands.press(*keys[1:2])
            await until(lambda: any(item.title == "Read the pasted text" for item in window.palette_box.found))
            await hands.press(*keys[2:])
        await until(lambda: window.current == "forensics")
        page: Any = window.page("forensics")
        await until(lambda page=page: page.text.exam is not None and "get_weather" in page.text.exam.specimen.text)
        assert [tool.name for tool in page.text.specimen.tools] == ["get_weather", "search_web"]
        assert "qwen3_coder_xml" in page.text.exam.attribution.sentence
        await hands.press("u")
        await until(lambda: any(menu.isVisible() for menu in window.findChildren(QMenu)))
        await hands.press("Return")
        reports = page.text_actions.reports
        await until(lambda reports=reports: reports.sheet is not None and reports.sheet.shows_report)
        await until(reports.sheet.copy.hasFocus)
        await hands.press("Return")
        await until(
            lambda: QGuiApplication.clipboard().text().startswith("# [Bug]: Qwen/Qwen3-Coder-30B-A3B-Instruct: ")
        )
        assert "--tool-call-parser hermes" in QGuiApplication.clipboard().text()
        await hands.press("Escape")
        await until(lambda reports=reports: reports.sheet is None)


async def ask_a_model_in_a_text_format(session: Session, hands: Hands) -> None:
    """By keyboard alone: a prompt, a model and a format that are searched for, Run, and what the verdict says."""
    await hands.press("ctrl+1")
    await until(lambda: session.window.current == "try")
    page: Any = session.window.page("try")
    composer = page.page.composer
    await until(composer.user.hasFocus)
    await hands.press("ctrl+a")
    await hands.type("List the directory src.")
    await until(lambda: composer.draft.user == "List the directory src.")
    for field, words in ((composer.target.model, "mistral-steady"), (composer.target.format, "qwen_xml")):
        await _tab_to(session, hands, field)
        await hands.press("space")
        await until(lambda field=field: field.popup is not None and field.popup.field.hasFocus())
        await hands.type(words)
        await until(lambda field=field, words=words: words in str(field.popup.list.currentIndex().data()))
        await hands.press("Return")
        await until(lambda field=field, words=words: words in field.currentText() and field.hasFocus())
    before = session.wb.store.count()  # type: ignore[union-attr]
    await hands.press("ctrl+Return")
    await until(lambda: session.wb.store.count() > before and not page.is_running)  # type: ignore[union-attr]
    await until(page.page.verdict.keep.isVisible)
    stored = await session.wb.load(session.wb.store.count())  # type: ignore[union-attr]
    assert (stored.run.model, stored.run.format) == ("mistral-steady", "qwen_xml")
    assert page.page.verdict.reason.text()


async def approve_a_tool(session: Session, hands: Hands) -> None:
    """A call that waits is found with A and allowed with Ctrl+Enter; no mouse is needed."""
    page: Any = await _at(session, hands, "try")
    tools = {"tools": [READ_FILE.to_openai()], "modes": {"read_file": "ask"}}
    page.show_draft(
        PromptDraft(
            user="Read the file app.toml.", tools=json.dumps(tools), model=ModelRef("Simulator", "mistral-steady")
        )
    )
    await hands.click(page.page.composer.user)
    await until(page.page.composer.user.hasFocus)
    await hands.press("ctrl+Return")
    await until(lambda: page.page.area.approvals)
    await hands.press("F6")
    await until(lambda: not page.page.composer.user.hasFocus())
    await hands.press("a")
    (row,) = page.page.area.approvals
    await until(lambda: row.isAncestorOf(session.window.focusWidget()) or row.hasFocus())
    await hands.press("ctrl+Return")
    await until(lambda: not page.is_running)
    number = session.wb.store.count()  # type: ignore[union-attr]
    events = (await session.wb.load(number)).events  # type: ignore[union-attr]
    assert [event.decision.allowed for event in events if isinstance(event, ApprovalDecided)] == [True]


async def import_ask_edit_and_run_a_tool(session: Session, hands: Hands) -> None:
    """By keyboard alone: a request's tools are imported, one is set to ask, and its call is edited and run."""
    window, wb = session.window, session.wb
    request = {"model": "m", "messages": [{"role": "user", "content": "Hi"}], "tools": [READ_FILE.to_openai()]}
    QGuiApplication.clipboard().setText(f"curl https://example.org/v1/chat/completions -d '{json.dumps(request)}'")
    await hands.press("ctrl+6")
    await until(lambda: window.current == "tools")
    page: Any = window.page("tools")
    await _choose(session, hands, "request in the clipboard")
    await until(lambda: isinstance(QApplication.activeWindow(), ImportDialog))
    await hands.press("Return")
    await until(lambda: page.set.name == "pasted" and window.isActiveWindow())
    while not page.page.tool_list.hasFocus():
        await _another_pane(session, hands)
    await hands.press("space")
    await until(lambda: page.set.tools[0].mode is ToolMode.ASK)
    await _choose(session, hands, "use these tools in try")
    await until(lambda: window.current == "try")
    page = window.page("try")
    await until(lambda: '"ask"' in page.page.composer.draft.tools)
    await hands.press("ctrl+Return")
    await until(lambda: page.page.area.approvals)
    (row,) = page.page.area.approvals
    await hands.press("F2")
    await until(row.fields[0].hasFocus)
    await hands.press("ctrl+a")
    await hands.type("other.toml")
    await until(lambda: row.fields[0].toPlainText() == "other.toml")
    await hands.press("ctrl+Return")
    await until(lambda: not page.is_running)
    events = (await wb.load(wb.store.count())).events  # type: ignore[union-attr]
    decided = [event.decision for event in events if isinstance(event, ApprovalDecided)]
    assert [one.arguments for one in decided] == [{"path": "other.toml"}]
    assert "5432" in str([event.result for event in events if isinstance(event, ToolFinished)])


async def _choose(session: Session, hands: Hands, words: str) -> None:
    """Find a command in the palette and take it."""
    box = session.window.palette_box
    await hands.press("ctrl+k")
    await until(box.field.hasFocus)
    await hands.type(words)
    await until(lambda: box.found and words in box.found[0].title.lower())
    await hands.press("Return")
    await until(lambda: not box.isVisible())


async def find_a_lost_call_in_a_log(session: Session, hands: Hands) -> None:
    """By keyboard alone: a session whose path was copied is scanned, a finding is looked at, read by all formats and marked."""
    window = session.window
    log = leaky_session(session.wb.home.path.parent / "agent.jsonl", leaks=2)  # type: ignore[union-attr]
    QGuiApplication.clipboard().setText(str(log))
    await hands.press("ctrl+5")
    await until(lambda: window.current == "scan")
    page: Any = window.page("scan")
    await hands.press("ctrl+v")
    await until(lambda: not page.running.is_running and page.page.findings.model.rowCount() >= 2)
    while not page.page.findings.table.hasFocus():
        await _another_pane(session, hands)
    await hands.press("j", "k")
    await until(page.page.finding.raw.isVisible)
    await hands.press("2")
    await until(lambda: page.page.finding.views.value == "parsed")
    await hands.press("1", "m")
    await until(lambda: page.page.finding.views.value == "raw")
    raw = page.page.finding.raw.toPlainText()
    await hands.press("f")
    await until(lambda: window.current == "forensics")
    examined: Any = window.page("forensics")
    await until(lambda: examined.text.exam is not None and raw in examined.text.exam.specimen.text)


async def search_replay_and_open_a_run(session: Session, hands: Hands) -> None:
    """By keyboard alone: a filter leaves the runs that fit, one is read again and then opened in Try."""
    await hands.press("ctrl+4")
    await until(lambda: session.window.current == "history")
    page: Any = session.window.page("history")
    await until(lambda: page.page.model.rowCount() >= 2)
    await hands.press("slash")
    await until(page.page.filter.hasFocus)
    await hands.type('"directory src"')
    await hands.press("Return")
    await until(lambda: page.page.model.rowCount() == 1)
    while not page.page.table.hasFocus():
        await _another_pane(session, hands)
    await hands.press("Down", "p")
    await until(lambda: page.page.preview.replay.verdict == "same")
    await hands.press("Return")
    await until(lambda: session.window.current == "try")
    shown: Any = session.window.page("try")
    await until(lambda: shown.page.composer.draft.user == "List the directory src." and shown.page.verdict.isVisible())


async def compare_two_models(session: Session, hands: Hands) -> None:
    """By keyboard alone: the built-in suite is run once, and a sentence says what came out."""
    await hands.press("ctrl+2")
    await until(lambda: session.window.current == "compare")
    page: Any = session.window.page("compare")
    setup = page.page.setup
    await until(lambda: setup.suite_chosen is not None and setup.run.isEnabled())
    await _tab_to(session, hands, setup.repeats, key="shift+Tab")
    await hands.press("ctrl+a", "1")
    await until(lambda: setup.repeats.value == 1 and setup.run.isEnabled())
    await hands.press("ctrl+Return")
    await until(lambda: page.batch is not None and not page.batch.left and not page.running.active)
    await until(lambda: page.page.panel.targets.sentence.text)


async def verify_an_endpoint(session: Session, hands: Hands) -> None:
    """By keyboard alone: a few pairs of the simulated endpoints, and the verdicts in a sentence."""
    await _choose(session, hands, "verify an endpoint")
    page: Any = session.window.page("compare")
    await until(lambda: session.window.current == "compare" and page.verifies)
    setup, view = page.verify.page.setup, page.verify.page
    await until(lambda: setup.run.isEnabled() and setup.run.isVisible())
    await _tab_to(session, hands, setup.pairs, key="shift+Tab")
    await hands.press("ctrl+a", "4")
    await until(lambda: setup.pairs.value == 4)
    await hands.press("ctrl+Return")
    await until(lambda: page.verify.found is not None and not page.verify.running.active and not view.model.running)
    await until(view.answer.isVisible)
    while not view.table.cells.hasFocus():
        await _another_pane(session, hands)
    await hands.press("Down")
    await until(lambda: view.chosen is not None and view.panel.cell.title.text())


JOURNEYS: tuple[Journey, ...] = (
    follow_the_tutorial, palette_on_every_page, paste_anything, report_an_issue_upstream, ask_a_model_in_a_text_format, approve_a_tool, import_ask_edit_and_run_a_tool,
    find_a_lost_call_in_a_log, search_replay_and_open_a_run, compare_two_models, verify_an_endpoint,
)  # fmt: skip


async def _tab_to(session: Session, hands: Hands, widget: QWidget, *, key: str = "Tab", most: int = 30) -> None:
    """Walk to a field as those walk who have no mouse."""
    for _ in range(most):
        if widget.hasFocus():
            return
        before = session.window.focusWidget()
        await hands.press(key)
        await until(lambda before=before: session.window.focusWidget() is not before)
    raise AssertionError(f"{key} does not lead to {widget!r}")


async def _another_pane(session: Session, hands: Hands) -> None:
    before = session.window.focusWidget()
    await hands.press("F6")
    await until(lambda: session.window.focusWidget() is not before)


async def _at(session: Session, hands: Hands, key: str) -> Any:
    button = session.window.rail.button(key)
    assert button is not None
    await hands.click(button)
    await until(lambda: session.window.current == key)
    return session.window.page(key)


async def walk(session: Session) -> None:
    life = asyncio.get_running_loop().create_task(session.run())
    hands = Hands()
    try:
        await until(lambda: session.ready.is_set() or life.done())
        await until(session.window.isActiveWindow)
        for journey in JOURNEYS:
            error = ""
            try:
                await journey(session, hands)
            except (AssertionError, TimeoutError):
                at = f"on {session.window.current}, the keyboard is in {session.window.focusWidget()!r}"
                error = f"{traceback.format_exc()}{at}, active: {session.window.isActiveWindow()}"
            print(json.dumps({"journey": journey.__name__, "error": error}), flush=True)
    finally:
        session.window.close()
        await life


def prepare(home: Path) -> None:
    """A data folder whose workspace holds one file."""
    work = home.parent / "work"
    work.mkdir(parents=True)
    (work / "other.toml").write_text("port = 5432\n", encoding="utf-8")
    home.mkdir()
    (home / "settings.toml").write_text(f"[run]\nworkspace = {json.dumps(str(work))}\n", encoding="utf-8")


def main(home: str) -> int:
    prepare(Path(home))
    app = QApplication(sys.argv[:1])
    app.setQuitOnLastWindowClosed(False)
    window, theme = show_frame(app, Looks(theme="light"))
    session = Session(window, theme, Path(home))
    run_with_qt(app, lambda: walk(session))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
