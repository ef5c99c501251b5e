"""A real llama.cpp server calls a tool of a real MCP server, in a loop."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.kit.command import workbench
from tests.kit.llama_server import llama_server

pytest.importorskip("mcp", reason="the extra mcp is not installed")

GRAMMAR = (
    r'root ::= "<tool_call>\n{\"name\": \"get_current_time\", \"arguments\": {\"timezone\": \"" zone "\"}}\n</tool_call>"'
    "\n"
    r'zone ::= "Europe/Rome" | "Asia/Tokyo"'
)


def test_the_engine_and_the_server_work_together(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    config = {"mcpServers": {"time": {"command": sys.executable, "args": ["-m", "mcp_server_time"]}}}
    (home / "mcp.json").write_text(json.dumps(config))
    imported = workbench("tools", "import", "--from", "mcp", "--set", "time", "--live", "--home", str(home))
    assert imported.code == 0, imported.err
    with llama_server(tmp_path) as server:
        done = workbench(
            "run", "--base-url", server.base_url, "--model", "tiny", "--tools", "set:time", "--tool-mode", "run",
            "--format", "qwen_xml", "--extra", json.dumps({"grammar": GRAMMAR}), "--max-tokens", "200", "--seed", "1",
            "--iterations", "2", "--json", "-q", "--home", str(home), "What time is it?",
        )  # fmt: skip
    assert done.code == 0, done.err
    found = done.json()
    assert found["stop"] == "iterations"
    assert [call["name"] for call in found["calls"]] == ["get_current_time"] * 2
    for call, result in zip(found["calls"], found["results"], strict=True):
        assert result["success"], result
        assert result["result"]["timezone"] == call["arguments"]["timezone"]
