"""Which provider stands at an address: one that is set up, else one made from what is known of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from workbench.settings.presets import list_presets, preset_for
from workbench.settings.values import ProviderConfig

if TYPE_CHECKING:
    from collections.abc import Iterable

_HERE = "127.0.0.1"
_ALSO_HERE = frozenset({"localhost", "::1", "0.0.0.0"})
USUAL_WIRE = "openai_chat"


def provider_at(address: str, configs: Iterable[ProviderConfig]) -> ProviderConfig | None:
    """Return the provider whose endpoint is at an address; None where nobody set one up."""
    wanted = _place(address)
    return next((one for one in configs if one.base_url and _place(one.base_url) == wanted), None)


def provider_for(address: str, wire: str = "") -> ProviderConfig:
    """Return a provider for an address that nobody set up: from a preset of that host or local port, else a bare one."""
    host, port, _ = _place(address)
    local = host == _HERE
    if local:
        known = next((one for one in list_presets() if one.local and _place(one.base_url)[1] == port), None)
    else:
        known = preset_for(ProviderConfig("x", wire=wire or USUAL_WIRE, base_url=address))
    if known is not None and wire in ("", known.wire):
        made, parts = known.provider(), urlsplit(address)
        path = urlsplit(made.base_url).path
        return replace(made, base_url=f"{parts.scheme}://{parts.netloc}{path}") if local else made
    usual = port in (80, 443)
    return ProviderConfig(host if usual else f"{host}:{port}", wire=wire or USUAL_WIRE, base_url=address, local=local)


def _place(address: str) -> tuple[str, int, str]:
    """Host, port and path, alike for what is the same place."""
    try:
        parts = urlsplit(address)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        return address, 0, ""
    host = _HERE if host in _ALSO_HERE else host
    return host, port or {"http": 80, "https": 443}.get(parts.scheme, 0), parts.path.rstrip("/")
