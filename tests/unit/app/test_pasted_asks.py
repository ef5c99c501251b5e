from __future__ import annotations

import json

import pytest

from tests.kit.scanning import TOOL
from workbench.app.pasted_asks import asked_in, asked_in_recording, base_address
from workbench.core.errors import InvalidInput

BODY = {"model": "m-7b", "messages": [{"role": "user", "content": "Weather in Rome?"}], "tools": [TOOL]}
CURL = f"curl https://api.example.com/v1/chat/completions \\\n -H 'Authorization: Bearer k' -d '{json.dumps(BODY)}'"


@pytest.mark.parametrize(
    ("url", "base"),
    [
        ("https://api.example.com/v1/chat/completions?x=1", "https://api.example.com/v1"),
        ("https://user:pass@api.example.com/v1/messages", "https://api.example.com/v1"),
        ("http://localhost:11434/api/chat", "http://localhost:11434"),
        ("http://localhost:11434/api/tags", "http://localhost:11434"),
        ("http://127.0.0.1:8080/v1/models/", "http://127.0.0.1:8080/v1"),
        ("https://g.example.com/v1beta/models/g-1:streamGenerateContent", "https://g.example.com/v1beta"),
        ("http://localhost:1234/v1", "http://localhost:1234/v1"),
    ],
)
def test_the_base_of_an_address(url: str, base: str) -> None:
    assert base_address(url) == base


def test_a_curl_command_is_a_request_and_an_address() -> None:
    found = asked_in(CURL)
    assert found is not None
    assert found.request is not None
    assert (found.request.model, [tool.name for tool in found.request.tools]) == ("m-7b", ["get_weather"])
    assert (found.address, found.wire, found.program, found.answer) == (
        "https://api.example.com/v1", "openai_chat", "curl", "",
    )  # fmt: skip


def test_what_stands_below_a_curl_command_is_its_answer() -> None:
    found = asked_in(CURL + '\n{"choices": []}')
    assert found is not None
    assert found.answer == '{"choices": []}'


def test_a_curl_command_without_a_body_is_an_address() -> None:
    found = asked_in("$ curl http://localhost:8080/v1/models -H 'Authorization: Bearer k'")
    assert found is not None
    assert (found.request, found.address) == (None, "http://localhost:8080/v1")


@pytest.mark.parametrize("text", ["curl 'https://x", "curl https://x.example -d 'no json'", "curl https://x -d '[1]'"])
def test_a_broken_curl_command_is_told(text: str) -> None:
    with pytest.raises(InvalidInput):
        asked_in(text)


@pytest.mark.parametrize(
    ("body", "wire"),
    [
        (BODY, "openai_chat"),
        ({"model": "c", "max_tokens": 9, "system": "s", "messages": [{"role": "user", "content": "hi"}]}, "anthropic_messages"),
        ({"contents": [{"role": "user", "parts": [{"text": "hi"}]}]}, "gemini_generate"),
        ({"model": "g", "input": "hi"}, "openai_responses"),
    ],
)  # fmt: skip
def test_bodies_of_all_wires_are_requests(body: dict, wire: str) -> None:
    found = asked_in(json.dumps(body))
    assert found is not None
    assert found.request is not None
    assert found.wire == wire
    assert found.request.messages[-1].role == "user"


@pytest.mark.parametrize(
    "value",
    [
        {"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]},
        {"id": "c", "choices": [{"message": {"content": "x"}}]},
        {"name": "get_weather", "arguments": {"city": "Rome"}},
        {"error": {"message": "no"}},
        [1, 2],
    ],
)
def test_recordings_and_calls_ask_for_nothing(value: object) -> None:
    assert asked_in(json.dumps(value)) is None


def test_declarations_alone_are_tools() -> None:
    for value in ([TOOL], TOOL, {"tools": [TOOL]}, {"name": "get_weather", "input_schema": {"type": "object"}}):
        found = asked_in(json.dumps(value))
        assert found is not None, value
        assert [tool.name for tool in found.tools] == ["get_weather"]


def test_the_request_of_a_recording_without_answer() -> None:
    entry = {"request": {"url": "https://x.example/v1/chat/completions", "postData": {"text": json.dumps(BODY)}}}
    found = asked_in_recording(json.dumps({"log": {"entries": [{"request": {"url": "https://x/a.css"}}, entry]}}))
    assert found is not None
    assert found.request is not None
    assert (found.request.model, found.address) == ("m-7b", "https://x.example/v1")
    assert asked_in_recording("2026-11-20 INFO started") is None
