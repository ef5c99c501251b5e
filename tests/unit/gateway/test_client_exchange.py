from __future__ import annotations

import asyncio
import json
from pathlib import Path

import httpx
import pytest

from tests.kit.gateway import ASK, CHAT, LEAK, Upstream, chat_body, chat_stream, in_gateway, left_early
from workbench.app import Workbench
from workbench.core.events import RunStarted, StopReason
from workbench.core.run_summary import RunSummary
from workbench.gateway import client_exchange as module
from workbench.gateway.gateway import Gateway
from workbench.gateway.routes import Way


async def streamed(client: httpx.AsyncClient, path: str, body: dict) -> list[dict]:
    """The data events of a streamed reply."""
    async with client.stream("POST", path, json={**body, "stream": True}) as reply:
        assert reply.status_code == 200
        lines = [line async for line in reply.aiter_lines()]
    return [json.loads(line[6:]) for line in lines if line.startswith("data: {")]


@pytest.mark.parametrize("target", ["Simulator/mistral-steady", "Simulator/qwen-hasty",
                                    "provider=Simulator,model=aux-stubborn,boost=Simulator/plain"])  # fmt: skip
def test_emulated_calls_are_native_for_the_client(home: Path, target: str) -> None:
    async def body(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        whole = (await client.post(CHAT, json=ASK)).json()["choices"][0]
        assert whole["finish_reason"] == "tool_calls"
        (call,) = whole["message"]["tool_calls"]
        assert json.loads(call["function"]["arguments"]) == {"path": "app.toml"}
        events = await streamed(client, CHAT, ASK)
        pieces = [
            piece for event in events for choice in event["choices"] for piece in choice["delta"].get("tool_calls", ())
        ]
        assert json.loads("".join(piece["function"].get("arguments", "") for piece in pieces)) == {"path": "app.toml"}
        result = {"role": "tool", "tool_call_id": call["id"], "content": "port = 5432"}
        second = {**ASK, "messages": [*ASK["messages"], whole["message"], result]}
        answer = (await client.post(CHAT, json=second)).json()["choices"][0]
        assert "5432" in answer["message"]["content"]
        assert "<tool_call>" not in json.dumps(answer)

    in_gateway(home, body, target)


def test_every_exchange_is_a_run_with_its_client(home: Path) -> None:
    async def body(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        reply = await client.post(
            CHAT, json={**ASK, "logit_bias": {}}, headers={"x-workbench-run": "t1", "user-agent": "curl/1"}
        )
        stored = await wb.load(reply.headers["x-workbench-run"])
        (started,) = [event for event in stored.events if isinstance(event, RunStarted)]
        assert (started.origin, started.title) == ("gateway", "t1")
        assert started.client is not None
        assert (started.client.client, started.client.model, started.client.name) == ("curl 1", "m", "t1")
        assert gateway.conversations.exchanges == 1
        assert not gateway.conversations.open

    in_gateway(home, body, "Simulator/mistral-steady")


@pytest.mark.parametrize("stream", [False, True])
def test_errors_of_the_provider_have_their_status_and_shape(home: Path, stream: bool) -> None:
    upstream = Upstream(b'{"error": {"message": "Slow down.", "type": "rate_limit"}}', status=429)

    async def body(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        reply = await client.post(CHAT, json={**ASK, "stream": stream})
        assert reply.status_code == 429
        assert "Slow down." in reply.json()["error"]["message"]
        assert wb.store.load(reply.headers["x-workbench-run"]).summary().finished, "told before it was recorded"

    in_gateway(home, body, "Up/m", upstream=upstream)


@pytest.mark.parametrize(("way", "called"), [(Way.ROUTE, False), (Way.REPAIR, True)])
@pytest.mark.parametrize("stream", [False, True])
def test_repair_lifts_a_leaked_call(home: Path, way: Way, called: bool, stream: bool) -> None:
    pieces = chat_stream({"content": LEAK[:20]}, {"content": LEAK[20:]}) if stream else [chat_body(LEAK)]
    upstream = Upstream(*pieces, kind="text/event-stream" if stream else "application/json")

    async def body(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        if stream:
            events = await streamed(client, CHAT, ASK)
            deltas = [choice["delta"] for event in events for choice in event["choices"]]
            calls = [call for delta in deltas for call in delta.get("tool_calls", ())]
            text = "".join(delta.get("content") or "" for delta in deltas)
        else:
            message = (await client.post(CHAT, json=ASK)).json()["choices"][0]["message"]
            calls, text = message.get("tool_calls") or [], message["content"] or ""
        assert bool(calls) is called
        assert "TOOL_CALLS" not in text
        (seen,) = gateway.conversations.all()[0].exchanges
        assert [(one.kind, one.mended) for one in seen.incidents] == [("tool_markup_in_content", called)]

    in_gateway(home, body, "Up/m", way, upstream=upstream)


def test_client_disconnect_ends_run_and_request(home: Path) -> None:
    upstream = Upstream(*chat_stream({"content": "a"}, {"content": "b"}), kind="text/event-stream")

    async def body(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        finished = await left_early(wb, client, upstream)
        assert (finished.stop, finished.cancel) == (StopReason.CANCELLED, "client")

    in_gateway(home, body, "Up/m", upstream=upstream)


def test_a_waiting_client_is_kept_in_patience(home: Path, monkeypatch) -> None:
    monkeypatch.setattr(module, "PING_S", 0.05)
    upstream = Upstream(*chat_stream({"content": "late"}), kind="text/event-stream")

    async def body(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        upstream.hold.clear()
        seen = b""
        async with client.stream("POST", CHAT, json={**ASK, "stream": True}) as reply:
            async for piece in reply.aiter_bytes():
                seen += piece
                if seen.count(b": ping") >= 2:
                    upstream.hold.set()
        assert b"late" in seen
        assert seen.rstrip().endswith(b"[DONE]")

    in_gateway(home, body, "Up/m", upstream=upstream)


@pytest.mark.parametrize("stream", [False, True])
def test_when_the_time_for_planning_is_over_the_request_is_answered_directly(home: Path, stream: bool) -> None:
    upstream = Upstream(chat_body("SUMMARY: planned"))

    async def body(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        upstream.hold.clear()  # the planner never ends
        reply = await client.post(CHAT, json={**ASK, "stream": stream})
        assert reply.status_code == 200
        assert "read_file" in reply.text
        assert reply.headers[module.FALLBACK].startswith("the time budget of 0.2 s was over")
        (seen,) = gateway.conversations.all()[0].exchanges
        assert seen.facts.fallback.startswith("the time budget")
        assert seen.done
        ended: list[RunSummary] = []
        while len(ended) < 2:  # the client has its answer before the end of the planned run is stored
            await asyncio.sleep(0.01)
            runs = [(await wb.load(row.id)).summary() for row in wb.store.list_runs()]
            ended = [run for run in runs if run.finished]
        assert [(run.finished.stop, run.finished.cancel) for run in ended if run.finished] == [
            (StopReason.RECORDED, None), (StopReason.CANCELLED, "budget")
        ]  # fmt: skip
        assert seen.run_id == ended[0].run_id

    in_gateway(home, body, "provider=Simulator,model=mistral-steady,boost=Up/planner,seconds=0.2", upstream=upstream)


def test_a_plan_within_its_time_is_no_fallback(home: Path) -> None:
    async def body(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        reply = await client.post(CHAT, json=ASK)
        assert module.FALLBACK not in reply.headers
        (seen,) = gateway.conversations.all()[0].exchanges
        assert not seen.facts.fallback

    in_gateway(home, body, "provider=Simulator,model=aux-stubborn,boost=Simulator/plain,seconds=100")
