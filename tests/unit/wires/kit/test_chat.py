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


def test_counts_of_the_server_itself_do_not_replace_those_that_were_told() -> None:
    timings = event(choices=[], timings={"prompt_n": 1, "predicted_n": 2})
    told = event(choices=[], usage={"prompt_tokens": 30, "completion_tokens": 4})
    assert read("openai_chat", said(content="a") + timings + end()).usage == Usage(1, 2)
    assert read("openai_chat", said(content="a") + told + timings + end()).usage == Usage(30, 4)
    assert read("openai_chat", said(content="a") + timings + told + end()).usage == Usage(30, 4)


def details(*pieces: dict[str, Any]) -> list[dict[str, Any]]:
    """What goes back of structured reasoning that came in such pieces."""
    reply = read("openai_chat", b"".join(said(reasoning_details=[piece]) for piece in pieces) + end())
    found: list[dict[str, Any]] = reply.notices["send_back"]["openai_chat"]["reasoning_details"]
    return found


def test_pieces_of_structured_reasoning_are_joined_to_blocks() -> None:
    text = {"type": "reasoning.text", "format": "anthropic-v1"}
    assert details({**text, "text": "a"}, {**text, "text": "b", "signature": "s"}) == [
        {**text, "text": "ab", "signature": "s"}
    ]
    assert details({**text, "index": 0, "text": "a"}, {**text, "index": 1, "text": "b"}) == [
        {**text, "index": 0, "text": "a"},
        {**text, "index": 1, "text": "b"},
    ]
    assert details({"type": "reasoning.summary", "summary": "a"}, {"type": "reasoning.summary", "summary": "b"}) == [
        {"type": "reasoning.summary", "summary": "ab"}
    ]


def test_behind_a_signature_another_block_of_reasoning_begins() -> None:
    text = {"type": "reasoning.text"}
    first, second = {**text, "text": "a", "signature": "s"}, {**text, "text": "b"}
    assert details(first, second) == [first, second]
    sealed = {"type": "reasoning.encrypted", "data": "x"}
    assert details(sealed, sealed) == [sealed, sealed]


def test_half_a_character_at_the_end_is_given_out_as_what_it_is() -> None:
    reply = read("openai_chat", said(reasoning_content="hm\ud83d") + said(content="a\ud83d") + end())
    assert (reply.reasoning, reply.text) == ("hm\ufffd", "a\ufffd")


def test_what_was_spoken_is_text() -> None:
    body = (
        said(audio={"id": "au", "transcript": "Hei "})
        + said(audio={"transcript": "siellä"})
        + said(audio={"data": "AA"})
    )
    reply = read("openai_chat", body + end())
    assert (reply.text, set(reply.notices)) == ("Hei siellä", {"unknown_part"})


def test_a_message_beside_an_empty_last_delta_is_read() -> None:
    choice = {"index": 0, "delta": {}, "message": {"content": "a", "tool_calls": [CALL]}, "finish_reason": "tool_calls"}
    reply = read("openai_chat", event(choices=[choice]))
    assert (reply.text, reply.plain_calls) == ("a", [("c", "f", "{}")])


def test_the_reason_of_a_stream_that_groq_stopped_is_told() -> None:
    (fault,) = read(
        "openai_chat", said(content="a") + event(choices=[], x_groq={"id": "r", "error": "over capacity"})
    ).faults
    assert (fault.kind, fault.message) == ("server", "over capacity")


def test_blocks_of_thought_beside_plain_reasoning_add_nothing() -> None:
    def block(words: str, **more: str) -> list[dict[str, str]]:
        return [{"type": "thinking", "thinking": words, **more}]

    body = said(reasoning_content="Let ", thinking_blocks=block("Let ")) + said(
        reasoning_content="go", thinking_blocks=block("go")
    )
    assert (
        read("openai_chat", body + said(thinking_blocks=block("Let go", signature="s")) + end()).reasoning == "Let go"
    )
    assert read("openai_chat", said(thinking_blocks=block("hm")) + end()).reasoning == "hm"
    other = said(reasoning="Let ", reasoning_details=[{"text": "Let "}]) + said(reasoning_details=[{"text": "us go"}])
    assert read("openai_chat", other + said(reasoning_details=[{"text": "go"}]) + end()).reasoning == "Let us gogo"


def test_an_empty_object_before_the_arguments_is_no_part_of_them() -> None:
    call = {**CALL, "function": {"name": "f", "arguments": '{}{"x": 1}'}}
    assert read("openai_chat", said(tool_calls=[call]) + end()).plain_calls == [("c", "f", '{"x": 1}')]


def test_an_old_call_beside_its_new_form_is_one_call() -> None:
    part = {"tool_calls": [CALL], "function_call": {"name": "f", "arguments": "{}"}}
    assert read("openai_chat", said(**part) + end()).plain_calls == [("c", "f", "{}")]
    assert read("openai_chat", said(function_call=part["function_call"]) + end()).plain_calls == [("", "f", "{}")]
