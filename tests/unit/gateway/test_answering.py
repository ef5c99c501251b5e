"""Requests through real sockets, held at breakpoints and decided about."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.kit.agents import CLAUDE_CODE
from tests.kit.gateway import ASK, LEAK, Upstream, chat_body, chat_stream, in_gateway
from tests.kit.waiting import until
from workbench.app import Workbench
from workbench.core.errors import InvalidInput
from workbench.core.run_summary import RunSummary
from workbench.gateway import answering as module
from workbench.gateway.breakpoints import Breakpoint, Held, Part, Ruling, When
from workbench.gateway.conversations import ExchangeSeen, ExchangeState
from workbench.gateway.gateway import Gateway
from workbench.gateway.recording import Recording
from workbench.gateway.routes import Way

CHAT, MESSAGES = "/v1/chat/completions", "/v1/messages"
STEADY = "Simulator/mistral-steady"
STREAMED = {**ASK, "stream": True}


def deciding(desk: Any, *rulings: tuple[Ruling, Callable[[Held], str | None]]) -> Callable[[], Awaitable[None]]:
    """Decide about what is held, one after the other."""

    async def work() -> None:
        for ruling, edit in rulings:
            await until(lambda: desk.waiting)
            held = desk.waiting[0]
            desk.decide(held.number, ruling, edit(held))
            await until(lambda held=held: held not in desk.waiting)

    return work


def as_is(_held: Held) -> None:
    return None


def replaced(old: str, new: str) -> Callable[[Held], str]:
    return lambda held: held.document.replace(old, new)


async def asked(
    client: httpx.AsyncClient, work: Callable[[], Awaitable[None]], body: dict, path: str = CHAT
) -> httpx.Response:
    reply, _ = await asyncio.gather(client.post(path, json=body), work())
    return reply


def only(gateway: Gateway) -> ExchangeSeen:
    (seen,) = gateway.conversations.all()[0].exchanges
    return seen


async def stored(wb: Workbench, seen: ExchangeSeen) -> RunSummary:
    return (await wb.load(seen.given_run_id or seen.run_id)).summary()


@pytest.mark.parametrize("body", [ASK, STREAMED], ids=["whole", "streamed"])
@pytest.mark.parametrize("way", [Way.ROUTE, Way.PASS_THROUGH])
def test_a_held_request_goes_on_edited(home: Path, body: dict, way: Way) -> None:
    upstream = Upstream(*chat_stream({"content": "Done."})) if body is STREAMED else Upstream(chat_body("Done."))
    upstream.kind = "text/event-stream" if body is STREAMED else "application/json"

    async def main(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        gateway.desk.set_points([Breakpoint(Part.REQUEST)])
        work = deciding(gateway.desk, (Ruling.RELEASE, replaced("app.toml", "other.toml")))
        reply = await asked(client, work, body)
        assert "Done." in reply.text
        assert b"other.toml" in upstream.asked[0].body
        seen = only(gateway)
        assert (seen.state, seen.said) == (ExchangeState.DONE, "edited by you")
        started = (await stored(wb, seen)).started
        assert started is not None
        assert started.client is not None
        assert started.client.by_hand == ("request edited",)
        assert "other.toml" in started.messages[-1].text

    in_gateway(home, main, "Up/m", way, upstream=upstream)


@pytest.mark.parametrize("path", [CHAT, MESSAGES])
@pytest.mark.parametrize("stream", [False, True])
def test_a_refused_request_is_a_503_of_its_own_protocol(home: Path, path: str, stream: bool) -> None:
    async def main(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        gateway.desk.set_points([Breakpoint(Part.REQUEST)])
        body = {**(ASK if path == CHAT else CLAUDE_CODE), "stream": stream}
        reply = await asked(client, deciding(gateway.desk, (Ruling.REFUSE, as_is)), body, path)
        assert reply.status_code == 503
        assert "Refused at a breakpoint" in reply.json()["error"]["message"]
        assert only(gateway).state is ExchangeState.REFUSED
        assert not wb.store.count()

    in_gateway(home, main, STEADY)


@pytest.mark.parametrize("path", [CHAT, MESSAGES])
def test_a_streaming_client_is_kept_in_patience_and_told_in_its_stream(home: Path, path: str, monkeypatch) -> None:
    monkeypatch.setattr(module, "PING_S", 0.05)

    async def main(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        gateway.desk.set_points([Breakpoint(Part.REQUEST)])
        body = STREAMED if path == CHAT else CLAUDE_CODE
        for ruling, expected in ((Ruling.REFUSE, b"Refused at a breakpoint"), (Ruling.RELEASE, b"read_file")):
            got = b""
            async with client.stream("POST", path, json=body) as reply:
                assert reply.status_code == 200
                async for piece in reply.aiter_bytes():
                    got += piece
                    if got.count(b": held") == 3 and gateway.desk.waiting:
                        gateway.desk.decide(gateway.desk.waiting[0].number, ruling)
            assert got.startswith(b": held")
            assert expected in got or (path == MESSAGES and b"message_stop" in got)

    in_gateway(home, main, STEADY)


@pytest.mark.parametrize("body", [ASK, STREAMED], ids=["whole", "streamed"])
def test_an_answer_written_here_is_recorded_as_a_run_of_its_own(home: Path, body: dict) -> None:
    async def main(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        gateway.desk.set_points([Breakpoint(Part.REQUEST)])

        def written(held: Held) -> str:
            return held.blank_reply.replace("Write the answer here.", "By me.")

        reply = await asked(client, deciding(gateway.desk, (Ruling.ANSWER, written)), body)
        assert "By me." in reply.text
        run = await stored(wb, only(gateway))
        assert run.answer == "By me."
        assert run.started is not None
        assert run.started.client is not None
        assert (run.started.executor.provider, run.started.client.by_hand) == ("By hand", ("answered here",))
        assert wb.store.count() == 1

    in_gateway(home, main, STEADY)


@pytest.mark.parametrize("body", [ASK, STREAMED], ids=["whole", "streamed"])
@pytest.mark.parametrize("way", [Way.ROUTE, Way.PASS_THROUGH])
def test_a_held_reply_goes_out_edited_and_both_are_recorded(home: Path, body: dict, way: Way) -> None:
    call = {"index": 0, "id": "c1", "type": "function", "function": {"name": "read_file", "arguments": '{"path": "a"}'}}
    upstream = Upstream(
        *(chat_stream({"tool_calls": [call]}, reason="tool_calls") if body is STREAMED
          else [chat_body(None, [("read_file", '{"path": "a"}')], "tool_calls")])
    )  # fmt: skip
    upstream.kind = "text/event-stream" if body is STREAMED else "application/json"

    async def main(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        gateway.desk.set_points([Breakpoint(Part.REPLY, When.CALL)])
        work = deciding(gateway.desk, (Ruling.RELEASE, replaced('\\"a\\"', '\\"edited.toml\\"')))
        reply = await asked(client, work, body)
        assert "edited.toml" in reply.text
        seen = only(gateway)
        assert seen.said == "edited by you"
        assert [call.arguments for _, call in (await stored(wb, seen)).parsed_calls] == [{"path": "edited.toml"}]
        model = (await wb.load(seen.run_id)).summary()
        assert [call.arguments for _, call in model.parsed_calls] == [{"path": "a"}]

    in_gateway(home, main, "Up/m", way, upstream=upstream)


@pytest.mark.parametrize("body", [ASK, STREAMED], ids=["whole", "streamed"])
def test_a_released_reply_of_a_pass_through_has_every_byte(home: Path, body: dict) -> None:
    pieces = chat_stream({"content": "Yes."}) if body is STREAMED else [chat_body("Yes.")]
    upstream = Upstream(*pieces, kind="text/event-stream" if body is STREAMED else "application/json")

    async def main(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        gateway.desk.set_points([Breakpoint(Part.REPLY)])
        reply = await asked(client, deciding(gateway.desk, (Ruling.RELEASE, as_is)), body)
        assert reply.content == b"".join(pieces)
        assert only(gateway).done

    in_gateway(home, main, "Up/m", Way.PASS_THROUGH, upstream=upstream)


def test_a_reply_without_a_call_is_not_held_where_calls_are(home: Path) -> None:
    async def main(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        gateway.desk.set_points([Breakpoint(Part.REPLY, When.CALL)])
        reply = await client.post(CHAT, json=ASK)
        assert "Plain." in reply.text
        assert only(gateway).done
        assert not gateway.conversations.open

    in_gateway(home, main, "Up/m", upstream=Upstream(chat_body("Plain.")))


def test_the_clock_lets_it_go_on(home: Path) -> None:
    async def main(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        gateway.desk.set_points([Breakpoint(Part.REQUEST, seconds=1.0)])
        reply = await client.post(CHAT, json=ASK)
        assert reply.status_code == 200
        assert only(gateway).said == "went on when the time was over"

    in_gateway(home, main, STEADY)


@pytest.mark.parametrize("part", list(Part))
@pytest.mark.parametrize("body", [ASK, STREAMED], ids=["whole", "streamed"])
def test_a_client_that_leaves_takes_its_held_exchange_along(home: Path, part: Part, body: dict) -> None:
    async def main(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        gateway.desk.set_points([Breakpoint(part)])
        with pytest.raises(httpx.ReadTimeout):
            await client.post(CHAT, json=body, timeout=1.0)
        await until(lambda: not gateway.desk.waiting)
        await until(lambda: only(gateway).done)
        assert only(gateway).state is ExchangeState.GONE
        assert not gateway.conversations.open

    in_gateway(home, main, STEADY)


def test_an_edit_that_cannot_be_used_is_refused_and_stays_held(home: Path) -> None:
    async def main(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        gateway.desk.set_points([Breakpoint(Part.REQUEST), Breakpoint(Part.REPLY)])

        async def work() -> None:
            for bad in ('{"model": "m"}', "{"):
                await until(lambda: gateway.desk.waiting)
                held = gateway.desk.waiting[0]
                with pytest.raises(InvalidInput):
                    gateway.desk.decide(held.number, Ruling.RELEASE, bad)
                gateway.desk.release_all()
                await until(lambda held=held: held not in gateway.desk.waiting)

        reply = await asked(client, work, ASK)
        assert reply.status_code == 200

    in_gateway(home, main, STEADY)


@pytest.mark.parametrize(
    ("recording", "runs"), [(Recording.EVERYTHING, 2), (Recording.FINDINGS, 1), (Recording.NOTHING, 0)]
)
def test_only_what_the_switch_wants_is_written(home: Path, recording: Recording, runs: int) -> None:
    upstream = Upstream(chat_body("Fine."))

    async def main(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        gateway.under_way.recording = recording
        await client.post(CHAT, json=ASK)
        upstream.pieces = (chat_body(LEAK),)
        await client.post(CHAT, json=ASK)
        assert wb.store.count() == runs
        assert gateway.conversations.recorded == runs
        assert gateway.conversations.findings == 1

    in_gateway(home, main, "Up/m", upstream=upstream)


def test_what_cannot_be_run_ends_its_exchange_with_the_reason(home: Path) -> None:
    async def main(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        reply = await client.post(CHAT, json={**ASK, "messages": []})
        assert reply.status_code == 400
        reply = await client.post(CHAT, json={**ASK, "messages": [{"role": "system", "content": "x"}]})
        assert reply.status_code == 400
        assert [(one.state, one.said) for one in gateway.conversations.all()[0].exchanges] == [
            (ExchangeState.REFUSED, "There is no prompt.")
        ]
        assert json.loads(reply.content)["error"]

    in_gateway(home, main, STEADY)
