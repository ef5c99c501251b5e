"""What is listed: by source, by cell, by words; and the finding that is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.kit.scan_page import dump, leaky_session, scan_page
from tests.kit.scanning import written
from tests.kit.waiting import until

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from workbench.ui.theme.theme import Theme

    RunAsync = Callable[[Coroutine[Any, Any, None]], None]

pytestmark = pytest.mark.usefixtures("leak_check")


def test_sources_cells_and_words_narrow_the_list(run_async: RunAsync, home: Path, theme: Theme, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with scan_page(home, theme) as scan:
            await scan.scan(leaky_session(tmp_path / "a.jsonl", leaks=3), dump(tmp_path / "replies.jsonl"))
            findings = scan.view.findings
            assert [row.rpartition(", ")[2] for row in scan.rows] == ["3 times", "1 times", "1 times"]
            findings.every.click()
            assert len(scan.rows) == 5
            findings.folded.click()
            findings.matrix.cell_chosen.emit("invented_tool", None)
            assert [row.partition(",")[0] for row in scan.rows] == ["invented_tool"]
            scan.page.listing.clear()
            assert len(scan.rows) == 3
            scan.view.sources.list.choose_row(2)
            assert len(scan.rows) == 1
            scan.view.sources.list.choose_row(0)
            findings.filter.setText("model:coder* day:2026")
            await until(lambda: not scan.rows)
            assert scan.view.finding.nothing._word.text() == "No finding matches"
            findings.filter.setText("model:coder*")
            await until(lambda: len(scan.rows) == 1)
            for way in ("format", "day", "server"):
                findings.choose_way(way)
                assert findings.matrix.model.columnCount() > 1
            assert len(scan.rows) == 1

    run_async(scenario())


def test_the_chosen_finding_is_read_by_all_formats(
    run_async: RunAsync, home: Path, theme: Theme, tmp_path: Path
) -> None:
    async def scenario() -> None:
        async with scan_page(home, theme) as scan:
            await scan.scan(dump(tmp_path / "replies.jsonl"))
            pane = scan.view.finding
            await until(lambda: pane.detail is not None)
            assert pane.detail.headline.endswith(", not the model.")
            assert "<tool_call>" in pane.raw.text
            assert "get_weather" in pane.raw.linked_text()[0]
            assert pane.detail.fits == "get_weather fits the tool's schema as the file declares it"
            scan.actions["scan.parsed"].call()
            assert '"Rome"' in pane.raw.text
            assert pane.raw.isReadOnly()
            scan.actions["scan.mark"].call()
            assert scan.view.findings.model.line(0).marked
            assert pane.mark._kind == "chosen"
            scan.actions["scan.mark"].call()
            assert pane.mark._kind == "quiet"

    run_async(scenario())


def test_a_clean_file_says_so(run_async: RunAsync, home: Path, theme: Theme, tmp_path: Path) -> None:
    clean = {"object": "chat.completion", "model": "m", "choices": [{"index": 0, "message": {"role": "assistant", "content": "Sunny."}, "finish_reason": "stop"}]}  # fmt: skip

    async def scenario() -> None:
        async with scan_page(home, theme) as scan:
            await scan.scan(written(tmp_path / "clean.jsonl", clean))
            assert scan.view.findings.nothing._word.text() == "Nothing found"
            assert scan.view.finding.detail is None
            assert not scan.page.from_finding.possible

    run_async(scenario())
