"""Prompts that were typed survive another prompt, a closed window and a killed program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.kit.gui import open_window
from tests.kit.try_app import trying
from tests.kit.waiting import until
from workbench.ui.bridge.unsaved import FOLDER
from workbench.ui.try_.drafts import EXAMPLE_PROMPT, NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from workbench.ui.theme.theme import Theme
    from workbench.ui.try_.text_fields import GrowingField

    RunAsync = Callable[[Coroutine[Any, Any, None]], None]

pytestmark = pytest.mark.usefixtures("leak_check")


def _type(field: GrowingField, text: str) -> None:
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(field, text)


def test_a_window_closed_in_mid_edit_has_the_words_at_the_next_start(
    run_async: RunAsync, home: Path, theme: Theme
) -> None:
    async def typing() -> None:
        async with open_window(theme, home) as session:
            session.window.go("try")
            composer = session.window.page("try").page.composer  # type: ignore[attr-defined]
            _type(composer.user, "Half a sen")
            composer.edit(composer.draft.__class__(user="Half a sen", tools="[{"))
            _type(composer.user, "Half a sentence")

    async def starting_again() -> None:
        async with open_window(theme, home) as session:
            session.window.go("try")
            composer = session.window.page("try").page.composer  # type: ignore[attr-defined]
            assert composer.user.text() == "Half a sentence"
            assert composer.draft.tools == "[{", "what cannot be read is kept as well"

    run_async(typing())
    run_async(starting_again())


def test_words_are_on_disk_while_they_are_typed(run_async: RunAsync, home: Path, theme: Theme) -> None:
    async def scenario() -> None:
        async with trying(home, theme) as page:
            _type(page.page.composer.user, "Typed")
            await until(lambda: '"Typed"' in _left(home))
            assert page.drafts.left() == page.page.composer.draft

    run_async(scenario())


def _left(home: Path) -> str:
    path = home / FOLDER / f"{NAME}.json"
    return path.read_text(encoding="utf-8") if path.exists() else ""


def test_untouched_draft_is_not_saved(run_async: RunAsync, home: Path, theme: Theme) -> None:
    async def scenario() -> None:
        async with trying(home, theme) as page:
            page.show_stored(await page.shell.wb.examples.open("02-cut-json"))
        assert _left(home) == ""
        async with trying(home, theme) as page:
            assert page.page.composer.user.text() == EXAMPLE_PROMPT

    run_async(scenario())


def test_an_opened_run_gives_the_prompt_back(run_async: RunAsync, home: Path, theme: Theme) -> None:
    async def scenario() -> None:
        async with open_window(theme, home) as session:
            window = session.window
            window.activateWindow()
            await until(window.isActiveWindow)
            window.go("try")
            page = window.page("try")
            _type(page.page.composer.user, "My own question")  # type: ignore[attr-defined]
            page.show_stored(await page.shell.wb.examples.open("02-cut-json"))  # type: ignore[attr-defined]
            assert page.page.composer.user.text() != "My own question"  # type: ignore[attr-defined]
            assert page.status[0].endswith("your prompt before: Ctrl+B")
            assert "choose a model" in page.page.composer.reason.text()  # type: ignore[attr-defined]
            QTest.keyClick(window, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
            assert page.page.composer.user.text() == "My own question"  # type: ignore[attr-defined]

    run_async(scenario())
