from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

from workbench.gateway.streamed import Streamed


async def pieces() -> AsyncGenerator[bytes, None]:
    yield b"a"
    yield b"b"


def left_after(count: int) -> tuple[list[bytes], int]:
    """What came of taking so many pieces, and how often the stream told that its client left."""

    async def main() -> tuple[list[bytes], int]:
        left, taken = [], []
        async with aclosing(Streamed(pieces(), lambda: left.append(1))) as stream:
            for _ in range(count):
                async for piece in stream:
                    taken.append(piece)
                    break
        return taken, len(left)

    return asyncio.run(main())


def test_a_stream_that_is_taken_to_its_end_leaves_nobody() -> None:
    assert left_after(3) == ([b"a", b"b"], 0)


def test_a_client_that_leaves_is_told_once_even_before_the_first_piece() -> None:
    assert left_after(0) == ([], 1)
    assert left_after(1) == ([b"a"], 1)
