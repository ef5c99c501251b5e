from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from tests.kit.gateway import ASK, in_gateway
from workbench.app import Workbench
from workbench.core.errors import InvalidInput
from workbench.gateway.gateway import Gateway

HI = {"model": "mistral-steady", "messages": [{"role": "user", "content": "Say hello."}]}
ANTHROPIC = {"anthropic-version": "2023-06-01"}


def test_missing_token_error_has_the_callers_shape(home: Path) -> None:
    async def body(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        async with httpx.AsyncClient(base_url=gateway.url) as stranger:
            openai = await stranger.post("/v1/chat/completions", json=HI)
            anthropic = await stranger.post("/v1/messages", json={**HI, "max_tokens": 5}, headers={"x-api-key": "no"})
            assert (openai.status_code, anthropic.status_code) == (401, 401)
            assert "token is missing" in openai.json()["error"]["message"]
            assert anthropic.json()["type"] == "error"
            assert (await stranger.head("/")).status_code == 200
        assert not gateway.conversations.exchanges

    in_gateway(home, body)


@pytest.mark.parametrize("headers", [{"host": "evil.example"}, {"origin": "https://evil.example"}])
def test_foreign_pages_are_refused(home: Path, headers: dict[str, str]) -> None:
    async def body(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        reply = await client.post("/v1/chat/completions", json=HI, headers=headers)
        assert reply.status_code == 403
        assert "access-control-allow-origin" not in reply.headers

    in_gateway(home, body)


@pytest.mark.parametrize(
    ("path", "headers", "place"),
    [
        ("/v1/models", {}, ("data", 0, "id")),
        ("/v1/models", ANTHROPIC, ("data", 0, "id")),
        ("/v1beta/models", {}, ("models", 0, "name")),
        ("/api/tags", {}, ("models", 0, "name")),
    ],
)
def test_models_are_listed_in_every_protocol(home: Path, path: str, headers: dict[str, str], place: tuple) -> None:
    async def body(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        found = (await client.get(path, headers=headers)).json()
        for step in place:
            found = found[step]
        assert found.endswith("Simulator/qwen-hasty")

    in_gateway(home, body)


def test_tokens_are_counted_by_estimate(home: Path) -> None:
    async def body(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        short = {"model": "m", "messages": [{"role": "user", "content": "Hi"}]}
        long = {"model": "m", "messages": [{"role": "user", "content": "word " * 720}]}
        counts = [
            (await client.post("/v1/messages/count_tokens", json=one)).json()["input_tokens"] for one in (short, long)
        ]
        assert counts[0] < 30
        assert 900 < counts[1] < 1200

    in_gateway(home, body)


def test_tokens_are_counted_in_every_protocol_that_counts(home: Path) -> None:
    async def body(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        contents = {"contents": [{"parts": [{"text": "Hi"}]}]}
        assert (await client.post("/v1beta/models/m:countTokens", json=contents)).json()["totalTokens"] > 0
        answer = (await client.post("/v1/responses/input_tokens", json={"model": "m", "input": "Hi"})).json()
        assert (answer["object"], answer["input_tokens"] > 0) == ("response.input_tokens", True)

    in_gateway(home, body)


@pytest.mark.parametrize(
    ("path", "headers", "fields"),
    [
        ("/v1/messages/batches", ANTHROPIC, {"type", "message"}),
        ("/v1beta/models/m:embedContent", {}, {"code", "message", "status"}),
        ("/api/generate", {}, set()),
        ("/v1/embeddings", {}, {"message", "type", "param", "code"}),
    ],
)
def test_an_unknown_path_is_told_in_the_clients_shape(
    home: Path, path: str, headers: dict[str, str], fields: set[str]
) -> None:
    async def body(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        reply = await client.post(path, headers=headers, json={})
        error = reply.json()["error"]
        assert (reply.status_code, set(error) if fields else type(error)) == (404, fields or str)

    in_gateway(home, body)


def test_ollamas_clients_learn_of_the_server(home: Path) -> None:
    async def body(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        assert (await client.get("/api/version")).json()["version"]
        assert "tools" in (await client.post("/api/show", json={"model": "m"})).json()["capabilities"]
        assert (await client.get("/", headers={"authorization": ""})).text == "workbench-gateway"

    in_gateway(home, body)


@pytest.mark.parametrize(
    ("method", "path", "content", "status"),
    [
        ("POST", "/v1/chat/completions", b"{", 400),
        ("POST", "/v1/chat/completions", b'{"messages": []}', 400),
        ("POST", "/v1/chat/completions", b'{"model": "Nobody/x", "messages": [{"role": "user", "content": "x"}]}', 200),
        ("POST", "/nowhere", b"{}", 404),
        ("GET", "/nowhere", b"", 404),
        ("DELETE", "/v1/models", b"", 404),
    ],
)
def test_unanswerable_requests(home: Path, method: str, path: str, content: bytes, status: int) -> None:
    async def body(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        reply = await client.request(method, path, content=content)
        assert reply.status_code == status
        assert status == 200 or reply.json()["error"]["message"]

    in_gateway(home, body)


def test_an_unknown_target_is_named(home: Path) -> None:
    async def body(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        reply = await client.post("/v1/chat/completions", json=ASK)
        assert reply.status_code == 404
        assert "Gone" in reply.json()["error"]["message"]
        assert not gateway.conversations.open

    in_gateway(home, body, "Gone/x")


def test_a_taken_port_is_an_error_of_the_users(home: Path) -> None:
    async def body(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        second = Gateway(wb, gateway.routes, "")
        with pytest.raises(InvalidInput, match="cannot be used"):
            await second.start(int(gateway.url.rpartition(":")[2]))
        assert gateway.running
        assert not second.running

    in_gateway(home, body)
