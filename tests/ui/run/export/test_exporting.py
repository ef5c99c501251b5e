"""Export from the window: the menu, the page before anything leaves, the files."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tests.kit.app import draft
from tests.kit.gui import open_window
from tests.kit.waiting import until, wait_until
from workbench.app.exporting import EXPORTERS
from workbench.core.errors import Stopped
from workbench.ui.run.export.exporting import KINDS, Exporting

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.export.files import Export
    from workbench.ui.bridge.tasks import Stop


def test_export_writes_the_previewed_files(run_async, theme, home: Path, tmp_path: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            assert session.wb is not None
            handle = await session.wb.runs.start(draft("model=mistral-steady"))
            await handle.wait()
            exporting = Exporting(session.window.page("start").shell)
            menu = exporting.menu(session.window, [handle.run_id])
            assert len([action for action in menu.actions() if action.text()]) == len(KINDS)
            assert {kind.name for kind in KINDS} == set(EXPORTERS)
            menu.actions()[0].trigger()
            menu.close()
            await until(lambda: exporting.preview is not None)
            assert exporting.preview is not None
            seen = {one.path: one.text for one in exporting.preview.files}
            export = await session.wb.export("pytest", [handle.run_id])
            await exporting.write(export, tmp_path / "out")
            assert exporting.preview is None
            assert {path.name: path.read_text("utf-8") for path in (tmp_path / "out").iterdir()} == seen
            exporting.start("jsonl", [])
            await until(lambda: "nothing to export" in session.window.status.left.text())

    run_async(body())


def test_an_export_that_nobody_waits_for_ends(run_async, theme, home: Path, leak_check) -> None:
    """Another one is asked for, and the window is closed: threads that went on would keep the process alive."""
    begun: list[str] = []
    ended: list[str] = []

    def make(name: str, stop: Stop) -> Export:
        begun.append(name)
        assert wait_until(stop)
        ended.append(name)
        raise Stopped

    async def body() -> None:
        async with open_window(theme, home) as session:
            exporting = Exporting(session.window.page("start").shell)
            exporting.start_made("CSV", partial(make, "first"))
            await until(lambda: "Making" in session.window.status.left.text())
            await until(lambda: begun == ["first"])
            exporting.start_made("CSV", partial(make, "second"))
            await until(lambda: begun[1:] == ["second"] and ended == ["first"])

    run_async(body())
    assert wait_until(lambda: ended == ["first", "second"])
