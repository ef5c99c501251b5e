"""The simulated server over real loopback HTTP, with plain HTTP and with the vendors' own clients."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import anthropic
import httpx
import openai
import pytest

from tests.kit.agents import CLAUDE_CODE, CODEX
from tests.kit.waiting import LIMIT_S
from workbench.core.tools import ToolSpec
from workbench.formats import get_format
from workbench.simulate.personas import PERSONAS
from workbench.simulate.simulated_server import SimulatedServer

FAST = {"tokens_per_second": 0}
KILN = ToolSpec(
    "fire_kiln",
    "Fire pottery in a kiln",
    {"type": "object", "properties": {"temperature_c": {"type": "integer"}}, "required": ["temperature_c"]},
)
SHELF = ToolSpec(
    "label_shelf",
    "Put a label on a shelf",
    {"type": "object", "properties": {"shelf": {"type": "string"}}, "required": ["shelf"]},
)
TOOLS = [KILN.to_openai(), SHELF.to_openai()]
ASK = "Fire the pottery in the kiln at 980 degrees."
USER: list[Any] = [{"role": "user", "content": ASK}]


def _serve(body: Callable[[SimulatedServer, httpx.AsyncClient], Awaitable[None]]) -> None:
    async def main() -> None:
        server = SimulatedServer()
        await server.start()
        try:
            async with httpx.AsyncClient(base_url=server.base_url, timeout=LIMIT_S) as client:
                await body(server, client)
        finally:
            await server.aclose()

    asyncio.run(main())


def _body(model: str, *, simulate: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    return {"model": model, "messages": USER, "simulate": FAST | (simulate or {}), **fields}


async def _read_into(seen: list[bytes], reply: httpx.Response) -> None:
    async for piece in reply.aiter_raw():
        seen.append(piece)


def test_models_are_listed_and_marked_as_simulated() -> None:
    async def body(server: SimulatedServer, client: httpx.AsyncClient) -> None:
        assert server.running
        assert server.base_url == f"{server.root_url}/v1"
        reply = await client.get("/models")
        assert [item["id"] for item in reply.json()["data"]] == list(PERSONAS) == list(server.model_ids)
        assert reply.headers["x-simulated"] == "true"
        assert reply.headers["server"] == "workbench-simulator"
        assert (await client.get("/models/steady")).json()["id"] == "mistral-steady"
        assert (await client.get("/models/nobody")).status_code == 404
        assert (await client.get("/elsewhere")).status_code == 404
        assert (await client.post("/elsewhere")).status_code == 404

    _serve(body)


@pytest.mark.parametrize(
    ("fields", "status", "code"),
    [
        ({"model": "nobody"}, 404, "model_not_found"),
        ({"model": "steady+nonsense"}, 400, None),
        ({"model": "steady", "messages": []}, 400, None),
        ({"model": "plain", "tools": TOOLS}, 400, None),
        ({"model": "steady", "simulate": {"speed": 3}}, 400, None),
    ],
)
def test_refusals_have_openais_shape(fields: dict[str, Any], status: int, code: str | None) -> None:
    async def body(_: SimulatedServer, client: httpx.AsyncClient) -> None:
        reply = await client.post("/chat/completions", json=_body("steady") | fields)
        assert reply.status_code == status
        error = reply.json()["error"]
        assert error["type"] == "invalid_request_error"
        assert error["code"] == code
        assert error["message"]

    _serve(body)


def test_openais_own_client_gets_calls_and_answers() -> None:
    async def body(server: SimulatedServer, _: httpx.AsyncClient) -> None:
        async with openai.AsyncOpenAI(base_url=server.base_url, api_key="none", max_retries=0) as client:
            extra = {"simulate": FAST | {"rates": {"*": 0}}}
            messages: list[Any] = list(USER)
            reply = await client.chat.completions.create(
                model="mistral-steady", messages=messages, tools=TOOLS, extra_body=extra
            )
            choice = reply.choices[0]
            assert choice.finish_reason == "tool_calls"
            call = choice.message.tool_calls[0]
            assert call.function.name == "fire_kiln"
            assert json.loads(call.function.arguments) == {"temperature_c": 980}
            assert reply.usage.total_tokens == reply.usage.prompt_tokens + reply.usage.completion_tokens
            result = {"role": "tool", "tool_call_id": call.id, "content": "the kiln is hot"}
            messages = [*messages, choice.message, result]
            last = await client.chat.completions.create(
                model="mistral-steady", messages=messages, tools=TOOLS, extra_body=extra
            )
            assert last.choices[0].finish_reason == "stop"
            assert "the kiln is hot" in last.choices[0].message.content

    _serve(body)


def test_openais_own_client_reads_the_stream() -> None:
    async def body(server: SimulatedServer, _: httpx.AsyncClient) -> None:
        async with openai.AsyncOpenAI(base_url=server.base_url, api_key="none", max_retries=0) as client:
            async with client.chat.completions.stream(
                model="mistral-steady",
                messages=USER,
                tools=TOOLS,
                stream_options={"include_usage": True},
                extra_body={"simulate": FAST | {"rates": {"*": 0}}},
            ) as stream:
                final = await stream.get_final_completion()
            assert final.choices[0].finish_reason == "tool_calls"
            calls = final.choices[0].message.tool_calls
            assert calls is not None
            assert [(call.function.name, call.function.arguments) for call in calls] == [
                ("fire_kiln", '{"temperature_c": 980}')
            ]
            assert final.usage is not None
            assert final.usage.completion_tokens > 3
            async with client.chat.completions.stream(
                model="qwen-hasty", messages=USER, extra_body={"simulate": FAST}
            ) as talk:
                said = [event.delta async for event in talk if event.type == "content.delta"]
            assert len(said) > 5

    _serve(body)


def test_openais_own_client_sees_errors_as_its_own() -> None:
    async def body(server: SimulatedServer, _: httpx.AsyncClient) -> None:
        async with openai.AsyncOpenAI(base_url=server.base_url, api_key="none", max_retries=0) as client:
            with pytest.raises(openai.RateLimitError):
                await client.chat.completions.create(model="steady+429", messages=USER)
            with pytest.raises(openai.InternalServerError):
                await client.chat.completions.create(model="steady+500", messages=USER)
            with pytest.raises(openai.NotFoundError):
                await client.chat.completions.create(model="nobody", messages=USER)
            with pytest.raises(openai.BadRequestError):
                await client.chat.completions.create(model="plain", messages=USER, tools=TOOLS)

    _serve(body)


@pytest.mark.parametrize("streamed", [False, True])
def test_anthropics_own_client_gets_calls_and_answers(streamed: bool) -> None:
    tool: Any = {"name": KILN.name, "description": KILN.description, "input_schema": KILN.parameters}

    async def ask(client: anthropic.AsyncAnthropic, messages: list[Any]) -> anthropic.types.Message:
        fields: Any = {"model": "mistral-steady", "max_tokens": 500, "messages": messages, "tools": [tool],
                       "system": "Be careful.", "extra_body": {"simulate": FAST | {"rates": {"*": 0}}}}  # fmt: skip
        if not streamed:
            return await client.messages.create(**fields)
        async with client.messages.stream(**fields) as stream:
            return await stream.get_final_message()

    async def body(server: SimulatedServer, _: httpx.AsyncClient) -> None:
        async with anthropic.AsyncAnthropic(base_url=server.root_url, api_key="none", max_retries=0) as client:
            reply = await ask(client, USER)
            assert reply.stop_reason == "tool_use"
            (call,) = [block for block in reply.content if block.type == "tool_use"]
            assert (call.name, call.input) == ("fire_kiln", {"temperature_c": 980})
            assert call.id.startswith("toolu_")
            assert reply.usage.output_tokens > 3
            result = {"type": "tool_result", "tool_use_id": call.id, "content": "the kiln is hot"}
            turns = [*USER, {"role": "assistant", "content": reply.content}, {"role": "user", "content": [result]}]
            last = await ask(client, turns)
            assert last.stop_reason == "end_turn"
            assert last.content[0].type == "text"
            assert "the kiln is hot" in last.content[0].text
            with pytest.raises(anthropic.NotFoundError):
                await client.messages.create(model="nobody", max_tokens=5, messages=USER)
            assert [model.id async for model in client.models.list()] == list(PERSONAS)

    _serve(body)


def test_raw_completion_answers_with_bare_text() -> None:
    system = get_format("qwen_xml").prompt([KILN, SHELF])
    prompt = f"<|im_start|>system\n{system}<|im_end|>\n<|im_start|>user\n{ASK}<|im_end|>\n<|im_start|>assistant\n"

    async def body(server: SimulatedServer, client: httpx.AsyncClient) -> None:
        fields = {"prompt": prompt, "model": "qwen-hasty", "seed": 1, "simulate": FAST | {"rates": {"*": 0}}}
        whole = (await client.post(f"{server.root_url}/completion", json=fields)).json()
        assert whole["stop"] is True
        assert '<tool_call>\n{"name": "fire_kiln"' in whole["content"]
        streamed = await client.post(f"{server.root_url}/completion", json=fields | {"stream": True})
        events = [json.loads(line[6:]) for line in streamed.text.splitlines() if line]
        assert "".join(event["content"] for event in events) == whole["content"]
        assert [event["stop"] for event in events] == [False] * (len(events) - 1) + [True]
        assert events[-1]["stop_type"] == "eos"
        assert events[-1]["tokens_predicted"] == whole["tokens_predicted"] > 5

    _serve(body)


def test_the_same_seed_gives_the_same_reply_and_another_seed_another() -> None:
    async def body(_: SimulatedServer, client: httpx.AsyncClient) -> None:
        async def text(**fields: Any) -> str:
            reply = await client.post("/chat/completions", json=_body("qwen-hasty", tools=TOOLS, **fields))
            return str(reply.json()["choices"][0]["message"]["content"]) + reply.headers.get("x-simulated-faults", "")

        seeded = [await text(seed=seed) for seed in range(12)]
        assert seeded == [await text(seed=seed) for seed in range(12)]
        assert len(set(seeded)) > 2
        assert len({await text() for _ in range(12)}) > 2

    _serve(body)


def test_without_a_seed_a_new_server_tells_the_same_story() -> None:
    async def story(client: httpx.AsyncClient) -> list[str]:
        replies = [await client.post("/chat/completions", json=_body("qwen-hasty", tools=TOOLS)) for _ in range(8)]
        return [reply.json()["choices"][0]["message"]["content"] for reply in replies]

    async def both() -> tuple[list[str], list[str]]:
        out = []
        for _ in range(2):
            server = SimulatedServer()
            await server.start()
            async with httpx.AsyncClient(base_url=server.base_url) as client:
                out.append(await story(client))
            await server.aclose()
        return out[0], out[1]

    first, second = asyncio.run(both())
    assert first == second


def test_injected_faults_are_told_in_a_header() -> None:
    async def body(_: SimulatedServer, client: httpx.AsyncClient) -> None:
        rates = {"*": 0, "no close tag": 1, "trailing comma": 1}
        for stream in (False, True):
            reply = await client.post(
                "/chat/completions", json=_body("qwen-hasty", tools=TOOLS, stream=stream, simulate={"rates": rates})
            )
            assert reply.headers["x-simulated-faults"] == "no close tag; trailing comma"

    _serve(body)


@pytest.mark.parametrize("stream", [False, True])
def test_too_many_requests_then_fine(stream: bool) -> None:
    async def body(_: SimulatedServer, client: httpx.AsyncClient) -> None:
        replies = [await client.post("/chat/completions", json=_body("steady+429x2", stream=stream)) for _ in range(6)]
        assert [reply.status_code for reply in replies] == [429, 429, 200] * 2
        assert replies[0].headers["retry-after"] == "1"
        assert replies[0].json()["error"]["code"] == "rate_limit_exceeded"
        network = {"kind": "500", "times": 1}
        simulate = {"network": network}
        asked = [await client.post("/chat/completions", json=_body("steady", simulate=simulate)) for _ in range(2)]
        assert [reply.status_code for reply in asked] == [500, 200]

    _serve(body)


@pytest.mark.parametrize("stream", [False, True])
def test_a_reset_is_a_broken_connection(stream: bool) -> None:
    async def body(_: SimulatedServer, client: httpx.AsyncClient) -> None:
        with pytest.raises(httpx.TransportError):
            await client.post("/chat/completions", json=_body("steady+reset", stream=stream))

    _serve(body)


def test_a_reset_comes_in_mid_stream() -> None:
    async def body(_: SimulatedServer, client: httpx.AsyncClient) -> None:
        simulate = {"network": {"kind": "reset", "after": 3}, "tokens_per_second": 200, "first_token_s": 0}
        fields = _body("steady", stream=True, simulate=simulate)
        async with client.stream("POST", "/chat/completions", json=fields) as reply:
            assert reply.status_code == 200
            seen: list[bytes] = []
            with pytest.raises(httpx.TransportError):
                await _read_into(seen, reply)
            assert 2 <= b"".join(seen).count(b"data: ") <= 4
            assert b"[DONE]" not in b"".join(seen)

    _serve(body)


def test_half_a_reply_ends_politely() -> None:
    async def body(_: SimulatedServer, client: httpx.AsyncClient) -> None:
        streamed = await client.post("/chat/completions", json=_body("steady+half", stream=True))
        assert "data: " in streamed.text
        assert "[DONE]" not in streamed.text
        assert '"finish_reason":"' not in streamed.text
        whole = await client.post("/chat/completions", json=_body("steady+half"))
        with pytest.raises(ValueError):
            whole.json()

    _serve(body)


def test_html_fault_replaces_json() -> None:
    async def body(_: SimulatedServer, client: httpx.AsyncClient) -> None:
        reply = await client.post("/chat/completions", json=_body("steady+html", stream=True))
        assert reply.headers["content-type"].startswith("text/html")
        assert reply.text.startswith("<!doctype html>")

    _serve(body)


@pytest.mark.parametrize("stream", [False, True])
def test_a_stall_is_silence(stream: bool) -> None:
    async def body(_: SimulatedServer, client: httpx.AsyncClient) -> None:
        silence = httpx.Timeout(LIMIT_S, read=0.3)
        with pytest.raises(httpx.ReadTimeout):
            await client.post("/chat/completions", json=_body("steady+stall", stream=stream), timeout=silence)

    _serve(body)


def test_any_cutting_of_the_bytes_gives_the_same_bytes() -> None:
    async def body(_: SimulatedServer, client: httpx.AsyncClient) -> None:
        texts = set()
        for size in (None, 1, 7, 4096):
            simulate = {"chunk_bytes": size} if size else {}
            fields = _body("qwen-hasty", seed=4, stream=True, simulate=simulate)
            text = (await client.post("/chat/completions", json=fields)).text
            texts.add("".join(json.loads(line[6:])["choices"][0]["delta"].get("content", "")
                              for line in text.splitlines() if line and "DONE" not in line))  # fmt: skip
        assert len(texts) == 1

    _serve(body)


def test_pace_is_kept() -> None:
    async def body(_: SimulatedServer, client: httpx.AsyncClient) -> None:
        simulate = {"tokens_per_second": 100, "first_token_s": 0.1}
        loop = asyncio.get_running_loop()
        before = loop.time()
        reply = await client.post("/chat/completions", json=_body("qwen-hasty", max_tokens=20, simulate=simulate))
        took = loop.time() - before
        assert reply.json()["choices"][0]["finish_reason"] == "length"
        assert took >= 0.29

    _serve(body)


@pytest.mark.parametrize(
    ("path", "fields"),
    [("/messages", CLAUDE_CODE), ("/responses", CODEX)],
    ids=["claude-code", "codex"],
)
def test_requests_of_agents_are_answered(path: str, fields: dict[str, Any]) -> None:
    async def body(_: SimulatedServer, client: httpx.AsyncClient) -> None:
        for stream in (True, False):
            reply = await client.post(
                path, json=fields | {"model": "mistral-steady", "simulate": FAST, "stream": stream}
            )
            assert reply.status_code == 200, reply.text

    _serve(body)
