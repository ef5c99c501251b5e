"""What runs cost, by the prices that settings know of each model: an upper bound, since cached tokens count in full.

Prices are of a million tokens, in whatever currency the user keeps them. Models of this computer cost nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.errors import InvalidInput
from workbench.core.events import StepRole
from workbench.core.target import ModelRef

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workbench.core.events import StepReply, StepStarted
    from workbench.core.exchange import ModelInfo
    from workbench.core.run_summary import RunSummary
    from workbench.core.target import Target
    from workbench.settings.values import ProviderConfig

MILLION = 1_000_000
_CHARACTERS = 4
"""A token's characters, roughly, where a provider counts none."""


class Price(NamedTuple):
    """Of a million tokens."""

    input: float
    output: float


FREE = Price(0.0, 0.0)
PriceOf = Callable[[ModelRef], Price | None]
"""None: not known."""


def price_of(config: ProviderConfig, model: str) -> Price | None:
    """A model's price; None where settings do not tell both halves of it."""
    known = config.model(model)
    if known.input_price is not None and known.output_price is not None:
        return Price(known.input_price, known.output_price)
    return FREE if config.local else None


def check_prices(targets: Iterable[Target], prices: PriceOf) -> None:
    """Raise InvalidInput naming the first model without a price: a limit of cost could not be kept."""
    for target in targets:
        for ref in (target.executor, target.planner):
            if ref is not None and prices(ref) is None:
                raise InvalidInput(
                    f"The price of {str(ref)!r} is not known, so a limit of cost cannot be kept.",
                    hint="Set input_price and output_price of the model in the settings, or leave the limit out.",
                )


def run_cost(run: RunSummary, target: Target, prices: PriceOf) -> float | None:
    """What the run's tokens cost; None where a model that was asked has no known price."""
    total = 0.0
    for step, reply in run.replies:
        if step.asked is None:
            continue
        ref = target.planner if step.role is StepRole.PLANNER and target.planner else target.executor
        price = prices(ref)
        if price is None:
            return None
        given, made = _tokens(step.asked, reply)
        total += (given * price.input + made * price.output) / MILLION
    return total


def _tokens(step: StepStarted, reply: StepReply) -> tuple[int, int]:
    """Tokens as the provider counts them; where it does not, as many as the texts' length makes likely."""
    sent = sum(len(message.text) for message in step.request.messages) // _CHARACTERS
    came = (
        len(reply.text) + len(reply.reasoning) + sum(len(call.arguments) for call in reply.native_calls)
    ) // _CHARACTERS
    given, made = reply.usage.input, reply.usage.output
    return sent if given is None else given, came if made is None else made


def listed_price(model: ModelInfo) -> str:
    """What a provider's own list says that a model costs, in its own currency; empty where it says nothing readable.

    Straico counts coins for words, others give money for one token.
    """
    pricing = model.raw.get("pricing")
    if not isinstance(pricing, dict):
        return ""
    coins, words = pricing.get("coins"), pricing.get("words")
    if isinstance(coins, int | float) and isinstance(words, int | float):
        return f"{coins:g} coins per {words:g} words"
    given, written = (_per_million(pricing.get(name)) for name in ("prompt", "completion"))
    return f"{given} in, {written} out per million tokens" if given and written else ""


def _per_million(price: object) -> str:
    try:
        value = float(str(price)) * 1_000_000
    except ValueError:
        return ""
    return f"{value:.3g}" if 0 <= value < 1e9 else ""
