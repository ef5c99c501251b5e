"""Columns and inspector of Try, as the user left them: kept among the window's sizes in the settings."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.core.errors import WorkbenchError

if TYPE_CHECKING:
    from workbench.app import Workbench
    from workbench.ui.try_.view import TryPage

KEY = "try"


def restore_layout(page: TryPage, wb: Workbench) -> None:
    """Give the page the layout that was kept, if there is one."""
    kept = wb.settings.ui.geometry.get(KEY)
    if isinstance(kept, dict):
        page.restore_layout(kept)


def remember_layout(page: TryPage, wb: Workbench) -> None:
    """Keep the page's layout; a settings file that cannot be written is not worth a complaint at the end."""
    saved = wb.saved_settings
    place = {**saved.ui.geometry, KEY: page.layout_state()}
    if place != saved.ui.geometry:
        with suppress(WorkbenchError):
            wb.save(replace(saved, ui=replace(saved.ui, geometry=place)))
