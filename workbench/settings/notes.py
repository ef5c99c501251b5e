"""What is set and has no effect: unknown keys of the settings file, and an environment that is set up by half.

Nobody is stopped by these; each is told by its name, once a start.
"""

from __future__ import annotations

import tomllib
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from workbench.settings.config import unknown_keys
from workbench.settings.environment import API_KEY, BASE_URL, MODEL, SUPPORT

if TYPE_CHECKING:
    from collections.abc import Collection

    from workbench.settings.environment import EnvironmentSettings
    from workbench.settings.values import Settings


def file_notes(text: str) -> tuple[str, ...]:
    """Unknown keys of a settings file, each with the known one that it looks like; nothing for what is not TOML."""
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError):
        return ()
    return tuple(map(_note, unknown_keys(data)))


def _note(found: tuple[str, str, Any, Collection[str]]) -> str:
    place, key, _, known = found
    near = get_close_matches(key, known, 1)
    meant = f"; was {near[0]!r} meant?" if near else ""
    return f"The setting {place + '.' if place else ''}{key} is not known and has no effect{meant}"


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
