from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncGenerator
from contextlib import aclosing

import pytest

from tests.kit.virtual_time import run_in_virtual_time
from workbench.providers import read_ahead as module
from workbench.providers.read_ahead import ReadAhead


class Source:
    """Pieces with pauses before them, and what became of it."""

    def __init__(self, *pieces: tuple[float, bytes], trouble: Exception | None = None) -> None:
        self._pieces, self._trouble = pieces, trouble
        self.given = 0
        self.closed = False

    async def body(self) -> AsyncGenerator[bytes, None]:
        try:
            for pause, piece in self._pieces:
                await asyncio.sleep(pause)
                self.given += 1
                yield piece
            if self._trouble is not None:
                raise self._trouble
        finally:
            self.closed = True


async def taken(source: Source, pause: float, found: list[bytes]) -> None:
    async with aclosing(ReadAhead(source.body())) as ahead:
        async for data in ahead:
            found.append(data)
            await asyncio.sleep(pause)


def test_what_came_meanwhile_is_one_piece() -> None:
    source, found = Source((0, b"a"), (1, b"b"), (1, b"c"), (5, b"d")), list[bytes]()
    run_in_virtual_time(taken(source, 2.5, found))
    assert found == [b"a", b"bc", b"d"]
    assert source.closed


def test_a_lone_stream_keeps_its_pieces() -> None:
    found: list[bytes] = []
    run_in_virtual_time(taken(Source((1, b"a"), (1, b"b"), (1, b"c")), 0, found))
    assert found == [b"a", b"b", b"c"]


def test_trouble_comes_after_what_came_before_it() -> None:
    source, found = Source((0, b"a"), (0, b"b"), trouble=OSError("broken")), list[bytes]()
    with pytest.raises(OSError, match="broken"):
        run_in_virtual_time(taken(source, 1, found))
    assert b"".join(found) == b"ab"
    assert source.closed


def test_an_early_leave_closes_the_source() -> None:
    source = Source((0, b"a"), (100, b"b"))

    async def main() -> None:
        async with aclosing(ReadAhead(source.body())) as ahead:
            assert await anext(ahead) == b"a"
        assert source.closed

    run_in_virtual_time(main())


def test_a_cancelled_wait_can_be_taken_up_again() -> None:
    async def main() -> bytes:
        async with aclosing(ReadAhead(Source((2, b"a")).body())) as ahead:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(1):
                    await anext(ahead)
            return await anext(ahead)

    assert run_in_virtual_time(main()) == b"a"


def test_the_socket_waits_where_too_much_is_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 3)
    source = Source(*[(0, b"xx")] * 6)

    async def main() -> list[bytes]:
        async with aclosing(ReadAhead(source.body())) as ahead:
            await asyncio.sleep(1)
            assert source.given == 2
            return [data async for data in ahead]

    assert b"".join(run_in_virtual_time(main())) == b"x" * 12


def test_trouble_that_nobody_reads_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        source = Source((0.0, b"a"), trouble=ValueError("broken"))
        async with aclosing(ReadAhead(source.body())):
            await asyncio.sleep(1)
        assert source.closed

    run_in_virtual_time(main())
    gc.collect()
    assert not caplog.records


def test_no_more_than_a_megabyte_is_read_ahead() -> None:
    source = Source(*((0, b"x" * (1 << 16)) for _ in range(64)))
    seen: list[int] = []

    async def main() -> None:
        async with aclosing(ReadAhead(source.body())) as ahead:
            await anext(ahead)
            await asyncio.sleep(1)
            seen.append(source.given)

    run_in_virtual_time(main())
    assert 16 <= seen[0] <= 20


def test_the_socket_waits_from_one_byte_more_than_may_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 4)
    source = Source(*[(0, b"xx")] * 6)

    async def main() -> list[int]:
        given = []
        async with aclosing(ReadAhead(source.body())) as ahead:
            for _ in range(2):
                await asyncio.sleep(1)
                given.append(source.given)
                assert await anext(ahead) == b"x" * 6
        return given

    assert run_in_virtual_time(main()) == [3, 6]


def test_a_break_is_told_each_time_that_more_is_asked_for() -> None:
    async def main() -> None:
        async with aclosing(ReadAhead(Source((0, b"a"), trouble=OSError("broken")).body())) as ahead:
            await asyncio.sleep(1)
            assert await anext(ahead) == b"a"
            for _ in range(2):
                with pytest.raises(OSError, match="broken"):
                    await anext(ahead)

    run_in_virtual_time(main())


def test_the_end_is_told_to_who_waits_for_it() -> None:
    async def main() -> None:
        async with aclosing(ReadAhead(Source((1, b"a")).body())) as ahead:
            assert await anext(ahead) == b"a"
            for _ in range(2):
                with pytest.raises(StopAsyncIteration):
                    await anext(ahead)

    run_in_virtual_time(main())
