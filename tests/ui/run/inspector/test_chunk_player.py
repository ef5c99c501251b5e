"""Chunks of a pasted text: cut, played, and forgotten when the text is another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from tests.kit.forensics import TOOLS, TWO, examining
from tests.kit.waiting import until
from workbench.app.forensics import Specimen

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from workbench.ui.theme.theme import Theme

pytestmark = pytest.mark.usefixtures("leak_check")


def _click(widget: QWidget) -> None:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)


def test_a_pasted_text_can_be_cut_and_played(home: Path, theme: Theme, run_async: Callable[..., None]) -> None:
    async def story() -> None:
        async with examining(home, theme) as page:
            page.show_specimen(Specimen(TWO, "", TOOLS))
            await until(lambda: page.page.matrix.model.rowCount() > 0)
            _click(page.page.result.play)
            scrubber = page.page.result.scrubber
            await until(lambda: scrubber.is_filled)
            assert page.page.result.as_format.text() == f"as read by {page.text.chosen}"
            assert scrubber.cuts.value == 4
            await until(lambda: len(scrubber._parity_labels) == 8)
            for _ in range(3):
                _click(scrubber.back)
            assert scrubber.title.text().startswith("Chunk ")
            assert len(scrubber.text.raw) < len(TWO)
            assert scrubber.time.text() == ""
            QTest.keyClicks(page.page.editor, "x")
            await until(lambda: page.text.exam is not None and page.text.exam.survey.text == page.page.editor.text)
            await until(lambda: scrubber.title.text() == "End of the reply")
            _click(page.page.result.back)
            assert page.page.matrix.isVisible()

    run_async(story())


def test_without_a_format_or_a_text_it_says_why(home: Path, theme: Theme, run_async: Callable[..., None]) -> None:
    async def story() -> None:
        async with examining(home, theme) as page:
            page.show_specimen(Specimen("Just words."))
            await until(lambda: page.text.exam is not None)
            _click(page.page.result.play)
            scrubber = page.page.result.scrubber
            await until(lambda: scrubber._waiting._word.text() == "No format")
            assert not scrubber.is_filled

    run_async(story())
