"""Requests as they leave, and as they are recorded."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from workbench import __version__
from workbench.core.errors import InvalidInput
from workbench.core.exchange import Endpoint, WireRequest
from workbench.core.messages import ChatRequest, Message
from workbench.providers.outgoing import Outgoing
from workbench.providers.unpack import ACCEPTED
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


def test_what_a_cloud_signs_in_with_is_a_secret_of_the_request(monkeypatch: pytest.MonkeyPatch) -> None:
    token = "ya29.a-token-of-this-test"

    class Cloud:
        secrets = frozenset({token})

        async def signed(self, request: WireRequest) -> WireRequest:
            return replace(request, headers=(*request.headers, ("x-cloud", f"as {token}")))

    monkeypatch.setattr("workbench.providers.outgoing.sign_in_for", lambda *_: Cloud())
    outgoing = Outgoing(Endpoint("p", "openai_chat", "http://h/v1"), None, ())
    sent = asyncio.run(outgoing.signed(outgoing.chat(ASK)))
    assert ("x-cloud", f"as {token}") in sent.headers
    assert token not in repr(outgoing.masked(sent))
    assert outgoing.secrets.mask_text(token) == "*" * len(token)


@pytest.mark.parametrize("key", ["", "  ", "\n"])
@pytest.mark.parametrize("wire", [row.id for row in WIRES])
def test_a_blank_key_is_none(wire: str, key: str) -> None:
    endpoint = Endpoint("p", wire, "http://h/v1")
    assert Outgoing(endpoint, key, ()).models() == Outgoing(endpoint, None, ()).models()


@pytest.mark.parametrize("key", [None, "", "  ", "\n"])
def test_a_cloud_is_signed_in_at_where_a_key_is_blank(monkeypatch: pytest.MonkeyPatch, key: str | None) -> None:
    asked: list[str | None] = []
    monkeypatch.setattr("workbench.providers.outgoing.sign_in_for", lambda _, given: asked.append(given))
    Outgoing(Endpoint("p", "bedrock_converse", "https://bedrock-runtime.eu-west-1.amazonaws.com"), key, ())
    assert asked == [None]


def test_our_own_headers_are_those_of_this_program() -> None:
    headers = dict(Outgoing(Endpoint("p", "openai_chat", "http://h/v1"), KEY, ()).models().headers)
    assert headers["user-agent"] == f"tool-calling-workbench/{__version__}"
    assert headers["accept-encoding"] == ACCEPTED


def test_all_that_is_secret_is_masked_from_the_beginning() -> None:
    endpoint = Endpoint("p", "openai_chat", "http://me:pass-word-0815@h/v1", (("X-Api-Key", "header-key-0815"),))
    outgoing = Outgoing(endpoint, KEY, ("another-users-0815",))
    for secret in (KEY, "pass-word-0815", "header-key-0815", "another-users-0815"):
        assert secret not in outgoing.secrets.mask_text(f"a {secret} b"), secret
    request = WireRequest("PUT", f"http://h/x?k={KEY}", (("A", KEY), ("b", "c")), f"<{KEY}>".encode())
    stars = "*" * len(KEY)
    assert outgoing.masked(request) == WireRequest(
        "PUT", f"http://h/x?k={stars}", (("A", stars), ("b", "c")), f"<{stars}>".encode()
    )


@pytest.mark.parametrize("foreign", [True, False])
def test_keys_that_look_foreign_stay_masked_when_more_is_learnt(foreign: bool) -> None:
    outgoing = Outgoing(Endpoint("p", "openai_chat", "http://h/v1"), None, (KEY,), mask_foreign_keys=foreign)
    before = outgoing.secrets
    outgoing.chat(replace(ASK, extra={}))
    assert outgoing.secrets is before, "nothing was learnt"
    outgoing.chat(ASK)
    assert outgoing.secrets.foreign is foreign
    assert outgoing.secrets.values == {*before.values, "another-secret-value"}
    learnt = outgoing.secrets
    outgoing.chat(ASK)
    assert outgoing.secrets is learnt
