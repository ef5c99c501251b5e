from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from workbench.core.errors import MissingLibrary
from workbench.tools.mcp_configs import McpServerConfig
from workbench.tools.mcp_hub import McpHub


def test_nothing_is_started_before_it_is_needed(tmp_path: Path) -> None:
    async def main() -> None:
        hub = McpHub(lambda: tmp_path)
        status = hub.status(McpServerConfig("a", str(tmp_path / "mcp.json"), command="x"))
        assert (status.running, status.tools, status.ended) == (False, 0, "")
        assert hub.secrets() == frozenset()
        await hub.aclose()

    asyncio.run(main())


def test_without_the_library_its_extra_is_named_and_nothing_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)

    async def main() -> None:
        hub = McpHub(lambda: tmp_path)
        config = McpServerConfig("a", str(tmp_path / "mcp.json"), command="x")
        try:
            with pytest.raises(MissingLibrary, match="pip install"):
                await hub.tools(config)
            assert not hub.status(config).running
        finally:
            await hub.aclose()

    asyncio.run(main())
