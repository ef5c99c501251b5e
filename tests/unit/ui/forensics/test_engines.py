"""The parsers of a server in a made-up environment, asked from the page Forensics."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.kit.fake_engines import fake_engines
from tests.kit.forensics import examining, settled
from tests.kit.waiting import until
from workbench.app.forensics import Specimen
from workbench.ui.theme.theme import Theme

pytestmark = pytest.mark.usefixtures("leak_check")
TEXT = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>'


def test_what_a_server_loses_is_said(tmp_path: Path, theme: Theme, run_async: Callable[..., None]) -> None:
    async def story() -> None:
        async with examining(tmp_path / "home", theme) as page:
            panel = page.page.result.engines
            page.show_specimen(Specimen(TEXT, "qwen_xml"))
            await settled(page)
            page.page.result.servers.click()
            assert "[engines] pythons" in panel.missing.text()
            wb = page.shell.wb
            (tmp_path / "environment").mkdir()
            python = fake_engines(tmp_path / "environment")
            wb.save(replace(wb.saved_settings, engines=replace(wb.saved_settings.engines, pythons=(python,))))
            page.engines.ask()
            await until(lambda: panel.model.rowCount() == 1)
            line = panel.model.line(0)
            assert (line.name, line.whole, line.streamed) == ("sglang 9.9 qwen25", "1 call", "0 calls")
            assert line.told == "streamed: the call get_weather is lost."
            page.show_specimen(Specimen("Hello.", "qwen_xml"))
            assert panel.isHidden()

    run_async(story())
