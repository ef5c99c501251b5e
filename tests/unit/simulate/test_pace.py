from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.virtual_time import run_in_virtual_time
from workbench.core.exchange import CallDelta, Delta, FinishDelta, TextDelta, UsageDelta
from workbench.core.messages import ChatRequest, Message, NativeCall
from workbench.core.tools import ToolSpec
from workbench.simulate.pace import count_tokens, paced, prompt_tokens, split_tokens, to_deltas
from workbench.simulate.reply_draft import SimulatedReply

CALL = NativeCall(0, "call_a", "f", '{"city": "Rome"}')


def _request(stop: tuple[str, ...] = (), max_tokens: int | None = None) -> ChatRequest:
    return ChatRequest("m", (Message("user", "hi there"),), stop=stop, max_tokens=max_tokens)


def _text(deltas: list[Delta]) -> str:
    return "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))


def _finish(deltas: list[Delta]) -> str:
    return next(delta.reason for delta in deltas if isinstance(delta, FinishDelta))


@given(st.text())
def test_tokens_join_to_the_text(text: str) -> None:
    assert "".join(split_tokens(text)) == text
    assert count_tokens(text) == len(split_tokens(text))


def test_english_has_about_four_characters_a_token() -> None:
    text = "The quick brown fox jumps over the lazy dog and then reads the configuration file of the project."
    assert 3 < len(text) / count_tokens(text) < 6


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_deltas_carry_the_whole_reply(size: int) -> None:
    deltas = to_deltas(SimulatedReply("Let me see.", (CALL,)), _request(), tokens_per_delta=size)
    assert _text(deltas) == "Let me see."
    calls = [delta for delta in deltas if isinstance(delta, CallDelta)]
    assert (calls[0].id, calls[0].name, calls[0].arguments) == ("call_a", "f", "")
    assert "".join(delta.arguments for delta in calls) == CALL.arguments
    assert _finish(deltas) == "tool_calls"
    usage = deltas[-1]
    assert isinstance(usage, UsageDelta)
    assert usage.usage.output == count_tokens("Let me see.") + 1 + count_tokens(CALL.arguments)
    assert usage.usage.input == prompt_tokens(_request())


def test_a_stop_sequence_cuts_and_is_not_given_out() -> None:
    deltas = to_deltas(SimulatedReply("one two\nObservation: three", (CALL,)), _request(("\nObservation:", "two")))
    assert _text(deltas) == "one "
    assert _finish(deltas) == "stop"
    assert not [delta for delta in deltas if isinstance(delta, CallDelta)]


@pytest.mark.parametrize(("asked", "own", "kept"), [(3, None, 3), (None, 2, 2), (5, 4, 4)])
def test_token_limits_cut_with_length(asked: int | None, own: int | None, kept: int) -> None:
    deltas = to_deltas(SimulatedReply("a b c d e f g h"), _request(max_tokens=asked), limit=own)
    assert count_tokens(_text(deltas)) == kept
    assert _finish(deltas) == "length"


def test_reply_at_the_token_limit_is_whole() -> None:
    assert _finish(to_deltas(SimulatedReply("a b c"), _request(max_tokens=3))) == "stop"


def test_tools_and_calls_count_as_prompt() -> None:
    plain = _request()
    with_tools = ChatRequest("m", (*plain.messages, Message("assistant", "", (CALL,))), (ToolSpec("f", "d"),))
    assert prompt_tokens(with_tools) > prompt_tokens(plain) + count_tokens(CALL.arguments)


def test_the_clock_is_kept_and_zero_means_at_once() -> None:
    deltas: list[Delta] = [TextDelta("word ") for _ in range(20)]

    async def took(speed: float, first: float) -> float:
        start = asyncio.get_running_loop().time()
        async for _ in paced(deltas, tokens_per_second=speed, first_s=first):
            pass
        return asyncio.get_running_loop().time() - start

    assert run_in_virtual_time(took(400, 0.05)) == pytest.approx(0.05 + 2 * 19 / 400, abs=0.01)
    assert run_in_virtual_time(took(0, 5)) == 0
