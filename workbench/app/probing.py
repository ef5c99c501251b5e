"""Capability probes: what they cost, running them, and the cards that they leave in the data folder."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.app.model_lists import file_for, found_file
from workbench.core.atomic_files import write_file
from workbench.core.errors import InvalidInput, SettingsError
from workbench.core.whole_files import bytes_of_file
from workbench.providers.probe import Ability, CapabilityCard, ProbeCost, card_from_json, card_to_json, cost_of, probe

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import Any

    from workbench.app.clients import Clients
    from workbench.core.masking import Secrets
    from workbench.settings.paths import Home
    from workbench.settings.secrets import SecretBox


CARDS = "capabilities"
"""Folder of the cards in the data folder."""


def card_path(folder: Path, provider: str, model: str, secrets: Secrets | None = None) -> Path:
    """Where the card of a provider's model is written; keys are left out of its name."""
    return file_for(folder, f"{provider}/{model}", secrets)


def load_card(folder: Path, provider: str, model: str) -> CapabilityCard | None:
    """Read a card, None if there is none; raise InvalidInput if the file is broken."""
    path = found_file(folder, f"{provider}/{model}")
    try:
        return card_from_json(bytes_of_file(path), str(path))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InvalidInput(f"{str(path)!r} cannot be read: {error.strerror or error}.") from error


class Probes:
    """Asks endpoints what they can do; one card for each provider and model, the newest."""

    def __init__(self, home: Home, clients: Clients, secrets: SecretBox) -> None:
        self._folder, self._clients, self._secrets = home.path / CARDS, clients, secrets

    async def cost(self, provider: str, model: str) -> ProbeCost:
        """What a probe takes at most; raise UnknownName or InvalidInput."""
        return cost_of(await self._clients.get(provider), model, self._extra(provider, model))

    async def run(
        self, provider: str, model: str, watch: Callable[[Ability], None] = lambda _ability: None
    ) -> CapabilityCard:
        """Probe; the older card stays until the new one is kept."""
        client = await self._clients.get(provider)
        return self._masked(await probe(client, model, extra=self._extra(provider, model), watch=watch))

    async def keep(self, card: CapabilityCard) -> None:
        """Write a card in place of the older one, unless it holds no answer. Raise SettingsError: show the card before, it was paid for."""
        if len(card.evidence) > 1:
            await asyncio.to_thread(self._save, card)

    def load(self, provider: str, model: str) -> CapabilityCard | None:
        """The card of a model, None if it was never probed; raise InvalidInput if the file is broken."""
        return load_card(self._folder, self._clients.provider(provider).name, model)

    def cards(self) -> tuple[CapabilityCard, ...]:
        """All cards, newest first; broken files are passed over."""
        found = []
        for path in self._folder.glob("*.json"):
            try:
                found.append(card_from_json(bytes_of_file(path), str(path)))
            except (InvalidInput, OSError):
                continue
        return tuple(sorted(found, key=lambda card: -card.probed_us))

    def _extra(self, provider: str, model: str) -> dict[str, Any]:
        return dict(self._clients.provider(provider).model(model).extra)

    def _masked(self, card: CapabilityCard) -> CapabilityCard:
        """The card as it may be shown: the address and what the server said can hold keys."""
        mask = self._secrets.mask()
        masked: CapabilityCard = mask.mask_value(card)
        # provider and model are the names by which it is kept and found
        return replace(masked, base_url=mask.mask_url(card.base_url), provider=card.provider, model=card.model)

    def _save(self, card: CapabilityCard) -> None:
        mask = self._secrets.mask()
        path = card_path(self._folder, card.provider, card.model, mask)
        data = mask.mask_bytes(card_to_json(card))
        write_file(path, data, private=True, error=SettingsError)
