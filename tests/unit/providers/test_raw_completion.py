from __future__ import annotations

import asyncio
import json
from contextlib import aclosing
from dataclasses import replace

import pytest

from tests.kit.wire_server import Action, Request, answer, head, sse, wire_server
from workbench.core.errors import InvalidInput
from workbench.core.events import ChunkReceived, ExchangeEnded, ExchangeEvent, ExchangeStarted
from workbench.core.exchange import Endpoint, TextDelta, WireRequest
from workbench.core.messages import ChatRequest, Message, Reasoning
from workbench.core.tools import ToolSpec
from workbench.providers.client import HttpClient
from workbench.providers.raw_completion import KnownRendering, RawCompletion

REQUEST = ChatRequest(
    "m", (Message("user", "hi"),), tools=(ToolSpec("search", "Finds.", {"type": "object"}),), max_tokens=7, stream=True, extra={"think": True},
)  # fmt: skip
SAID = '<tool_call>\n{"name": "search"}\n</tool_call>'


def llama(request: Request) -> list[Action]:
    if request.target == "/apply-template":
        return answer(200, json.dumps({"prompt": "<|user|>hi"}).encode())
    return [
        head(),
        sse(json.dumps({"content": SAID}), json.dumps({"content": "", "stop": True, "tokens_predicted": 3})),
    ]


def vllm(request: Request) -> list[Action]:
    if request.target == "/tokenize":
        return answer(200, json.dumps({"count": 2, "tokens": [1, 2]}).encode())
    if request.target != "/v1/completions":
        return answer(404, b'{"detail": "Not Found"}')
    return [head(), sse(json.dumps({"choices": [{"text": SAID, "finish_reason": "stop"}]}), "[DONE]")]


def ollama(request: Request) -> list[Action]:
    if request.target == "/api/chat":
        return answer(200, json.dumps({"_debug_info": {"rendered_template": "USER hi"}}).encode())
    rows = ({"response": SAID, "done": False}, {"response": "", "done": True, "done_reason": "stop"})
    return [head(kind="application/x-ndjson") + "".join(json.dumps(row) + "\n" for row in rows).encode()]


def nobody(_: Request) -> list[Action]:
    return answer(404, b"no such thing")


def asked(
    serve: object, wire: str = "openai_chat", known: KnownRendering | None = None
) -> tuple[list[Request], str, ExchangeEnded]:
    """What was sent, the text that came, and how it ended."""

    async def work() -> tuple[list[Request], str, ExchangeEnded]:
        async with wire_server(lambda request, _: serve(request)) as server:  # type: ignore[operator]
            base = server.url if wire == "openai_chat" else server.url.removesuffix("/v1")
            through = HttpClient(Endpoint("p", wire, base), "secret-key-123")
            try:
                async with aclosing(RawCompletion(through, known or KnownRendering()).exchange(REQUEST)) as stream:
                    events = [event async for event in stream]
            finally:
                await through.aclose()
        deltas = [delta for event in events if isinstance(event, ChunkReceived) for delta in event.deltas]
        text = "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))
        assert "secret-key-123" not in repr(events)
        last = events[-1]
        assert isinstance(last, ExchangeEnded)
        return server.requests, text, last

    return asyncio.run(work())


@pytest.mark.parametrize(
    ("serve", "wire", "targets", "prompt"),
    [
        (llama, "openai_chat", ["/apply-template", "/completion"], "<|user|>hi"),
        (vllm, "openai_chat", ["/apply-template", "/tokenize", "/v1/completions"], [1, 2]),
        (ollama, "ollama_chat", ["/api/chat", "/api/generate"], "USER hi"),
    ],
)
def test_the_servers_template_renders_and_the_models_own_text_comes_back(
    serve: object, wire: str, targets: list[str], prompt: object
) -> None:
    known = KnownRendering()
    sent, text, last = asked(serve, wire, known)
    assert ([one.target for one in sent], text, last.error) == (targets, SAID, None)
    rendered, completed = json.loads(sent[-2].body), json.loads(sent[-1].body)
    assert (rendered["messages"][0]["content"], rendered["tools"][0]["function"]["name"]) == ("hi", "search")
    assert completed["prompt"] == prompt
    assert not {"messages", "tools", "think"} & completed.keys()
    assert sent[-1].headers["authorization"] == "Bearer secret-key-123"
    again, _, _ = asked(serve, wire, known)
    assert [one.target for one in again] == targets[-2:]


def test_token_limit_and_special_tokens_by_server() -> None:
    assert json.loads(asked(llama)[0][-1].body)["n_predict"] == 7
    body = json.loads(asked(vllm)[0][-1].body)
    assert (body["max_tokens"], body["skip_special_tokens"]) == (7, False)
    assert json.loads(asked(ollama, "ollama_chat")[0][-1].body)["raw"] is True


def test_a_server_that_renders_nothing_is_an_error_that_says_who_does() -> None:
    sent, text, last = asked(nobody)
    assert ([one.target for one in sent], text) == (["/apply-template", "/tokenize"], "")
    assert last.error is not None
    assert "vLLM" in last.error.message
    assert "llama.cpp, vLLM and Ollama" in last.error.hint


def test_a_preview_shows_the_chat_of_which_the_prompt_is_made() -> None:
    client = RawCompletion(HttpClient(Endpoint("p", "openai_chat", "http://127.0.0.1:1/v1")), KnownRendering())
    shown = client.encode(REQUEST)
    assert (shown.url.endswith("/chat/completions"), "search" in shown.body.decode()) == (True, True)


def test_other_protocols_have_no_raw_completion() -> None:
    with pytest.raises(InvalidInput, match="without its parser"):
        RawCompletion(HttpClient(Endpoint("p", "anthropic_messages", "https://example.org")), KnownRendering())


@pytest.mark.parametrize("status", [400, 404, 500])
def test_what_stands_in_a_refusal_is_no_prompt(status: int) -> None:
    def refusing(request: Request) -> list[Action]:
        return answer(status, json.dumps({"prompt": "why it was refused", "tokens": [1]}).encode())

    sent, text, last = asked(refusing)
    assert (text, {"/completion", "/v1/completions"} & {one.target for one in sent}) == ("", set())
    assert last.error is not None


@pytest.mark.parametrize(("status", "addresses"), [(401, 1), (500, 1), (404, 2), (405, 2), (501, 2)])
def test_another_servers_address_is_asked_where_this_one_is_not_known(status: int, addresses: int) -> None:
    sent, _, last = asked(lambda _: answer(status, b"no"))
    assert [one.target for one in sent] == ["/apply-template", "/tokenize"][:addresses]
    assert last.error is not None
    assert f"{['llama.cpp', 'vLLM'][addresses - 1]}'s address for it answered {status}." in last.error.message


def test_a_server_that_is_not_there_is_told_with_the_address_that_was_asked() -> None:
    async def work() -> ExchangeEnded:
        async with wire_server(lambda request, _: nobody(request)) as server:
            base = server.url
        through = HttpClient(Endpoint("p", "openai_chat", base), "secret-key-123")
        try:
            async with aclosing(RawCompletion(through, KnownRendering()).exchange(REQUEST)) as stream:
                events = [event async for event in stream]
        finally:
            await through.aclose()
        last = events[-1]
        assert isinstance(last, ExchangeEnded)
        return last

    error = asyncio.run(work()).error
    assert error is not None
    assert error.where.endswith("/apply-template")


def test_a_prompt_that_is_no_json_is_none() -> None:
    def talking(request: Request) -> list[Action]:
        return answer(200, b"<html>sign in</html>") if request.target == "/apply-template" else answer(500, b"no")

    sent, text, last = asked(talking)
    assert (sent[0].target, text) == ("/apply-template", "")
    assert last.error is not None
    assert last.error.message.startswith("No prompt was rendered")


def test_an_answer_nested_without_end_holds_no_prompt() -> None:
    _, text, last = asked(lambda _: answer(200, b"[" * 100_000))
    assert text == ""
    assert last.error is not None
    assert last.error.message == "No prompt was rendered: llama.cpp's address for it answered 200."


@pytest.mark.parametrize(
    "base", ["http://127.0.0.1:1/v1", " http://127.0.0.1:1/v1/ ", "http://127.0.0.1:1", "http://127.0.0.1:1/api"]
)
def test_the_servers_root_is_found_below_its_address(base: str) -> None:
    client = RawCompletion(HttpClient(Endpoint("p", "ollama_chat", base)), KnownRendering())
    assert client._root == "http://127.0.0.1:1"


VLLM_OWN = {"skip_special_tokens": False, "spaces_between_special_tokens": False}


@pytest.mark.parametrize(
    ("serve", "wire", "asked_more", "fields"),
    [
        (llama, "openai_chat", {}, {"prompt": "<|user|>hi", "n_predict": 7, "stream": True}),
        (vllm, "openai_chat", {"add_generation_prompt": True}, {"prompt": [1, 2], "max_tokens": 7, "stream": True, "stream_options": {"include_usage": True}, **VLLM_OWN}),
        (ollama, "ollama_chat", {"_debug_render_only": True}, {"prompt": "USER hi", "raw": True, "stream": True, "options": {"num_predict": 7}}),
    ],
)  # fmt: skip
def test_what_is_asked_and_what_is_sent(
    serve: object, wire: str, asked_more: dict[str, object], fields: dict[str, object]
) -> None:
    sent, _, _ = asked(serve, wire)
    rendered, completed = json.loads(sent[-2].body), json.loads(sent[-1].body)
    assert asked_more.items() <= rendered.items()
    assert rendered["stream"] is False
    assert {name: value for name, value in completed.items() if name != "model"} == fields


def test_a_whole_reply_without_a_limit_asks_for_neither() -> None:
    client = RawCompletion(HttpClient(Endpoint("p", "openai_chat", "http://127.0.0.1:1/v1")), KnownRendering())
    client._known.way = client._ways[1]
    client._prompt = [1]
    bare = ChatRequest("m", (Message("user", "-"),), stream=False)
    assert json.loads(client._to_send(bare).body) == {"model": "m", "prompt": [1], "stream": False, **VLLM_OWN}
    limited = client._to_send(replace(bare, max_tokens=3))
    assert json.loads(limited.body)["max_tokens"] == 3
    assert limited.url == "http://127.0.0.1:1/v1/completions"


@pytest.mark.parametrize("answer_of", [b'{"prompt": ""}', b"[]", b'"text"', b'{"prompt": null}'])
def test_an_answer_without_a_prompt_is_told(answer_of: bytes) -> None:
    sent, _, last = asked(lambda _: answer(200, answer_of))
    assert [one.target for one in sent] == ["/apply-template"]
    assert last.error is not None
    assert (last.error.status, last.error.body) == (200, answer_of.decode())
    assert last.error.where.startswith("POST http://127.0.0.1:")


def test_other_protocols_are_told_what_to_leave_out() -> None:
    with pytest.raises(InvalidInput) as caught:
        RawCompletion(HttpClient(Endpoint("mine", "anthropic_messages", "https://example.org")), KnownRendering())
    assert caught.value.message == (
        "mine cannot be asked without its parser. The model's own text can be had from llama.cpp, vLLM and Ollama,"
        " which render their chat template."
    )
    assert caught.value.hint == "Leave parser=workbench out, or take format=text."


def test_letters_of_all_languages_go_out_as_they_are() -> None:
    """A server that counts bytes, or that a person watches, gets no escapes."""
    given = replace(REQUEST, messages=(Message("user", "Größe €"),))

    def rendering(request: Request) -> list[Action]:
        return answer(200, json.dumps({"prompt": "Größe €"}).encode()) if "apply" in request.target else llama(request)

    async def work() -> list[Request]:
        async with wire_server(lambda request, _: rendering(request)) as server:
            through = HttpClient(Endpoint("p", "openai_chat", server.url))
            async with through, aclosing(RawCompletion(through, KnownRendering()).exchange(given)) as stream:
                _ = [event async for event in stream]
            return server.requests

    rendered, completed = asyncio.run(work())
    assert "Größe €".encode() in rendered.body
    assert "Größe €".encode() in completed.body


def test_nothing_of_the_chat_goes_out_beside_its_prompt() -> None:
    """What is sent is asked of the wire without the chat, which might refuse it."""
    seen: list[ChatRequest] = []
    full = replace(
        REQUEST,
        tool_choice="required",
        parallel_tool_calls=False,
        reasoning=Reasoning("low"),
        by_wire={"openai_chat": {"a": 1}},
    )

    async def work() -> None:
        async with wire_server(lambda request, _: llama(request)) as server:
            through = HttpClient(Endpoint("p", "openai_chat", server.url))
            async with through:
                client = RawCompletion(through, KnownRendering())
                send = client._to_send

                def noted(request: ChatRequest) -> WireRequest:
                    seen.append(request)
                    return send(request)

                client._to_send = noted  # type: ignore[method-assign]
                async with aclosing(client.exchange(full)) as stream:
                    _ = [event async for event in stream]

    asyncio.run(work())
    assert seen == [ChatRequest("m", (Message("user", "-"),), max_tokens=7, stream=True, extra={"think": True})]


def test_a_prompt_that_could_not_be_had_is_one_exchange() -> None:
    async def work() -> list[ExchangeEvent]:
        async with wire_server(lambda request, _: nobody(request)) as server:
            through = HttpClient(Endpoint("p", "openai_chat", server.url), "secret-key-123")
            async with through, aclosing(RawCompletion(through, KnownRendering()).exchange(REQUEST)) as stream:
                return [event async for event in stream]

    begun, ended = asyncio.run(work())
    assert isinstance(begun, ExchangeStarted)
    assert isinstance(ended, ExchangeEnded)
    assert (begun.exchange, ended.exchange, ended.retry_in) == (0, 0, None)
    assert begun.request.url.endswith("/tokenize")
    assert begun.at_us <= ended.at_us


def test_before_a_way_is_known_the_chat_is_sent_as_it_is() -> None:
    client = RawCompletion(HttpClient(Endpoint("p", "openai_chat", "http://127.0.0.1:1/v1")), KnownRendering())
    sent = client._to_send(ChatRequest("m", (Message("user", "-"),)))
    assert sent.url == "http://127.0.0.1:1/completion"
    assert "prompt" in json.loads(sent.body)
