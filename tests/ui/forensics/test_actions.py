"""Keys and palette entries of Forensics do what they say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QGuiApplication

from tests.kit.forensics import MISTRAL, TOOLS, TWO, examining, settled
from workbench.app.forensics import Specimen
from workbench.ui.forensics.actions import COMMANDS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from workbench.ui.theme.theme import Theme

pytestmark = pytest.mark.usefixtures("leak_check")


def test_actions(tmp_path: Path, theme: Theme, run_async: Callable[..., None]) -> None:
    async def story() -> None:
        async with examining(tmp_path, theme) as page:
            actions = {one.id.removeprefix("forensics."): one.on(page) for one in COMMANDS}
            assert not actions["report"].enabled()
            page.shown()
            page.show_specimen(Specimen(TWO, "qwen_xml", TOOLS))
            await settled(page)
            assert {name for name, action in actions.items() if not action.enabled()} == {"stop", "undo"}
            assert page.page.window().focusWidget() is page.page.matrix.table, "no key goes into the evidence"
            actions["next"].call()
            assert page.page.findings.list.currentIndex().row() == 1
            actions["back"].call()
            actions["sanitized"].call()
            await settled(page)
            assert page.page.other.isVisible()
            actions["markup"].call()
            await settled(page)
            assert page.page.views.value == "markup"
            actions["raw"].call()
            assert page.page.editor.isVisible()
            actions["report"].call()
            assert TWO in QGuiApplication.clipboard().text()
            QGuiApplication.clipboard().setText(MISTRAL)
            actions["paste"].call()
            await settled(page)
            assert page.page.editor.text == MISTRAL
            actions["clear"].call()
            assert page.page.editor.text == ""

    run_async(story())
