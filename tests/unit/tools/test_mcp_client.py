from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from tests.kit.tree import ROOT
from workbench.core.errors import MissingLibrary, ToolError
from workbench.tools import mcp_client
from workbench.tools.mcp_client import McpConnection
from workbench.tools.mcp_configs import McpServerConfig

SERVER = str(ROOT / "tests" / "kit" / "mcp_server.py")


def serve(folder: Path, habit: str = "") -> McpConnection:
    config = McpServerConfig("odd", str(folder / "mcp.json"), command=sys.executable, args=(SERVER, habit))

    async def main() -> McpConnection:
        connection = McpConnection(config, "")
        task = asyncio.get_running_loop().create_task(connection.serve())
        try:
            await connection.ready
        finally:
            connection.stop.set()
            await task
        return connection

    return asyncio.run(main())


def test_a_connection_knows_its_server_and_tools(tmp_path: Path) -> None:
    state = serve(tmp_path).state
    assert (state.server, state.protocol) == ("odd 1", "2025-11-25")
    assert [tool.name for tool in state.tools] == ["echo", "picture", "fail", "key"]
    assert state.ended == "stopped"


def test_early_server_exit_has_a_reason(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="cannot be used"):
        serve(tmp_path, "absent")


def test_without_the_library_its_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    with pytest.raises(MissingLibrary, match="pip install"):
        mcp_client._library()
