from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from workbench.app.clients import Clients
from workbench.app.simulator import Simulator
from workbench.core.errors import SecretError, UnknownName
from workbench.providers.limits import TokenMinute
from workbench.settings.config import ProviderConfig, Settings
from workbench.settings.secrets import SecretBox


def test_client_is_reused_for_the_same_provider_and_key() -> None:
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


def test_simulator_starts_on_first_use_and_is_marked() -> None:
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


def test_missing_key_variable_fails_before_sending() -> None:
    async def main() -> None:
        config = ProviderConfig("A", base_url="http://127.0.0.1:9/v1", key="env:NO_SUCH_KEY")
        clients = Clients(Settings((config,)), SecretBox({}), Simulator())
        with pytest.raises(SecretError, match="NO_SUCH_KEY"):
            await clients.get("A")
        await clients.aclose()

    asyncio.run(main())


def test_clients_of_the_gateway_are_as_many_at_once_as_they_like() -> None:
    async def main() -> None:
        config = ProviderConfig("A", base_url="http://127.0.0.1:9/v1", key="none", parallel=1)
        clients = Clients(Settings((config,)), SecretBox({}), Simulator())
        one, other = await clients.get("A", beside=True), await clients.get("A", beside=True)
        async with one._slots, other._slots, (await clients.get("A"))._slots:
            assert clients.queue("A") == (3, 0)
        assert one._transport is (await clients.get("A"))._transport
        await clients.aclose()

    asyncio.run(main())


def test_a_limit_of_tokens_a_minute_holds_for_the_provider() -> None:
    config = ProviderConfig("A", base_url="http://127.0.0.1:9/v1", key="none", tokens_per_minute=50)
    clients = Clients(Settings((config,)), SecretBox({}), Simulator())
    assert clients.slots("A")._tokens is not None
    kept = TokenMinute(25)
    clients.tokens = {"B": kept}
    clients.settings = Settings((replace(config, name="B"), replace(config, name="C", tokens_per_minute=0)))
    assert clients.slots("B")._tokens is kept
    assert clients.slots("C")._tokens is None
