from __future__ import annotations

import asyncio

import pytest

from workbench.app.clients import Clients
from workbench.app.simulator import Simulator
from workbench.core.errors import SecretError, UnknownName
from workbench.settings.config import ProviderConfig, Settings
from workbench.settings.secrets import SecretBox


def test_a_client_is_kept_until_its_provider_or_key_changes() -> None:
    async def main() -> None:
        secrets = SecretBox({"A_KEY": "first-key-000"})
        config = ProviderConfig("A", base_url="http://127.0.0.1:9/v1", key="session")
        clients = Clients(Settings((config,)), secrets, Simulator())
        first = await clients.get("a")
        assert await clients.get("A") is first
        secrets.set(config, "another-key-111")
        second = await clients.get("A")
        assert second is not first
        clients.settings = Settings((ProviderConfig("A", base_url="http://127.0.0.1:8/v1", key="session"),))
        assert await clients.get("A") is not second
        with pytest.raises(UnknownName, match="'B'"):
            await clients.get("B")
        await clients.aclose()

    asyncio.run(main())


def test_the_simulator_starts_when_it_is_first_asked_and_is_marked() -> None:
    async def main() -> None:
        simulator = Simulator()
        clients = Clients(Settings(), SecretBox({}), simulator)
        assert clients.provider("simulator").base_url == "http://127.0.0.1/v1"
        client = await clients.get("simulator")
        assert client.endpoint.simulated
        assert client.endpoint.base_url == simulator.base_url != "http://127.0.0.1/v1"
        await clients.aclose()
        await simulator.aclose()

    asyncio.run(main())


def test_a_key_that_the_environment_does_not_have_is_missed_before_anything_is_sent() -> None:
    async def main() -> None:
        config = ProviderConfig("A", base_url="http://127.0.0.1:9/v1", key="env:NO_SUCH_KEY")
        clients = Clients(Settings((config,)), SecretBox({}), Simulator())
        with pytest.raises(SecretError, match="NO_SUCH_KEY"):
            await clients.get("A")
        await clients.aclose()

    asyncio.run(main())
