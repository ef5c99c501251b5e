"""The picker of targets in the comparison's set-up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.kit.gui import go_to, open_window
from tests.kit.waiting import until
from workbench.core.target import ModelRef
from workbench.ui.compare.controller import CompareController

if TYPE_CHECKING:
    from pathlib import Path


def test_targets_are_picked_added_and_listed(run_async, theme, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            page = go_to(session.window, CompareController)
            picker = page.page.setup.picker
            few = len(picker.model.choices)
            page.targets.ask_all()
            await until(lambda: len(picker.model.choices) > few)
            before = len(page.targets.targets)
            picker.edited.emit("model", ModelRef("Simulator", "qwen-hasty"))
            picker.edited.emit("format", "json_scaffold")
            picker.edited.emit("planner", ModelRef("Simulator", "plain"))
            page.targets.add()
            made = page.targets.targets[-1]
            assert (len(page.targets.targets), made.format, made.mode) == (before + 1, "json_scaffold", "boost")
            assert made.sampling.extra["simulate"]["tokens_per_second"] == 0
            picker.wrapper_asked.emit()
            assert "wrapper" in session.window.status.left.text()

    run_async(body())
