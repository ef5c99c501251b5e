"""Error answers and texts about calls: what they are said to be."""

from __future__ import annotations

import json

import pytest

from workbench.app.pasted_errors import error_in_text, spoken_of

HERMES = (
    'Traceback (most recent call last):\n  File "/x/vllm/entrypoints/openai/tool_parsers/hermes_tool_parser.py", line 136\n'
    "json.decoder.JSONDecodeError: Expecting ',' delimiter: line 1 column 52 (char 51)"
)


@pytest.mark.parametrize(
    ("text", "status", "words"),
    [
        ("HTTP/1.1 401 Unauthorized\nserver: x\n\n{\"error\": {\"message\": \"no key\"}}", 401, "no key"),
        ("openai.BadRequestError: Error code: 400 - {'error': {'message': \"it's bad\"}}", 400, "it's bad"),
        ('litellm.APIConnectionError: Ollama_chatException - {"error":"m does not support tools"}', 0, "support tools"),
        ('{"detail": "Not found", "status": 404}', 0, "Not found"),
        ('API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"messages.3: no result"}}', 400, "messages.3"),
        ('  ⎿  API Error: 400\n     {"type":"error","error":{"message":"messages.5:\n     `tool_use` ids were\n     found"}}', 400,
         "messages.5: `tool_use` ids were found"),
        ('400 {"error":{"message":"Unknown parameter"}}', 400, "Unknown parameter"),
        ("Request failed with status code 422 - {'detail': [{'loc': ['body'], 'msg': 'Field required'}]}", 422, "Field required"),
        ('✘ HTTP 503 Service Unavailable: {"error": "overloaded"} · retrying in 5 s', 503, "overloaded"),
    ],
)  # fmt: skip
def test_error_answers(text: str, status: int, words: str) -> None:
    found = error_in_text(text)
    assert found is not None
    assert (found.status or 0) == status
    assert words in found.message


@pytest.mark.parametrize(
    "text",
    [
        *("hello", '{"a": 1}', '{"jsonrpc": "2.0", "error": {"message": "x"}}', "ValueError: x"),
        *('404 {"city": "Rome"}', 'The error of page 404 is {"name": "get_weather", "arguments": {}}'),
    ],
)
def test_other_texts_are_no_error_answer(text: str) -> None:
    assert error_in_text(text) is None


@pytest.mark.parametrize(
    ("text", "title", "words"),
    [
        (HERMES, "traceback of vLLM's parser hermes", "Expecting ',' delimiter"),
        (HERMES.replace("vllm/entrypoints/openai/tool_parsers/hermes_tool_parser", "sglang/srt/function_call/qwen25_detector"),
         "traceback of SGLang's parser qwen25", "have the server log its outputs"),
        ("Traceback (most recent call last):\nKeyError: 'x'", "traceback of Python", "It ends with KeyError: 'x'."),
        ("Traceback (most recent call last):\n  File", "traceback of Python", "cut off"),
        ("<html>\r\n<head><title>502 Bad Gateway</title></head></html>", "web page", "'502 Bad Gateway'"),
        ("<!DOCTYPE html><body>", "web page", "without a title"),
        ("SyntaxError: Unexpected token '<' is not valid JSON\n    at JSON.parse (<anonymous>)\n    at f (/a.js:1:2)",
         "traceback of JavaScript", "It begins with SyntaxError: Unexpected token '<' is not valid JSON."),
        ("pydantic_core._pydantic_core.ValidationError: 1 validation error for Call\nfunction.arguments\n  Input should be a valid string",
         "error of a program", "1 validation error for Call function.arguments"),
        ("https://github.com/o/r/issues/1", "address of a page", "nothing is fetched"),
        (json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "f"}}), "call of an MCP tool", "'f'"),
        (json.dumps({"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "Unknown tool."}}),
         "error of an MCP server", "code -32602: Unknown tool."),
        (json.dumps({"jsonrpc": "2.0", "id": 1, "result": {}}), "message of MCP", "no model's reply"),
    ],
)  # fmt: skip
def test_texts_about_calls_are_named(text: str, title: str, words: str) -> None:
    told = spoken_of(text)
    assert told is not None
    assert told.title == title
    assert words in told.sentence


@pytest.mark.parametrize(
    "text",
    [
        "hello",
        '{"a": 1}',
        "{broken",
        "see https://x/issues/1 for more",
        "An Error: it happened\n at home",
        "<htmlx>",
        'AI_Error: no JSON: Text: {"city": "Ro\n    at f (/a.js:1:2)',
    ],
)
def test_nothing_is_said_of_other_texts(text: str) -> None:
    assert spoken_of(text) is None


def test_a_body_that_python_refuses_is_told_as_it_stands() -> None:
    error = error_in_text("openai.BadRequestError: Error code: 400 - {{}: 'bad'}")
    assert error is not None
    assert (error.status, "{{}: 'bad'}" in error.message) == (400, True)
