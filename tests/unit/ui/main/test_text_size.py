from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from workbench.core.errors import SettingsError
from workbench.settings.config import Settings
from workbench.ui.main.text_size import TextSize


class _Workbench:
    """Keeps settings, as the application does."""

    def __init__(self, *, refuses: bool = False) -> None:
        self.saved_settings, self._refuses = Settings(), refuses

    def save(self, settings: Settings) -> None:
        if self._refuses:
            raise SettingsError("The file cannot be written.")
        self.saved_settings = settings


def _sizes(theme: Any, wb: _Workbench) -> tuple[dict[str, Any], list[str]]:
    said: list[str] = []
    made: Any = TextSize(wb, theme, said.append)  # type: ignore[arg-type]
    return {action.id: action.call for action in made.actions()}, said


def test_sizes_are_walked_and_remembered(theme) -> None:
    wb = _Workbench()
    do, said = _sizes(theme, wb)
    do["text.larger"]()
    assert (theme.scale, wb.saved_settings.ui.text_size, said[-1]) == (1.1, 110, "Text size: 110 %")
    for _ in range(9):
        do["text.larger"]()
    assert (theme.scale, wb.saved_settings.ui.text_size) == (2.0, 200)
    for _ in range(9):
        do["text.smaller"]()
    assert (theme.scale, wb.saved_settings.ui.text_size) == (0.8, 80)
    do["text.usual"]()
    assert (theme.scale, wb.saved_settings.ui.text_size) == (1.0, 100)


@pytest.mark.parametrize("size", [103, 133])
def test_a_size_from_elsewhere_goes_to_the_next_one(theme, size) -> None:
    wb = _Workbench()
    wb.saved_settings = replace(Settings(), ui=replace(Settings().ui, text_size=size))
    theme.set_scale(size / 100)
    do, _ = _sizes(theme, wb)
    do["text.smaller"]()
    assert wb.saved_settings.ui.text_size == (100 if size == 103 else 125)


def test_a_size_that_cannot_be_kept_is_shown_all_the_same(theme) -> None:
    do, said = _sizes(theme, _Workbench(refuses=True))
    do["text.larger"]()
    assert theme.scale == 1.1
    assert said[-1] == "Text size: 110 %, not saved: The file cannot be written."
