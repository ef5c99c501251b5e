"""The page Scan over real files: chosen, read, stopped, exported."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from tests.kit.scan_page import KEY, leaky_session, scan_page
from tests.kit.scanning import LEAK
from tests.kit.waiting import until
from workbench.ui.widgets import dialogs

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from workbench.ui.theme.theme import Theme

    RunAsync = Callable[[Coroutine[Any, Any, None]], None]

pytestmark = pytest.mark.usefixtures("leak_check")


def test_usual_places_are_offered_and_read_when_asked_for(
    run_async: RunAsync, home: Path, theme: Theme, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    leaky_session(tmp_path / "agents" / "projects" / "p" / "s.jsonl")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "agents"))

    async def scenario() -> None:
        async with scan_page(home, theme) as scan:
            places = scan.view.places
            await until(lambda: any(box.text() == "Claude Code sessions" for box in places.boxes))
            assert not scan.view.shows_scan
            assert scan.page.running.scan is None
            for box in places.boxes:
                box.setChecked(box.text() == "Claude Code sessions")
            QTest.mouseClick(places.start, Qt.MouseButton.LeftButton)
            await scan.ended()
            assert scan.view.shows_scan
            assert scan.view.findings.table.hasFocus()
            assert scan.page.title == ("Scan", "1 source · 2 findings in 2 read")
            assert scan.sources == ["All sources 2", "Claude Code sessions 2"]

    run_async(scenario())


def test_files_that_are_dropped_or_pasted_are_read(
    run_async: RunAsync, home: Path, theme: Theme, tmp_path: Path
) -> None:
    one, other = leaky_session(tmp_path / "a.jsonl"), leaky_session(tmp_path / "b.jsonl", leaks=3)

    async def scenario() -> None:
        async with scan_page(home, theme) as scan:
            scan.view.paths_dropped.emit([str(one), str(tmp_path / "gone")])
            assert "There is nothing at" in scan.said[-1]
            await scan.ended()
            files = QMimeData()
            files.setUrls([QUrl.fromLocalFile(str(other))])
            QGuiApplication.clipboard().setMimeData(files)
            scan.page.paste()
            await scan.ended()
            assert scan.page.title[1] == "2 sources · 6 findings in 6 read"
            scan.page.paste()
            assert "already" in scan.said[-1]
            QGuiApplication.clipboard().setText(f"I look.\n{LEAK}")
            scan.page.paste()
            await scan.ended()
            assert scan.page.title[1] == "3 sources · 7 findings in 7 read"
            QGuiApplication.clipboard().setText(f'"{one}"\n')
            scan.page.paste()
            assert "already" in scan.said[-1]
            QGuiApplication.clipboard().clear()
            scan.page.paste()
            assert "no text" in scan.said[-1]

    run_async(scenario())


def test_an_unreadable_file_is_told_and_the_others_go_on(
    run_async: RunAsync, home: Path, theme: Theme, tmp_path: Path
) -> None:
    (tmp_path / "empty.log").write_text("", encoding="utf-8")

    async def scenario() -> None:
        async with scan_page(home, theme) as scan:
            await scan.scan(tmp_path / "empty.log", leaky_session(tmp_path / "a.jsonl"))
            assert scan.sources == ["All sources 2", "empty.log error", "a.jsonl 2"]
            scan.view.sources.list.choose_row(1)
            assert not scan.view.findings.shows_list
            assert scan.view.findings.nothing._word.text() == "This cannot be read"
            scan.view.sources.list.choose_row(0)
            assert scan.view.findings.shows_list

    run_async(scenario())


def test_findings_are_exported_without_keys(
    run_async: RunAsync, home: Path, theme: Theme, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out.json"

    async def where(*_: object) -> Path:
        return out

    monkeypatch.setattr(dialogs, "ask_save_file", where)

    async def scenario() -> None:
        async with scan_page(home, theme) as scan:
            assert not scan.page._export.isEnabled()
            await scan.scan(leaky_session(tmp_path / "a.jsonl", key=KEY))
            scan.page.listing.choose_cell("tool_markup_in_content", None)
            scan.page.export()
            await until(out.exists)
            await until(lambda: any("written" in text for text in scan.said))

    run_async(scenario())
    document = json.loads(out.read_text(encoding="utf-8"))
    assert [one["kind"] for one in document["findings"]] == ["tool_markup_in_content"]
    assert document["found"] == 2
    assert KEY not in out.read_text(encoding="utf-8")


def test_scan_again_reads_everything_anew(run_async: RunAsync, home: Path, theme: Theme, tmp_path: Path) -> None:
    path = leaky_session(tmp_path / "a.jsonl")

    async def scenario() -> None:
        async with scan_page(home, theme) as scan:
            assert not scan.page._again.isEnabled()
            await scan.scan(path)
            leaky_session(path, leaks=4)
            scan.page.again()
            await scan.ended()
            assert scan.page.title[1] == "1 source · 5 findings in 5 read"
            menu = scan.page.open_add_menu()
            assert "Files…" in [action.text() for action in menu.actions()]
            menu.close()

    run_async(scenario())


def test_a_file_that_nobody_knows_is_read_as_what_people_say(
    run_async: RunAsync, home: Path, theme: Theme, tmp_path: Path
) -> None:
    odd = tmp_path / "odd.txt"
    odd.write_text("nothing that anybody knows\n", encoding="utf-8")

    async def scenario() -> None:
        async with scan_page(home, theme) as scan:
            await scan.scan(odd)
            pane = scan.view.findings
            assert pane.read_as.isVisible()
            assert "--from" not in scan.page.running.seen.sources[0].error
            menu = scan.page.open_kinds()
            next(action for action in menu.actions() if action.text() == "reply as text").trigger()
            await scan.ended()
            await until(lambda: not pane.read_as.isVisible())
            assert scan.sources == ["All sources 0", "odd.txt 0"]
            assert scan.page.title[1] == "1 source · nothing found in 1 read"
            scan.page.again()
            await scan.ended()
            assert scan.page.title[1] == "1 source · nothing found in 1 read"

    run_async(scenario())
