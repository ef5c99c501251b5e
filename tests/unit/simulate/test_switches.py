from __future__ import annotations

from typing import Any

import pytest

from workbench.core.errors import InvalidInput
from workbench.simulate.persona import Pace
from workbench.simulate.switches import SLOW_TOKENS_PER_SECOND, NetworkFault, read_options

PACE = Pace(tokens_per_second=50, first_token_s=0.5, tokens_per_delta=2)


def test_the_personas_pace_is_the_default() -> None:
    options = read_options("plain", {}, PACE)
    assert (options.tokens_per_second, options.first_token_s, options.tokens_per_delta) == (50, 0.5, 2)
    assert options.network == ()
    assert options.chatter is options.chunk_bytes is None


def test_switches_stand_in_the_body() -> None:
    given = {"tokens_per_second": 0, "tokens_per_delta": 4, "first_token_s": 0, "chatter": 9, "chunk_bytes": 7,
             "rates": {"*": 0, "no call": 1}}  # fmt: skip
    options = read_options("plain", {"simulate": given}, PACE)
    assert (options.tokens_per_second, options.tokens_per_delta, options.first_token_s) == (0, 4, 0)
    assert (options.chatter, options.chunk_bytes) == (9, 7)
    assert options.rates == {"*": 0, "no call": 1}


def test_network_faults_stand_in_the_name_or_in_the_body() -> None:
    assert read_options("plain+429+reset", {}, PACE).network == (NetworkFault("429", 2), NetworkFault("reset"))
    assert read_options("plain+429x5", {}, PACE).fault("429") == NetworkFault("429", 5)
    assert read_options("plain+500x1", {}, PACE).fault("500") == NetworkFault("500", 1)
    assert read_options("plain+500", {}, PACE).fault("500") == NetworkFault("500", None)
    network = [{"kind": "stall", "after": 3, "seconds": 0.1}, {"kind": "429", "times": 1, "retry_after": 0.2}]
    options = read_options("plain", {"simulate": {"network": network}}, PACE)
    assert options.fault("stall") == NetworkFault("stall", None, 3, 1.0, 0.1)
    assert options.fault("429") == NetworkFault("429", 1, None, 0.2)
    assert options.fault("reset") is None


def test_vendors_stand_in_the_name_with_rates_in_the_body() -> None:
    assert read_options("main-70b+leak+merge", {}, PACE).vendor == {"leak": 0.35, "merge": 0.95}
    assert read_options("main-70b+leak", {"simulate": {"vendor": {"leak": 1, "cut": 0.5}}}, PACE).vendor == {
        "leak": 1, "cut": 0.5,
    }  # fmt: skip
    late = read_options("main-70b+late", {"simulate": {"tokens_per_second": 0, "first_token_s": 0}}, PACE)
    assert (late.first_token_s, late.tokens_per_second) == (0.6, 150.0)


def test_slow_wins_over_the_pace() -> None:
    assert read_options("plain+slow", {}, PACE).tokens_per_second == SLOW_TOKENS_PER_SECOND


@pytest.mark.parametrize(
    ("model", "extra"),
    [
        ("plain+fire", {}),
        ("plain+429xmany", {}),
        ("plain+", {}),
        ("plain", {"simulate": 3}),
        ("plain", {"simulate": {"speed": 3}}),
        ("plain", {"simulate": {"tokens_per_second": -1}}),
        ("plain", {"simulate": {"tokens_per_second": True}}),
        ("plain", {"simulate": {"rates": [1]}}),
        ("plain", {"simulate": {"vendor": {"fire": 1}}}),
        ("plain", {"simulate": {"vendor": 1}}),
        ("plain", {"simulate": {"rates": {"*": "all"}}}),
        ("plain", {"simulate": {"network": "429"}}),
        ("plain", {"simulate": {"network": {"kind": "flood"}}}),
        ("plain", {"simulate": {"network": {"kind": "429", "times": "two"}}}),
    ],
)
def test_a_wrong_switch_is_named(model: str, extra: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        read_options(model, extra, PACE)
