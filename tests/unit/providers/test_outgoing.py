"""Requests as they leave, and as they are recorded."""

from __future__ import annotations

import asyncio

import pytest

from workbench.core.errors import InvalidInput
from workbench.core.exchange import Endpoint
from workbench.core.messages import ChatRequest, Message
from workbench.providers.outgoing import Outgoing
from workbench.wires.table import WIRES

KEY = "sk-of-this-test-1234"
ASK = ChatRequest("m", (Message("user", f"my key is {KEY}"),), extra={"api_key": "another-secret-value"})


def test_requests_have_our_headers_and_masks_hide_the_keys() -> None:
    outgoing = Outgoing(Endpoint("p", "openai_chat", "http://h/v1", (("User-Agent", "mine"),)), f" {KEY} ", ())
    sent = outgoing.chat(ASK)
    headers = {name.lower(): value for name, value in sent.headers}
    assert (headers["authorization"], headers["user-agent"]) == (f"Bearer {KEY}", "mine")
    assert "accept-encoding" in headers
    recorded = outgoing.masked(sent)
    assert KEY not in repr(recorded)
    assert b"another-secret-value" not in recorded.body
    assert len(recorded.body) == len(sent.body)
    assert outgoing.models().url == "http://h/v1/models"


def test_without_a_sign_in_nothing_is_signed() -> None:
    outgoing = Outgoing(Endpoint("p", "openai_chat", "http://h/v1"), "", ())
    sent = outgoing.chat(ASK)
    assert asyncio.run(outgoing.signed(sent)) is sent
    assert not any(name == "authorization" for name, _ in sent.headers)
    with pytest.raises(InvalidInput):
        Outgoing(Endpoint("p", "openai_chat", "nowhere"), None, ()).chat(ASK)


@pytest.mark.parametrize("key", ["", "  ", "\n"])
@pytest.mark.parametrize("wire", [row.id for row in WIRES])
def test_a_blank_key_is_none(wire: str, key: str) -> None:
    endpoint = Endpoint("p", wire, "http://h/v1")
    assert Outgoing(endpoint, key, ()).models() == Outgoing(endpoint, None, ()).models()
