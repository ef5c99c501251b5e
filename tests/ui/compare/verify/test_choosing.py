"""What is set up becomes an order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.kit.gui import open_window
from tests.kit.verify_tab import verify_tab
from workbench.verify.plan import Streams

if TYPE_CHECKING:
    from pathlib import Path


def test_candidates_come_and_go(run_async, theme, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            verify = await verify_tab(session)
            choosing, setup = verify.choosing, verify.page.setup
            order = choosing.order()
            assert order is not None
            assert order.streams is Streams.BOTH
            assert [target.executor.model for target in order.candidates] == [
                "main-70b", "main-70b+leak", "main-70b+template"
            ]  # fmt: skip
            choosing.add()
            assert len(choosing.candidates) == 4
            choosing.add()
            assert len(choosing.candidates) == 4
            assert "20 pairs × 6 = 120 requests" in setup.sum.text()
            for _ in range(4):
                choosing.remove(0)
            assert choosing.order() is None
            assert not setup.run.isEnabled()
            choosing.take(order.reference, order.candidates)
            assert choosing.order() == order

    run_async(body())
