"""Parts of the chat shape that stand alone; replies are tested through their wires."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.kit.playbook import Reply, read
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


def delta(**fields: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": fields}]}


def choice(**fields: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, **fields}]}


def told(reply: Reply) -> dict[str, Any]:
    """All that a reply adds up to, without what is not there."""
    all_of = {name: getattr(reply, name) for name in ("text", "reasoning", "usage", "finish", "model", "notices")}
    faults = [(str(fault.kind), fault.message) for fault in reply.faults]
    found = {**all_of, "calls": reply.plain_calls, "faults": faults}
    return {name: value for name, value in found.items() if value and value != Usage()}


STOP = choice(delta={}, finish_reason="stop")
SENT = {"index": 0, **CALL}
PLAIN = {"content": "a"}


@pytest.mark.parametrize(
    ("chunks", "whole"),
    [
        ([delta(content="a"), {"choices": [{"index": 1, "delta": {"content": "b"}}]}, STOP], {"text": "a", "finish": "stop", "notices": {"extra_choices": None}}),
        ([{"choices": [{"delta": {"content": "a"}}, {"delta": {"content": "b"}}]}, STOP], {"text": "a", "finish": "stop", "notices": {"extra_choices": None}}),
        ([{"choices": [5, {"index": 0, "delta": {"content": "a"}}]}, STOP], {"text": "a", "finish": "stop"}),
        ([{"choices": [{"index": 3, "message": PLAIN, "finish_reason": "stop"}]}], {"text": "a", "finish": "stop"}),
        ([{"choices": [{"index": 3, "message": PLAIN, "delta": {}}]}, STOP], {"finish": "stop", "notices": {"extra_choices": None}}),
        ([choice(text="plain", finish_reason="stop")], {"text": "plain", "finish": "stop"}),
        ([delta(content="a"), choice(delta={}, finish_reason="stop", usage={"prompt_tokens": 1, "completion_tokens": 2})], {"text": "a", "usage": Usage(1, 2, None, None), "finish": "stop"}),
        ([delta(content="a"), {**STOP, "usage": {"prompt_tokens": 1, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 3}, "completion_tokens_details": {"reasoning_tokens": 4}}, "model": "m"}], {"text": "a", "usage": Usage(1, 2, 3, 4), "finish": "stop", "model": "m"}),
        ([delta(content="a"), {**STOP, "x_groq": {"usage": {"prompt_tokens": 5, "completion_tokens": 6}}}], {"text": "a", "usage": Usage(5, 6, None, None), "finish": "stop"}),
        ([delta(tool_calls=[SENT]), STOP], {"calls": [("c", "f", "{}")], "finish": "stop"}),
        ([delta(tool_calls=SENT), STOP], {"calls": [("c", "f", "{}")], "finish": "stop"}),
        ([delta(tool_calls=json.dumps([SENT])), STOP], {"calls": [("c", "f", "{}")], "finish": "stop"}),
        ([delta(tool_calls=[{"id": "a", "function": {"name": "f", "arguments": "{\"x\""}}, {"id": "b", "function": {"name": "g", "arguments": "{\"y\""}}]), delta(tool_calls=[{"function": {"arguments": ": 1}"}}, {"function": {"arguments": ": 2}"}}]), STOP], {"calls": [("a", "f", '{"x": 1}'), ("b", "g", '{"y": 2}')], "finish": "stop"}),
        ([delta(tool_calls=[{"index": 0}]), delta(content="a"), STOP], {"text": "a", "finish": "stop"}),
        ([delta(tool_calls=[{**SENT, "extra_content": {"s": 1}}]), STOP], {"calls": [("c", "f", "{}")], "finish": "stop", "notices": {"send_back": {"openai_chat": {"calls": {"0": {"extra_content": {"s": 1}}}}}}}),
        ([delta(tool_calls=[SENT]), delta(tool_calls=[{"index": 0, "extra_content": {"s": 1}}]), STOP], {"calls": [("c", "f", "{}")], "finish": "stop", "notices": {"send_back": {"openai_chat": {"calls": {"0": {"extra_content": {"s": 1}}}}}}}),
        ([delta(content="Hi"), delta(tool_calls=[SENT]), STOP], {"text": "Hi", "calls": [("c", "f", "{}")], "finish": "stop"}),
        ([delta(refusal="No."), STOP], {"text": "No.", "finish": "stop", "notices": {"refusal": None}}),
        ([delta(refusal="No.", content="a"), STOP], {"text": "aNo.", "finish": "stop", "notices": {"refusal": None}}),
        ([delta(content=[{"type": "text", "text": "a"}, {"type": "output_text", "text": "b"}, {"text": "c"}, {"type": "image_url", "x": 1}]), STOP], {"text": "abc", "finish": "stop", "notices": {"unknown_part": {"type": "image_url", "x": 1}}}),
        ([delta(content={"type": "text", "text": "a"}), STOP], {"text": "a", "finish": "stop"}),
        ([delta(content=[{"type": "reasoning", "reasoning": "hm"}, {"type": "thinking"}]), STOP], {"reasoning": "hm", "finish": "stop"}),
        ([delta(content=[{"type": "reasoning", "summary": [{"text": "s"}]}]), STOP], {"reasoning": "s", "finish": "stop"}),
        ([delta(reasoning_details=[{"type": "reasoning.summary", "summary": "s"}]), STOP], {"reasoning": "s", "finish": "stop", "notices": {"send_back": {"openai_chat": {"reasoning_details": [{"type": "reasoning.summary", "summary": "s"}]}}}}),
        ([delta(reasoning="hm", reasoning_details=[{"text": "hm"}]), STOP], {"reasoning": "hm", "finish": "stop", "notices": {"send_back": {"openai_chat": {"reasoning_details": [{"text": "hm"}]}}}}),
        ([delta(reasoning_text="hm"), STOP], {"reasoning": "hm", "finish": "stop"}),
        ([delta(reasoning_content="a", thinking="b"), STOP], {"reasoning": "a", "finish": "stop"}),
        ([delta(reasoning="a"), delta(thinking="b"), delta(thinking="a"), STOP], {"reasoning": "aba", "finish": "stop"}),
        ([delta(function_call={"name": "f", "arguments": ""}), delta(function_call={"arguments": "{}"}), STOP], {"calls": [("", "f", "{}")], "finish": "stop"}),
        ([delta(function_call={"name": "", "arguments": ""}, content="a"), STOP], {"text": "a", "finish": "stop"}),
        ([delta(function_call={"name": "f", "arguments": {"x": 1}}), STOP], {"calls": [("", "f", '{"x": 1}')], "finish": "stop"}),
        ([delta(audio={"data": "x"}), STOP], {"finish": "stop", "notices": {"unknown_part": None}}),
        ([delta(images=[{"a": 1}], content="a"), STOP], {"text": "a", "finish": "stop", "notices": {"unknown_part": None}}),
        ([delta(content="a", extra_content={"s": 1}), STOP], {"text": "a", "finish": "stop", "notices": {"send_back": {"openai_chat": {"extra_content": {"s": 1}}}}}),
        ([{"error": {"message": "no", "failed_generation": "<x>"}}], {"faults": [("server", "no")], "notices": {"failed_generation": "<x>"}}),
        ([delta(content="a"), {"error": {"message": "no", "code": 429}}], {"text": "a", "faults": [("rate_limit", "no")]}),
        ([{"id": "x"}], {"faults": [("protocol", "The reply is a stream but holds no 'choices'.")]}),
        ([{"id": "x"}, {"id": "y"}], {"faults": [("protocol", "The reply is a stream but holds no 'choices'.")]}),
        ([{"choices": []}], {"faults": [("protocol", "The reply is a stream but holds no 'choices'.")]}),
        ([{"choices": []}, delta(content="a"), STOP], {"text": "a", "finish": "stop"}),
        ([delta(content="a"), choice(delta={}, finish_reason="network_error")], {"text": "a", "finish": "network_error", "faults": [("server", "The provider ended the reply with 'network_error', without a reason.")]}),
        ([delta(content="a"), choice(delta={}, finish_reason="MALFORMED_FUNCTION_CALL")], {"text": "a", "finish": "MALFORMED_FUNCTION_CALL", "faults": [("model_output", "The provider ended the reply with 'MALFORMED_FUNCTION_CALL', without a reason.")]}),
        ([delta(content="a"), choice(delta={}, finish_reason="content_filter")], {"text": "a", "finish": "content_filter"}),
        ([delta(content="a"), choice(message={"content": "a", "refusal": "r", "tool_calls": [SENT]}, finish_reason="tool_calls")], {"text": "a", "calls": [("c", "f", "{}")], "finish": "tool_calls"}),
        ([choice(delta={}, tool_calls=[SENT], finish_reason="tool_calls")], {"calls": [("c", "f", "{}")], "finish": "tool_calls"}),
        ([choice(delta={"content": "a"}, tool_calls=[SENT], finish_reason="tool_calls")], {"text": "a", "calls": [("c", "f", "{}")], "finish": "tool_calls"}),
        ([choice(delta=None, message=PLAIN, finish_reason="stop")], {"text": "a", "finish": "stop"}),
        ([delta(role="assistant"), delta(content=""), STOP], {"finish": "stop"}),
    ],
)  # fmt: skip
def test_what_a_stream_of_chunks_adds_up_to(chunks: list[dict[str, Any]], whole: dict[str, Any]) -> None:
    body = b"".join(event(**chunk) for chunk in chunks) + b"data: [DONE]\n\n"
    assert told(read("openai_chat", body)) == whole


@pytest.mark.parametrize(
    ("document", "whole"),
    [
        ({"choices": [{"index": 0, "message": {"content": "a", "reasoning": "r"}, "finish_reason": "stop"}], "model": "m", "usage": {"prompt_tokens": 1}}, {"text": "a", "reasoning": "r", "usage": Usage(1, None, None, None), "finish": "stop", "model": "m"}),
        ({"choices": [{"index": 0, "message": {"content": "a"}, "delta": {}, "finish_reason": "stop"}]}, {"text": "a", "finish": "stop"}),
        ({"choices": [{"index": 1, "message": {"content": "a"}, "finish_reason": "stop"}]}, {"text": "a", "finish": "stop"}),
        ({"choices": [{"message": {"content": "a"}, "finish_reason": "tool_calls"}, {"index": 1, "message": {"tool_calls": [SENT]}, "finish_reason": "tool_calls"}]}, {"text": "a", "calls": [("c", "f", "{}")], "finish": "tool_calls"}),
        ({"choices": [{"message": {"content": "a"}, "finish_reason": "stop"}, {"index": 1, "message": {"tool_calls": [SENT]}, "finish_reason": "tool_calls"}]}, {"text": "a", "finish": "stop", "notices": {"extra_choices": None}}),
        ({"choices": [{"message": {"tool_calls": [SENT, SENT]}, "finish_reason": "tool_calls"}]}, {"calls": [("c", "f", "{}"), ("c", "f", "{}")], "finish": "tool_calls"}),
        ({"choices": [{"message": {"tool_calls": [SENT]}, "finish_reason": "tool_calls"}, {"message": {"tool_calls": [SENT]}}]}, {"calls": [("c", "f", "{}")], "finish": "tool_calls", "notices": {"extra_choices": None}}),
        ({"choices": []}, {"faults": [("protocol", "The reply is JSON but holds no 'choices'.")]}),
        ([], {"faults": [("protocol", "The reply is JSON but holds no 'choices'.")]}),
        (5, {"faults": [("protocol", "The reply is neither JSON nor an event stream: '5'.")]}),
        ("x", {"faults": [("protocol", "The reply is neither JSON nor an event stream: '\"x\"'.")]}),
        (None, {"faults": [("protocol", "The reply is neither JSON nor an event stream: 'null'.")]}),
        ({"error": "bad"}, {"faults": [("server", "bad")]}),
        ([{"error": {"message": "bad"}}], {"faults": [("server", "bad")]}),
        ({"message": "odd"}, {"faults": [("server", "odd")]}),
        ({"choices": [{"text": "plain", "finish_reason": "stop"}]}, {"text": "plain", "finish": "stop"}),
        ({"choices": [{"message": {"content": None, "function_call": {"name": "f", "arguments": "{}"}}, "finish_reason": "function_call"}], "timings": {"prompt_n": 1, "predicted_n": 2}}, {"calls": [("", "f", "{}")], "usage": Usage(1, 2, None, None), "finish": "function_call"}),
    ],
)  # fmt: skip
def test_what_a_whole_body_adds_up_to(document: Any, whole: dict[str, Any]) -> None:
    assert told(read("openai_chat", json.dumps(document).encode(), stream=False)) == whole


@pytest.mark.parametrize(
    ("chunks", "kinds"),
    [
        ([{"id": "x"}], ["protocol"]),
        ([{"type": "message_start"}, {"type": "message_stop"}], ["protocol"]),
        ([{"choices": []}, {"id": "x"}], ["cut_off"]),
        ([{"id": "x"}, {"choices": []}], ["cut_off"]),
        ([delta(content="a")], ["cut_off"]),
        ([{"id": "x"}, delta(content="a")], ["cut_off"]),
    ],
)
def test_another_protocols_stream_is_not_one_that_broke_off(chunks: list[dict[str, Any]], kinds: list[str]) -> None:
    assert read("openai_chat", b"".join(event(**chunk) for chunk in chunks)).fault_kinds == kinds


@pytest.mark.parametrize(
    ("entry", "context"),
    [
        ({"context_length": 1}, 1), ({"context_window": 2}, 2), ({"n_ctx": 3}, 3), ({"n_ctx_train": 4}, 4),
        ({"meta": {"n_ctx": 5}}, 5), ({"top_provider": {"context_length": 6}}, 6),
        ({"n_ctx": 7, "meta": {"n_ctx": 8}}, 7), ({"n_ctx": 9, "n_ctx_train": 10}, 9), ({"n_ctx": "x"}, None), ({}, None),
    ],
)  # fmt: skip
def test_how_much_a_listed_model_holds(entry: dict[str, Any], context: int | None) -> None:
    item = {"id": "m", "owned_by": "o", **entry}
    (model,) = read_model_list(json.dumps({"data": [item]}).encode())
    assert (model.id, model.context, model.owner, model.raw) == ("m", context, "o", item)


def test_only_a_whole_answer_has_calls_in_the_choices_behind_it() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    choices = [
        {"index": 0, "message": {"content": "a"}, "finish_reason": "tool_calls"},
        {"index": 1, "message": {"tool_calls": [call]}, "finish_reason": "tool_calls"},
    ]
    body = json.dumps({"choices": choices})
    whole = read("openai_chat", body.encode(), stream=False)
    assert whole.plain_calls == [("c", "f", "{}")]
    streamed = read("openai_chat", f"data: {body}\n\ndata: [DONE]\n\n".encode())
    assert streamed.plain_calls == []
    assert "extra_choices" in streamed.notices
