"""What runs cost, and what happens where nobody knows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.kit.playback import CALL, play, reply
from workbench.app.pricing import FREE, Price, check_prices, listed_price, price_of, run_cost
from workbench.core.errors import InvalidInput
from workbench.core.events import RunEvent, StepFinished, StepStarted
from workbench.core.exchange import ModelInfo, Usage
from workbench.core.run_summary import RunSummary, summarize
from workbench.core.target import ModelRef, Target
from workbench.settings.values import ModelConfig, ProviderConfig

DEAR, CHEAP = Price(2_000_000, 10_000_000), Price(1_000_000, 0)
"""So that a token costs 2 in and 10 out, or 1 in and nothing out."""
TARGET = Target(ModelRef("Recorded", "m"), planner=ModelRef("Recorded", "p"))
BOOSTED = play(reply(CALL), reply("Done."), planner=[reply("GUIDANCE:\n1. get_weather Rome")])


def counted(events: list[RunEvent], usage: Usage) -> list[RunEvent]:
    return [
        replace(event, reply=replace(event.reply, usage=usage)) if isinstance(event, StepFinished) else event
        for event in events
    ]


def prices(ref: ModelRef) -> Price | None:
    return {"m": DEAR, "p": CHEAP}.get(ref.model)


def test_a_price_needs_both_halves_and_local_models_are_free() -> None:
    models = {"both": ModelConfig(input_price=1.5, output_price=0.0), "half": ModelConfig(input_price=1.5)}
    config = ProviderConfig("P", base_url="https://p.invalid/v1", models=models)
    assert price_of(config, "both") == Price(1.5, 0.0)
    assert price_of(config, "half") is None
    assert price_of(config, "other") is None
    assert price_of(replace(config, local=True), "other") == FREE


def test_each_role_is_paid_at_its_own_price() -> None:
    events = counted(BOOSTED, Usage(input=10, output=1))
    steps = [event for event in events if isinstance(event, StepStarted)]
    assert len(steps) == 3
    assert run_cost(summarize(events), TARGET, prices) == 2 * (10 * 2 + 1 * 10) + (10 * 1 + 0)


def test_without_a_price_the_cost_is_unknown_not_zero() -> None:
    assert run_cost(summarize(BOOSTED), TARGET, lambda ref: DEAR if ref.model == "m" else None) is None
    assert run_cost(RunSummary(), TARGET, prices) == 0


def test_uncounted_tokens_are_estimated_from_text_length() -> None:
    events = counted(play(reply("x" * 400)), Usage())
    cost = run_cost(summarize(events), Target(ModelRef("Recorded", "m")), lambda _: Price(0, 1_000_000))
    assert cost == 100
    sent = run_cost(summarize(events), Target(ModelRef("Recorded", "m")), lambda _: Price(1_000_000, 0))
    assert sent is not None
    assert sent > 5


def test_a_limit_without_prices_is_refused_by_name() -> None:
    check_prices([TARGET], prices)
    with pytest.raises(InvalidInput, match="'Recorded/p' is not known"):
        check_prices([TARGET], lambda ref: DEAR if ref.model == "m" else None)


@pytest.mark.parametrize(
    ("pricing", "said"),
    [
        ({"coins": 1.3, "words": 100}, "1.3 coins per 100 words"),
        ({"prompt": "0.00000015", "completion": "0.0000006"}, "0.15 in, 0.6 out per million tokens"),
        ({"prompt": "-1", "completion": "free"}, ""),
        ({"coins": None}, ""),
        (["x"], ""),
        (None, ""),
    ],
)
def test_listed_prices(pricing: object, said: str) -> None:
    """Requirement S2: Straico's coins are shown, as are prices of other lists."""
    assert listed_price(ModelInfo("m", raw={"pricing": pricing})) == said
