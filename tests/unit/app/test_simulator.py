from __future__ import annotations

import asyncio

from workbench.app.simulator import Simulator


def test_it_starts_once_and_stops() -> None:
    async def main() -> None:
        simulator = Simulator()
        assert len(simulator.personas) >= 5
        url = await simulator.start()
        assert await simulator.start() == url
        assert url.startswith("http://127.0.0.1:")
        await simulator.aclose()
        await simulator.aclose()

    asyncio.run(main())


def test_who_asks_at_the_same_time_gets_the_same_server() -> None:
    async def main() -> None:
        simulator = Simulator()
        urls = await asyncio.gather(*(simulator.start() for _ in range(3)))
        assert len(set(urls)) == 1
        await simulator.aclose()

    asyncio.run(main())
