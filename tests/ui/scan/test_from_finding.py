"""From a finding to a run, a case, a report, the page Forensics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.kit.new_dialects import unknown_calls
from tests.kit.scan_page import KEY, dump, leaky_session, scan_page
from tests.kit.waiting import until
from workbench.formats.plugins import Plugins, install
from workbench.ui.run import format_draft
from workbench.ui.run.case.keep_dialog import KeepCaseDialog

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from workbench.ui.theme.theme import Theme

    RunAsync = Callable[[Coroutine[Any, Any, None]], None]

pytestmark = pytest.mark.usefixtures("leak_check")


def test_a_finding_opens_as_a_run_that_is_recorded_once(
    run_async: RunAsync, home: Path, theme: Theme, tmp_path: Path
) -> None:
    async def scenario() -> None:
        async with scan_page(home, theme) as scan:
            scan.page.from_finding.open()
            assert not scan.opened
            await scan.scan(leaky_session(tmp_path / "a.jsonl", key=KEY))
            scan.page.listing.choose_cell("tool_markup_in_content", None)
            for times in (1, 2):
                scan.page.from_finding.open()
                await until(lambda count=times: len(scan.opened) == count)
            assert len({run.run.id for run in scan.opened}) == 1
            rows = scan.wb.store.list_runs("origin:scan")
            assert len(rows) == 1
            assert KEY not in str(scan.opened[0].events)
            pane = scan.view.finding
            await until(lambda: pane.detail is not None and pane.detail.kind == "tool_markup_in_content")
            assert "*****" in pane.raw.text
            assert KEY not in str(pane.detail)
            assert KEY not in str(scan.page.running.seen.findings)

    run_async(scenario())
    assert not [path for path in home.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]


def test_a_format_is_made_from_all_findings_in_one_markup(
    run_async: RunAsync, home: Path, theme: Theme, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    async def yes(_window: object, _title: str, text: str, _button: str) -> bool:
        asked.append(text)
        return True

    async def scenario() -> None:
        monkeypatch.setattr(format_draft.dialogs, "confirm", yes)
        async with scan_page(home, theme) as scan:
            await scan.scan(dump(tmp_path / "replies.jsonl"))
            pane = scan.view.finding
            await until(lambda: pane.detail is not None)
            assert not scan.page.from_finding.is_unknown
            assert not pane.format.isVisibleTo(pane)
            await scan.scan(unknown_calls(tmp_path / "calls.jsonl"))
            scan.page.listing.choose_source(2)
            await until(lambda: pane.detail is not None and pane.detail.unknown)
            assert pane.format.isVisibleTo(pane)
            pane.format.click()
            await until((home / "plugins" / "own_call.yaml").exists)
            await until(lambda: any("F5 scans everything again" in text for text in scan.said))
            assert "3 calls in 3 texts" in asked[0]
            scan.actions["scan.again"].call()
            await until(lambda: scan.page.running.seen is not None and not scan.page.running.is_running)
            formats = {one.format for one in scan.page.running.seen.findings if one.of == 2}
            assert formats == {"own_call"}

    try:
        run_async(scenario())
    finally:
        install(Plugins())


def test_a_finding_is_kept_as_a_case(run_async: RunAsync, home: Path, theme: Theme, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with scan_page(home, theme) as scan:
            await scan.scan(dump(tmp_path / "replies.jsonl"))
            scan.actions["scan.keep"].call()
            window = scan.page.shell.window
            await until(lambda: window.findChildren(KeepCaseDialog))
            (dialog,) = window.findChildren(KeepCaseDialog)
            await until(dialog.keep.isEnabled)
            dialog.keep.click()
            await until(lambda: any("Kept as" in text for text in scan.said))
            (case,) = (home / "suites").rglob("*.yaml")
            assert "get_weather" in case.read_text(encoding="utf-8")

    run_async(scenario())


def test_a_finding_is_reported_and_shown_in_forensics(
    run_async: RunAsync, home: Path, theme: Theme, tmp_path: Path
) -> None:
    async def scenario() -> None:
        async with scan_page(home, theme) as scan:
            await scan.scan(dump(tmp_path / "replies.jsonl"))
            scan.actions["scan.forensics"].call()
            assert "<tool_call>" in scan.examined[0].text
            scan.actions["scan.report"].call()
            reports = scan.page.from_finding.reports
            menus = [one for one in scan.view.finding.report.children() if hasattr(one, "actions")]
            next(action for action in menus[-1].actions() if "vLLM" in action.text()).trigger()
            await until(lambda: reports.sheet is not None and reports.sheet.shows_report)
            assert reports.sheet is not None
            assert "get_weather" in reports.sheet.text.toPlainText()
            reports.sheet.close()

    run_async(scenario())
