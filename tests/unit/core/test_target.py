from __future__ import annotations

from dataclasses import replace

import pytest

from workbench.core.errors import InvalidInput
from workbench.core.messages import Reasoning
from workbench.core.target import ModelRef, Policy, parse_target


def test_a_target_is_read_from_its_text() -> None:
    target = parse_target("provider=groq,model=qwen3-32b,format=react,boost=openai/gpt-5,policy=strict,seed=7")
    assert target.executor == ModelRef("groq", "qwen3-32b")
    assert target.planner == ModelRef("openai", "gpt-5")
    assert (target.format, target.mode, target.policy, target.sampling.seed) == ("react", "boost", Policy.STRICT, 7)
    assert target.label == "groq/qwen3-32b · react · boost openai/gpt-5"


def test_reasoning_is_read_and_tells_targets_apart() -> None:
    target = parse_target("model=m,reasoning=high,thoughts=show")
    assert target.sampling.reasoning == Reasoning("high", show=True)
    assert target.label == "simulator/m · auto · reasoning high, thoughts shown"
    assert parse_target("model=m,thoughts=hide").sampling.reasoning == Reasoning(show=False)
    assert parse_target("model=m,reasoning=2048").label.endswith("reasoning 2048 tokens")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "model",
        "provider=x",
        "model=m,boost=x",
        "model=m,policy=odd",
        "model=m,seed=x",
        "model=m,zz=1",
        "model=m,reasoning=much",
        "model=m,thoughts=some",
    ],
)
def test_a_wrong_target_is_named(text: str) -> None:
    with pytest.raises(InvalidInput):
        parse_target(text)


def test_identity_changes_with_any_setting() -> None:
    texts = ["model=m", "model=m,seed=1", "model=m,format=react", "model=m,boost=a/b", "model=m,policy=strict"]
    assert len({parse_target(text).identity() for text in texts}) == len(texts)
    assert parse_target("model=m").identity() == parse_target("model=m").identity()


def test_an_unvaried_target_keeps_the_identity_of_before() -> None:
    plain = parse_target("model=m")
    varied = replace(plain, variation="tools=shuffled")

    assert plain.identity() == "3626b2151445beea"
    assert varied.identity() != plain.identity()
    assert varied.label == "simulator/m · auto · tools=shuffled"
