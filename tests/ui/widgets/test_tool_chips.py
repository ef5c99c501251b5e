"""Tool chips of the composer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from workbench.core.tools import ToolMode

if TYPE_CHECKING:
    from workbench.ui.try_.view import TryPage

pytestmark = pytest.mark.usefixtures("leak_check")


def test_a_chip_changes_its_mode(page: TryPage) -> None:
    page.composer.tools.mode_chosen.emit("read_file", ToolMode.RECORD)
    assert page.composer.tools.chips[0].accessibleName() == "read_file record"
    assert page.composer.checked.tools[0].mode is ToolMode.RECORD
