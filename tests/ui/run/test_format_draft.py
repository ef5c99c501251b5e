"""A format made from the text in Forensics: shown first, written on a yes, and reading the text at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.kit.forensics import examining, settled
from tests.kit.new_dialects import DIALECTS, TOOLS
from tests.kit.waiting import until
from workbench.app.forensics import Specimen
from workbench.formats.plugins import Plugins, install
from workbench.ui.run import format_draft as module

if TYPE_CHECKING:
    from pathlib import Path

TEXT = DIALECTS[1].oslo


def test_a_format_is_made_and_reads_the_text(run_async, theme, home: Path, monkeypatch) -> None:
    shown: list[str] = []

    async def yes(_window: object, _title: str, text: str, _button: str) -> bool:
        shown.append(text)
        return True

    async def body() -> None:
        monkeypatch.setattr(module.dialogs, "confirm", yes)
        async with examining(home, theme) as page:
            page.show_specimen(Specimen(TEXT))
            page.make_format()
            assert not shown
            page.show_specimen(Specimen(TEXT, tools=TOOLS))
            await settled(page)
            page.make_format()
            await until((home / "plugins" / "own_tool.yaml").exists)
            await settled(page)
            await until(lambda: page.text.exam is not None and page.text.exam.survey.best is not None)
            best = page.text.exam.survey.best  # type: ignore[union-attr]
            assert best is not None
            assert best.format == "own_tool"
            assert "The contract of formats is kept" in shown[0]

    try:
        run_async(body())
    finally:
        install(Plugins())
