"""A scan beside the window: told while it runs, stopped, taken up again."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.kit.scan_page import leaky_session, scan_page
from tests.kit.waiting import until
from workbench.scan.scanner import Scan
from workbench.scan.sources import SourceState

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from workbench.ui.theme.theme import Theme

    RunAsync = Callable[[Coroutine[Any, Any, None]], None]

pytestmark = pytest.mark.usefixtures("leak_check")


def test_a_scan_that_is_stopped_keeps_what_it_has(
    run_async: RunAsync, home: Path, theme: Theme, tmp_path: Path
) -> None:
    for number in range(300):
        leaky_session(tmp_path / "in" / f"s{number}.jsonl", leaks=6)
    patience = sys.getswitchinterval()

    async def scenario() -> None:
        async with scan_page(home, theme) as scan:
            running = scan.page.running
            scan.page.add_names([str(tmp_path / "in")])
            assert scan.actions["scan.stop"].enabled()
            await until(lambda: running.scan is not None and len(running.scan.findings) > 3)
            assert sys.getswitchinterval() < patience
            scan.actions["scan.stop"].call()
            await scan.ended()
            assert running.seen is not None
            assert sys.getswitchinterval() == patience
            assert 3 < running.seen.kept < 2_100
            assert [source.state for source in running.seen.sources] == [SourceState.STOPPED]
            assert scan.page.title[1].startswith("partial, ")
            assert not scan.actions["scan.stop"].enabled()
            kept = running.seen.kept
            await scan.scan(leaky_session(tmp_path / "more.jsonl"))
            assert running.seen.kept == kept + 2
            assert [source.state for source in running.seen.sources] == [SourceState.STOPPED, SourceState.DONE]

    run_async(scenario())


def test_the_scan_rests_while_the_window_paints(
    run_async: RunAsync, home: Path, theme: Theme, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    for name in ("wait", "go_on"):
        real = getattr(Scan, name)
        monkeypatch.setattr(Scan, name, lambda scan, name=name, real=real: (told.append(name), real(scan)))

    async def scenario() -> None:
        async with scan_page(home, theme) as scan:
            monkeypatch.setattr(scan.page.listing, "show", lambda _seen: told.append("shown"))
            for number in range(300):
                leaky_session(tmp_path / "in" / f"s{number}.jsonl", leaks=6)
            scan.page.add_names([str(tmp_path / "in")])
            await until(lambda: told[:3] == ["wait", "shown", "go_on"])
            await scan.ended()

    run_async(scenario())


def test_what_is_added_while_it_runs_is_read_too(run_async: RunAsync, home: Path, theme: Theme, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with scan_page(home, theme) as scan:
            scan.page.add_names([str(leaky_session(tmp_path / "a.jsonl"))])
            scan.page.add_names([str(leaky_session(tmp_path / "b.jsonl"))])
            await scan.ended()
            assert scan.page.running.seen is not None
            assert scan.page.running.seen.tally.findings == 4

    run_async(scenario())
