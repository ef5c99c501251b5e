"""Servers of models that already run on this computer: who answers at the usual ports of Ollama, LM Studio, llama.cpp and vLLM.

Only the loopback address is asked: first whether the port is open at all, then, without any key, for the list of models.
Whoever gives no such list is somebody else and is left alone.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from workbench.app.provider_at import provider_at
from workbench.settings.presets import list_presets

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from workbench.app.clients import Clients
    from workbench.settings.values import ProviderConfig

OPEN_S = 1.0
"""Seconds within which a port of this computer is open or is not."""
LIST_S = 8.0
"""Seconds for the list of models; nothing waits for it, and a busy computer is slow."""
LOOPBACK = "127.0.0.1"


class FoundServer(NamedTuple):
    """One that answers."""

    config: ProviderConfig
    """As it would be added."""
    models: tuple[str, ...]


def candidates(known: Iterable[ProviderConfig]) -> tuple[ProviderConfig, ...]:
    """Return providers at the usual ports of this computer that nobody set up; one for each port."""
    mine = tuple(known)
    taken = {urlsplit(one.base_url).port for one in mine if urlsplit(one.base_url).hostname in (LOOPBACK, "localhost")}
    found: dict[int | None, ProviderConfig] = {}
    for preset in list_presets():
        port = urlsplit(preset.base_url).port
        if preset.local and port not in taken and provider_at(preset.base_url, mine) is None:
            found.setdefault(port, preset.provider())
    return tuple(found.values())


async def local_servers(clients: Clients, configs: Sequence[ProviderConfig]) -> tuple[FoundServer, ...]:
    """Ask all of them at the same time; whatever goes wrong means that nobody is there."""
    found = await asyncio.gather(*(_asked(clients, config) for config in configs))
    return tuple(one for one in found if one is not None)


async def _asked(clients: Clients, config: ProviderConfig) -> FoundServer | None:
    parts = urlsplit(config.base_url)
    if parts.hostname != LOOPBACK or not await _is_open(parts.port or 80):
        return None
    client = clients.make(
        replace(config, retries=0, connect_timeout=OPEN_S, first_byte_timeout=LIST_S, stall_timeout=LIST_S), None
    )
    try:
        async with asyncio.timeout(LIST_S):
            check = await client.check()
    except TimeoutError:
        return None
    finally:
        await client.aclose()
    names = tuple(model.id for model in check.models)
    return FoundServer(config, names) if check.error is None and names else None


async def _is_open(port: int) -> bool:
    try:
        async with asyncio.timeout(OPEN_S):
            _, writer = await asyncio.open_connection(LOOPBACK, port)
    except (OSError, TimeoutError):
        return False
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()
    return True
