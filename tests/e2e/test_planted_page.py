"""The invented page of docs/new-page.md, made from that page's blocks, stands in the rail and works in the window."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.kit.app import draft
from tests.kit.gui import leak_check, open_window, run_async, theme
from tests.kit.tree import ROOT
from tests.kit.waiting import until
from workbench.ui.main import pages, rail, window

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from workbench.ui.theme.theme import Theme

__all__ = ["leak_check", "run_async", "theme"]
TEXT = (ROOT / "docs" / "new-page.md").read_text(encoding="utf-8")
BLOCKS = dict(re.findall(r"\*\*`(\w+)\.py`\*\*[^`].*?```python\n(.*?)```", TEXT, re.DOTALL))


@pytest.fixture
def planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the page into a package, into the table of pages and into the rail, until the test ends."""
    package = tmp_path / "planted_page"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    for name, source in BLOCKS.items():
        (package / f"{name}.py").write_text(source.replace("workbench.ui.deleted", "planted_page"), encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setitem(pages.PAGES, "deleted", importlib.import_module("planted_page.actions"))
    (row,) = re.findall(r"`RailEntry\((.*?)\)`", TEXT)
    entries = (*rail.ENTRIES, rail.RailEntry(*(part.strip(' "') for part in row.split(","))))
    for module in (rail, window):
        monkeypatch.setattr(module, "ENTRIES", entries)


def test_the_blocks_pass_the_style_check() -> None:
    assert list(BLOCKS) == ["controller", "actions", "columns", "view"]
    for name, source in BLOCKS.items():
        at = ROOT / "workbench" / "ui" / "deleted" / f"{name}.py"
        chosen = ["--extend-select", "ANN001,ANN2", "--config", "lint.isort.known-first-party=['workbench']"]
        command = ["ruff", "check", "--no-cache", *chosen, "--stdin-filename", str(at), "-"]
        done = subprocess.run(
            [sys.executable, "-m", *command], input=source.encode(), cwd=ROOT, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stdout.decode()


def test_a_deleted_run_is_taken_out_again(
    planted: None, theme: Theme, run_async: Callable[[Any], Any], home: Path, leak_check: None
) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            assert session.wb is not None
            store = session.wb.store
            await (await session.wb.runs.start(draft("model=mistral-steady"))).wait()
            (run,) = store.list_runs()
            store.delete([run.id])
            QTest.mouseClick(session.window.rail.button("deleted"), Qt.MouseButton.LeftButton)
            assert session.window.current == "deleted"
            page: Any = session.window.page("deleted")
            await until(lambda: page.page.model.rowCount() == 1)
            assert page.page.model.index(0, 1).data() == "mistral-steady"
            page.page.table.setCurrentIndex(page.page.model.index(0, 0))
            QTest.keyClick(page.page.table, Qt.Key.Key_U)
            await until(lambda: page.page.model.rowCount() == 0)
            assert [one.id for one in store.list_runs()] == [run.id]

    run_async(body())
