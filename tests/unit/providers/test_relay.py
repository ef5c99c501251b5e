"""What a relay does on a real connection is in tests/unit/gateway/test_pass_through.py."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from tests.kit.client_run import FAST
from tests.kit.wire_server import Request, Script, answer, wire_server
from workbench.core.events import ChunkReceived, ExchangeEnded, ExchangeEvent, ResponseStarted
from workbench.core.exchange import Endpoint, WireRequest
from workbench.core.messages import ChatRequest, Message
from workbench.core.tools import ToolSpec
from workbench.providers.client import HttpClient
from workbench.providers.relay import Carried, RelayClient

REQUEST = ChatRequest("m", (Message("user", "hi"),))


def relay(*headers: tuple[str, str], query: str = "", body: bytes = b"{}") -> RelayClient:
    carried = Carried(body, headers, query, lambda status, names: None, lambda data: None)
    return RelayClient(
        carried, HttpClient(Endpoint("p", "anthropic_messages", "https://api.example.org"), "up-key-123456")
    )


def test_the_clients_body_and_headers_go_out_with_the_providers_key() -> None:
    sent = relay(
        ("x-api-key", "clients-own"),
        ("host", "127.0.0.1"),
        ("anthropic-beta", "a,b"),
        ("cookie", "c"),
        body=b'{"x": 1}',
    )._to_send(REQUEST)

    names = dict(sent.headers)
    assert sent.body == b'{"x": 1}'
    assert names["x-api-key"] == "up-key-123456"
    assert names["anthropic-beta"] == "a,b"
    assert "cookie" not in names
    assert names.get("host") != "127.0.0.1"


def test_the_query_goes_on_without_a_key() -> None:
    assert (
        relay(query="beta=true&key=clients-own")._to_send(REQUEST).url
        == "https://api.example.org/v1/messages?beta=true"
    )


def test_a_preview_masks_the_key() -> None:
    assert "up-key-123456" not in repr(relay().encode(REQUEST))


@pytest.mark.parametrize(
    "name",
    [
        "host", "Connection", "keep-alive", "Transfer-Encoding", "te", "trailer", "upgrade", "Proxy-Authorization", "content-length", "expect",
        "Cookie", "accept-encoding", "origin", "referer", "content-type", "Authorization", "x-api-key", "x-goog-api-key", "api-key",
    ],
)  # fmt: skip
def test_headers_of_the_connection_and_keys_of_the_client_stay_here(name: str) -> None:
    sent = relay((name, "clients-own"), ("x-other", "y"))._to_send(REQUEST)
    assert ("x-other", "y") in sent.headers
    assert "clients-own" not in dict(sent.headers).values()


def test_what_the_client_says_of_the_protocol_counts() -> None:
    sent = relay(("Anthropic-Version", "2099-01-01"), ("accept", "text/plain"))._to_send(REQUEST)
    names = [name.lower() for name, _ in sent.headers]
    assert len(names) == len(set(names))
    assert ("Anthropic-Version", "2099-01-01") in sent.headers
    assert ("accept", "text/plain") in sent.headers
    assert dict(sent.headers)["content-type"] == "application/json"


@pytest.mark.parametrize(
    ("own", "query", "url"),
    [
        ("", "", "https://h/v1/messages"), ("", "&&", "https://h/v1/messages"), ("", "a=1&&b=2", "https://h/v1/messages?a=1&b=2"),
        ("?x=1", "", "https://h/v1/messages?x=1"), ("?x=1", "key=k&a=1", "https://h/v1/messages?x=1&a=1"), ("?x=1", "key=k", "https://h/v1/messages?x=1"),
    ],
)  # fmt: skip
def test_queries_of_provider_and_client_are_joined(own: str, query: str, url: str) -> None:
    carried = Carried(b"{}", (), query, lambda status, names: None, lambda data: None)
    client = RelayClient(carried, HttpClient(Endpoint("p", "anthropic_messages", f"https://h{own}"), "k"))
    assert client._to_send(REQUEST).url == url


@pytest.mark.parametrize("status", [200, 503])
def test_the_reply_is_handed_on_as_it_comes_and_never_asked_for_again(status: int) -> None:
    heads: list[tuple[int, list[str]]] = []
    pieces: list[bytes] = []

    def script(request: Request, number: int) -> Script:
        assert request.body == b'{"own": 1}'
        return answer(status, b'{"error": {"message": "busy"}}')

    async def main() -> tuple[list[ExchangeEvent], int]:
        async with wire_server(script) as server:
            endpoint = Endpoint("t", "openai_chat", server.url)
            async with HttpClient(endpoint, "up-key-123456", options=replace(FAST, retries=2)) as through:
                carried = Carried(
                    b'{"own": 1}', (), "", lambda code, names: heads.append((code, [name.lower() for name, _ in names])), pieces.append
                )  # fmt: skip
                found = [event async for event in RelayClient(carried, through).exchange(REQUEST)]
            return found, len(server.requests)

    events, asked = asyncio.run(main())
    assert (asked, b"".join(pieces)) == (1, b'{"error": {"message": "busy"}}')
    ((code, names),) = heads
    assert code == status
    assert "content-type" in names
    assert not {"content-length", "connection", "transfer-encoding", "date", "server"} & set(names)
    assert [type(event) for event in events if isinstance(event, ResponseStarted | ExchangeEnded)] == [
        ResponseStarted,
        ExchangeEnded,
    ]
    assert b"".join(event.data for event in events if isinstance(event, ChunkReceived)) == b"".join(pieces)
    assert events[-1].retry_in is None  # type: ignore[union-attr]


def test_headers_of_the_provider_give_way_to_the_clients_whatever_their_letters() -> None:
    endpoint = Endpoint("p", "anthropic_messages", "https://h", (("X-Team", "ours"), ("X-Kept", "1")))
    carried = Carried(b"{}", (("x-team", "clients"),), "", lambda status, names: None, lambda data: None)
    sent = RelayClient(carried, HttpClient(endpoint, "k"))._to_send(REQUEST)
    assert [pair for pair in sent.headers if pair[0].lower() in ("x-team", "x-kept")] == [
        ("X-Kept", "1"),
        ("x-team", "clients"),
    ]


def test_what_was_to_be_sent_by_ourselves_goes_nowhere() -> None:
    """The wire is not asked to write tools or messages that may not even suit it."""
    asked: list[ChatRequest] = []
    through = HttpClient(Endpoint("p", "anthropic_messages", "https://h"), "k")
    chat = through._outgoing.chat

    def noted(request: ChatRequest) -> WireRequest:
        asked.append(request)
        return chat(request)

    through._outgoing.chat = noted  # type: ignore[method-assign]
    carried = Carried(b"{}", (), "", lambda status, names: None, lambda data: None)
    given = replace(REQUEST, tools=(ToolSpec("f"),), tool_choice="required")
    RelayClient(carried, through)._to_send(given)
    assert asked == [ChatRequest("m", (Message("user", "-"),))]


def test_a_relay_shares_connections_and_slots() -> None:
    through = HttpClient(Endpoint("p", "anthropic_messages", "https://h"), "k", options=FAST)
    carried = Carried(b"{}", (), "", lambda status, names: None, lambda data: None)
    made = RelayClient(carried, through)
    assert (made._slots, made._transport, made._outgoing, made._options) == (
        through._slots, through._transport, through._outgoing, FAST,
    )  # fmt: skip
