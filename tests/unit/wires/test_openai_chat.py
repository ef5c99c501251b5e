"""OpenAI Chat Completions: requests as they leave, and replies of all the servers that copy the protocol."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.kit.playbook import decode, fold, read
from workbench.core.errors import ErrorKind, InvalidInput
from workbench.core.exchange import Endpoint, TextDelta, Usage
from workbench.core.messages import ChatRequest, Message, NativeCall
from workbench.core.tools import ToolSpec
from workbench.wires import get_wire

WIRE = "openai_chat"
TOOL = ToolSpec("get_weather", "Weather of a city", {"type": "object", "properties": {"city": {"type": "string"}}})


def endpoint(base: str = "http://127.0.0.1:9/v1", **more: Any) -> Endpoint:
    return Endpoint("t", WIRE, base, **more)


def body_of(request: ChatRequest, at: Endpoint | None = None) -> dict[str, Any]:
    sent = get_wire(WIRE).encode(request, at or endpoint())
    value = json.loads(sent.body)
    assert isinstance(value, dict)
    return value


def ask(**more: Any) -> ChatRequest:
    return ChatRequest("m", (Message("user", "hi"),), **more)


def chunk(delta: dict[str, Any] | None = None, finish: str | None = None, **more: Any) -> bytes:
    choice = {"index": 0, "delta": delta or {}, "finish_reason": finish}
    return b"data: " + json.dumps({"model": "m", "choices": [choice], **more}).encode() + b"\n\n"


def call_chunk(*calls: dict[str, Any], finish: str | None = None) -> bytes:
    return chunk({"tool_calls": list(calls)}, finish)


def part(index: int | None, id_: str | None = None, name: str | None = None, arguments: Any = None) -> dict[str, Any]:
    out: dict[str, Any] = {"function": {}}
    if index is not None:
        out["index"] = index
    if id_ is not None:
        out["id"] = id_
    if name is not None:
        out["function"]["name"] = name
    if arguments is not None:
        out["function"]["arguments"] = arguments
    return out


DONE = b"data: [DONE]\n\n"
END = chunk({}, "tool_calls") + DONE


# -- requests ------------------------------------------------------------------------------------------------------


def test_request_in_full() -> None:
    request = ask(
        tools=(TOOL,), tool_choice="auto", stop=("a", "b"), max_tokens=5, temperature=0.5, top_p=0.9, seed=3,
        parallel_tool_calls=False, extra={"top_k": 4},
    )  # fmt: skip
    sent = get_wire(WIRE).encode(request, endpoint(), "key")
    assert (sent.method, sent.url) == ("POST", "http://127.0.0.1:9/v1/chat/completions")
    assert dict(sent.headers)["authorization"] == "Bearer key"
    assert json.loads(sent.body) == {
        "model": "m", "messages": [{"role": "user", "content": "hi"}], "tools": [TOOL.to_openai()], "tool_choice": "auto",
        "parallel_tool_calls": False, "stop": ["a", "b"], "max_tokens": 5, "temperature": 0.5, "top_p": 0.9, "seed": 3,
        "stream": True, "stream_options": {"include_usage": True}, "top_k": 4,
    }  # fmt: skip


def test_choice_and_parallel_need_tools() -> None:
    assert body_of(ask(tool_choice="required", parallel_tool_calls=True, stream=False)) == {
        "model": "m", "messages": [{"role": "user", "content": "hi"}], "stream": False,
    }  # fmt: skip


def test_more_than_four_stops_are_cut() -> None:
    assert body_of(ask(stop=tuple("abcdef")))["stop"] == list("abcd")


def test_named_choice_takes_one_shape() -> None:
    named = {"type": "function", "function": {"name": "get_weather"}}
    assert body_of(ask(tools=(TOOL,), tool_choice={"type": "function", "name": "get_weather"}))["tool_choice"] == named
    other = ToolSpec("other")
    forced = body_of(ask(tools=(TOOL, other), tool_choice=named), endpoint(quirks={"no_named_choice": True}))
    assert forced["tool_choice"] == "required"
    assert [tool["function"]["name"] for tool in forced["tools"]] == ["get_weather"]


def test_openai_itself_has_other_fields() -> None:
    at = endpoint("https://api.openai.com/v1")
    body = body_of(ChatRequest("gpt-5-mini", (Message("user", "x"),), stop=("a",), max_tokens=7, temperature=0.2), at)
    assert body["max_completion_tokens"] == 7
    assert not {"max_tokens", "stop", "temperature"} & set(body)
    assert (
        body_of(ChatRequest("gpt-4o", (Message("user", "x"),), stop=("a",), temperature=0.2), at)["temperature"] == 0.2
    )


def test_quirk_beats_host() -> None:
    at = endpoint("https://api.openai.com/v1", quirks={"max_tokens_field": "max_tokens", "no_seed": True})
    assert body_of(ask(max_tokens=7, seed=1), at)["max_tokens"] == 7
    assert "seed" not in body_of(ask(seed=1), at)


def test_extra_fields_are_laid_over_last() -> None:
    body = body_of(
        ask(temperature=0.1, extra={"temperature": 0.9}), endpoint(extra={"temperature": 0.5, "think": True})
    )
    assert (body["temperature"], body["think"]) == (0.9, True)


@pytest.mark.parametrize(
    ("base", "url"),
    [
        ("http://h:1/v1", "http://h:1/v1/chat/completions"),
        ("http://h:1/v1/", "http://h:1/v1/chat/completions"),
        (" http://h:1 ", "http://h:1/chat/completions"),
        ("http://h:1/v1/chat/completions", "http://h:1/v1/chat/completions"),
        ("https://r.openai.azure.com/openai/deployments/d?api-version=1", "https://r.openai.azure.com/openai/deployments/d/chat/completions?api-version=1"),
    ],
)  # fmt: skip
def test_base_url_joins_cleanly(base: str, url: str) -> None:
    assert get_wire(WIRE).encode(ask(), endpoint(base)).url == url


@pytest.mark.parametrize(
    "base", ["", "localhost:8080/v1", "ftp://h/v1", "http://", "http://h:port/v1", "http://[::1/v1"]
)
def test_unusable_base_url_is_named(base: str) -> None:
    with pytest.raises(InvalidInput, match="Base URL"):
        get_wire(WIRE).encode(ask(), endpoint(base))


def test_azure_wants_its_own_header() -> None:
    sent = get_wire(WIRE).encode(ask(), endpoint("https://r.openai.azure.com/openai/v1"), "k")
    assert dict(sent.headers)["api-key"] == "k"
    sent = get_wire(WIRE).encode(ask(), endpoint(quirks={"auth_header": "api-key"}), "k")
    assert "authorization" not in dict(sent.headers)


def test_own_headers_win() -> None:
    sent = get_wire(WIRE).encode(ask(), endpoint(headers=(("Authorization", "Basic x"), ("X-Title", "t"))), "k")
    assert dict(sent.headers) == {
        "accept": "text/event-stream", "content-type": "application/json", "Authorization": "Basic x", "X-Title": "t",
    }  # fmt: skip


def test_invalid_header_key() -> None:
    with pytest.raises(InvalidInput, match="authorization"):
        get_wire(WIRE).encode(ask(), endpoint(), "schlüssel")


def test_half_characters_do_not_stop_a_request() -> None:
    assert body_of(ChatRequest("m", (Message("user", "a\ud83d"),)))["messages"][0]["content"] == "a\ud83d"


def conversation() -> tuple[Message, ...]:
    return (
        Message("user", "weather?"),
        Message(
            "assistant",
            "",
            (NativeCall(0, "", "get_weather", "{}"), NativeCall(1, "", "get_time", "{}")),
            reasoning="hm",
        ),
        Message("tool", "18", name="get_weather"),
        Message("tool", "noon"),
    )


def test_history_gets_matching_ids() -> None:
    turn, first, second = body_of(ChatRequest("m", conversation()))["messages"][1:]
    assert turn["content"] is None
    assert [call["id"] for call in turn["tool_calls"]] == [first["tool_call_id"], second["tool_call_id"]]
    assert "reasoning_content" not in turn


def test_mistral_wants_nine_characters() -> None:
    at = endpoint("https://api.mistral.ai/v1")
    messages = (
        Message("assistant", None, (NativeCall(0, "call_1", "f", "{}"), NativeCall(1, "AbC123xyZ", "f", "{}"))),
        Message("tool", "x", tool_call_id="call_1"),
    )
    body = body_of(ChatRequest("m", messages, seed=1), at)
    turn, result = body["messages"]
    assert [len(call["id"]) for call in turn["tool_calls"]] == [9, 9]
    assert turn["tool_calls"][1]["id"] == "AbC123xyZ"
    assert result["tool_call_id"] == turn["tool_calls"][0]["id"]
    assert body["random_seed"] == 1
    assert "stream_options" not in body


def test_an_author_has_no_name_where_names_are_refused() -> None:
    request = ChatRequest("m", (Message("user", "hi", name="ann"),))
    assert body_of(request)["messages"] == [{"role": "user", "content": "hi", "name": "ann"}]
    for at in (endpoint(quirks={"no_names": True}), endpoint("https://api.groq.com/openai/v1")):
        assert body_of(request, at)["messages"] == [{"role": "user", "content": "hi"}]


def test_reasoning_is_sent_back_by_quirk() -> None:
    for host, name in (
        ("https://api.deepseek.com", "reasoning_content"),
        ("https://openrouter.ai/api/v1", "reasoning"),
    ):
        turn = body_of(ChatRequest("m", conversation()), endpoint(host))["messages"][1]
        assert turn[name] == "hm"


def test_send_back_data_is_sent() -> None:
    body = chunk({"content": "a", "reasoning_details": [{"type": "x", "data": "1"}], "role": "assistant"})
    body += call_chunk({**part(0, "i", "f", "{}"), "extra_content": {"google": {"thought_signature": "s"}}}) + END
    data = read(WIRE, body).notices["send_back"]
    message = Message("assistant", "a", (NativeCall(0, "i", "f", "{}"),), extra=data)
    turn = body_of(ChatRequest("m", (message, Message("tool", "1", tool_call_id="i"))))["messages"][0]
    assert turn["reasoning_details"] == [{"type": "x", "data": "1"}]
    assert turn["tool_calls"][0]["extra_content"] == {"google": {"thought_signature": "s"}}


def test_another_wires_extras_are_left_out() -> None:
    message = Message("assistant", "a", extra={"gemini_generate": {"parts": []}})
    assert body_of(ChatRequest("m", (message,)))["messages"] == [{"role": "assistant", "content": "a"}]


# -- replies: the plain protocol --------------------------------------------------------------------------------------


def test_text_stream() -> None:
    body = chunk({"role": "assistant", "content": ""}) + chunk({"content": "Hé"}) + chunk({"content": "llo"})
    body += (
        chunk({}, "stop")
        + b'data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2,"prompt_tokens_details":'
    )
    body += b'{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":1}}}\n\n'
    body += b'data: {"choices":[],"usage":null,"obfuscation":"xx"}\n\n' + DONE
    reply = read(WIRE, body)
    assert (reply.text, reply.finish, reply.model, reply.faults) == ("Héllo", "stop", "m", [])
    assert reply.usage == Usage(9, 2, 4, 1)


def test_bytes_of_a_delta_are_known() -> None:
    body = b": hello\r\n\r\n" + chunk({"content": "a"}).replace(b"\n", b"\r\n") + chunk({"content": "b"}, "stop") + DONE
    a, b = (delta for delta in decode(WIRE, body) if isinstance(delta, TextDelta))
    assert json.loads(body[a.at[0] : a.at[1]].removeprefix(b"data: "))["choices"][0]["delta"] == {"content": "a"}
    assert body[b.at[0] : b.at[1]].startswith(b"data: {")
    assert body[b.at[1] : b.at[1] + 2] == b"\n\n"


def test_call_in_fragments() -> None:
    body = call_chunk(part(0, "call_1", "get_weather", "")) + call_chunk(part(0, arguments='{"ci'))
    body += call_chunk(part(0, arguments='ty":"Lübeck"}')) + call_chunk(part(1, "call_2", "get_time", "{}")) + END
    reply = read(WIRE, body)
    assert reply.plain_calls == [("call_1", "get_weather", '{"city":"Lübeck"}'), ("call_2", "get_time", "{}")]
    assert reply.finish == "tool_calls"


def test_whole_answer_through_the_same_decoder() -> None:
    message = {"role": "assistant", "content": None, "tool_calls": [part(None, "c", "f", '{"a": 1}')], "refusal": None}
    body = json.dumps({"model": "x", "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}],
                       "usage": {"prompt_tokens": 1, "completion_tokens": 2}}, indent=1).encode()  # fmt: skip
    for stream in (True, False):
        reply = read(WIRE, body, stream=stream, headers=(("content-type", "application/json"),))
        assert reply.plain_calls == [("c", "f", '{"a": 1}')]
        assert (reply.usage, reply.finish, reply.faults) == (Usage(1, 2), "tool_calls", [])


def test_unrequested_stream() -> None:
    assert read(WIRE, chunk({"content": "x"}, "stop") + DONE, stream=False).text == "x"


def test_events_joined_by_single_line_ends() -> None:
    body = (chunk({"content": "a"}) + chunk({"content": "b"}, "stop") + DONE).replace(b"\n\n", b"\n")
    reply = read(WIRE, body)
    assert (reply.text, reply.faults) == ("ab", [])


def test_refusal_is_text_with_a_notice() -> None:
    reply = read(WIRE, chunk({"role": "assistant", "content": None, "refusal": "No."}, "stop") + DONE)
    assert reply.text == "No."
    assert "refusal" in reply.notices


# -- replies: how servers differ -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "chunks", "calls"),
    [
        ("whole in one chunk", [call_chunk(part(0, "a", "f", "{}"), part(1, "b", "g", "{}"))], [("a", "f", "{}"), ("b", "g", "{}")]),
        ("no index", [call_chunk(part(None, "a", "f", "{}")), call_chunk(part(None, "b", "f", "{}"))], [("a", "f", "{}"), ("b", "f", "{}")]),
        ("index repeats with a new id", [call_chunk(part(0, "a", "f", "{}")), call_chunk(part(0, "b", "f", "{}"))], [("a", "f", "{}"), ("b", "f", "{}")]),
        ("index repeats, no ids, other name", [call_chunk(part(0, None, "f", "{}")), call_chunk(part(0, None, "g", "{}"))], [("", "f", "{}"), ("", "g", "{}")]),
        ("index repeats, no ids, same name, whole", [call_chunk(part(0, None, "f", '{"a":1}')), call_chunk(part(0, None, "f", '{"a":2}'))], [("", "f", '{"a":1}'), ("", "f", '{"a":2}')]),
        ("id on each fragment", [call_chunk(part(0, "a", "f", "{")), call_chunk(part(0, "a", "f", '"x":1')), call_chunk(part(0, "a", "f", "}"))], [("a", "f", '{"x":1}')]),
        ("id differs, no name", [call_chunk(part(0, "a", "f", "{")), call_chunk(part(0, "zz", None, "}"))], [("a", "f", "{}")]),
        ("name on each fragment, no id", [call_chunk(part(0, None, "f", "{")), call_chunk(part(0, None, "f", "}"))], [("", "f", "{}")]),
        ("no index, fragments without id", [call_chunk(part(None, "a", "f", "")), call_chunk(part(None, arguments="{}"))], [("a", "f", "{}")]),
        ("arguments absent", [call_chunk(part(0, "a", "f"))], [("a", "f", "")]),
        ("arguments an object", [call_chunk(part(0, "a", "f", {"x": "ü"}))], [("a", "f", '{"x": "ü"}')]),
        ("empty id", [call_chunk(part(0, "", "f", "{}"))], [("", "f", "{}")]),
        ("empty list", [chunk({"content": "x", "tool_calls": []})], []),
        ("index as text", [call_chunk({**part(0, "a", "f", "{"), "index": "0"}), call_chunk({**part(0, None, None, "}"), "index": "0"})], [("a", "f", "{}")]),
        ("index from one", [call_chunk(part(1, "a", "f", "{}")), call_chunk(part(2, "b", "g", "{}"))], [("a", "f", "{}"), ("b", "g", "{}")]),
        ("interleaved", [call_chunk(part(0, "a", "f", "{")), call_chunk(part(1, "b", "g", "{")), call_chunk(part(0, arguments="}")), call_chunk(part(1, arguments="}"))], [("a", "f", "{}"), ("b", "g", "{}")]),
        ("id comes late", [call_chunk(part(0, None, "f", "{")), call_chunk(part(0, "late", None, "}"))], [("late", "f", "{}")]),
    ],
)  # fmt: skip
def test_call_fragments(name: str, chunks: list[bytes], calls: list[tuple[str, str, str]]) -> None:
    assert read(WIRE, b"".join(chunks) + END).plain_calls == calls


def test_custom_and_old_calls() -> None:
    custom = {"index": 0, "id": "c", "type": "custom", "custom": {"name": "sh", "input": "ls"}}
    assert read(WIRE, call_chunk(custom) + END).plain_calls == [("c", "sh", "ls")]
    old = {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}}
    assert read(WIRE, chunk(old, "function_call") + DONE).plain_calls == [("", "f", "{}")]


def test_reasoning_is_taken_once() -> None:
    both = (
        chunk({"reasoning_content": "th", "reasoning": "th"})
        + chunk({"reasoning": "ink"})
        + chunk({"content": "a"}, "stop")
        + DONE
    )
    reply = read(WIRE, both)
    assert (reply.reasoning, reply.text) == ("think", "a")


def test_content_lists() -> None:
    thinking = {
        "content": [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "a"}]
    }
    body = chunk(thinking) + chunk({"content": [{"type": "image_url", "image_url": {}}, "b"]}, "stop") + DONE
    reply = read(WIRE, body)
    assert (reply.reasoning, reply.text) == ("hm", "ab")
    assert "unknown_part" in reply.notices


def test_finish_twice_with_usage_and_choices() -> None:
    body = (
        chunk({"content": "a"})
        + chunk({}, "stop")
        + chunk({"content": ""}, "stop", usage={"prompt_tokens": 3, "completion_tokens": 1})
        + DONE
    )
    deltas = decode(WIRE, body)
    assert sum(type(delta).__name__ == "FinishDelta" for delta in deltas) == 1
    assert fold(deltas).usage == Usage(3, 1)


def test_usage_of_groq_and_llama_server() -> None:
    groq = chunk({"content": "a"}, "stop", x_groq={"usage": {"prompt_tokens": 5, "completion_tokens": 6}}) + DONE
    assert read(WIRE, groq).usage == Usage(5, 6)
    llama = chunk({"content": "a"}, "stop", timings={"prompt_n": 7, "predicted_n": 8}) + DONE
    assert read(WIRE, llama).usage == Usage(7, 8)


def test_azure_begins_without_choices() -> None:
    body = (
        b'data: {"choices":[],"prompt_filter_results":[]}\n\n'
        + chunk({"content": "a"})
        + chunk({}, "content_filter")
        + DONE
    )
    assert read(WIRE, body).finish == "content_filter"
    whole = json.dumps({"choices": [{"index": 0, "finish_reason": "content_filter"}]}).encode()
    assert (read(WIRE, whole, stream=False).finish, read(WIRE, whole, stream=False).faults) == ("content_filter", [])


def test_extra_choices_are_told() -> None:
    second = b'data: {"choices":[{"index":1,"delta":{"content":"no"}}]}\n\n'
    for body in (chunk({"content": "yes"}) + second, second + chunk({"content": "yes"})):
        reply = read(WIRE, body + chunk({}, "stop") + DONE)
        assert reply.text == "yes"
        assert "extra_choices" in reply.notices
    unnumbered = [{"message": {"content": text}, "finish_reason": "stop"} for text in ("yes", "no")]
    whole = read(WIRE, json.dumps({"choices": unnumbered}).encode(), stream=False)
    assert (whole.text, "extra_choices" in whole.notices) == ("yes", True)
    sole = {"index": 3, **unnumbered[0]}
    assert read(WIRE, json.dumps({"choices": [sole]}).encode(), stream=False).text == "yes"
    assert read(WIRE, json.dumps({"choices": [{**sole, "delta": {}}]}).encode(), stream=False).text == ""


def test_calls_in_choices_of_their_own_are_read() -> None:
    said: dict[str, Any] = {"message": {"content": "Let me look."}, "finish_reason": "tool_calls"}
    asked = [
        {"message": {"tool_calls": [{"id": id_, "function": {"name": "f", "arguments": "{}"}}]}, "finish_reason": "tool_calls"}
        for id_ in "ab"
    ]  # fmt: skip
    reply = read(WIRE, json.dumps({"choices": [said, *asked]}).encode(), stream=False)
    assert (reply.text, reply.plain_calls, reply.notices) == ("Let me look.", [("a", "f", "{}"), ("b", "f", "{}")], {})
    told = read(WIRE, json.dumps({"choices": [asked[0], *asked]}).encode(), stream=False)
    assert (told.plain_calls, "extra_choices" in told.notices) == ([("a", "f", "{}")], True)


def test_a_signature_in_a_fragment_of_its_own_is_kept() -> None:
    sealed = {"extra_content": {"google": {"thought_signature": "sig"}}}
    call = {"id": "a", "function": {"name": "f", "arguments": "{}"}}
    reply = read(WIRE, chunk({"tool_calls": [sealed]}) + chunk({"tool_calls": [call]}) + chunk({"tool_calls": [sealed]}, "stop") + DONE)  # fmt: skip
    assert (reply.plain_calls, reply.notices["send_back"]) == ([("a", "f", "{}")], {WIRE: {"calls": {"0": sealed}}})


def test_perplexity_has_no_done_and_repeats_the_message() -> None:
    event = {
        "choices": [{"index": 0, "delta": {"content": "a"}, "message": {"content": "a"}}],
        "usage": {"prompt_tokens": 1},
    }
    last = {"choices": [{"index": 0, "delta": {"content": ""}, "message": {"content": "a"}, "finish_reason": "stop"}]}
    body = "".join(f"data: {json.dumps(item)}\r\n\r\n" for item in (event, last)).encode()
    reply = read(WIRE, body)
    assert (reply.text, reply.faults) == ("a", [])


@pytest.mark.parametrize("delta", [{}, {"role": "assistant", "content": ""}])
def test_whole_body_with_an_empty_delta_beside_the_message(delta: dict[str, str]) -> None:
    choice = {"index": 0, "message": {"role": "assistant", "content": "Hello"}, "delta": delta, "finish_reason": "stop"}
    assert read(WIRE, json.dumps({"choices": [choice]}).encode(), stream=False).text == "Hello"
    assert read(WIRE, json.dumps({"choices": [choice]}).encode()).text == "Hello"


def test_empty_calls_are_none() -> None:
    for empty in (
        {"content": "x", "function_call": {"name": "", "arguments": ""}},
        {"content": "x", "tool_calls": [{"index": 0, "type": "function", "function": {"name": "", "arguments": ""}}]},
    ):
        assert read(WIRE, chunk(empty) + END).calls == []
        body = {"choices": [{"index": 0, "message": empty, "finish_reason": "stop"}]}
        assert read(WIRE, json.dumps(body).encode(), stream=False).calls == []


def test_comments_and_blank_lines_before_the_reply() -> None:
    assert (
        read(WIRE, b"\n: OPENROUTER PROCESSING\n\n: keep-alive\n\n" + chunk({"content": "a"}, "stop") + DONE).text
        == "a"
    )
    assert read(WIRE, b"\n\n" + b'{"choices":[{"message":{"content":"a"}}]}', stream=False).text == "a"


def test_character_cut_in_two_events() -> None:
    body = chunk({"content": "\ud83d"}) + chunk({"content": "\ude00!"}) + chunk({"content": "\ud83d"}, "stop") + DONE
    assert read(WIRE, body).text == "\U0001f600!\ufffd"


def test_huge_line() -> None:
    text = "x" * 3_000_000
    body = chunk({"content": text}, "stop") + DONE
    assert fold(decode(WIRE, body, cut=1000)).text == text


# -- replies: errors ---------------------------------------------------------------------------------------------


def test_cut_off_stream() -> None:
    reply = read(WIRE, chunk({"content": "half"}))
    assert (reply.text, reply.fault_kinds) == ("half", ["cut_off"])
    assert "[DONE]" in reply.faults[0].message
    assert read(WIRE, chunk({"content": "ha"}) + chunk({"content": "lf"})[:40]).fault_kinds == ["cut_off"]
    assert read(WIRE, chunk({"content": "x"}, "stop")).faults == []
    assert read(WIRE, b"").fault_kinds == ["cut_off"]
    assert read(WIRE, b": ping\n\n").fault_kinds == ["cut_off"]


def test_cut_off_body() -> None:
    whole = json.dumps({"choices": [{"message": {"content": "abc"}}]}).encode()
    assert read(WIRE, whole[:-9], stream=False).fault_kinds == ["cut_off"]
    assert read(WIRE, b"", stream=False).fault_kinds == ["protocol"]


def test_error_in_stream() -> None:
    groq = {
        "error": {
            "message": "Failed to call",
            "type": "invalid_request_error",
            "code": "tool_use_failed",
            "failed_generation": "<x>",
            "status_code": 400,
        }
    }
    reply = read(WIRE, chunk({"content": "a"}) + b"event: error\ndata: " + json.dumps(groq).encode() + b"\n\n")
    assert (reply.text, reply.fault_kinds) == ("a", ["model_output"])
    assert reply.notices["failed_generation"] == "<x>"
    router = {"id": "g", "error": {"code": 502, "message": "down", "metadata": {"provider_name": "P", "raw": "boom"}},
              "choices": [{"index": 0, "delta": {"content": ""}, "finish_reason": "error"}]}  # fmt: skip
    reply = read(WIRE, chunk({"content": "a"}) + b"data: " + json.dumps(router).encode() + b"\n\n" + DONE)
    assert (reply.fault_kinds, reply.finish) == (["server"], "error")
    assert "boom" in reply.faults[0].message
    assert read(WIRE, chunk({"content": "a"}) + b'error: {"code":500,"message":"bad"}\n\n').fault_kinds == ["server"]
    assert read(WIRE, chunk({"content": "a"}) + b'{"error":{"message":"bad","code":500}}\n').fault_kinds == ["server"]


def test_error_in_a_good_answer() -> None:
    assert read(WIRE, b'{"error":{"message":"no","code":429}}').fault_kinds == ["rate_limit"]
    assert read(WIRE, b'{"object":"error","message":"no","code":400}', stream=False).faults[0].message == "no"
    assert read(WIRE, b'[{"error":{"message":"no","code":503}}]', stream=False).fault_kinds == ["server"]


def test_not_this_protocol() -> None:
    html = read(WIRE, b"<!DOCTYPE html><html><title>Sign in</title>", headers=(("content-type", "text/html"),))
    assert html.fault_kinds == ["protocol"]
    assert "Sign in" in html.faults[0].message
    assert "base URL" in html.faults[0].hint
    for body in (b"Internal error", b'{"hello": 1}', b"[1, 2]", b'"x"', b"data: [DONE]\n\n", b"null"):
        assert read(WIRE, body).fault_kinds == ["protocol"], body
    assert read(WIRE, b'data: {"a": tru}\n\n' + DONE).fault_kinds == ["protocol"]


def test_status_errors_become_faults() -> None:
    (fault,) = read(WIRE, b'{"error":{"message":"bad key","code":"invalid_api_key"}}', status=401).faults
    assert (fault.kind, fault.status, fault.code) == (ErrorKind.AUTH, 401, "invalid_api_key")


def test_unknown_events_are_no_error() -> None:
    reply = read(WIRE, b"data: ping\n\ndata: 7\n\nevent: x\ndata: {}\n\n" + chunk({"content": "a"}, "stop") + DONE)
    assert (reply.text, reply.faults) == ("a", [])
    assert "unknown_event" in reply.notices


# -- models ----------------------------------------------------------------------------------------------------


def test_models_of_many_servers() -> None:
    wire = get_wire(WIRE)
    assert wire.models_request(endpoint(), "k").url.endswith("/v1/models")
    data = {
        "data": [
            {"id": "a", "context_window": 8, "owned_by": "o"},
            {"id": "b", "meta": {"n_ctx_train": 9}},
            {"x": 1},
            5,
        ]
    }
    found = wire.read_models(json.dumps(data).encode())
    assert [(model.id, model.context, model.owner) for model in found] == [("a", 8, "o"), ("b", 9, "")]
    assert [model.id for model in wire.read_models(b'["x", {"name": "y"}]')] == ["x", "y"]
    assert wire.read_models(b"<html>") == []


def test_usage_within_the_choice() -> None:
    choice = {"index": 0, "delta": {}, "finish_reason": "stop", "usage": {"prompt_tokens": 8, "completion_tokens": 3}}
    last = b"data: " + json.dumps({"choices": [choice]}).encode() + b"\n\n"
    assert read(WIRE, chunk({"content": "a"}) + last + DONE).usage == Usage(8, 3)
    top = b'data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":4}}\n\n'
    assert read(WIRE, chunk({"content": "a"}) + last + top + DONE).usage == Usage(9, 4)


def test_lists_without_index_go_by_place() -> None:
    body = call_chunk(part(None, "a", "left", ""), part(None, "b", "right", ""))
    body += call_chunk(part(None, arguments='{"x":'), part(None, arguments='{"y":'))
    body += call_chunk(part(None, arguments="1}"), part(None, arguments="2}")) + END
    assert read(WIRE, body).plain_calls == [("a", "left", '{"x":1}'), ("b", "right", '{"y":2}')]
    unnamed = call_chunk(part(None, None, "left", "{}"), part(None, None, "left", "{}")) + END
    assert [call[1:] for call in read(WIRE, unnamed).plain_calls] == [("left", "{}"), ("left", "{}")]


def test_a_call_without_its_list() -> None:
    body = (
        chunk({"tool_calls": part(0, "", "roll", "")}) + chunk({"tool_calls": part(0, "", None, '{"sides":6}')}) + END
    )
    assert read(WIRE, body).plain_calls == [("", "roll", '{"sides":6}')]


def test_rare_fields_alone() -> None:
    refused = read(WIRE, chunk({"refusal": "I can"}) + chunk({"refusal": "not."}) + chunk({}, "stop") + DONE)
    assert (refused.text, "refusal" in refused.notices) == ("I cannot.", True)
    old = chunk({"function_call": {"name": "roll", "arguments": ""}}) + chunk({"function_call": {"arguments": '{"n":'}})
    old += chunk({"function_call": {"arguments": "6}"}}) + chunk({}, "function_call") + DONE
    assert read(WIRE, old).plain_calls == [("", "roll", '{"n":6}')]


def test_reasoning_only_in_details() -> None:
    first = {"type": "reasoning.text", "text": "Well", "index": 0}
    second = {"type": "reasoning.summary", "summary": ", so", "index": 0}
    sealed = {"type": "reasoning.encrypted", "data": "xx", "index": 1}
    body = chunk({"reasoning_details": [first]}) + chunk({"reasoning_details": [second, sealed]})
    body += chunk({"reasoning": "!", "reasoning_details": [{"type": "reasoning.text", "text": "!"}]}, "stop") + DONE
    reply = read(WIRE, body)
    assert reply.reasoning == "Well, so!"
    assert reply.notices["send_back"][WIRE]["reasoning_details"][:3] == [first, second, sealed]


@pytest.mark.parametrize("numbered", [True, False])
def test_fragments_of_reasoning_details_are_one_block(numbered: bool) -> None:
    shell: dict[str, Any] = {"type": "reasoning.text", "format": "anthropic-claude-v1"} | (
        {"index": 0} if numbered else {}
    )
    pieces = [{**shell, "text": "Well"}, {**shell, "text": ", so"}, {**shell, "text": "", "signature": "sig"}]
    following = {**shell, "text": "Next"} | ({"index": 1} if numbered else {})
    body = b"".join(chunk({"reasoning_details": [piece]}) for piece in [*pieces, following]) + chunk({}, "stop") + DONE
    first, second = read(WIRE, body).notices["send_back"][WIRE]["reasoning_details"]
    assert (first, second) == ({**shell, "text": "Well, so", "signature": "sig"}, following)


def test_reasoning_goes_back_under_every_name_of_the_quirk() -> None:
    turn = Message("assistant", "x", reasoning="hm")
    for names, wanted in (
        ("reasoning", {"reasoning"}),
        (["reasoning", "reasoning_content"], {"reasoning", "reasoning_content"}),
    ):
        sent = body_of(ChatRequest("m", (turn,)), endpoint(quirks={"reasoning_field": names}))["messages"][-1]
        assert {name for name in sent if sent[name] == "hm"} == wanted


def test_openai_takes_ids_of_forty_characters() -> None:
    long = "chatcmpl-tool-0123456789abcdef0123456789abcdef"
    turns = (Message("assistant", "", (NativeCall(0, long, "f", "{}"),)), Message("tool", "ok", tool_call_id=long))
    for base, limit in (("https://api.openai.com/v1", 40), ("http://127.0.0.1:9/v1", len(long))):
        sent = body_of(ChatRequest("m", turns), endpoint(base))["messages"]
        assert len(sent[0]["tool_calls"][0]["id"]) == limit
        assert sent[0]["tool_calls"][0]["id"] == sent[1]["tool_call_id"]
