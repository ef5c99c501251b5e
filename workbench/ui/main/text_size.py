"""Larger and smaller text from the keyboard, on every page; the size is remembered as the one of the settings page."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.core.errors import WorkbenchError
from workbench.ui.bridge.action import Action
from workbench.ui.theme.theme import TEXT_SIZES
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.app import Workbench
    from workbench.ui.theme.theme import Theme

USUAL = 100


class TextSize:
    """Walks through the sizes that the settings page offers."""

    def __init__(self, wb: Workbench, theme: Theme, say: Callable[[str], None]) -> None:
        self._wb, self._theme, self._say = wb, theme, say

    def actions(self) -> tuple[Action, ...]:
        """What can be done everywhere."""
        return (
            Action("text.larger", tr("Larger text"), self.larger, ("Ctrl++", "Ctrl+="), icon="magnifying-glass-plus"),
            Action("text.smaller", tr("Smaller text"), self.smaller, ("Ctrl+-",), icon="magnifying-glass-minus"),
            Action("text.usual", tr("Text of the usual size"), lambda: self._take(USUAL), icon="magnifying-glass"),
        )

    def larger(self) -> None:
        """Take the next larger size."""
        self._take(next((size for size in TEXT_SIZES if size > self._now), TEXT_SIZES[-1]))

    def smaller(self) -> None:
        """Take the next smaller size."""
        self._take(next((size for size in reversed(TEXT_SIZES) if size < self._now), TEXT_SIZES[0]))

    @property
    def _now(self) -> int:
        return round(self._theme.scale * 100)

    def _take(self, per_cent: int) -> None:
        self._theme.set_scale(per_cent / 100)
        saved = self._wb.saved_settings
        self._say(tr("Text size: {per_cent} %", per_cent=per_cent))
        if saved.ui.text_size != per_cent:
            try:
                self._wb.save(replace(saved, ui=replace(saved.ui, text_size=per_cent)))
            except WorkbenchError as error:
                self._say(tr("Text size: {per_cent} %, not saved: {error}", per_cent=per_cent, error=error))
