"""One connection to one MCP server by the official SDK: the only module that imports `mcp`.

A server that floods, hangs or dies ends its own connection, in bounded memory; what it wrote to standard error is kept
as its log. Everything here runs on the event loop of `mcp_hub`.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections import deque
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from workbench.core.errors import MissingLibrary, ToolError
from workbench.tools.child import KEEPER
from workbench.tools.mcp_configs import McpServerConfig, filled

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable

Result = TypeVar("Result")

START_S = 60.0
"""How long a server may take until it answers; the first start of a package may download it."""
CALL_S = 60.0
LONGEST_LINE = 16 << 20
"""Bytes of one message; a server that writes more at once is ended."""
MOST_TOOLS = 1000
MOST_PAGES = 100
"""Of a list of tools; a server may name a further page for ever."""
_LOG_LINES = 400
_LOG_LINE = 2000
_INHERITED = ("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "TMPDIR", "TEMP", "SYSTEMROOT", "APPDATA")


@dataclass(frozen=True, slots=True)
class McpTool:
    """A tool as a server describes it."""

    name: str
    description: str
    schema: dict[str, Any]


@dataclass(frozen=True, slots=True)
class McpAnswer:
    """What a server gave back."""

    result: dict[str, Any]
    """`content`, `structuredContent`, `isError`, as on the wire."""


@dataclass(slots=True)
class McpState:
    """What is known of a connection; the log is the end of standard error."""

    server: str = ""
    """Name and version that the server gives itself."""
    protocol: str = ""
    tools: tuple[McpTool, ...] = ()
    changed: int = 0
    """How often the server said that its tools changed."""
    listed: int = 0
    """The value of `changed` when the tools were asked for last."""
    ended: str = ""
    """Why the connection is over; empty while it stands."""
    unread: int = 0
    """Lines that were no message of the protocol."""
    log: deque[str] = field(default_factory=lambda: deque(maxlen=_LOG_LINES))

    def silent(self, seconds: float) -> str:
        """What is said of a server that did not answer."""
        odd = f"; {self.unread} of the lines it wrote cannot be read as messages" if self.unread else ""
        return f"did not answer within {seconds:g} seconds{odd}"

    @property
    def log_text(self) -> str:
        """The server's own log."""
        return "\n".join(self.log)


class McpConnection:
    """Open with `serve`, in a task of its own, until `stop` is set; calls come from other tasks of the same loop.

    Raise MissingLibrary before anything is started.
    """

    def __init__(self, config: McpServerConfig, folder: str, changed: Callable[[], object] = lambda: None) -> None:
        self._mcp = _library()
        self.config, self._folder, self._changed = config, folder, changed
        self.state = McpState()
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.stop = asyncio.Event()
        self._client: Any = None

    async def serve(self) -> None:
        """Connect, then wait; whatever happens ends in `state.ended`, and `ready` says whether it stood once."""
        try:
            client = self._mcp.Client(
                self._transport(),
                mode="legacy",
                message_handler=self._heard,
                read_timeout_seconds=CALL_S,
                cache=None,
            )
            async with client:
                self._client = client
                info = client.server_info
                self.state.server = f"{info.name} {info.version}".strip() if info else ""
                self.state.protocol = str(client.protocol_version)
                await self._list()
                self.ready.set_result(None)
                await self.stop.wait()
                self.state.ended = self.state.ended or "stopped"
        except BaseExceptionGroup as group:
            self._end(_first(group))
        except (self._mcp.MCPError, OSError, ValueError, RuntimeError, TimeoutError) as error:
            self._end(error)
        finally:
            self._client = None
            if not self.ready.done():
                self._end(self.state.ended or "it did not answer")

    def _end(self, why: BaseException | str) -> None:
        self.state.ended = self.state.ended or (why if isinstance(why, str) else f"{type(why).__name__}: {why}")
        if not self.ready.done():
            self.ready.set_exception(
                ToolError(f"The MCP server {self.config.name!r} cannot be used: {self.state.ended}.")
            )
            self.ready.exception()  # nobody may be waiting any more

    async def relist(self) -> None:
        """Ask for the tools anew; raise ToolError where the server is gone, says no, or takes too long."""
        await self._asked(self._list, CALL_S, "a list of tools")

    async def _list(self) -> None:
        """Take the tools page by page; of a list without end its first pages."""
        self.state.listed = self.state.changed
        found: list[McpTool] = []
        cursor: str | None = None
        for _ in range(MOST_PAGES):
            page = await self._client.list_tools(cursor=cursor, cache_mode="refresh")
            found += [McpTool(one.name, one.description or "", dict(one.input_schema)) for one in page.tools]
            if not (cursor := page.next_cursor) or len(found) >= MOST_TOOLS:
                break
        self.state.tools = tuple(found[:MOST_TOOLS])

    async def call(self, name: str, arguments: dict[str, Any], seconds: float) -> McpAnswer:
        """Call a tool; raise ToolError where the server is gone, says no, or takes too long."""
        result = await self._asked(lambda: self._client.session.call_tool(name, arguments), seconds, "a result")
        return McpAnswer(result.model_dump(by_alias=True, mode="json", exclude_none=True))

    async def _asked(self, ask: Callable[[], Awaitable[Result]], seconds: float, what: str) -> Result:
        """Wait for an answer; whatever a server does wrong is a ToolError."""
        if self._client is None:
            raise ToolError(f"The MCP server {self.config.name!r} is gone: {self.state.ended or 'it was stopped'}.")
        try:
            async with asyncio.timeout(seconds):
                return await ask()
        except TimeoutError as error:
            raise ToolError(f"The MCP server {self.config.name!r} {self.state.silent(seconds)}.") from error
        except self._mcp.MCPError as error:
            await asyncio.sleep(0)  # the end of the connection is noted first
            if self.state.ended or self.stop.is_set():
                raise ToolError(f"The MCP server {self.config.name!r} is gone: {self.state.ended}.") from error
            raise ToolError(f"The MCP server {self.config.name!r} says: {error}") from error
        except (ValueError, RuntimeError) as error:
            raise ToolError(
                f"The MCP server {self.config.name!r} gave {what} that is not understood: {error}"
            ) from error

    async def _heard(self, message: Any) -> None:
        if getattr(message, "method", "") == "notifications/tools/list_changed":
            self.state.changed += 1
            self._changed()

    def _transport(self) -> Any:
        if self.config.transport == "stdio":
            return self._stdio()
        url = filled(self.config.url, self._folder)
        headers = {key: filled(value, self._folder) for key, value in self.config.headers.items()}
        if self.config.transport == "sse":
            from mcp.client.sse import sse_client

            return sse_client(url, headers=headers)
        return _http(url, headers)

    @asynccontextmanager
    async def _stdio(self) -> AsyncGenerator[Any, None]:
        """Our own pipes instead of the SDK's: lines are bounded, and the program cannot outlive us."""
        import anyio

        process = await self._spawn()
        incoming, reader = anyio.create_memory_object_stream[Any](64)
        writer, outgoing = anyio.create_memory_object_stream[Any](64)
        async with asyncio.TaskGroup() as group:
            logging = group.create_task(self._log(process))
            reading = group.create_task(self._read(process, incoming))
            writing = group.create_task(_write(process, outgoing))
            try:
                yield reader, writer
            finally:
                for task in (reading, writing):
                    task.cancel()
                await _end_process(process)
                logging.cancel()
                process._transport.close()  # type: ignore[attr-defined]  # pipes that nobody reads stay open else
                for stream in (incoming, reader, writer, outgoing):
                    await stream.aclose()

    async def _spawn(self) -> asyncio.subprocess.Process:
        config = self.config
        env = {key: os.environ[key] for key in _INHERITED if key in os.environ}
        env |= {key: filled(value, self._folder) for key, value in config.env.items()}
        argv = [filled(config.command, self._folder), *(filled(one, self._folder) for one in config.args)]
        guarded = [sys.executable, "-I", "-S", str(KEEPER), "--guard", *argv] if os.name == "posix" else argv
        cwd = filled(config.cwd, self._folder) if config.cwd else str(Path(config.place).parent)
        pipe = asyncio.subprocess.PIPE
        return await asyncio.create_subprocess_exec(
            *guarded, stdin=pipe, stdout=pipe, stderr=pipe, env=env, cwd=cwd, limit=LONGEST_LINE
        )

    async def _read(self, process: asyncio.subprocess.Process, incoming: Any) -> None:
        import anyio
        from mcp.shared.message import SessionMessage
        from mcp_types import jsonrpc_message_adapter

        assert process.stdout is not None
        try:
            while line := await process.stdout.readline():
                if not line.strip():
                    continue
                try:
                    message = jsonrpc_message_adapter.validate_json(line, by_name=False)
                except ValueError:
                    self.state.unread += 1
                    self.state.log.append(f"not JSON-RPC: {line[:200].decode(errors='replace').rstrip()}")
                    continue
                await incoming.send(SessionMessage(message))
            self.state.ended = self.state.ended or await _how_it_ended(process)
        except ValueError:  # a line beyond the limit
            self.state.ended = f"it wrote a message of more than {LONGEST_LINE:,} bytes"
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            return
        finally:
            await incoming.aclose()
            self.stop.set()

    async def _log(self, process: asyncio.subprocess.Process) -> None:
        assert process.stderr is not None
        while piece := await process.stderr.read(65_536):
            for line in piece.decode("utf-8", "replace").splitlines():
                self.state.log.append(line[:_LOG_LINE])


async def _write(process: asyncio.subprocess.Process, outgoing: Any) -> None:
    assert process.stdin is not None
    with contextlib.suppress(ConnectionError):
        async for message in outgoing:
            text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
            process.stdin.write(text.encode() + b"\n")
            await process.stdin.drain()


async def _end_process(process: asyncio.subprocess.Process) -> None:
    """Close its input, wait a moment, then end it; its guard takes everything with it that it started."""
    assert process.stdin is not None
    process.stdin.close()
    for end in (None, process.terminate, process.kill):
        with contextlib.suppress(ProcessLookupError):
            if end is not None:
                end()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(1.0):
                await process.wait()
                return


async def _how_it_ended(process: asyncio.subprocess.Process) -> str:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(1.0):
            return f"its process ended with status {await process.wait()}"
    return "it closed its output"


@asynccontextmanager
async def _http(url: str, headers: dict[str, str]) -> AsyncGenerator[Any, None]:
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    timeout = httpx2.Timeout(START_S, read=CALL_S * 5)
    async with (
        httpx2.AsyncClient(headers=headers, timeout=timeout) as http,
        streamable_http_client(url, http_client=http) as streams,
    ):
        yield streams


def _library() -> Any:
    try:
        import mcp
    except ImportError as error:
        raise MissingLibrary.of_extra("The MCP library is not installed.", "mcp") from error
    return mcp


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    inner = group.exceptions[0]
    return _first(inner) if isinstance(inner, BaseExceptionGroup) else inner
