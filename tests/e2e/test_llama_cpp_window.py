"""The window against a real llama.cpp server: composed, started by a click, seen card by card, up to the limit."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.e2e.test_llama_cpp import GRAMMAR, TOOL, server
from tests.kit.gui import run_async, theme
from tests.kit.try_app import trying
from tests.kit.waiting import until
from workbench.core.events import StopReason
from workbench.core.target import ModelRef
from workbench.settings.config import ProviderConfig
from workbench.ui.try_.prompt_draft import Parameters, PromptDraft

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from tests.kit.llama_server import LlamaServer
    from workbench.ui.theme.theme import Theme

    RunAsync = Callable[[Coroutine[Any, Any, None]], None]

__all__ = ["run_async", "server", "theme"]
TOOLS = json.dumps({"tools": [TOOL], "mocks": {"get_weather": {"result": {"sky": "clear"}}}})


@pytest.mark.parametrize(
    ("format_id", "extra"), [("native_openai", ""), ("qwen_xml", json.dumps({"grammar": GRAMMAR}))]
)
def test_tool_turns_up_to_the_limit(
    server: LlamaServer, run_async: RunAsync, home: Path, theme: Theme, format_id: str, extra: str
) -> None:
    async def scenario() -> None:
        async with trying(home, theme) as page:
            wb = page.shell.wb
            wb.save(wb.saved_settings.with_provider(ProviderConfig("tiny", base_url=server.base_url, key="none")))
            page.show_draft(
                PromptDraft(
                    user="How is the weather in Rome?", tools=TOOLS, model=ModelRef("tiny", "tiny"), format=format_id,
                    parameters=Parameters(max_tokens="200", seed="1", iterations="3", extra=extra),
                )
            )  # fmt: skip
            await until(page.page.composer.run.isEnabled)
            QTest.mouseClick(page.page.composer.run, Qt.MouseButton.LeftButton)
            await until(lambda: page.page.run.finished is not None and not page.is_running)
            finished = page.page.run.finished
            assert finished is not None
            assert finished.stop is StopReason.ITERATIONS
            steps = list(page.page.run.steps.values())
            assert [[seen.call.name for seen in step.calls] for step in steps] == [["get_weather"]] * 3
            (row,) = wb.store.list_runs()
            stored = await wb.load(row.id)
            assert len(stored.events) > 10, "what was seen is on disk"

    run_async(scenario())
