from __future__ import annotations

import json

import pytest

from tests.kit.scanning import TOOL, chat_events, chat_reply, chat_request
from workbench.scan.bodies import Asked, offered, quoted, read_reply, read_request, wire_of_reply
from workbench.scan.reply import Channel, Refused


def test_a_request_tells_tools_model_and_what_came_before() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "get_weather", "arguments": "{}"}}
    body = chat_request("First?")
    body["messages"] += [
        {"role": "assistant", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "sunny"},
    ]
    asked = read_request(json.dumps(body))
    assert (asked.wire, asked.model, [tool.name for tool in asked.tools or ()]) == (
        "openai_chat",
        "coder-7b",
        ["get_weather"],
    )
    assert [(one.name, one.result) for one in asked.before] == [("get_weather", "sunny")]
    assert [turn.text for turn in asked.context] == ["First?", "sunny"]


@pytest.mark.parametrize(
    ("body", "url", "wire"),
    [
        ({"model": "m", "input": "x"}, "", "openai_responses"),
        ({"model": "m", "messages": [], "tools": [{"name": "f", "input_schema": {}}]}, "", "anthropic_messages"),
        ({"contents": []}, "", "gemini_generate"),
        ({"model": "m", "messages": []}, "http://127.0.0.1:11434/api/chat", "ollama_chat"),
        ({"prompt": "x"}, "", "completion"),
        ({"name": "x"}, "", ""),
    ],
)
def test_the_wire_of_a_request(body: dict, url: str, wire: str) -> None:
    assert read_request(body, url).wire == wire


def test_what_cannot_be_read_leaves_the_tools_unknown() -> None:
    assert read_request("no JSON").tools is None
    odd = read_request({"model": 5, "messages": "x", "tools": [TOOL]}, "/v1/chat/completions")
    assert [tool.name for tool in odd.tools or ()] == ["get_weather"]


def test_gemini_names_its_model_in_the_address() -> None:
    assert read_request({"contents": []}, "https://x/v1beta/models/gem-x:generateContent").model == "gem-x"


def test_tools_that_the_provider_runs_are_known_by_name() -> None:
    found = offered(
        {"tools": [TOOL, {"type": "web_search_20250305", "name": "web_search"}, {"type": "web_search"}, "odd"]}
    )
    assert {tool.name for tool in found} == {"get_weather", "web_search"}
    assert offered({"tools": [TOOL]}) is offered({"tools": [TOOL]})


def test_replies_whole_and_streamed() -> None:
    whole = read_reply(json.dumps(chat_reply("Hi.", [("f", "{}")])).encode(), Asked())
    assert whole is not None
    assert (whole.text, whole.calls[0].name, whole.model, whole.output_tokens, whole.finish) == (
        "Hi.",
        "f",
        "coder-7b",
        30,
        "tool_calls",
    )
    streamed = read_reply(chat_events("Hi there.").encode(), Asked())
    assert streamed is not None
    assert (streamed.text, streamed.exchange is not None) == ("Hi there.", True)
    assert read_reply(b'{"x": 1}', Asked()) is None


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (
            {"error": {"message": "Failed to call a function.", "code": "tool_use_failed", "failed_generation": "<f>"}},
            ("Failed to call a function.", "<f>"),
        ),
        (
            {"error": {"message": "Failed to parse input at pos 9: <tool_call>"}},
            ("Failed to parse input at pos 9.", "<tool_call>"),
        ),
        (
            {"error": "error parsing tool call: raw='{\"a\": x}', err=bad"},
            ("error parsing tool call: raw='{\"a\": x}', err=bad", '{"a": x}'),
        ),
        ({"error": {"message": "Invalid API key"}}, None),
    ],
)
def test_errors_that_quote_the_model(body: dict, told: tuple[str, str] | None) -> None:
    text = json.dumps(body)
    assert quoted(text) == told
    reply = read_reply(text.encode(), Asked(), status=500)
    assert (reply.channel if reply else None) == (Channel.LOST if told else None)


def test_other_documents_have_no_wire() -> None:
    assert wire_of_reply('{"name": "x", "version": 1}') == ""
    assert wire_of_reply("data: [DONE]") == ""


def test_a_call_that_gemini_could_not_read_is_lost() -> None:
    said = "Malformed function call: print(default_api.get_weather(city='Rome'))"
    body = {"candidates": [{"content": {}, "finishReason": "MALFORMED_FUNCTION_CALL", "finishMessage": said}]}
    reply = read_reply(json.dumps(body).encode(), Asked())
    assert reply is not None
    assert (reply.channel, reply.text) == (Channel.LOST, "print(default_api.get_weather(city='Rome'))")
    body["candidates"][0]["content"] = {"parts": [{"text": "I look."}]}
    reply = read_reply(json.dumps(body).encode(), Asked())
    assert reply is not None
    assert (reply.text, [(one.name, one.refused) for one in reply.calls]) == (
        "I look.",
        [("get_weather", Refused.JSON)],
    )


@pytest.mark.parametrize(
    "body",
    [
        b'{"model": "m", "response": "Hi.", "done": true, "done_reason": "stop", "eval_count": 3}',
        b'{"model": "m", "response": "H", "done": false}\n{"model": "m", "response": "i.", "done": true, "done_reason": "stop", "eval_count": 3}\n',
    ],
)
def test_completions_of_ollama_are_read(body: bytes) -> None:
    reply = read_reply(body, Asked())
    assert reply is not None
    assert (reply.text, reply.model, reply.finish, reply.output_tokens) == ("Hi.", "m", "stop", 3)


def test_completions_of_tgi_are_read() -> None:
    for body in (b'{"generated_text": "Hi."}', b'[{"generated_text": "Hi."}]'):
        reply = read_reply(body, Asked())
        assert reply is not None
        assert reply.text == "Hi."
    assert read_reply(b'{"generated_text": 3}', Asked()) is None
