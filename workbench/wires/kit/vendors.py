"""Deviations of known vendors' endpoints, by host and model, from `resources/providers/presets.toml`.

No wire knows a vendor: what differs is a quirk. A user's own quirks win over those of the model, these over those of the host, so
that an address typed by hand works as one that was made from a preset.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from workbench.core.resources import resource_path

if TYPE_CHECKING:
    from workbench.core.exchange import Endpoint


@dataclass(frozen=True, slots=True)
class _Vendor:
    wire: str
    hosts: tuple[str, ...]
    quirks: dict[str, Any]
    models: tuple[tuple[re.Pattern[str], dict[str, Any]], ...]


def resolved(endpoint: Endpoint, model: str = "") -> Endpoint:
    """Return the endpoint with all quirks that are known for it and a model."""
    known = _quirks(endpoint.wire, host_of(endpoint.base_url), model)
    return replace(endpoint, quirks={**known, **endpoint.quirks}) if known else endpoint


def host_of(base_url: str) -> str:
    """Return the host name of an address, lower case; empty if there is none."""
    try:
        return urlsplit(base_url.strip()).hostname or ""
    except ValueError:
        return ""


@lru_cache(maxsize=256)
def _quirks(wire: str, host: str, model: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for vendor in _vendors():
        if vendor.wire == wire and any(_is_at(host, name) for name in vendor.hosts):
            found |= vendor.quirks
            for pattern, quirks in vendor.models:
                if pattern.match(model):
                    found |= quirks
    return found


def _is_at(host: str, name: str) -> bool:
    """Whether a host is a domain or below it; a name with stars (`*-x.test`) means every host that matches it whole."""
    return fnmatchcase(host, name) if "*" in name else host == name or host.endswith(f".{name}")


@cache
def _vendors() -> tuple[_Vendor, ...]:
    text = resource_path("providers", "presets.toml").read_text(encoding="utf-8")
    return tuple(_vendor(body) for body in tomllib.loads(text).values() if not body.get("local"))


def _vendor(body: dict[str, Any]) -> _Vendor:
    host = host_of(body["base_url"])
    hosts = body.get("hosts") or ([host] if host and "{" not in host else [])
    models = tuple((re.compile(row["match"], re.IGNORECASE), row["quirks"]) for row in body.get("models", ()))
    return _Vendor(body["wire"], tuple(hosts), body.get("quirks", {}), models)
