"""Routes: which target answers a requested model name. The first pattern that fits counts.

asked for        the pattern, a glob over the requested name in any case; `*` fits all
target           what it leads to; None: whatever the settings' tiers and defaults say
way              route     read by the workbench, written anew in the client's protocol, emulated where needed
                 repair    the same, and calls that leaked into the text or came back malformed are mended
                 pass-through   bytes untouched in both directions, read and recorded on the side
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from workbench.app.simulator import SIMULATOR
from workbench.core.errors import InvalidInput, UnknownName
from workbench.core.target import ModelRef, Target, parse_target
from workbench.settings.values import TIERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from workbench.app import Workbench


FIRST_MODEL = "mistral-steady"
"""The simulated model that answers as long as there is no provider."""


class Way(StrEnum):
    """How an exchange is carried."""

    ROUTE = "route"
    REPAIR = "repair"
    PASS_THROUGH = "pass-through"


@dataclass(frozen=True, slots=True)
class Route:
    """One line of the table."""

    pattern: str
    target: Target
    way: Way = Way.ROUTE

    def fits(self, model: str) -> bool:
        """Whether the pattern fits a requested name."""
        escaped = re.escape(self.pattern.lower()).replace(r"\*", ".*").replace(r"\?", ".")
        return re.fullmatch(escaped, model.lower()) is not None


def read_route(text: str, way: Way = Way.ROUTE) -> Route:
    """Read `PATTERN=TARGET`, TARGET as on the command line or PROVIDER/MODEL; raise InvalidInput."""
    pattern, equals, target = text.partition("=")
    if not equals or not pattern.strip() or not target.strip():
        raise InvalidInput(f"The route {text!r} is not PATTERN=TARGET.", hint="Example: *haiku*=Simulator/qwen-hasty.")
    return Route(pattern.strip(), read_target(target.strip()), way)


def read_target(text: str) -> Target:
    """Read a target as key=value pairs or as PROVIDER/MODEL; raise InvalidInput."""
    if "=" in text:
        return parse_target(text)
    provider, slash, model = text.partition("/")
    if not slash or not provider or not model:
        raise InvalidInput(f"The target {text!r} is not PROVIDER/MODEL.", hint="Or write provider=P,model=M,format=F.")
    return Target(ModelRef(provider, model))


class Routes:
    """The table in force; it may be changed while requests are under way, from the next request on."""

    def __init__(self, wb: Workbench, table: Iterable[Route] = (), way: Way = Way.ROUTE) -> None:
        self._wb = wb
        self.table: Sequence[Route] = tuple(table)
        self.way = way
        """How requests are carried that no line of the table fits."""

    def choose(self, model: str) -> Route:
        """Return the route of a requested model name; raise InvalidInput where nothing could answer."""
        for route in self.table:
            if route.fits(model):
                return replace(route, target=self._named(route.target))
        return Route("*", self._default(model), self.way)

    def models(self) -> tuple[str, ...]:
        """Return the names that a client may ask for: the table's own names, tiers, and what providers serve by default."""
        own = [route.pattern for route in self.table if not set(route.pattern) & set("*?")]
        tiers = self._wb.settings.tiers
        served = [f"{ref}" for ref in (tiers.model_of(tier) for tier in TIERS) if ref]
        served += [f"{one.name}/{one.default_model}" for one in self._wb.providers() if one.default_model]
        served += [f"{SIMULATOR}/{name}" for name in self._wb.simulator.personas]
        return tuple(dict.fromkeys([*own, *served]))

    def _named(self, target: Target) -> Target:
        provider = self._wb.provider(target.executor.provider)
        return replace(target, executor=target.executor._replace(provider=provider.name))

    def _default(self, model: str) -> Target:
        """PROVIDER/MODEL as it is asked for, the tier's model, a simulated model's name, the first provider, a simulated model."""
        target = Target(self._ref(model))
        return replace(target, planner=self._wb.boost_planner(model))

    def _ref(self, model: str) -> ModelRef:
        provider, slash, rest = model.partition("/")
        if slash and rest and (known := self._provider(provider)):
            return ModelRef(known, rest)
        tiers = self._wb.settings.tiers
        tier = tiers.tier_of(model)
        if tier and (ref := tiers.model_of(tier)):
            return ref
        if model.partition("+")[0] in self._wb.simulator.personas:
            return ModelRef(SIMULATOR, model)
        chosen = self._wb.settings.run.provider or next(
            (one.name for one in self._wb.providers() if one.name != SIMULATOR), ""
        )
        if not chosen:
            return ModelRef(SIMULATOR, FIRST_MODEL)
        config = self._wb.provider(chosen)
        return ModelRef(config.name, config.default_model if tier and config.default_model else model)

    def _provider(self, name: str) -> str:
        try:
            return self._wb.provider(name).name
        except UnknownName:
            return ""
