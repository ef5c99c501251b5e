"""Parts of the chat shape that stand alone; replies are tested through their wires."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.kit.playbook import read
from workbench.core.exchange import Usage
from workbench.wires.kit.chat import chat_usage, read_model_list


def test_usage_of_all_dialects() -> None:
    assert chat_usage({"prompt_tokens": 1, "completion_tokens": 2, "prompt_cache_hit_tokens": 3}) == Usage(
        1, 2, 3, None
    )
    assert chat_usage({"prompt_tokens": "7", "completion_tokens": 2.0, "prompt_tokens_details": None}) == Usage(7, 2)
    assert chat_usage({"prompt_tokens": None, "completion_tokens": True}) == Usage()


def test_models_are_named_in_three_ways() -> None:
    listed = b'{"models": [{"id": "a"}, {"model": "b", "name": "x"}, {"name": "c"}, "d", {"size": 1}]}'
    assert [model.id for model in read_model_list(listed)] == ["a", "b", "c", "d"]


def test_media_beside_the_text_are_told() -> None:
    body = (
        b'data: {"choices":[{"index":0,"delta":{"content":"a","images":[{"type":"image_url"}]}}]}\n\ndata: [DONE]\n\n'
    )
    reply = read("openai_chat", body)
    assert (reply.text, set(reply.notices)) == ("a", {"unknown_part"})


@pytest.mark.parametrize(
    "part", [{"type": "thinking", "thinking": "hm"}, {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}]
)
def test_thoughts_among_the_parts_are_reasoning(part: dict[str, Any]) -> None:
    delta = {"content": [part, {"type": "text", "text": "a"}, {"type": "refusal", "refusal": "no"}, "b"]}
    body = b"data: " + json.dumps({"choices": [{"index": 0, "delta": delta}]}).encode() + b"\n\ndata: [DONE]\n\n"
    reply = read("openai_chat", body)
    assert (reply.reasoning, reply.text) == ("hm", "anob")


def event(**fields: Any) -> bytes:
    return f"data: {json.dumps(fields)}\n\n".encode()


def said(**delta: Any) -> bytes:
    return event(choices=[{"index": 0, "delta": delta}])


def end(reason: str = "stop") -> bytes:
    return event(choices=[{"index": 0, "delta": {}, "finish_reason": reason}]) + b"data: [DONE]\n\n"


CALL = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}


def test_a_call_beside_the_delta_is_read() -> None:
    choice = {"index": 0, "delta": {}, "tool_calls": [{"index": 0, **CALL}], "finish_reason": "tool_calls"}
    assert read("openai_chat", event(choices=[choice]) + b"data: [DONE]\n\n").plain_calls == [("c", "f", "{}")]


def test_a_message_that_says_all_once_more_at_the_end_adds_what_was_not_said() -> None:
    message = {"content": "a", "reasoning_content": "hm", "tool_calls": [CALL]}
    last = event(choices=[{"index": 0, "message": message, "finish_reason": "tool_calls"}]) + b"data: [DONE]\n\n"
    reply = read("openai_chat", said(content="a", reasoning_content="hm") + last)
    assert (reply.text, reply.reasoning, reply.plain_calls) == ("a", "hm", [("c", "f", "{}")])
    reply = read("openai_chat", said(tool_calls=[{"index": 0, **CALL}]) + last)
    assert (reply.text, reply.reasoning, reply.plain_calls) == ("a", "hm", [("c", "f", "{}")])


def test_a_body_may_be_a_list_of_pieces() -> None:
    pieces = [{"choices": [{"index": 0, "delta": {"content": text}}]} for text in "ab"]
    pieces[-1]["choices"][0]["finish_reason"] = "stop"
    reply = read("openai_chat", json.dumps([*pieces, "odd"]).encode(), stream=False)
    assert (reply.text, reply.finish, reply.faults) == ("ab", "stop", [])


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b'event: error\ndata: {"message": "too busy"}\n\n', "too busy"),
        (b"event: error\ndata: too busy\n\n", "too busy"),
        (event(choices=[{"index": 0, "delta": {}, "error": {"message": "upstream fell over", "code": 502}}]), "upstream fell over"),
        (end("error"), "The provider ended the reply with 'error', without a reason."),
    ],
)  # fmt: skip
def test_errors_in_other_places_are_told(body: bytes, message: str) -> None:
    (fault,) = read("openai_chat", body).faults
    assert (fault.kind, fault.message) == ("server", message)


def test_reasoning_under_other_names_is_read_once() -> None:
    assert read("openai_chat", said(thinking="hm") + end()).reasoning == "hm"
    assert read("openai_chat", said(thinking="hm", reasoning="hm") + end()).reasoning == "hm"
    assert read("openai_chat", said(reasoning=[{"type": "text", "text": "hm"}]) + end()).reasoning == "hm"


def test_a_signature_beside_the_text_goes_back() -> None:
    signed = {"extra_content": {"google": {"thought_signature": "s"}}}
    assert read("openai_chat", said(content="a", **signed) + end()).notices["send_back"] == {"openai_chat": signed}


def test_half_a_character_at_the_end_is_given_out_as_what_it_is() -> None:
    reply = read("openai_chat", said(reasoning_content="hm\ud83d") + said(content="a\ud83d") + end())
    assert (reply.reasoning, reply.text) == ("hm\ufffd", "a\ufffd")
