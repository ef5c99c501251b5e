"""Models and detection in Try."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.kit.try_app import trying
from tests.kit.waiting import until
from workbench.core.target import ModelRef

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from workbench.ui.theme.theme import Theme

    RunAsync = Callable[[Coroutine[Any, Any, None]], None]

pytestmark = pytest.mark.usefixtures("leak_check")


def test_models_are_listed_and_a_guess_is_marked(run_async: RunAsync, home: Path, theme: Theme) -> None:
    async def scenario() -> None:
        async with trying(home, theme) as page:
            target = page.page.composer.target
            await until(lambda: len(target.model.choices) > 5)
            assert all(choice.icon == "flask" for choice in target.model.choices)
            assert "detected: qwen_xml" in target.format.accessibleDescription()
            page.show_model(ModelRef("Simulator", "nobody-knows-me"))
            assert "guess" in target.format.accessibleDescription()

    run_async(scenario())
