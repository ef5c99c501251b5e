from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.kit.tree import ROOT
from workbench.core.errors import ToolError
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


class OddServer:
    """Answers as a client of the library would have it, with one bad habit."""

    def __init__(self, habit: str) -> None:
        self.habit, self.pages = habit, 0

    async def list_tools(self, **_: Any) -> Any:
        self.pages += 1
        match self.habit:
            case "refuses":
                raise mcp_client._library().MCPError(-1, "not today")
            case "babbles":
                raise ValueError("tools: not a list")
            case "hangs":
                await asyncio.Event().wait()
        return SimpleNamespace(tools=(), next_cursor=f"page {self.pages}")


def asked_anew(folder: Path, habit: str) -> OddServer:
    async def main() -> OddServer:
        connection = McpConnection(McpServerConfig("odd", str(folder / "mcp.json")), "")
        connection.state.unread = 2
        server = OddServer(habit)
        connection._client = None if habit == "gone" else server
        await connection.relist()
        return server

    return asyncio.run(main())


@pytest.mark.parametrize(
    ("habit", "words"),
    [
        ("refuses", "says: not today"),
        ("babbles", "gave a list of tools that is not understood: tools: not a list"),
        ("gone", "is gone: it was stopped"),
        ("hangs", "did not answer within 0.01 seconds; 2 of the lines it wrote cannot be read as messages"),
    ],
)
def test_a_list_of_tools_that_cannot_be_had_is_the_servers_fault(
    habit: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mcp_client, "CALL_S", 0.01)
    with pytest.raises(ToolError, match=words):
        asked_anew(tmp_path, habit)


def test_a_list_without_end_is_left(tmp_path: Path) -> None:
    assert asked_anew(tmp_path, "endless").pages == mcp_client.MOST_PAGES
