from __future__ import annotations

import asyncio
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pytest

from tests.kit.gateway import ASK, CHAT, LEAK, TOKEN, Upstream, chat_body, chat_stream, in_gateway, left_early
from tests.kit.serving import head, streamed
from workbench.app import Workbench
from workbench.core.events import CancelCause, RunFinished, StepFinished, StopReason, Totals
from workbench.core.exchange import CallDelta, FinishDelta, TextDelta, Usage, UsageDelta
from workbench.core.verdict import VerdictState
from workbench.gateway.gateway import Gateway
from workbench.gateway.pass_through import PassThrough, renamed
from workbench.gateway.routes import Way
from workbench.wires import get_server
from workbench.wires.kit.server import Refusal


def test_bytes_are_untouched_in_both_directions(home: Path) -> None:
    pieces = [piece.replace(b'"object": ', b'"object":   ') for piece in chat_stream({"content": LEAK})]
    upstream = Upstream(*pieces, kind="text/event-stream")
    sent = json.dumps({**ASK, "stream": True, "unknown": {"b": 1, "a": [1.0]}}, indent=3).encode()

    async def body(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        headers = {"content-type": "application/json", "x-custom": "kept", "user-agent": "agent/1"}
        reply = await client.post(f"{CHAT}?beta=true", content=sent, headers=headers)
        assert reply.content == b"".join(pieces)
        assert (reply.headers["x-request-id"], reply.headers["content-type"]) == ("up-1", "text/event-stream")
        (asked,) = upstream.asked
        assert asked.body == sent
        assert asked.query == "beta=true"
        assert (asked.header("x-custom"), asked.header("user-agent")) == ("kept", "agent/1")
        assert TOKEN not in json.dumps(dict(asked.headers))
        while wb.runs.running:
            await asyncio.sleep(0.01)
        stored = await wb.load(reply.headers["x-workbench-run"])
        (finished,) = [event for event in stored.events if isinstance(event, StepFinished)]
        assert finished.reply.text == LEAK
        (seen,) = gateway.conversations.all()[0].exchanges
        assert [one.kind for one in seen.incidents] == ["tool_markup_in_content"]
        assert seen.first_token.added_us is not None

    in_gateway(home, body, "Up/m", Way.PASS_THROUGH, upstream=upstream)


HI = [{"role": "user", "content": "Hi"}]
STREAMED = {
    "openai_responses": ("/v1/responses", {"model": "m", "input": "Hi", "stream": True}),
    "anthropic_messages": ("/v1/messages", {"model": "m", "max_tokens": 9, "messages": HI, "stream": True}),
    "gemini_generate": (
        "/v1beta/models/m:streamGenerateContent?alt=sse",
        {"contents": [{"role": "user", "parts": [{"text": "Hi"}]}]},
    ),
    "ollama_chat": ("/api/chat", {"model": "m", "messages": HI, "stream": True}),
}


@pytest.mark.parametrize("wire", STREAMED)
def test_every_protocol_streams_through_byte_by_byte(wire: str, home: Path) -> None:
    path, asked = STREAMED[wire]
    call = CallDelta(0, "call_1", "read_file", '{"path": "ä.txt"}')
    said = streamed(head(wire), [TextDelta("Hello ä."), call, UsageDelta(Usage(7, 3)), FinishDelta("tool_calls")])
    odd = b": nobody reads this\n\n" if wire != "ollama_chat" else b"\n"
    pieces = [odd, *(said[at : at + 7] for at in range(0, len(said), 7))]
    upstream = Upstream(*pieces, kind=get_server(wire).streams_as, wire=wire)
    sent = json.dumps({**asked, "unknown": {"b": 1, "a": [1.0]}}, indent=3).encode()

    async def body(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        upstream.hold.clear()
        got = b""
        async with client.stream("POST", path, content=sent, headers={"anthropic-version": "2023-06-01"}) as reply:
            async for piece in reply.aiter_raw():
                got += piece
                upstream.hold.set()  # the rest comes once the first bytes are through
        assert got == odd + said
        assert [one.body for one in upstream.asked] == [sent]
        stored = await wb.load(reply.headers["x-workbench-run"])
        (finished,) = [event for event in stored.events if isinstance(event, StepFinished)]
        assert finished.reply.text == "Hello ä."
        assert [one.name for one in finished.reply.native_calls] == ["read_file"]

    in_gateway(home, body, "Up/m", Way.PASS_THROUGH, upstream=upstream)


def test_refusals_of_the_provider_come_back_as_they_are(home: Path) -> None:
    said = b'{"error": {"odd": "shape"}}'
    upstream = Upstream(said, status=418)

    async def body(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        reply = await client.post(CHAT, json=ASK)
        assert (reply.status_code, reply.content) == (418, said)

    in_gateway(home, body, "Up/m", Way.PASS_THROUGH, upstream=upstream)


def test_an_unreachable_provider_is_a_refusal_in_the_callers_shape(home: Path) -> None:
    upstream = Upstream(b"")

    async def body(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        await upstream.server.aclose()
        reply = await client.post(CHAT, json=ASK)
        assert reply.status_code == 502
        assert "127.0.0.1" in reply.json()["error"]["message"]
        assert wb.store.load(reply.headers["x-workbench-run"]).summary().finished, "told before it was recorded"

    in_gateway(home, body, "Up/m", Way.PASS_THROUGH, upstream=upstream)


def test_another_protocol_is_written_anew_and_the_record_says_so(home: Path) -> None:
    upstream = Upstream(chat_body("Hello."))

    async def body(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        asked = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "Hi"}]}
        reply = await client.post("/v1/messages", json=asked, headers={"anthropic-version": "2023-06-01"})
        assert reply.json()["content"][0]["text"] == "Hello."
        (seen,) = gateway.conversations.all()[0].exchanges
        assert seen.client.way == "route"
        assert "speaks openai_chat" in seen.client.left_out[0]

    in_gateway(home, body, "Up/m", Way.PASS_THROUGH, upstream=upstream)


def test_client_disconnect_closes_the_upstream_request(home: Path) -> None:
    upstream = Upstream(*chat_stream({"content": "a"}, {"content": "b"}), kind="text/event-stream")

    async def body(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        finished = await left_early(wb, client, upstream)
        assert finished.stop is StopReason.CANCELLED

    in_gateway(home, body, "Up/m", Way.PASS_THROUGH, upstream=upstream)


@pytest.mark.parametrize("by_signal", [False, True])
def test_a_client_that_leaves_with_the_whole_reply_stops_nothing(
    home: Path, monkeypatch: pytest.MonkeyPatch, *, by_signal: bool
) -> None:
    """Clients close at the protocol's end mark, before the connection's own end; so may the gateway be stopped then."""
    upstream = Upstream(b"".join(chat_stream({"content": LEAK})), kind="text/event-stream")
    left, leave = asyncio.Event(), PassThrough._leave

    def note(self: PassThrough) -> None:
        leave(self)
        left.set()

    monkeypatch.setattr(PassThrough, "_leave", note)

    async def body(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        upstream.hold.clear()
        async with client.stream("POST", CHAT, json={**ASK, "stream": True}) as reply:
            async for line in reply.aiter_lines():
                if line == "data: [DONE]":
                    break
        if by_signal:
            asyncio.get_running_loop().call_later(0.05, upstream.hold.set)
            await gateway.aclose()
        else:
            await left.wait()
            upstream.hold.set()
            while wb.runs.running:
                await asyncio.sleep(0.01)
        stored = await wb.load(1)
        (finished,) = [event for event in stored.events if isinstance(event, RunFinished)]
        assert finished.stop is not StopReason.CANCELLED
        assert stored.summary().verdict.state is VerdictState.FAIL

    in_gateway(home, body, "Up/m", Way.PASS_THROUGH, upstream=upstream)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b'{"model": "a", "x":1}', b'{"model": "b", "x":1}'),
        (b'{ "model":"a"}', b'{ "model":"b"}'),
        (b'{"messages": [{"model": "a"}], "model": "a"}', b'{"messages": [{"model": "a"}], "model": "b"}'),
    ],
)
def test_only_the_models_name_is_replaced(body: bytes, expected: bytes) -> None:
    assert renamed(body, "a", "b") == expected
    assert renamed(body, "a", "a") is body


class Handle:
    """A run under way, which notes that it was cancelled."""

    run_id = "1"

    def __init__(self) -> None:
        self.cancelled: list[CancelCause] = []

    def cancel(self, cause: CancelCause) -> None:
        self.cancelled.append(cause)


def passing() -> PassThrough:
    """One request under way that has no server."""
    served: Any = SimpleNamespace(wire="openai_chat", request=SimpleNamespace(stream=True))
    given: Any = SimpleNamespace()
    return PassThrough(given, given, served, given, lambda event: None, given)


@pytest.mark.parametrize(
    ("came", "at_once"), [(None, True), ([], True), (chat_stream({"content": "a"})[:1], True), (chat_stream({"content": "a"}), False)]
)  # fmt: skip
def test_a_client_that_leaves_before_the_end_cancels_at_once(came: list[bytes] | None, *, at_once: bool) -> None:
    async def main() -> list[CancelCause]:
        one, handle = passing(), Handle()
        one._leave()  # nothing runs yet
        one._handle = cast("Any", handle)
        if came is not None:
            one._on_head(200, (("content-type", "text/event-stream"),))
            one._came += came
        one._leave()
        return handle.cancelled

    assert asyncio.run(main()) == [CancelCause.CLIENT] * at_once


@pytest.mark.parametrize("reason", ["No key.", ""])
def test_a_run_that_ends_before_anything_was_sent_is_a_refusal(reason: str) -> None:
    async def main() -> None:
        one = passing()
        one._tap(RunFinished(StopReason.ERROR, "", reason, Totals(), 0))
        assert one._failed == Refusal(502, reason or "The request could not be sent.")
        assert await one._head == (502, ())
        assert one._pieces.get_nowait() is None
        answered = passing()
        answered._on_head(200, ())
        answered._on_head(500, ())
        answered._tap(RunFinished(StopReason.ERROR, "", reason, Totals(), 0))
        assert (answered._failed, await answered._head) == (None, (200, ()))

    asyncio.run(main())


def test_a_body_that_names_the_model_twice_keeps_its_values() -> None:
    body = '{"x": {"model" : "a.b"}, "model" :"a.b", "said": "ü"}'.encode()
    assert renamed(body, "a.b", "c") == '{"x": {"model": "a.b"}, "model": "c", "said": "ü"}'.encode()
    assert renamed(b'{"x": {"model": "axb"}, "model" : "a.b"}', "a.b", "c") == b'{"x": {"model": "axb"}, "model" : "c"}'
