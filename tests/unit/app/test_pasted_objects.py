"""Pieces of replies go back into the documents that they come from."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.kit.scanning import LEAK, chat_reply, chat_request
from workbench.app.pasted_objects import document_in

CALL = {"id": "call_1", "type": "function", "function": {"name": "get_weather", "arguments": '{"city": "Rome"}'}}


def made(text: object) -> Any:
    found = document_in(text if isinstance(text, str) else json.dumps(text))
    assert found is not None
    return json.loads(found.text)


def message_in(text: object) -> dict[str, Any]:
    message: dict[str, Any] = made(text)["choices"][0]["message"]
    return message


@pytest.mark.parametrize("piece", [[CALL], CALL, [CALL, CALL]])
def test_calls_alone(piece: Any) -> None:
    assert message_in(piece)["tool_calls"] == (piece if isinstance(piece, list) else [piece])


def test_blocks_and_parts_of_other_protocols() -> None:
    block = {"type": "tool_use", "id": "t", "name": "get_weather", "input": {"city": "Rome"}}
    assert made(block)["content"] == [block]
    assert made([{"type": "text", "text": "I look."}, block])["stop_reason"] == "tool_use"
    assert made({"toolUse": {"name": "a", "input": {}, "toolUseId": "t"}})["content"][0]["name"] == "a"
    part = {"functionCall": {"name": "get_weather", "args": {}}}
    assert made(part)["candidates"][0]["content"]["parts"] == [part]
    assert made({"role": "model", "parts": [part]})["candidates"][0]["content"]["parts"] == [part]
    item = {"type": "function_call", "call_id": "c", "name": "a", "arguments": "{}"}
    assert made([{"type": "reasoning", "summary": []}, item])["output"][1] == item


def test_a_choice_alone() -> None:
    message = {"role": "assistant", "tool_plan": "I look.", "tool_calls": [CALL]}
    assert message_in({"id": "x", "message": message, "finish_reason": "TOOL_CALL"}) == message
    assert message_in([{"index": 0, "message": message, "finish_reason": "tool_calls"}]) == message


SAID = 'I look.\nAction: get_weather\nAction Input: {"city": "Ro'


@pytest.mark.parametrize(
    "text",
    [
        f"langchain_core.exceptions.OutputParserException: Could not parse LLM output: `{SAID}`\nFor troubleshooting, visit: https://x",
        f"ValueError: Could not parse output: {SAID}",
        f"Error in code parsing:\nYour code snippet is invalid.\nHere is your code snippet:\n{SAID}\nMake sure to include code with",
    ],
)
def test_a_reply_that_an_agent_quotes(text: str) -> None:
    found = document_in(text)
    assert found is not None
    assert found.text == SAID


@pytest.mark.parametrize(
    "text",
    [
        'agents.exceptions.ModelBehaviorError: Invalid JSON input for tool get_weather: {"city": "Ro',
        'OutputParserException: Function get_weather arguments:\n\n{"city": "Ro\n\nare not valid JSON. Received JSONDecodeError x',
    ],
)
def test_a_call_that_an_agent_quotes(text: str) -> None:
    assert message_in(text)["tool_calls"][0]["function"] == {"name": "get_weather", "arguments": '{"city": "Ro'}


def test_a_tool_that_an_agent_does_not_know() -> None:
    pair = made("Unknown tool name: 'get_wether'. Available tools: get_weather, get_time")
    assert [one["function"]["name"] for one in pair["request"]["tools"]] == ["get_weather", "get_time"]


def test_one_entry_of_an_archive() -> None:
    entry = {"request": {"url": "https://x", "postData": {"text": "{}"}}, "response": {"content": {"text": "{}"}}}
    assert made(entry)["log"]["entries"] == [entry]


@pytest.mark.parametrize(
    "whole",
    [
        chat_reply(LEAK), chat_request(), [{"role": "user", "content": "x"}], {"name": "a", "arguments": {}}, [1, 2], [],
        {"type": "function", "function": {"name": "a", "parameters": {}}}, {"type": "message", "role": "user"},
    ],
)  # fmt: skip
def test_whole_documents_are_left_alone(whole: Any) -> None:
    assert document_in(json.dumps(whole)) is None


def test_objects_as_python_prints_them() -> None:
    printed = f"ChatCompletionMessage(content={LEAK!r}, refusal=None, role='assistant', tool_calls=None)"
    assert message_in(printed)["content"] == LEAK
    choice = f"Choice(finish_reason='stop', index=0, logprobs=None, message={printed})"
    whole = f"ChatCompletion(id='c', choices=[{choice}], created=1, model='m', object='chat.completion', usage=None)"
    for text in (whole, f"response: {whole}", choice):
        assert message_in(text)["content"] == LEAK
    assert made(whole)["model"] == "m"
    assert message_in(repr(chat_reply(LEAK)))["content"] == LEAK
    call = "ChatCompletionMessageToolCall(id='c', function=Function(arguments='{\"a\": 1}', name='f'), type='function')"
    assert message_in(f"[{call}]")["tool_calls"][0]["function"] == {"arguments": '{"a": 1}', "name": "f"}
    gemini = "Part(function_call=FunctionCall(args={'city': 'Rome'}, name='get_weather'), text=None)"
    assert made(gemini)["candidates"][0]["content"]["parts"][0]["functionCall"]["name"] == "get_weather"


def test_anthropics_message_as_python_prints_it() -> None:
    block = "ToolUseBlock(id='t', input={'city': 'Rome'}, name='get_weather', type='tool_use')"
    text = f"Message(id='m', content=[{block}], model='c', role='assistant', stop_reason='tool_use', type='message')"
    assert made(text)["content"] == [{"id": "t", "input": {"city": "Rome"}, "name": "get_weather", "type": "tool_use"}]


def test_chunks_as_python_prints_them_are_a_stream() -> None:
    line = "ChatCompletionChunk(id='c', choices=[Choice(delta=ChoiceDelta(content={!r}), index=0)], model='m')"
    found = document_in("\n".join(line.format(piece) for piece in ("a", "b")))
    assert found is not None
    assert [json.loads(one[6:])["choices"][0]["delta"]["content"] for one in found.text.split("\n\n") if one] == [
        "a",
        "b",
    ]


def test_langchains_message_as_it_prints() -> None:
    text = f"content={LEAK!r} additional_kwargs={{}} response_metadata={{'model_name': 'm'}} id='run-1'"
    assert message_in(text)["content"] == LEAK
    called = (
        "content='' additional_kwargs={} tool_calls=[{'name': 'f', 'args': {'a': 1}, 'id': 'c', 'type': 'tool_call'}]"
    )
    assert message_in(called)["tool_calls"][0]["function"] == {"name": "f", "arguments": '{"a": 1}'}


def test_errors_of_the_ai_sdk_quote_or_name_the_call() -> None:
    told = 'AI_InvalidToolInputError: Invalid input for tool f: JSON parsing failed: Text: {"a": 1.\nError message: x'
    assert message_in(told)["tool_calls"][0]["function"] == {"name": "f", "arguments": '{"a": 1'}
    pair = made("AI_NoSuchToolError: Model tried to call unavailable tool 'g'. Available tools: f, h.")
    assert [tool["function"]["name"] for tool in pair["request"]["tools"]] == ["f", "h"]


def test_an_exception_that_quotes_what_was_generated() -> None:
    error = {"error": {"message": "It failed", "code": "tool_use_failed", "failed_generation": LEAK}}
    assert made(f"groq.BadRequestError: Error code: 400 - {error}") == error


@pytest.mark.parametrize(
    "text",
    ["Print(", "Choice(finish_reason=<x y>)", "{'a': }", "content='x", "Foo(" * 500, "content=1", "Hello(world)"],
)
def test_what_is_no_python_is_left_alone(text: str) -> None:
    found = document_in(text)
    assert found is None or json.loads(found.text) is not None


def test_objects_as_a_console_prints_them() -> None:
    text = "{\n  role: 'assistant',\n  content: '<tool_call>\\nx',\n  tool_calls: undefined\n}"
    found = document_in(text)
    assert found is not None
    message = json.loads(found.text)["choices"][0]["message"]
    assert (message["content"], found.note) == ("<tool_call>\nx", "as a console prints it")
    assert document_in("{ colour: 'red' }") is None


def test_a_printed_message_whose_calls_python_refuses_has_its_text() -> None:
    found = document_in("content='Hello' tool_calls=[{[]: 1}]")
    assert found is None or "Hello" in found.text
