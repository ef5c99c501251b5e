"""The composer's draft: ready, or blocked with one reason."""

from __future__ import annotations

from dataclasses import replace

import pytest

from workbench.core.messages import Message, Reasoning
from workbench.core.target import ModelRef, Policy, RunLimits, Sampling, Target
from workbench.ui.try_.prompt_draft import Parameters, PromptDraft, check_draft

READY = PromptDraft("be careful", "read the file", tools='[{"name": "f"}]', model=ModelRef("S", "m"))


def test_a_ready_draft_has_a_target() -> None:
    checked = check_draft(
        replace(READY, parameters=Parameters(temperature="0.2", seed="7", iterations="3", extra='{"k": 1}'))
    )
    assert checked.reason == ""
    assert checked.target == Target(
        ModelRef("S", "m"), sampling=Sampling(0.2, seed=7, extra={"k": 1}), limits=RunLimits(iterations=3)
    )
    assert [one.spec.name for one in checked.tools] == ["f"]


@pytest.mark.parametrize(
    ("change", "reason", "fault"),
    [
        ({"tools": "[{]"}, "tools.json line 1, column 3: a key in double quotes is expected", True),
        ({"user": " "}, "the prompt is empty", False),
        ({"model": None}, "choose a model", False),
        ({"parameters": Parameters(temperature="warm")}, "temperature: 'warm' is not a number", True),
        ({"parameters": Parameters(top_p="1.5")}, "top_p: 1.5 is outside 0 to 1", True),
        ({"parameters": Parameters(seed="1.5")}, "seed: '1.5' is not a whole number", True),
        ({"parameters": Parameters(budget="much")}, "thinking tokens: 'much' is not a whole number", True),
        ({"parameters": Parameters(temperature="nan")}, "temperature: nan is outside 0 to 5", True),
        ({"parameters": Parameters(extra="[1]")}, "extra JSON: an object is expected", True),
        ({"parameters": Parameters(extra="{")}, "extra JSON line 1, column 2: a key in double quotes is expected", True),
        ({"parameters": Parameters(calls="some")}, "calls: 'some' is not a whole number", True),
        ({"parameters": Parameters(cost="-1")}, "cost: -1 is outside 0 to 1e+09", True),
        ({"parameters": Parameters(iterations="0")}, "iterations: 0 is outside 1 to 1000", True),
        ({"parameters": Parameters(tool_choice="required"), "tools": ""},
         "tool choice is required, but there are no tools", True),
        ({"parameters": Parameters(tool_choice={"type": "function", "function": {"name": "g"}})},
         "tool choice names 'g', which is not among the tools", True),
    ],
)  # fmt: skip
def test_a_blocked_draft_says_why(change: dict[str, object], reason: str, fault: bool) -> None:
    checked = check_draft(replace(READY, **change))  # type: ignore[arg-type]
    assert (checked.reason, checked.is_fault, checked.target) == (reason, fault, None)


def test_a_run_is_copied_whole() -> None:
    messages = (
        Message("system", "s"), Message("user", "a"), Message("assistant", "b"), Message("user", "c"),
    )  # fmt: skip
    target = Target(
        ModelRef("S", "m"),
        "qwen_xml",
        ModelRef("S", "p"),
        Sampling(0.5, max_tokens=9, parallel_tool_calls=False, reasoning=Reasoning("low", 2048, show=True)),
        Policy.STRICT,
        RunLimits(4, 2, 0),
        wrapper="w",
    )
    draft = PromptDraft.of(messages, target, (), "auto", "title")
    assert (draft.system, draft.user, draft.earlier) == ("s", "c", messages[1:3])
    assert draft.messages() == messages
    assert check_draft(draft).target == target


def test_limits_come_back_as_they_were_typed() -> None:
    limits = RunLimits(iterations=4, calls=3, seconds=1.5, tokens=2_000_000, cost=0.0123456)
    target = Target(ModelRef("S", "m"), limits=limits)
    parameters = Parameters.of(target, None)
    assert parameters.summary() == "4 iterations · ≤ 3 calls · ≤ 1.5 seconds · ≤ 2000000 tokens · ≤ 0.0123456 cost"
    checked = check_draft(replace(READY, parameters=parameters))
    assert checked.target is not None
    assert checked.target.limits == limits
    assert check_draft(READY).target == replace(target, limits=RunLimits())


def test_pictures_stay_with_their_message() -> None:
    parts = ({"type": "text", "text": "what is this"}, {"type": "image_url", "image_url": {"url": "data:"}})
    messages = (Message("user", parts),)
    draft = READY.with_messages(messages)
    assert draft.messages() == messages
    assert check_draft(draft).reason == ""


def test_collapsed_field_lists_differences() -> None:
    assert Parameters().summary() == "the provider's defaults"
    full = Parameters("0.2", "", "", "7", "3", Policy.STRICT, False, "auto", '{"a": 1}')
    assert Parameters(effort="high", thoughts=True).summary() == "reasoning high, shown"
    assert full.summary() == "temp 0.2 · seed 7 · strict · not streamed · tools auto · 3 iterations · extra"
