"""Boost settings from the environment (requirement B7), laid over those of the file.

`BOOST_BASE_URL`, `BOOST_API_KEY`, `BOOST_MODEL`, `BOOST_WRAPPER_TEMPLATE` (the text itself, or a file) and
`ENABLE_BOOST_SUPPORT`: NONE, or a comma list of BIG_MODEL, MIDDLE_MODEL, SMALL_MODEL.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from workbench.core.errors import SettingsError
from workbench.core.masking import Secrets
from workbench.core.whole_files import expanded, text_of_file
from workbench.settings.values import TIERS, Settings, Tier

if TYPE_CHECKING:
    from collections.abc import Mapping

BASE_URL = "BOOST_BASE_URL"
API_KEY = "BOOST_API_KEY"
MODEL = "BOOST_MODEL"
SUPPORT = "ENABLE_BOOST_SUPPORT"
WRAPPER = "BOOST_WRAPPER_TEMPLATE"


@dataclass(frozen=True, slots=True)
class EnvironmentSettings:
    """What the environment says; None where it says nothing."""

    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    model: str | None = None
    tiers: tuple[Tier, ...] | None = None
    wrapper: str | None = None
    """The template's text."""
    sources: tuple[tuple[str, str], ...] = ()
    """Field of the boost settings and the variable that sets it, to be shown beside it."""

    def overlay(self, settings: Settings) -> Settings:
        """Settings with the environment on top."""
        boost = settings.boost
        if self.base_url is not None:
            boost = replace(boost, base_url=self.base_url, provider="")
        if self.model is not None:
            boost = replace(boost, model=self.model)
        if self.api_key is not None:
            boost = replace(boost, key=f"env:{API_KEY}")
        if self.tiers is not None:
            boost = replace(boost, tiers=self.tiers)
        if self.wrapper is not None:
            boost = replace(boost, wrapper_text=self.wrapper, wrapper="")
        return replace(settings, boost=boost)

    def source(self, name: str) -> str:
        """The variable that sets a boost field; empty if the environment does not set it."""
        return dict(self.sources).get(name, "")


def read_environment(environ: Mapping[str, str] | None = None) -> EnvironmentSettings:
    """Read the variables; empty ones count as absent. Raise SettingsError naming the variable."""
    found = os.environ if environ is None else environ
    said = {name: found.get(name, "").strip() for name in (BASE_URL, API_KEY, MODEL, SUPPORT)}
    wrapper = found.get(WRAPPER, "")
    fields = {"base_url": BASE_URL, "key": API_KEY, "model": MODEL, "tiers": SUPPORT}
    sources = [(name, variable) for name, variable in fields.items() if said[variable]]
    if wrapper.strip():
        sources.append(("wrapper", WRAPPER))
    return EnvironmentSettings(
        base_url=_address(said[BASE_URL]),
        api_key=said[API_KEY] or None,
        model=said[MODEL] or None,
        tiers=read_tiers(said[SUPPORT]) if said[SUPPORT] else None,
        wrapper=_template(wrapper) if wrapper.strip() else None,
        sources=tuple(sources),
    )


def read_tiers(text: str, place: str = SUPPORT) -> tuple[Tier, ...]:
    """Read NONE or a comma list of tiers, in any case; raise SettingsError."""
    words = [word.strip().upper() for word in text.split(",") if word.strip()]
    if words == ["NONE"]:
        return ()
    for word in words:
        if word not in TIERS:
            hint = "NONE stands alone." if word == "NONE" else f"NONE, or a comma list of {', '.join(TIERS)}."
            raise SettingsError(f"{place} cannot be {text!r}: {word!r} does not fit.", hint=hint)
    return tuple(tier for tier in TIERS if tier in words)


def _address(text: str) -> str | None:
    if text and not re.match(r"https?://[^/\s]", text):
        raise SettingsError(
            f"{BASE_URL} is no web address: {Secrets().mask_url(text)!r}.", hint="Write https://HOST/v1."
        )
    return text or None


def _template(text: str) -> str:
    if "\n" in text or "{{" in text:
        return text
    path = expanded(text.strip())
    try:
        return text_of_file(path, "utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"{WRAPPER} names a file that cannot be read: {str(path)!r}.",
            hint="Give the template's text, or the path of a text file.",
        ) from error
