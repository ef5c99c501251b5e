from __future__ import annotations

import asyncio
from pathlib import Path

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
