"""What is set and has no effect: unknown keys of the settings file, and an environment that is set up by half.

Nobody is stopped by these; each is told by its name, once a start.
"""

from __future__ import annotations

import tomllib
from dataclasses import fields
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from workbench.settings.config import SECTIONS
from workbench.settings.environment import API_KEY, BASE_URL, MODEL, SUPPORT
from workbench.settings.values import ModelConfig, ProviderConfig

if TYPE_CHECKING:
    from workbench.settings.environment import EnvironmentSettings
    from workbench.settings.values import Settings


def file_notes(text: str) -> tuple[str, ...]:
    """Unknown keys of a settings file, each with the known one that it looks like; nothing for what is not TOML."""
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return ()
    return tuple(_unknown(data))


def _unknown(data: dict[str, Any]) -> list[str]:
    found = _strangers(data, {*SECTIONS, "providers"}, "")
    for name, shape in SECTIONS.items():
        section = data.get(name)
        if isinstance(section, dict) and isinstance(shape, type) and shape is not dict and hasattr(shape, "__slots__"):
            found += _strangers(section, {item.name for item in fields(shape)}, name)
    providers = data.get("providers")
    for name, config in (providers if isinstance(providers, dict) else {}).items():
        if not isinstance(config, dict):
            continue
        found += _strangers(config, {item.name for item in fields(ProviderConfig)} - {"name"}, f"providers.{name}")
        models = config.get("models")
        for model, decided in (models if isinstance(models, dict) else {}).items():
            if isinstance(decided, dict):
                place = f"providers.{name}.models.{model}"
                found += _strangers(decided, {item.name for item in fields(ModelConfig)}, place)
    return found


def _strangers(table: dict[str, Any], known: set[str], place: str) -> list[str]:
    out = []
    for key in table.keys() - known:
        near = get_close_matches(key, known, 1)
        meant = f"; was {near[0]!r} meant?" if near else ""
        out.append(f"The setting {place + '.' if place else ''}{key} is not known and has no effect{meant}")
    return sorted(out)


def environment_notes(environment: EnvironmentSettings, settings: Settings) -> tuple[str, ...]:
    """Variables that are set and do nothing, because others are missing; `settings` are those in force."""
    boost = settings.boost
    where = boost.base_url or boost.provider
    said = {name for name, value in ((BASE_URL, environment.base_url), (MODEL, environment.model),
            (SUPPORT, environment.tiers), (API_KEY, environment.api_key)) if value}  # fmt: skip
    if not said:
        return ()
    names = " and ".join(sorted(said))
    if not where:
        return (
            f"{names} set, but nothing says where the planner is: boost is off. Set {BASE_URL} or [boost] provider.",
        )
    if not boost.model:
        return (f"{names} set, but no planner is named: boost is off. Set {MODEL}.",)
    if not boost.tiers and environment.tiers is None:
        return (f"{names} set, but no tier is on: boost is off. Set {SUPPORT}, for instance to BIG_MODEL.",)
    return ()
