"""All MCP connections of the program, on an event loop of their own in a thread: a server that floods stops nothing else.

A server starts when its tools are first asked for, stays until it is stopped or dies, and is started anew by the next
call after its death.
"""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from workbench.core.errors import ToolError
from workbench.core.masking import Secrets
from workbench.core.tools import ToolMode, ToolResult, ToolSetup, ToolSource, ToolSpec
from workbench.tools.mcp_client import CALL_S, START_S, McpConnection, McpState, McpTool
from workbench.tools.mcp_configs import McpServerConfig, find_server
from workbench.tools.mcp_results import tool_result

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from workbench.core.tools import CallPlace

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class McpStatus:
    """What a page shows of one server."""

    name: str
    place: str
    running: bool
    server: str = ""
    protocol: str = ""
    tools: int = 0
    changed: int = 0
    ended: str = ""
    log: str = ""


class McpHub:
    """Safe from the thread of the application's own event loop."""

    def __init__(self, workspace: Callable[[], Path | None]) -> None:
        self._workspace = workspace
        self.changed: Callable[[str], object] = str
        """Called with a server's name when it says that its tools changed; from the hub's thread."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._open: dict[tuple[str, str], McpConnection] = {}
        self._tasks: dict[tuple[str, str], asyncio.Task[None]] = {}
        self._starting: dict[tuple[str, str], asyncio.Lock] = {}
        self._secrets: set[str] = set()

    def secrets(self) -> frozenset[str]:
        """Values of `env` and `headers` of all servers that were started: they must not reach a record."""
        return frozenset(self._secrets)

    async def tools(self, config: McpServerConfig) -> tuple[ToolSetup, ...]:
        """The server's tools as they are now; it is started if needed. Raise ToolError, InvalidInput or MissingLibrary."""
        connection = await self._on_loop(self._connected(config))
        await self._on_loop(connection.relist())
        return tuple(_setup(config, tool) for tool in connection.state.tools)

    async def execute(self, setup: ToolSetup, arguments: dict[str, Any], place: CallPlace) -> ToolResult:  # noqa: ARG002
        """Call a tool; a dead server is started again, once."""
        config = find_server(setup.source.place, setup.source.name)
        connection = await self._on_loop(self._connected(config))
        name = setup.source.tool or setup.spec.name
        try:
            answer = await self._on_loop(connection.call(name, arguments, CALL_S))
        except ToolError as error:
            told = error.message if not error.hint else f"{error.message} {error.hint}"
            failed = ToolResult(False, None, told, ToolMode.RUN, trace=connection.state.log_text)
            return Secrets(self._secrets).mask_value(failed)
        if connection.state.changed > connection.state.listed:
            with suppress(ToolError):  # the result stands; the next listing says what is wrong
                await self._on_loop(connection.relist())
        result = tool_result(answer.result)
        return Secrets(self._secrets).mask_value(replace(result, notes=(*result.notes, *_changes(setup, connection))))

    def status(self, config: McpServerConfig) -> McpStatus:
        """How a server stands; nothing is started."""
        connection = self._open.get((config.place, config.name))
        state = connection.state if connection else McpState()
        running = connection is not None and not state.ended
        return McpStatus(
            config.name, config.place, running, state.server, state.protocol, len(state.tools), state.changed,
            state.ended, state.log_text,
        )  # fmt: skip

    async def stop(self, config: McpServerConfig) -> None:
        """End a server."""
        key = (config.place, config.name)
        if key in self._open:
            await self._on_loop(self._ended(key))

    async def aclose(self) -> None:
        """End all servers and the thread."""
        if self._loop is None or self._thread is None:
            return
        for key in list(self._open):
            await self._on_loop(self._ended(key))
        self._loop.call_soon_threadsafe(self._loop.stop)
        await asyncio.to_thread(self._thread.join)
        self._loop.close()
        self._loop = self._thread = None

    async def _connected(self, config: McpServerConfig) -> McpConnection:
        key = (config.place, config.name)
        async with self._starting.setdefault(key, asyncio.Lock()):
            known = self._open.get(key)
            if known is not None and not known.state.ended and known.config == config:
                return known
            if known is not None:
                await self._ended(key)
            folder = self._workspace()
            connection = McpConnection(config, str(folder) if folder else "", lambda: self.changed(config.name))
            self._secrets |= config.secrets(str(folder or ""))
            self._open[key] = connection
            self._tasks[key] = asyncio.get_running_loop().create_task(connection.serve(), name=f"mcp {config.name}")
            try:
                async with asyncio.timeout(START_S):
                    await asyncio.shield(connection.ready)
            except TimeoutError as error:
                connection.state.ended = f"it {connection.state.silent(START_S)}"
                await self._ended(key)
                raise ToolError(f"The MCP server {config.name!r} cannot be used: {connection.state.ended}.") from error
            return connection

    async def _ended(self, key: tuple[str, str]) -> None:
        connection, task = self._open[key], self._tasks.pop(key, None)
        connection.stop.set()
        if task is not None:
            _, late = await asyncio.wait([task], timeout=8)
            for one in late:
                one.cancel()
                await asyncio.wait([one], timeout=8)
        connection.state.ended = connection.state.ended or "stopped"

    async def _on_loop(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Do work on the hub's loop; a cancel of the waiter cancels it there."""
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._thread = threading.Thread(target=self._loop.run_forever, name="mcp", daemon=True)
            self._thread.start()
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))


def _changes(setup: ToolSetup, connection: McpConnection) -> tuple[str, ...]:
    """A note where the server's tool is not the one any more that the model was shown."""
    name = setup.source.tool or setup.spec.name
    now = next((tool for tool in connection.state.tools if tool.name == name), None)
    if now is None:
        return (f"The server has no tool {name!r} any more.",)
    if connection.state.changed and (now.schema != setup.spec.parameters or now.description != setup.spec.description):
        return (f"The server has changed the tool {name!r} since the model was shown it.",)
    return ()


def _setup(config: McpServerConfig, tool: McpTool) -> ToolSetup:
    source = ToolSource("mcp", config.place, config.name, tool.name)
    return ToolSetup(ToolSpec(tool.name, tool.description, tool.schema), ToolMode.RUN, source=source)
