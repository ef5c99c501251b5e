from __future__ import annotations

from tests.kit.scanning import LEAK, logged
from workbench.scan.readers.log_records import read_record
from workbench.scan.readers.log_state import LogState
from workbench.scan.reply import Channel


def test_vllm_whole_and_its_calls() -> None:
    said = logged('Generated response chatcmpl-1: output: "It\'s.", output_token_ids: [1, 2], finish_reason: stop')
    assert (said.text, said.finish) == ("It's.", "stop")
    calls = logged(
        """Generated response c: output: '[tool_calls: f({"a": "(b)"}), g({"x": 1)]', finish_reason: tool_calls"""
    )
    assert [(call.name, call.arguments) for call in calls.calls] == [("f", '{"a": "(b)"}'), ("g", '{"x": 1')]


def test_vllm_deltas_are_joined_until_the_end() -> None:
    state = LogState("x.log")
    for piece in ("<tool", "_call>"):
        assert (
            read_record(
                f"Generated response c1 (streaming delta): output: '{piece}', output_token_ids: [1], finish_reason: None",
                state,
            )
            == []
        )
    end = "Generated response c1 (streaming delta): output: '', output_token_ids: [], finish_reason: stop"
    assert logged(end, state).text == "<tool_call>"
    state.streams["c3"] = ["a"]
    empty = "Generated response c3 (streaming complete): output: '', output_token_ids: None, finish_reason: streaming_complete"
    assert read_record(empty, state) == []
    assert not state.streams
    complete = f"Generated response c2 (streaming complete): output: {LEAK!r}, output_token_ids: None, finish_reason: streaming_complete"
    assert logged(complete, state).text == LEAK


def test_vllm_errors_are_told_where_the_replies_are_not_logged() -> None:
    error = "ERROR hermes_tool_parser.py:136 Error in extracting tool call from response.\nTraceback\njson.decoder.JSONDecodeError: Expecting value"
    state = LogState("x.log")
    assert read_record(error, state) == []
    (lost,) = state.finish()
    assert (lost.channel, "JSONDecodeError" in lost.error) == (Channel.LOST, True)
    read_record("Generated response c: output: 'x', finish_reason: stop", state)
    assert list(state.finish()) == []


def test_vllm_deltas_that_the_log_breaks_off_are_told_at_its_end() -> None:
    state = LogState("x.log")
    piece = "Generated response c1 (streaming delta): output: 'I look', output_token_ids: [1], finish_reason: None"
    assert read_record(piece, state) == []
    assert [(one.text, one.server) for one in state.finish()] == [("I look", "vLLM")]
