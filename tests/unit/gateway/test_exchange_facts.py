from __future__ import annotations

import pytest

from tests.kit import runs
from workbench.core.events import StopReason
from workbench.core.messages import Message, NativeCall
from workbench.core.run_summary import summarize
from workbench.gateway.exchange_facts import facts_of, new_results


def test_facts_name_calls_repairs_and_tokens() -> None:
    mended = runs.call("get_weather", {"city": "Rome"}, "trailing_comma")
    events = [runs.started(), *runs.step(0, calls=[mended]), runs.finished(stop=StopReason.RECORDED)]
    facts = facts_of(summarize(events))
    assert (facts.calls, facts.repairs, facts.danger) == (("get_weather",), ("trailing_comma",), "safe")
    assert facts.offered == 1
    assert facts.input_tokens
    assert not facts.error


def test_only_results_after_the_last_turn_of_the_model_are_new() -> None:
    turn = Message("assistant", "", (NativeCall(0, "c", "f", "{}"),))
    result = Message("tool", "ok", tool_call_id="c")
    assert new_results([Message("user", "go"), turn, result, turn, result, result, Message("user", "on")]) == 2
    assert new_results([Message("user", "go"), turn, result, turn]) == 0


@pytest.mark.parametrize(("planner", "fallback"), [("plain", "Why."), ("", "")])
def test_a_boosted_exchange_tells_that_its_time_was_over(planner: str, fallback: str) -> None:
    end = runs.finished(stop=StopReason.LIMIT)
    facts = facts_of(summarize([runs.started(planner=planner), *runs.step(0), end]))
    assert facts.fallback == (end.reason if planner else fallback)
