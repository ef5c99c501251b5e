"""Routes: which target answers a requested model name. The first pattern that fits counts.

asked for        the pattern, a glob over the requested name in any case; `*` fits all
target           what it leads to: a model of its own, or the one behind a tier of the settings
way              route     read by the workbench, written anew in the client's protocol, emulated where needed
                 repair    the same, and calls that leaked into the text or came back malformed are mended
                 pass-through   bytes untouched in both directions, read and recorded on the side

Routes of the command line come first, then those of the settings, which may be edited at any time; what no line fits goes by
the name itself: PROVIDER/MODEL, a tier, a simulated model, the first provider.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from workbench.app.simulator import SIMULATOR
from workbench.core.errors import InvalidInput, UnknownName
from workbench.core.target import ModelRef, Target
from workbench.gateway.target_text import read_target, target_parts, target_text
from workbench.settings.values import TIERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from workbench.app import Workbench
    from workbench.settings.values import RouteSettings, Tier

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
        return fits(self.pattern, model)


def fits(pattern: str, model: str) -> bool:
    """Whether a pattern fits a requested name."""
    escaped = re.escape(pattern.lower()).replace(r"\*", ".*").replace(r"\?", ".")
    return re.fullmatch(escaped, model.lower()) is not None


def read_route(text: str, way: Way = Way.ROUTE) -> Route:
    """Read `PATTERN=TARGET`, TARGET as on the command line or PROVIDER/MODEL; raise InvalidInput."""
    pattern, equals, target = text.partition("=")
    if not equals or not pattern.strip() or not target.strip():
        raise InvalidInput(f"The route {text!r} is not PATTERN=TARGET.", hint="Example: *haiku*=Simulator/qwen-hasty.")
    return Route(pattern.strip(), read_target(target.strip()), way)


class Routes:
    """The table in force; it may be changed while requests are under way, from the next request on."""

    def __init__(self, wb: Workbench, table: Iterable[Route] = (), way: Way | None = None) -> None:
        self._wb = wb
        self.table: Sequence[Route] = tuple(table)
        """Lines that come before those of the settings."""
        self.way = way
        """How requests are carried that no line of the table fits; None: as the settings say."""

    def choose(self, model: str) -> Route:
        """Return the route of a requested model name; raise InvalidInput where nothing could answer."""
        for route in self.table:
            if route.fits(model):
                return replace(route, target=self._named(route.target))
        for line in self._wb.settings.gateway.routes:
            if fits(line.asked_for, model):
                return self.mended(self.resolve(line))
        return self.other(model)

    def other(self, model: str) -> Route:
        """Return the route of a name that no line of any table fits; raise InvalidInput."""
        if self.way is not None:
            return Route("*", self._default(model), self.way)
        return self.mended(Route("*", self._default(model)))

    def resolve(self, line: RouteSettings) -> Route:
        """Return a line of the settings with its target; raise InvalidInput where it leads nowhere."""
        if not line.asked_for.strip():
            raise InvalidInput("The route has no pattern.", hint="Write a model name, or a pattern such as *haiku*.")
        target = self._named(read_target(target_text(self._parts(line))))
        if line.tier and target.planner is None:
            target = replace(target, planner=self._planner_of(line.tier))
        return Route(line.asked_for.strip(), target, Way(line.way))

    def _parts(self, line: RouteSettings) -> dict[str, str]:
        parts = target_parts(line.target)
        if line.tier:
            ref = self._wb.settings.tiers.model_of(line.tier)
            if ref is None:
                raise InvalidInput(
                    f"No model stands behind {line.tier}, where {line.asked_for!r} leads.",
                    hint="Set it in the settings, or give the route a model of its own.",
                )
            parts = {**parts, "provider": ref.provider, "model": ref.model}
        if "provider" not in parts or "model" not in parts:
            raise InvalidInput(
                f"The route {line.asked_for!r} leads nowhere: {line.target!r}.",
                hint="Write PROVIDER/MODEL, or give it a tier.",
            )
        return parts

    def _planner_of(self, tier: Tier) -> ModelRef | None:
        boost = self._wb.settings.boost
        return self._wb.boost_planner() if tier in boost.tiers else None

    def mended(self, route: Route) -> Route:
        """The switch of the settings turns every route into one that mends."""
        if self._wb.settings.gateway.repair and route.way is Way.ROUTE:
            return replace(route, way=Way.REPAIR)
        return route

    def models(self) -> tuple[str, ...]:
        """Return the names that a client may ask for: the table's own names, tiers, and what providers serve by default."""
        patterns = [*(route.pattern for route in self.table)]
        patterns += [line.asked_for for line in self._wb.settings.gateway.routes]
        own = [pattern for pattern in patterns if not set(pattern) & set("*?")]
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
