"""Whether tools go natively is a fact of endpoint and model; here is who says so, from the weakest word to the strongest.

    preset → the provider's model list → a capability probe → the user

A preset knows its endpoint, a model list its models on the day it was read, a probe has tried it, and a user may know
better than all of them. What nobody says anything about is decided by the model's name alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from workbench.app.model_lists import LISTS, ModelLists
from workbench.app.probing import CARDS, load_card
from workbench.core.errors import InvalidInput
from workbench.providers.questions import Answer
from workbench.settings.presets import preset_for

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.core.exchange import ModelInfo
    from workbench.core.target import Detection
    from workbench.providers.probe import CapabilityCard
    from workbench.settings.config import ProviderConfig

_FLAGS = ("supports_tools", "supports_function_calling", "supports_tool_calling", "function_calling", "tool_call")
"""Fields of model lists that hold true or false."""
_LISTS = ("supported_parameters", "supported_features", "capabilities", "features")
"""Fields that list what a model takes."""
_WORDS = frozenset({"tools", "tool_use", "tool-use", "tool_calling", "function_calling", "function-calling"})


@dataclass(frozen=True, slots=True)
class ToolFact:
    """Somebody's word on whether an endpoint takes tools for a model."""

    takes: bool
    rule: str
    """Who says it, for `Detection.rule`: `preset:groq`, `list:Work`, `probe:Work`, `user:model`, `user:provider`."""
    why: str
    """One sentence for the user."""


def user_fact(provider: ProviderConfig, model: str) -> ToolFact | None:
    """What the user decided: for the model, else for the provider; None where that is `auto`."""
    for tools, rule, what in (
        (provider.model(model).tools, "user:model", "for this model"),
        (provider.tools, "user:provider", "for this provider"),
    ):
        if tools != "auto":
            way = "natively" if tools == "native" else "as text"
            return ToolFact(tools == "native", rule, f"you set tools to go {way} {what}")
    return None


def probed_fact(card: CapabilityCard | None, provider: ProviderConfig) -> ToolFact | None:
    """What a probe saw; a card of another address says nothing any more."""
    ability = card.ability("native_tools") if card is not None else None
    if card is None or ability is None or (card.wire, card.base_url) != (provider.wire, provider.base_url):
        return None
    if ability.answer not in (Answer.YES, Answer.NO):
        return None
    takes = ability.answer is Answer.YES
    day = datetime.fromtimestamp(card.probed_us / 1e6, UTC).astimezone().date()
    return ToolFact(takes, f"probe:{provider.name}", f"the probe of {day} {'saw' if takes else 'saw no'} native calls")


def listed_fact(model: ModelInfo | None, provider: ProviderConfig) -> ToolFact | None:
    """What the provider's own model list says of a model; most lists say nothing."""
    takes = None if model is None else _takes_tools(model.raw)
    if takes is None:
        return None
    said = "with" if takes else "without"
    return ToolFact(takes, f"list:{provider.name}", f"{provider.name} lists this model {said} tools")


def _takes_tools(raw: dict[str, Any]) -> bool | None:
    capabilities = raw.get("capabilities")
    for place in (raw, capabilities if isinstance(capabilities, dict) else {}):
        for name in _FLAGS:
            if isinstance(place.get(name), bool):
                return bool(place[name])
    for name in _LISTS:
        listed = raw.get(name)
        if isinstance(listed, list) and listed:
            return any(isinstance(item, str) and item.lower() in _WORDS for item in listed)
    hosts = [host["supports_tools"] for host in raw.get("providers") or () if isinstance(host, dict)
             and isinstance(host.get("supports_tools"), bool)] if isinstance(raw.get("providers"), list) else []  # fmt: skip
    return any(hosts) if hosts else None


def preset_fact(provider: ProviderConfig, found: Detection) -> ToolFact | None:
    """What is known of the endpoint in advance, for a model of the family that was detected."""
    preset = preset_for(provider)
    if preset is None or not preset.takes_tools:
        return None
    rule = f"preset:{preset.id}"
    if preset.takes_tools == "never":
        return ToolFact(False, rule, f"{preset.name} takes no tools")
    if found.family in preset.text_families:
        return ToolFact(False, rule, f"{preset.name} takes no tools for {found.family}")
    if preset.takes_tools == "always":
        return ToolFact(True, rule, f"{preset.name} takes tools")
    if found.native in ("Y", "H"):
        return ToolFact(True, rule, f"{preset.name} takes tools for models like {found.family}")
    if found.native == "N":
        return ToolFact(False, rule, f"{found.family} is not served with tools")
    return None


class SeenTools:
    """What probes and model lists in a data folder tell: the probe's word counts more."""

    def __init__(self, home: Path) -> None:
        self._cards, self._lists = home / CARDS, ModelLists(home / LISTS)

    def __call__(self, provider: ProviderConfig, model: str) -> ToolFact | None:
        """The strongest of them; None where nobody asked, or where a file is broken."""
        try:
            card = load_card(self._cards, provider.name, model)
        except InvalidInput:
            card = None
        found = self._lists.of(provider)
        return probed_fact(card, provider) or listed_fact(found.model(model) if found else None, provider)


def refuse_native(provider: ProviderConfig, wire_title: str) -> InvalidInput:
    """The error of a run that asks for native tools where the wire has no field for them."""
    return InvalidInput(
        f"{provider.name} cannot be asked with native tools: {wire_title} has no field for them.",
        hint="Choose the format auto, or a text format such as function_calls_json.",
    )
