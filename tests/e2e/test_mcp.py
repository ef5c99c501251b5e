"""MCP servers: real ones from the package index, and ones that die, hang, flood or change in the middle of a run."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.kit.app import fast, with_workbench
from tests.kit.tree import ROOT
from workbench.app import RunDraft, Workbench
from workbench.core.events import RunEvent, RunFinished, StepStarted, ToolFinished
from workbench.core.messages import Message
from workbench.core.tools import NOWHERE, ToolMode, ToolResult, ToolSetup
from workbench.tools import mcp_client, mcp_hub
from workbench.tools.mcp_configs import find_server
from workbench.tools.mcp_hub import McpHub

pytest.importorskip("mcp", reason="the extra mcp is not installed")

SERVER = str(ROOT / "tests" / "kit" / "mcp_server.py")
SAY = 'Please call echo with the text "hello".'


def write_config(folder: Path, habit: str = "", **servers: Any) -> Path:
    odd = {"command": sys.executable, "args": [SERVER, habit], "env": {"SERVER_KEY": "sk-server-key-123456"}}
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "mcp.json"
    path.write_text(json.dumps({"mcpServers": {"odd": odd, **servers}}))
    return path


def with_hub(body: Callable[[McpHub], Awaitable[Any]]) -> Any:
    async def main() -> Any:
        hub = McpHub(lambda: None)
        try:
            return await body(hub)
        finally:
            await hub.aclose()

    return asyncio.run(main())


def call(path: Path, tool: str, arguments: dict[str, Any] | None = None, server: str = "odd") -> ToolResult:
    async def body(hub: McpHub) -> ToolResult:
        setups = {one.spec.name: one for one in await hub.tools(find_server(str(path), server))}
        return await hub.execute(setups[tool], arguments or {}, NOWHERE)

    return with_hub(body)


# real servers


def test_the_real_time_server_is_listed_and_called(tmp_path: Path) -> None:
    path = write_config(tmp_path, time={"command": sys.executable, "args": ["-m", "mcp_server_time"]})
    result = call(
        path, "convert_time", {"source_timezone": "UTC", "time": "12:00", "target_timezone": "Asia/Tokyo"}, "time"
    )
    assert result.success, result
    assert "T21:00:00" in json.dumps(result.result)


def test_the_real_git_server_is_used_in_a_loop(tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    subprocess.run(["git", "init", "-q", str(repository)], check=True)
    (repository / "a.txt").write_text("one\n")
    config = write_config(tmp_path / "home", git={"command": sys.executable, "args": ["-m", "mcp_server_git"]})

    async def body(wb: Workbench) -> list[RunEvent]:
        setups = await wb.tools.import_mcp(config, ["git"])
        status = tuple(replace(one, mode=ToolMode.RUN) for one in setups if one.spec.name == "git_status")
        return await run(wb, status, f'Call git_status with the repo_path "{repository}".')

    events = with_workbench(tmp_path / "home", body)
    (result,) = results(events)
    assert result.success, result
    assert "a.txt" in str(result.result)
    assert result.by == "MCP git"


# a run over a server with a habit


async def run(wb: Workbench, setups: tuple[ToolSetup, ...], prompt: str = SAY) -> list[RunEvent]:
    draft = RunDraft((Message("user", prompt),), fast("model=qwen-hasty,seed=1"), setups)
    handle = await wb.runs.start(draft)
    await handle.wait()
    return list((await wb.load(handle.run_id)).events)


def results(events: list[RunEvent]) -> list[ToolResult]:
    return [event.result for event in events if isinstance(event, ToolFinished)]


def run_with(tmp_path: Path, habit: str, tool: str = "echo", prompt: str = SAY) -> list[RunEvent]:
    config = write_config(tmp_path / "home", habit)

    async def body(wb: Workbench) -> list[RunEvent]:
        setups = await wb.tools.import_mcp(config, ["odd"])
        return await run(wb, tuple(replace(one, mode=ToolMode.RUN) for one in setups if one.spec.name == tool), prompt)

    return with_workbench(tmp_path / "home", body)


@pytest.mark.parametrize(
    ("habit", "said"),
    [
        ("", ""),
        ("chatters", ""),
        ("babbles", ""),
        ("dies", "is gone: its process ended with status 3"),
        ("hangs", "did not answer within 0.7 seconds"),
        ("closes", "is gone: it closed its output"),
        ("floods", "is gone: it wrote a message of more than"),
        ("wrong", "not understood"),
    ],
)
def test_every_server_fault_is_recorded_to_the_end(
    habit: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mcp_hub, "CALL_S", 0.7 if habit == "hangs" else 20.0)
    events = run_with(tmp_path, habit)
    result = results(events)[0]
    assert result.success is (said == ""), result
    assert said in str(result.error)
    if habit == "dies":
        assert "going down" in result.trace
    assert isinstance(next(event for event in events if isinstance(event, RunFinished)), RunFinished)


def test_tool_definition_change_during_a_run_is_noted(tmp_path: Path) -> None:
    (result, *_) = results(run_with(tmp_path, "changes"))
    assert result.success
    assert result.notes == ("The server has changed the tool 'echo' since the model was shown it.",)


def test_images_reach_the_model_on_wires_with_images(tmp_path: Path) -> None:
    events = run_with(tmp_path, "", "picture", "Please call picture.")
    (result, *_) = results(events)
    assert result.notes[0].startswith("An image (image/png")
    second = [event for event in events if isinstance(event, StepStarted)][1]
    parts = [
        part for message in second.request.messages if isinstance(message.content, tuple) for part in message.content
    ]
    assert [part["type"] for part in parts] == ["text", "image_url"]


def test_a_key_of_the_configuration_never_reaches_the_record(tmp_path: Path) -> None:
    events = run_with(tmp_path, "", "key", "Please call key.")
    assert results(events)[0].success
    stored = b"".join(path.read_bytes() for path in (tmp_path / "home").glob("workbench.db*"))
    assert b"sk-server-key-123456" not in stored


# the connection itself


def test_a_dead_server_is_started_again_by_the_next_call(tmp_path: Path) -> None:
    path = write_config(tmp_path)

    async def body(hub: McpHub) -> tuple[bool, str, ToolResult]:
        config = find_server(str(path), "odd")
        setups = await hub.tools(config)
        await hub.stop(config)
        stopped = hub.status(config)
        return stopped.running, stopped.ended, await hub.execute(setups[0], {"text": "again"}, NOWHERE)

    running, ended, result = with_hub(body)
    assert (running, ended) == (False, "stopped")
    assert result.result == {"said": "again"}


@pytest.mark.parametrize(
    ("habit", "said"),
    [
        ("absent", "status 1"),
        ("mute", "cannot be used: it closed its output"),
        ("silent", "did not answer within 0.8 seconds"),
    ],
)
def test_mcp_server_start_failure_is_reported(
    habit: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mcp_hub, "START_S", 0.8 if habit == "silent" else 20.0)
    with pytest.raises(Exception, match=said):
        call(write_config(tmp_path, habit), "echo")


def test_a_server_and_its_children_do_not_outlive_the_program(tmp_path: Path) -> None:
    path = write_config(tmp_path, "children")
    code = (
        "import asyncio, sys\n"
        "from workbench.tools.mcp_hub import McpHub\n"
        "from workbench.tools.mcp_configs import find_server\n"
        "async def main():\n"
        "    await McpHub(lambda: None).tools(find_server(sys.argv[1], 'odd'))\n"
        "    print('ready', flush=True)\n"
        "    await asyncio.sleep(600)\n"
        "asyncio.run(main())\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE)
    assert process.stdout
    assert process.stdout.readline() == b"ready\n"
    assert sleeping()

    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()

    for _ in range(100):
        if not sleeping():
            return
        time.sleep(0.1)
    raise AssertionError(sleeping())


def sleeping() -> list[str]:
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes()
        except OSError:
            continue
        if line.startswith(b"sleep\0004712") or (b"mcp_server.py" in line and b"children" in line):
            found.append(path.parent.name)
    return found


HTTP_SERVER = """
import sys
from mcp.server.mcpserver import MCPServer

server = MCPServer("counter")


@server.tool()
def add(a: int, b: int) -> int:
    "Add two numbers."
    return a + b


server.run(transport="streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
"""


def test_a_server_is_reached_over_streamable_http(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    (tmp_path / "server.py").write_text(HTTP_SERVER)
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen([sys.executable, str(tmp_path / "server.py"), str(port)], stderr=log, stdout=log)
    try:
        for _ in range(300):
            with socket.socket() as trial:
                if trial.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        path = write_config(tmp_path, http={"type": "http", "url": f"http://127.0.0.1:{port}/mcp"})
        result = call(path, "add", {"a": 2, "b": 3}, "http")
        assert result.result == {"result": 5}, (result, (tmp_path / "log").read_text())
    finally:
        process.terminate()
        process.wait()


@pytest.mark.live
def test_real_servers_of_npm(tmp_path: Path) -> None:
    """Installs two servers from npm into a temporary folder."""
    packages = ("@modelcontextprotocol/server-everything", "@modelcontextprotocol/server-filesystem")
    subprocess.run(
        ["npm", "install", "--silent", "--prefix", str(tmp_path / "npm"), *packages], check=True, timeout=300
    )
    binaries = tmp_path / "npm" / "node_modules" / ".bin"
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "a.txt").write_text("alpha")
    path = write_config(
        tmp_path,
        everything={"command": str(binaries / "mcp-server-everything"), "args": ["stdio"]},
        files={"command": str(binaries / "mcp-server-filesystem"), "args": [str(tmp_path / "files")]},
    )
    echoed = call(path, "echo", {"message": "hello"}, "everything")
    assert "hello" in str(echoed.result), echoed
    read = call(path, "read_text_file", {"path": str(tmp_path / "files" / "a.txt")}, "files")
    assert "alpha" in json.dumps(read.result), read
    refused = call(path, "read_text_file", {"path": "/etc/hostname"}, "files")
    assert not refused.success


def test_call_time_limit_is_the_clients() -> None:
    assert mcp_client.CALL_S == mcp_hub.CALL_S
    assert os.path.exists(SERVER)  # noqa: PTH110
