"""One client a provider, opened when first needed, closed with the application; the simulator starts on demand."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.app.pricing import price_of
from workbench.app.simulator import SIMULATOR
from workbench.core.errors import SecretError, UnknownName
from workbench.providers.client import HttpClient
from workbench.providers.client_options import ClientOptions
from workbench.providers.limits import Slots, TokenMinute
from workbench.providers.raw_completion import KnownRendering, RawCompletion
from workbench.providers.relay import RelayClient
from workbench.settings.config import ProviderConfig

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from workbench.app.local_model import LocalModel
    from workbench.app.pricing import Price
    from workbench.app.simulator import Simulator
    from workbench.core.protocols import ModelClient
    from workbench.core.target import ModelRef
    from workbench.providers.limits import WorkerPace
    from workbench.providers.relay import Carried
    from workbench.settings.config import Settings
    from workbench.settings.secrets import SecretBox

BOOST = "Boost"


class Clients:
    """Gives out clients and keeps them while provider and key stay the same."""

    def __init__(self, settings: Settings, secrets: SecretBox, simulator: Simulator) -> None:
        self.settings = settings
        self.local: dict[str, LocalModel] = {}
        """Of providers that were started from a model file: what is known of it."""
        self.paces: Mapping[str, WorkerPace] = {}
        """By provider, where this is a worker that keeps a share of the requests that are allowed a minute."""
        self.tokens: Mapping[str, TokenMinute] = {}
        """By provider, the same of tokens."""
        self._secrets, self._simulator = secrets, simulator
        self._open: dict[str, tuple[tuple[object, ...], HttpClient]] = {}
        self._retired: list[HttpClient] = []
        self._slots: dict[str, tuple[tuple[int, int, int], Slots]] = {}
        self._lock = asyncio.Lock()
        self._rendering: dict[str, KnownRendering] = {}
        """By address: how its server renders a prompt."""

    def providers(self) -> tuple[ProviderConfig, ...]:
        """All providers that can be chosen: the simulator, those of the settings, and boost's own endpoint."""
        boost = self.settings.boost
        own = (boost.as_provider(),) if boost.configured and not boost.provider else ()
        return (simulator_config(self._simulator), *self.settings.providers, *own)

    def provider(self, name: str) -> ProviderConfig:
        """The provider of that name; case does not matter. Raise UnknownName."""
        known = self.providers()
        for config in known:
            if config.name.lower() == name.lower():
                return config
        raise UnknownName("provider", name, [config.name for config in known])

    def price(self, ref: ModelRef) -> Price | None:
        """What a model costs, as far as settings tell."""
        try:
            return price_of(self.provider(ref.provider), ref.model)
        except UnknownName:  # it was removed meanwhile
            return None

    def learn_fields(self, fields: Mapping[str, Any]) -> None:
        """Have what is secret in further fields of a request masked, before its client is made."""
        self._secrets.learn_fields(fields)

    async def get(self, name: str, *, beside: bool = False) -> HttpClient:
        """Return the client of a provider; raise UnknownName, SecretError or SettingsError.

        `beside`: for requests of the gateway's clients. The number at once that a provider is given is for what the
        workbench sends by itself; how many an agent sends is the agent's business, as without the gateway.
        """
        client = await self._get(name)
        return client.beside() if beside else client

    async def _get(self, name: str) -> HttpClient:
        async with self._lock:
            if name.lower() == SIMULATOR.lower():
                await self._simulator.start()
            config = self.provider(name)
            key = await self._key(config)
            if key is None and config.key.startswith("env:"):
                variable = config.key.removeprefix("env:")
                raise SecretError(
                    f"Provider {config.name!r} takes its key from {variable}, which is not set.",
                    hint=f"Set {variable}, or choose another place for the key.",
                )
            made_of = (config, key, self._secrets.all_values(), self.settings.privacy)
            if known := self._open.get(config.name):
                if known[0] == made_of:
                    return known[1]
                self._retired.append(known[1])  # a run may still be using it
            client = self.make(config, key, self._slots_of(config))
            self._open[config.name] = (made_of, client)
            return client

    async def _key(self, config: ProviderConfig) -> str | None:
        """A keychain may let one wait; whoever keeps no key there does not pay for another thread."""
        if config.key == "keyring":
            return await asyncio.to_thread(self._secrets.get, config)
        return self._secrets.get(config)

    def queue(self, name: str) -> tuple[int, int]:
        """How many requests to a provider run now, and how many wait for their turn."""
        _, slots = self._slots.get(name, ((), None))
        return (slots.busy, slots.waiting) if slots else (0, 0)

    def _slots_of(self, config: ProviderConfig) -> Slots:
        name, allowed = config.name, config.tokens_per_minute
        size = (config.parallel, config.requests_per_minute, allowed)
        known = self._slots.get(name)
        if known is None or known[0] != size:
            tokens = self.tokens.get(name) or (TokenMinute(allowed) if allowed else None)
            made = Slots(config.parallel, config.requests_per_minute, self.paces.get(name), tokens)
            known = self._slots[name] = (size, made)
        return known[1]

    def slots(self, name: str) -> Slots:
        """The turns of a provider, for whoever sends to it elsewhere; raise UnknownName."""
        return self._slots_of(self.provider(name))

    def make(self, config: ProviderConfig, key: str | None, slots: Slots | None = None) -> HttpClient:
        """Build a client that is not kept: for a test of settings that are not saved yet."""
        endpoint = replace(config.endpoint(), simulated=config.name == SIMULATOR)
        options = ClientOptions(
            connect=config.connect_timeout,
            first_byte=config.first_byte_timeout,
            stall=config.stall_timeout,
            retries=config.retries,
            max_concurrency=config.parallel,
            mask_foreign_keys=self.settings.privacy.foreign_keys == "mask",
        )
        return HttpClient(endpoint, key, options=options, secrets=self._secrets.all_values(), slots=slots)

    @staticmethod
    def relay(client: ModelClient, carried: Carried) -> RelayClient:
        """Return a client that sends one carried request over the connections of the one given."""
        assert isinstance(client, HttpClient)
        return RelayClient(carried, client)

    def raw(self, client: HttpClient) -> RawCompletion:
        """Return a client that has the server's template rendered, and gets the model's own text; raise InvalidInput."""
        return RawCompletion(client, self._rendering.setdefault(client.endpoint.base_url, KnownRendering()))

    async def aclose(self) -> None:
        """Close all connections."""
        clients = [*(client for _, client in self._open.values()), *self._retired]
        self._open, self._retired = {}, []
        for client in clients:
            await client.aclose()


def simulator_config(simulator: Simulator) -> ProviderConfig:
    """The built-in provider of simulated models."""
    return ProviderConfig(
        SIMULATOR, base_url=simulator.base_url, key="none", local=True, parallel=32, preset="simulator"
    )
