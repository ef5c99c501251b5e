"""Options to targets."""

from __future__ import annotations

import pytest

from workbench.cli.options import Bounds, TargetOptions
from workbench.core.errors import InvalidInput, UnknownName
from workbench.core.messages import Reasoning
from workbench.core.target import ModelRef, Policy, RunLimits


def test_flags_make_a_target() -> None:
    options = TargetOptions(
        provider="P", model="m", format="react", policy="strict", temperature=0.0, top_p=0.5, max_tokens=9, seed=0,
        iterations=4, extra='{"top_k": 3}', no_stream=True,
    )  # fmt: skip
    target = options.resolve()
    assert target.executor == ModelRef("P", "m")
    assert target.format == "react"
    assert target.policy is Policy.STRICT
    assert (target.sampling.temperature, target.sampling.top_p) == (0.0, 0.5)
    assert (target.sampling.max_tokens, target.sampling.seed) == (9, 0)
    assert target.sampling.extra == {"top_k": 3}
    assert target.limits.iterations == 4
    assert not target.stream


def test_nothing_said_is_nothing_sent() -> None:
    target = TargetOptions(provider="P", model="m").resolve()
    assert target.sampling.temperature is None
    assert target.limits.iterations == 10
    assert target.stream
    assert target.planner is None


@pytest.mark.parametrize(
    ("boost", "planner"),
    [
        ("big", ModelRef("P", "big")),
        ("Q/big", ModelRef("Q", "big")),
        ("Q/org/big", ModelRef("Q", "org/big")),
        ("none", None),
        ("", None),
    ],
)
def test_boost_names_a_planner(boost: str, planner: ModelRef | None) -> None:
    assert TargetOptions(provider="P", model="m", boost=boost).resolve().planner == planner


def test_a_whole_target_takes_parameters_but_no_second_model() -> None:
    target = TargetOptions(target="provider=P,model=m,format=react,seed=1", seed=2).resolve()
    assert target.sampling.seed == 2
    assert target.format == "react"
    laid = TargetOptions(target="model=m,format=react", format="qwen_xml", policy="strict").resolve()
    assert (laid.format, laid.policy) == ("qwen_xml", Policy.STRICT)
    assert TargetOptions(target="model=m,policy=strict").resolve().policy is Policy.STRICT
    with pytest.raises(InvalidInput, match="already names"):
        TargetOptions(target="model=m", model="n").resolve()


def test_reasoning_is_laid_over_a_target() -> None:
    assert TargetOptions(model="m", reasoning="high").resolve().sampling.reasoning == Reasoning("high")
    laid = TargetOptions(target="model=m,reasoning=low,thoughts=show", reasoning="4096").resolve()
    assert laid.sampling.reasoning == Reasoning(budget=4096, show=True)
    laid = TargetOptions(target="model=m,reasoning=low", thoughts="hide").resolve()
    assert laid.sampling.reasoning == Reasoning("low", show=False)
    with pytest.raises(InvalidInput, match="no effort 'much'"):
        TargetOptions(model="m", reasoning="much").resolve()


def test_the_limits_of_a_run_are_laid_over_a_target() -> None:
    told = TargetOptions(model="m", bounds=Bounds(3, 2.5, 900, 0.01)).resolve().limits
    assert (told.calls, told.seconds, told.tokens, told.cost) == (3, 2.5, 900, 0.01)
    laid = TargetOptions(target="model=m,calls=5,seconds=9", bounds=Bounds(calls=3)).resolve().limits
    assert (laid.calls, laid.seconds, laid.tokens, laid.iterations) == (3, 9.0, 0, 10)
    assert TargetOptions(model="m").resolve().limits == RunLimits()


def test_complaints() -> None:
    with pytest.raises(InvalidInput, match="Which model"):
        TargetOptions(provider="P").resolve()
    with pytest.raises(UnknownName, match="policy 'lax'"):
        TargetOptions(model="m", policy="lax").resolve()
    with pytest.raises(InvalidInput, match="--extra"):
        TargetOptions(model="m", extra="{").resolve()
