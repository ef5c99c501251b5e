"""What a relay does on a real connection is in tests/unit/gateway/test_pass_through.py."""

from __future__ import annotations

from workbench.core.exchange import Endpoint
from workbench.core.messages import ChatRequest, Message
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
