"""Google's, Ollama's and OpenAI's own clients against the simulated server, and our own client beside them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import ollama
import openai
import pytest
from google import genai
from google.genai import errors, types

from tests.kit.client_run import FAST, Outcome, collect
from workbench.core.exchange import Endpoint
from workbench.core.messages import ChatRequest, Message, NativeCall
from workbench.core.tools import ToolSpec
from workbench.providers.client import HttpClient
from workbench.simulate.personas import PERSONAS
from workbench.simulate.simulated_server import SimulatedServer

QUICK = {"tokens_per_second": 0, "rates": {"*": 0}}
MODEL = "mistral-steady"
ASK = "Fire the pottery in the kiln at 980 degrees."
KILN = ToolSpec(
    "fire_kiln",
    "Fire pottery in a kiln",
    {"type": "object", "properties": {"temperature_c": {"type": "integer"}}, "required": ["temperature_c"]},
)
WANTED = [("fire_kiln", {"temperature_c": 980})]


@asynccontextmanager
async def simulated() -> AsyncIterator[SimulatedServer]:
    server = SimulatedServer()
    await server.start()
    try:
        yield server
    finally:
        await server.aclose()


async def ours(server: SimulatedServer, wire: str, *turns: Message, stream: bool) -> Outcome:
    """The same question through our own client; the answer has no fault."""
    messages = (Message("user", ASK), *turns)
    request = ChatRequest(MODEL, messages, tools=(KILN,), stream=stream, seed=1, extra={"simulate": QUICK})
    async with HttpClient(Endpoint("t", wire, server.root_url), options=FAST) as client:
        outcome = Outcome(await collect(client, request))
    assert outcome.done[-1].error is None
    return outcome


def made(outcome: Outcome) -> list[tuple[str, Any]]:
    return [(call.name, json.loads(call.arguments)) for call in outcome.reply.calls]


@pytest.mark.parametrize("stream", [False, True])
def test_google(stream: bool) -> None:
    declared = types.FunctionDeclaration(
        name=KILN.name, description=KILN.description, parameters=types.Schema.model_validate(
            {"type": "OBJECT", "properties": {"temperature_c": {"type": "INTEGER"}}, "required": ["temperature_c"]}
        ),
    )  # fmt: skip
    config = types.GenerateContentConfig(
        tools=[types.Tool(function_declarations=[declared])],
        system_instruction="Be careful.",
        seed=1,
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
    )

    def ask(client: genai.Client, contents: list[types.Content]) -> list[types.GenerateContentResponse]:
        fields: Any = {"model": MODEL, "contents": contents, "config": config}
        if stream:
            return list(client.models.generate_content_stream(**fields))
        return [client.models.generate_content(**fields)]

    def talk(url: str) -> None:
        options = types.HttpOptions(base_url=url, extra_body={"simulate": QUICK})
        client = genai.Client(api_key="none", http_options=options)
        try:
            user = types.Content(role="user", parts=[types.Part(text=ASK)])
            first = ask(client, [user])
            (part,) = [p for response in first for p in response.parts or [] if p.function_call]
            assert part.function_call is not None
            assert [(part.function_call.name, part.function_call.args)] == WANTED
            assert first[-1].candidates is not None
            assert first[-1].candidates[0].finish_reason is types.FinishReason.STOP
            assert first[-1].usage_metadata is not None
            assert (first[-1].usage_metadata.candidates_token_count or 0) > 3
            result = types.Part.from_function_response(name="fire_kiln", response={"result": "the kiln is hot"})
            turns = [user, types.Content(role="model", parts=[part]), types.Content(role="user", parts=[result])]
            assert "the kiln is hot" in "".join(response.text or "" for response in ask(client, turns))
            with pytest.raises(errors.ClientError) as refused:
                client.models.generate_content(model="nobody", contents="x")
            assert refused.value.code == 404
            assert refused.value.status == "NOT_FOUND"
            listed = [model.name for model in client.models.list()]
            assert listed == [f"models/{name}" for name in PERSONAS]
            assert client.models.get(model="steady").name == f"models/{MODEL}"
        finally:
            client.close()

    async def main() -> None:
        async with simulated() as server:
            await asyncio.to_thread(talk, server.root_url)
            outcome = await ours(server, "gemini_generate", stream=stream)
            assert (made(outcome), outcome.reply.finish, outcome.reply.model) == (WANTED, "STOP", MODEL)
            (call,) = outcome.reply.calls
            turn = Message("assistant", "", (NativeCall(0, call.id, call.name, call.arguments),), extra=outcome.reply.notices["send_back"])  # fmt: skip
            last = await ours(server, "gemini_generate", turn, Message("tool", "the kiln is hot", tool_call_id=call.id), stream=stream)  # fmt: skip
            assert "the kiln is hot" in last.reply.text
            async with HttpClient(Endpoint("t", "gemini_generate", server.root_url), options=FAST) as client:
                assert [model.id for model in await client.list_models()] == list(PERSONAS)

    asyncio.run(main())


@pytest.mark.parametrize("stream", [False, True])
def test_ollama(stream: bool) -> None:
    async def ask(client: ollama.AsyncClient, messages: list[Any]) -> list[ollama.ChatResponse]:
        fields: Any = {"tools": [KILN.to_openai()], "options": {"simulate": QUICK, "seed": 1}}
        if not stream:
            return [await client.chat(MODEL, messages, **fields)]
        return [chunk async for chunk in await client.chat(MODEL, messages, stream=True, **fields)]

    async def talk(client: ollama.AsyncClient) -> None:
        user = {"role": "user", "content": ASK}
        first = await ask(client, [user])
        calls = [call for chunk in first for call in chunk.message.tool_calls or []]
        assert [(call.function.name, call.function.arguments) for call in calls] == WANTED
        assert (first[-1].done, first[-1].done_reason) == (True, "stop")
        assert (first[-1].eval_count or 0) > 3
        turn = next(chunk.message for chunk in first if chunk.message.tool_calls)
        result = {"role": "tool", "tool_name": "fire_kiln", "content": "the kiln is hot"}
        last = await ask(client, [user, turn, result])
        assert "the kiln is hot" in "".join(chunk.message.content or "" for chunk in last)
        with pytest.raises(ollama.ResponseError) as refused:
            await client.chat("nobody", [user])
        assert refused.value.status_code == 404
        assert [model.model for model in (await client.list()).models] == list(PERSONAS)

    async def main() -> None:
        async with simulated() as server:
            client = ollama.AsyncClient(host=server.root_url)
            try:
                await talk(client)
            finally:
                await client._client.aclose()
            outcome = await ours(server, "ollama_chat", stream=stream)
            assert (made(outcome), outcome.reply.finish, outcome.reply.model) == (WANTED, "stop", MODEL)
            (call,) = outcome.reply.calls
            turn = Message("assistant", "", (NativeCall(0, call.id, call.name, call.arguments),))
            last = await ours(server, "ollama_chat", turn, Message("tool", "the kiln is hot", tool_call_id=call.id), stream=stream)  # fmt: skip
            assert "the kiln is hot" in last.reply.text
            async with HttpClient(Endpoint("t", "ollama_chat", server.root_url), options=FAST) as ours_:
                assert [model.id for model in await ours_.list_models()] == list(PERSONAS)

    asyncio.run(main())


@pytest.mark.parametrize("stream", [False, True])
def test_openai_responses(stream: bool) -> None:
    tool: Any = {"type": "function", "name": KILN.name, "description": KILN.description, "parameters": KILN.parameters, "strict": False}  # fmt: skip

    async def ask(client: openai.AsyncOpenAI, items: list[Any]) -> Any:
        fields: Any = {"model": MODEL, "input": items, "tools": [tool], "extra_body": {"simulate": QUICK, "seed": 1}}
        if not stream:
            return await client.responses.create(**fields)
        async with client.responses.stream(**fields) as events:
            return await events.get_final_response()

    async def main() -> None:
        async with simulated() as server:
            async with openai.AsyncOpenAI(base_url=server.base_url, api_key="none", max_retries=0) as client:
                user = {"role": "user", "content": ASK}
                first = await ask(client, [user])
                (call,) = [item for item in first.output if item.type == "function_call"]
                assert [(call.name, json.loads(call.arguments))] == WANTED
                assert (first.status, first.usage.output_tokens > 3) == ("completed", True)
                result = {"type": "function_call_output", "call_id": call.call_id, "output": "the kiln is hot"}
                turn = {
                    "type": "function_call",
                    "call_id": call.call_id,
                    "name": call.name,
                    "arguments": call.arguments,
                }
                last = await ask(client, [user, turn, result])
                assert "the kiln is hot" in last.output_text
                with pytest.raises(openai.NotFoundError):
                    await client.responses.create(model="nobody", input="x")
            outcome = await ours(server, "openai_responses", stream=stream)
            assert (made(outcome), outcome.reply.finish, outcome.reply.model) == (WANTED, "completed", MODEL)

    asyncio.run(main())


@pytest.mark.parametrize(
    "wire", ["openai_chat", "openai_responses", "anthropic_messages", "gemini_generate", "ollama_chat"]
)
def test_every_wire_brings_the_same_reply(wire: str) -> None:
    """The same seed over five protocols, streamed and whole."""

    async def main() -> None:
        async with simulated() as server:
            base = await ours_text(server, "openai_chat", stream=False)
            for stream in (False, True):
                assert await ours_text(server, wire, stream=stream) == base

    async def ours_text(server: SimulatedServer, wire: str, *, stream: bool) -> tuple[str, list[tuple[str, Any]]]:
        at = server.base_url if wire.startswith("openai") else server.root_url
        request = ChatRequest(
            MODEL, (Message("user", ASK),), tools=(KILN,), stream=stream, max_tokens=400, extra={"simulate": QUICK, "seed": 3}
        )  # fmt: skip
        async with HttpClient(Endpoint("t", wire, at), options=FAST) as client:
            outcome = Outcome(await collect(client, request))
        assert outcome.done[-1].error is None
        return outcome.reply.text, made(outcome)

    asyncio.run(main())
