"""Known providers: address, wire, key variable and deviations, from `resources/providers/presets.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from typing import Any, Literal
from urllib.parse import urlsplit

from workbench.core.errors import UnknownName
from workbench.core.resources import resource_path
from workbench.decoding import convert
from workbench.settings.values import ProviderConfig, ToolsChoice


@dataclass(frozen=True, slots=True)
class Preset:
    """One known provider."""

    id: str
    name: str
    wire: str
    base_url: str
    """`{WORD}` stands for something that the user must fill in."""
    key_variable: str = ""
    """Environment variable that its key is usually kept in."""
    key: str = "keyring"
    tools: ToolsChoice = "auto"
    quirks: dict[str, Any] = field(default_factory=dict)
    extra: dict[str, Any] = field(default_factory=dict)
    hosts: tuple[str, ...] = ()
    """Domains of the endpoint; empty: the host of `base_url`."""
    models: tuple[dict[str, Any], ...] = ()
    """Rows of `match` and `quirks` for models whose name matches."""
    local: bool = False
    takes_tools: Literal["", "always", "by_family", "never"] = ""
    """Whether the endpoint takes a `tools` field: for all models, for families that are served with tools, for none;
    empty where that depends on how a server was started."""
    text_families: tuple[str, ...] = ()
    """Families that the endpoint serves without tools all the same."""
    text_format: str = ""
    """The format in which it expects calls in text; empty: the model's own."""
    note: str = ""
    """What to know before using it."""

    def provider(self, name: str = "") -> ProviderConfig:
        """A provider made from it."""
        return ProviderConfig(
            name=name or self.name,
            wire=self.wire,
            base_url=self.base_url,
            key=self.key,
            key_variable=self.key_variable,
            tools=self.tools,
            quirks=dict(self.quirks),
            extra=dict(self.extra),
            preset=self.id,
            local=self.local,
        )


@cache
def list_presets() -> tuple[Preset, ...]:
    """All presets, in the order in which they are offered."""
    text = resource_path("providers", "presets.toml").read_text(encoding="utf-8")
    return tuple(convert({"id": id_, **body}, Preset) for id_, body in tomllib.loads(text).items())


def preset_for(provider: ProviderConfig) -> Preset | None:
    """The preset that a provider was made from; for one that somebody typed in, the one of the same wire and host."""
    host = _host(provider.base_url)
    for preset in list_presets():
        if provider.preset == preset.id:
            return preset
        if provider.preset or preset.local or preset.wire != provider.wire:
            continue
        if any(fnmatchcase(f".{host}", f"*.{known}") for known in preset.hosts or (_host(preset.base_url),)):
            return preset
    return None


@lru_cache(1024)
def _host(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def get_preset(preset_id: str) -> Preset:
    """The preset of that id; raise UnknownName."""
    for preset in list_presets():
        if preset.id == preset_id:
            return preset
    raise UnknownName("preset", preset_id, (preset.id for preset in list_presets()))
