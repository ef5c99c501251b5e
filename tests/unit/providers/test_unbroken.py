"""Work that ends although its task is cancelled, and connections that nobody forgets."""

from __future__ import annotations

import asyncio
import gc
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Any

import pytest

from tests.kit.wire_server import answer, wire_server
from workbench.core.exchange import WireRequest
from workbench.providers.client_options import ClientOptions
from workbench.providers.transport import OpenedReply, Transport
from workbench.providers.unbroken import unbroken

if TYPE_CHECKING:
    from collections.abc import Coroutine


async def cancelled(work: Coroutine[Any, Any, Any], turns: int, times: int = 1) -> None:
    async with asyncio.TaskGroup() as group:
        task = group.create_task(work)
        for _ in range(times):
            for _ in range(turns):
                await asyncio.sleep(0)
            task.cancel()
    assert task.cancelled()


def test_what_is_given_and_what_is_raised_come_through() -> None:
    async def fail() -> None:
        raise KeyError("x")

    async def main() -> None:
        assert await unbroken(asyncio.sleep(0, 5)) == 5
        with pytest.raises(KeyError, match="x"):
            await unbroken(fail())

    asyncio.run(main())


def test_work_is_done_to_its_end_before_the_cancellation_goes_on() -> None:
    async def main() -> None:
        steps: list[int] = []

        async def work() -> None:
            for step in range(5):
                steps.append(step)
                await asyncio.sleep(0)

        await cancelled(unbroken(work()), 2)
        assert steps == [0, 1, 2, 3, 4]

    asyncio.run(main())


def test_what_may_be_broken_off_is_and_what_it_gave_all_the_same_is_let_go() -> None:
    async def main() -> None:
        let_go: list[str] = []

        async def close(given: str) -> None:
            await asyncio.sleep(0)
            let_go.append(given)

        async def idle() -> str:
            await asyncio.sleep(60)
            return "nothing"

        async def stubborn() -> str:
            with suppress(asyncio.CancelledError):
                await idle()
            return "given"

        await cancelled(unbroken(idle(), let_go=close), 2)
        assert let_go == []
        await cancelled(unbroken(stubborn(), let_go=close), 2)
        assert let_go == ["given"]

    asyncio.run(main())


@pytest.mark.parametrize("turns", range(2, 12, 3))
def test_a_request_cancelled_while_idle_connections_are_closed_forgets_none(turns: int) -> None:
    """A connection that is forgotten is closed by the collector, with a warning: an error in this test run."""

    async def main() -> None:
        async with wire_server(answer(200, b"hello", keep=True)) as server:
            transport = Transport(ClientOptions(max_concurrency=16))
            request = WireRequest("GET", server.url)

            async def fetch() -> None:
                assert not isinstance(await transport.fetch(request, 30), Exception)

            await asyncio.gather(*(fetch() for _ in range(16)))
            for http in transport._http.values():  # as after some idle seconds
                http._transport._pool._keepalive_expiry = 0.0  # type: ignore[attr-defined]
                for connection in http._transport._pool.connections:  # type: ignore[attr-defined]
                    connection._connection._expire_at = 0.0
            await cancelled(fetch(), turns, 2)
            gc.collect()
            reply = await transport.open(request, 30)
            assert isinstance(reply, OpenedReply)
            async with aclosing(reply.pieces()) as pieces:
                assert b"".join([piece async for piece in pieces]) == b"hello"
            await reply.aclose()
            await transport.aclose()

    asyncio.run(main())


@pytest.mark.parametrize("turns", range(2, 12, 3))
def test_a_transport_closed_while_a_request_connects_forgets_none(turns: int) -> None:
    async def main() -> None:
        async with wire_server(answer(200, b"hello", keep=True)) as server:
            transport = Transport(ClientOptions())
            async with asyncio.TaskGroup() as group:
                group.create_task(transport.fetch(WireRequest("GET", server.url), 30))
                for _ in range(turns):
                    await asyncio.sleep(0)
                await transport.aclose()
        del transport, group
        gc.collect()

    asyncio.run(main())


def test_trouble_of_work_that_nobody_waits_for_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def fail() -> None:
        await asyncio.sleep(0)
        raise KeyError("x")

    asyncio.run(cancelled(unbroken(fail()), 2))
    gc.collect()
    assert not caplog.records
