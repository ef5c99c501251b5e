"""The client against a server that does everything wrong: clear errors, nothing lost, no hang."""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import socket
import ssl
from contextlib import aclosing
from dataclasses import replace

import pytest

from tests.kit.client_run import ASK, FAST, GOOD, HELLO, WORLD, Outcome, collect, good, run
from tests.kit.playbook import fold
from tests.kit.waiting import LIMIT_S, until
from tests.kit.wire_server import HANG, RESET, Request, Script, answer, head, sse, wire_server
from workbench.core.errors import ErrorKind as K
from workbench.core.errors import ProviderError, SecretError
from workbench.core.events import ChunkReceived, ExchangeEnded, ExchangeStarted
from workbench.core.exchange import Endpoint
from workbench.core.masking import Secrets
from workbench.core.messages import ChatRequest, Message
from workbench.providers.client import HttpClient, _patience, _same_place
from workbench.providers.client_options import ClientOptions
from workbench.providers.exchange_try import ChunkReader, ExchangeTry
from workbench.providers.limits import Slots, TokenMinute
from workbench.wires import get_wire

KEY = "sk-test-0123456789"
WHOLE = json.dumps({"choices": [{"message": {"content": "Hello"}, "finish_reason": "stop"}]}).encode()


# -- what goes well ------------------------------------------------------------------------------------------------


def test_stream() -> None:
    outcome = run([head(), sse(HELLO), 0.02, sse(WORLD, "[DONE]")])
    assert good(outcome)
    assert outcome.data == GOOD
    chunks = [event for event in outcome.events if isinstance(event, ChunkReceived)]
    assert [chunk.index for chunk in chunks] == [0, 1]
    assert chunks[1].at_us > chunks[0].at_us
    assert outcome.heads[0].status == 200


def test_pieces_that_come_at_once_are_one_chunk() -> None:
    pieces = [sse(HELLO.replace("Hel", f" {number}")) for number in range(200)] + [sse(WORLD, "[DONE]")]
    framed = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"
    outcome = run([head(extra=[("Transfer-Encoding", "chunked")]) + framed])
    assert outcome.reply.text == "".join(f" {number}" for number in range(200)) + "lo"
    assert len([event for event in outcome.events if isinstance(event, ChunkReceived)]) < 20


def test_tokens_that_a_reply_used_are_counted_for_the_minute() -> None:
    used = '{"choices":[],"usage":{"prompt_tokens":30,"completion_tokens":12}}'

    async def main() -> None:
        async with wire_server([head(), sse(HELLO, WORLD, used, "[DONE]")]) as server:
            tokens = TokenMinute(1000)
            endpoint = Endpoint("t", "openai_chat", f"http://127.0.0.1:{server.port}/v1")
            async with HttpClient(endpoint, None, options=FAST, slots=Slots(1, tokens=tokens)) as client:
                await collect(client, ASK)
                await collect(client.beside(), ASK)
        assert [one for _, one in tokens._spent] == [42, 42]

    asyncio.run(main())


def test_sent_request_equals_the_preview_and_hides_the_key() -> None:
    outcome = run([head() + GOOD], key=KEY, request=replace(ASK, messages=(Message("user", f"my key is {KEY}"),)))
    arrived = outcome.server.requests[0]
    assert arrived.headers["authorization"] == f"Bearer {KEY}"
    assert KEY.encode() in arrived.body
    shown = outcome.sent[0].request
    assert shown.body == arrived.body.replace(KEY.encode(), b"*" * len(KEY))
    assert dict(shown.headers)["authorization"] == "Bearer " + "*" * len(KEY)
    client = HttpClient(Endpoint("t", "openai_chat", f"http://127.0.0.1:{outcome.server.port}/v1"), KEY)
    assert client.encode(replace(ASK, messages=(Message("user", f"my key is {KEY}"),))) == shown
    for name, value in shown.headers:
        assert name == "authorization" or arrived.headers[name] == value


def test_address_masks_credentials() -> None:
    client = HttpClient(Endpoint("t", "openai_chat", f"http://me:pw-1234@h:1/v1?api_key=b&a=1&x={KEY}"), KEY)
    assert client.address == f"http://**********@h:1/v1?api_key=*&a=1&x={'*' * len(KEY)}"


def test_answer_without_stream() -> None:
    assert good(run(answer(200, WHOLE), request=replace(ASK, stream=False)))


def test_json_answer_to_a_stream_request() -> None:
    assert good(run(answer(200, WHOLE)))


def test_compressed_stream() -> None:
    body = gzip.compress(GOOD)
    outcome = run([head(extra=[("Content-Encoding", "gzip")]), body[:20], 0.01, body[20:]])
    assert good(outcome)
    assert outcome.data == GOOD


def test_half_characters_between_chunks() -> None:
    body = sse('{"choices":[{"index":0,"delta":{"content":"ü€"},"finish_reason":"stop"}]}', "[DONE]")
    cut = body.index("€".encode()) + 1
    assert run([head(), body[:cut], 0.01, body[cut:]]).reply.text == "ü€"


def test_open_connection_after_the_end_marker() -> None:
    outcome = run([head(), GOOD, HANG])
    assert good(outcome)


def test_open_connection_without_an_end_marker() -> None:
    outcome = run([head(), sse(HELLO, WORLD), HANG])
    assert good(outcome)
    outcome = run([head(), sse(HELLO, WORLD), 0.02, RESET])
    assert good(outcome)
    event = {"candidates": [{"content": {"parts": [{"text": "Hello"}]}, "finishReason": "STOP"}]}
    assert good(run([head(), sse(json.dumps(event)), HANG], wire="gemini_generate", path=""))


@pytest.mark.parametrize(
    ("came", "waits"),
    [
        ((), 300),
        ((HELLO,), 120),
        ((HELLO, WORLD), 5),
        ((HELLO, WORLD, "[DONE]"), 0.5),
    ],
)
def test_patience_becomes_shorter_the_more_has_come(came: tuple[str, ...], waits: float) -> None:
    reader = ChunkReader(Secrets(), get_wire("openai_chat").decoder(status=200, headers=(), stream=True))
    body = sse(*came)
    reader.feed(body, 0)
    attempt = ExchangeTry(0, "", received=len(body))
    assert _patience(ClientOptions(), attempt, reader) == waits
    assert _patience(ClientOptions(stall=1.0, first_byte=2.0), attempt, reader) == min(waits, 1.0 if came else 2.0)


def test_lines() -> None:
    lines = [{"message": {"content": "Hel"}}, {"message": {"content": "lo"}}, {"done": True, "done_reason": "stop"}]
    outcome = run(
        [head(kind="application/x-ndjson"), *(json.dumps(line).encode() + b"\n" for line in lines)],
        wire="ollama_chat",
        path="",
        key=KEY,
    )
    assert good(outcome)


def test_huge_line() -> None:
    text = "x" * 2_000_000
    outcome = run(
        [head(), sse(f'{{"choices":[{{"index":0,"delta":{{"content":"{text}"}},"finish_reason":"stop"}}]}}', "[DONE]")]
    )
    assert outcome.reply.text == text


def test_connection_is_used_again() -> None:
    ports = []

    async def main() -> None:
        async with wire_server(lambda request, number: answer(200, WHOLE, keep=True)) as server:
            async with HttpClient(Endpoint("t", "openai_chat", server.url), options=FAST) as client:
                for _ in range(3):
                    events = await collect(client, ASK)
                    assert events[-1].error is None  # type: ignore[union-attr]
            ports.extend(server.requests)

    asyncio.run(main())
    assert len(ports) == 3


# -- transport faults ----------------------------------------------------------------------------------------------


def test_reset_in_mid_stream_keeps_everything() -> None:
    outcome = run([head(), sse(HELLO), 0.05, RESET], retries=2)
    assert outcome.error.kind is K.CUT_OFF
    assert "middle of the reply" in outcome.error.message
    assert str(len(sse(HELLO))) in outcome.error.message
    assert (outcome.reply.text, outcome.data, len(outcome.done)) == ("Hel", sse(HELLO), 1)
    assert outcome.reply.faults == []


def test_close_in_mid_stream() -> None:
    outcome = run([head(), sse(HELLO)])
    assert (outcome.error.kind, outcome.reply.text) == (K.CUT_OFF, "Hel")
    outcome = run([head(length=5000), sse(HELLO)])
    assert (outcome.error.kind, outcome.reply.text) == (K.CUT_OFF, "Hel")


def test_close_after_the_end_is_no_error() -> None:
    assert good(run([head(length=5000), GOOD, RESET]))
    assert good(run([head(extra=[("Transfer-Encoding", "chunked")]), b"%x\r\n%s\r\n" % (len(GOOD), GOOD), RESET]))


def test_stall() -> None:
    outcome = run([head(), sse(HELLO), HANG], stall=0.15)
    assert (outcome.error.kind, outcome.reply.text) == (K.TIMEOUT, "Hel")
    assert "0.15 seconds" in outcome.error.message


def test_silence_before_the_head_and_before_the_body() -> None:
    outcome = run([HANG], first_byte=0.1)
    assert (outcome.error.kind, outcome.error.status) == (K.TIMEOUT, None)
    outcome = run([head(), HANG], first_byte=0.1)
    assert (outcome.error.kind, outcome.error.status) == (K.TIMEOUT, 200)


def test_stream_without_an_end() -> None:
    def script(request: Request, number: int) -> Script:
        return [head(), *([b": ping\n\n", 0.01] * 500)]

    outcome = run(script, total=0.3)
    assert outcome.error.kind is K.TIMEOUT
    assert "0.3 seconds" in outcome.error.message


def test_reply_without_limits() -> None:
    outcome = run([head(), *([b": " + b"x" * 100_000 + b"\n"] * 30)], max_bytes=2**20)
    assert outcome.error.kind is K.PROTOCOL
    assert "1 MiB" in outcome.error.message
    assert len(outcome.data) > 2**20


def test_connection_refused() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    async def main() -> Outcome:
        async with HttpClient(Endpoint("t", "openai_chat", f"http://127.0.0.1:{port}/v1"), options=FAST) as client:
            return Outcome(await collect(client, ASK))

    outcome = asyncio.run(main())
    assert outcome.error.kind is K.CONNECT
    assert f"127.0.0.1:{port} refused" in outcome.error.message
    assert outcome.error.where == f"POST http://127.0.0.1:{port}/v1/chat/completions"


def test_not_http() -> None:
    outcome = run([b"SSH-2.0-OpenSSH_9.2\r\n\r\n"], retries=2)
    assert (outcome.error.kind, len(outcome.done)) == (K.PROTOCOL, 1)
    assert "does not speak HTTP" in outcome.error.message


def test_tls_to_a_plain_server() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(10)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    async def main() -> Outcome:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        at = Endpoint("t", "openai_chat", f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1")
        async with server, HttpClient(at, options=FAST) as client:
            return Outcome(await collect(client, ASK))

    outcome = asyncio.run(main())
    assert outcome.error.kind is K.CONNECT
    assert "http://" in outcome.error.hint


def test_invalid_addresses() -> None:
    async def main(base: str) -> Outcome:
        async with HttpClient(Endpoint("t", "openai_chat", base), "k", options=FAST) as client:
            return Outcome(await collect(client, ASK))

    for base in ("", "no scheme", "http://", "http://a b/v1", "http://h:99999/v1", "http://x..y/v1"):
        outcome = asyncio.run(main(base))
        assert outcome.error.kind in (K.BAD_REQUEST, K.CONNECT), base
        assert outcome.error.hint
        assert isinstance(outcome.events[0], ExchangeStarted)


def test_broken_proxy_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "foo://nowhere")

    async def main() -> Outcome:
        async with HttpClient(Endpoint("t", "openai_chat", "http://198.51.100.1/v1"), options=FAST) as client:
            return Outcome(await collect(client, ASK))

    outcome = asyncio.run(main())
    assert outcome.error.kind is K.CONNECT
    assert outcome.error.message.startswith("The proxy that the environment names cannot be used: ")
    assert "HTTP_PROXY" in outcome.error.hint


def test_loopback_needs_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    assert good(run([head() + GOOD]))


def test_broken_compression() -> None:
    outcome = run([head(extra=[("Content-Encoding", "gzip")]), b"this is not gzip"])
    assert outcome.error.kind is K.PROTOCOL
    assert "compression" in outcome.error.message


def test_noise_instead_of_answers() -> None:
    dice = random.Random(7)
    parts = [b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 ", b"999", b"Content-Length: 5\r\n", b"Transfer-Encoding: chunked\r\n", b"\r\n\r\n", b"ffff\r\n", b"0\r\n\r\n",
             b"Content-Encoding: gzip\r\n", b"\x00\xff\x1f\x8b", b"data: {}\n\n", b": x", b"\r\n", b"Location: http://[\r\n", b"Location: //\r\n"]  # fmt: skip
    for _ in range(60):
        script: list[bytes | str] = [
            b"".join(dice.choice(parts) for _ in range(dice.randint(1, 9))) for _ in range(dice.randint(1, 3))
        ]
        if dice.random() < 0.3:
            script.append(RESET)
        outcome = run(script, key=KEY)
        assert outcome.error.message
        assert outcome.error.where


# -- faults in the protocol ----------------------------------------------------------------------------------------


def test_error_in_a_good_stream() -> None:
    outcome = run([head(), sse(HELLO, '{"error":{"code":502,"message":"upstream died"}}')], retries=2)
    assert (outcome.error.kind, outcome.error.message, outcome.error.status) == (K.SERVER, "upstream died", 200)
    assert (outcome.reply.text, len(outcome.done)) == ("Hel", 1)


def test_web_page_and_broken_events() -> None:
    outcome = run(answer(200, b"<html><title>Login</title></html>", "text/html"))
    assert (outcome.error.kind, "base URL" in outcome.error.hint) == (K.PROTOCOL, True)
    outcome = run([head(), b'data: {"choices": [}\n\n', sse(HELLO)])
    assert (outcome.error.kind, outcome.reply.text) == (K.PROTOCOL, "Hel")
    outcome = run(answer(502, b"<html>bad gateway</html>", "text/html"))
    assert outcome.error.kind is K.SERVER


def test_status_errors() -> None:
    outcome = run(answer(401, b'{"error":{"message":"bad key","code":"invalid_api_key"}}'), key=KEY, retries=2)
    assert (outcome.error.kind, outcome.error.status, len(outcome.done)) == (K.AUTH, 401, 1)
    assert outcome.data.startswith(b'{"error"')
    assert outcome.error.where.startswith("POST http://127.0.0.1:")


# -- redirects -----------------------------------------------------------------------------------------------------


def test_redirect_on_the_same_host() -> None:
    def script(request: Request, number: int) -> Script:
        if number == 0:
            return answer(308, b"", extra=[("Location", "/v2/chat/completions")])
        return [head() + GOOD]

    outcome = run(script, key=KEY)
    assert good(outcome)
    assert [request.target for request in outcome.server.requests] == ["/v1/chat/completions", "/v2/chat/completions"]
    assert outcome.server.requests[1].method == "POST"
    assert outcome.server.requests[1].body == outcome.server.requests[0].body
    assert outcome.done[0].retry_in == 0


def test_redirect_elsewhere_is_not_followed() -> None:
    outcome = run(answer(307, b"", extra=[("Location", "http://127.0.0.1:1/steal")]), key=KEY)
    assert (outcome.error.kind, len(outcome.done)) == (K.PROTOCOL, 1)
    assert "127.0.0.1:1/steal" in outcome.error.message


def test_redirect_to_the_secure_side_checks_the_certificate() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first = await reader.read(4)
        if first == b"POST":
            place = writer.get_extra_info("sockname")[1]
            writer.write(
                f"HTTP/1.1 308 X\r\nLocation: https://127.0.0.1:{place}/v1\r\nContent-Length: 0\r\n\r\n".encode()
            )
        else:
            secure.append(first)
        writer.close()

    async def main() -> Outcome:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        at = Endpoint("t", "openai_chat", f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1")
        async with server, HttpClient(at, KEY, options=FAST) as client:
            outcome = Outcome(await collect(client, ASK))
            context = client._transport._client("https://127.0.0.1")._transport._pool._ssl_context  # type: ignore[attr-defined]
            assert context.verify_mode is ssl.CERT_REQUIRED
        return outcome

    secure: list[bytes] = []
    outcome = asyncio.run(main())
    assert outcome.error.kind is K.CONNECT
    assert outcome.error.where.startswith("POST https://")
    assert [first[:2] for first in secure] == [b"\x16\x03"]


def test_redirect_loop() -> None:
    outcome = run(lambda request, number: answer(307, b"", extra=[("Location", request.target)]), retries=2)
    assert outcome.error.kind is K.PROTOCOL
    assert "again and again" in outcome.error.message
    assert len(outcome.server.requests) == 6


# -- secrets -------------------------------------------------------------------------------------------------------


def test_key_spelled_out_by_the_model_goes_nowhere() -> None:
    pieces = [KEY[:5], KEY[5:9], KEY[9:] + " ok"]
    events = [sse(json.dumps({"choices": [{"index": 0, "delta": {"content": piece}}]})) for piece in pieces]
    outcome = run(
        [head(extra=[("x-echo", KEY)]), *(step for event in events for step in (event, 0.01)), sse(WORLD)], key=KEY
    )
    assert outcome.reply.text == "*" * len(KEY) + " oklo"
    assert KEY not in repr(outcome.events)
    assert not any(piece.encode() in outcome.data for piece in pieces)


def test_key_in_error_texts_and_addresses() -> None:
    outcome = run(
        answer(401, json.dumps({"error": {"message": f"bad key {KEY}"}}).encode()), key=KEY, path=f"/v1?key={KEY}"
    )
    assert KEY not in repr(outcome.events)
    assert outcome.error.message == "bad key " + "*" * len(KEY)


def test_further_secrets() -> None:
    outcome = run(
        [head() + sse(HELLO, WORLD)], secrets=["Hello-secret", "Hel,lo"], endpoint={"headers": (("x-password", "pw"),)}
    )
    assert good(outcome)
    assert dict(outcome.sent[0].request.headers)["x-password"] == "**"


def test_cookies_of_a_server_are_not_kept() -> None:
    async def main() -> list[Request]:
        async with wire_server(lambda _request, _number: [head(extra=[("Set-Cookie", "id=7")]) + GOOD]) as server:
            async with HttpClient(Endpoint("t", "openai_chat", server.url), options=FAST) as client:
                for _ in range(2):
                    assert good(Outcome(await collect(client, ASK)))
            return server.requests

    assert ["cookie" in request.headers for request in asyncio.run(main())] == [False, False]


def test_endpoint_user_agent_replaces_ours() -> None:
    outcome = run([head() + GOOD], endpoint={"headers": (("User-Agent", "mine"),)})
    names = [name.lower() for name, _ in outcome.sent[0].request.headers]
    assert outcome.server.requests[0].headers["user-agent"] == "mine"
    assert names.count("user-agent") == 1


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("http://h/v1", "http://H/v2", True),
        ("http://h/v1", "https://h/v1", True),
        ("https://h/v1", "http://h/v1", False),
        ("https://h/v1", "https://h.example/v1", False),
        ("https://h/v1", "https://h:8443/v1", False),
    ],
)
def test_redirect_keeps_host_and_tls(old: str, new: str, same: bool) -> None:
    assert _same_place(old, new) is same


# -- cancelling ----------------------------------------------------------------------------------------------------


def test_leaving_early_closes_the_connection() -> None:
    async def main() -> None:
        async with wire_server([head(), sse(HELLO), HANG]) as server:
            client = HttpClient(Endpoint("t", "openai_chat", server.url), options=FAST)
            async with client:
                async with aclosing(client.exchange(ASK)) as events:
                    async for event in events:
                        if isinstance(event, ChunkReceived):
                            break
                async with asyncio.timeout(LIMIT_S):
                    await server.closed.wait()
                assert (client._slots.busy, client._slots.waiting) == (0, 0)

    asyncio.run(main())


def test_cancelled_task_closes_the_connection() -> None:
    async def main() -> None:
        async with wire_server([head(), sse(HELLO), HANG]) as server:
            client = HttpClient(Endpoint("t", "openai_chat", server.url), options=FAST)
            async with client:
                with pytest.raises(TimeoutError):
                    async with asyncio.timeout(0.1):
                        await collect(client, ASK)
                async with asyncio.timeout(LIMIT_S):
                    await server.closed.wait()
                assert client._slots.busy == 0

    asyncio.run(main())


def test_requests_wait_for_their_turn() -> None:
    async def main() -> None:
        async with wire_server([0.05, head() + GOOD]) as server:
            at = Endpoint("t", "openai_chat", server.url)
            async with HttpClient(at, options=replace(FAST, max_concurrency=1)) as client, asyncio.TaskGroup() as group:
                for _ in range(3):
                    group.create_task(collect(client, ASK))
                await until(lambda: (client._slots.busy, client._slots.waiting) == (1, 2))

    asyncio.run(main())


# -- models --------------------------------------------------------------------------------------------------------


def models(script: Script) -> list[str]:
    async def main() -> list[str]:
        async with (
            wire_server(script) as server,
            HttpClient(Endpoint("t", "openai_chat", server.url), KEY, options=FAST) as client,
        ):
            return [model.id for model in await client.list_models()]

    return asyncio.run(main())


def test_list_models() -> None:
    assert models(answer(200, b'{"data":[{"id":"a"},{"id":"b"}]}')) == ["a", "b"]
    assert models(answer(200, b'{"data":[]}')) == []


@pytest.mark.parametrize(
    ("script", "kind", "status"),
    [
        (answer(401, b'{"error":"no"}'), K.AUTH, 401),
        (answer(200, b"<html>", "text/html"), K.PROTOCOL, 200),
        (answer(302, b"", extra=[("Location", "http://elsewhere/")]), K.PROTOCOL, 302),
        ([RESET], K.CONNECT, None),
        ([HANG], K.TIMEOUT, None),
        ([head(length=100), b"{"], K.CUT_OFF, 200),
        ([head(length=100), b"{", HANG], K.TIMEOUT, 200),
    ],
)
def test_list_models_errors(script: Script, kind: K, status: int | None) -> None:
    async def main() -> None:
        async with wire_server(script) as server:
            options = replace(FAST, first_byte=0.3) if HANG in script else FAST
            async with HttpClient(Endpoint("t", "openai_chat", server.url), KEY, options=options) as client:
                with pytest.raises(ProviderError) as caught:
                    await client.list_models()
                assert (caught.value.info.kind, caught.value.info.status) == (kind, status)
                assert caught.value.info.where.startswith("GET http://127.0.0.1:")
                check = await client.check()
                assert (check.ok, check.reachable, check.error) == (False, status is not None, caught.value.info)

    asyncio.run(main())


def test_a_model_list_without_end_is_not_read_to_the_end() -> None:
    async def main() -> None:
        async with wire_server([head(), *([b'{"id": "x"},' * 10_000] * 40)]) as server:
            options = replace(FAST, max_bytes=2**20)
            async with HttpClient(Endpoint("t", "openai_chat", server.url), options=options) as client:
                with pytest.raises(ProviderError, match="larger than 1 MiB"):
                    await client.list_models()

    asyncio.run(main())


def test_a_packed_model_list() -> None:
    body = gzip.compress(b'{"data":[{"id":"a"}]}')

    async def main() -> None:
        async with wire_server([head(extra=[("Content-Encoding", "gzip")]), body[:9], body[9:]]) as server:
            client = HttpClient(Endpoint("t", "openai_chat", server.url), options=FAST)
            async with client:
                assert [model.id for model in await client.list_models()] == ["a"]

    asyncio.run(main())


def test_check() -> None:
    async def main() -> None:
        async with wire_server(answer(200, b'{"data":[{"id":"a"}]}')) as server:
            client = HttpClient(Endpoint("t", "openai_chat", server.url), options=FAST)
            async with client:
                check = await client.check()
        assert (check.ok, check.reachable, [model.id for model in check.models]) == (True, True, ["a"])
        async with HttpClient(Endpoint("t", "openai_chat", "nonsense"), options=FAST) as client:
            check = await client.check()
        assert (check.ok, check.reachable) == (False, False)

    asyncio.run(main())


def test_invalid_request_headers() -> None:
    async def main() -> list[object]:
        at = Endpoint("t", "openai_chat", "http://127.0.0.1:9", headers=(("x", "bad\nvalue"),))
        async with HttpClient(at, options=FAST) as client:
            return list(await collect(client, ChatRequest("m", ())))

    first, last = asyncio.run(main())
    assert isinstance(first, ExchangeStarted)
    assert isinstance(last, ExchangeEnded)
    assert last.error is not None
    assert last.error.kind is K.BAD_REQUEST
    assert first.exchange == last.exchange == 0
    assert fold([]).text == ""


def test_what_could_not_be_built_is_told_without_its_key() -> None:
    base = f"ftp://h/{KEY}/v1"
    client = HttpClient(Endpoint("p", "openai_chat", base), KEY)

    async def main() -> list[object]:
        async with aclosing(client.exchange(ASK)) as stream:
            return [event async for event in stream]

    began, ended = asyncio.run(main())
    assert isinstance(ended, ExchangeEnded)
    assert ended.error is not None
    assert KEY not in repr((began, ended))


def told_by(outcome: Outcome) -> tuple[object, ...]:
    error = outcome.done[-1].error
    assert error is not None
    return (
        error.kind,
        error.message.replace(str(outcome.server.port), "PORT"),
        error.hint,
        error.status,
        error.permanent,
    )


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ([head(302), RESET], (K.PROTOCOL, "The server redirects to another place, nowhere; nothing was sent there.", "If that is the right address, set it as base URL.", 302, True)),
        ([head(302, extra=[("Location", "https://elsewhere.test/v1")])], (K.PROTOCOL, "The server redirects to another place, https://elsewhere.test/v1; nothing was sent there.", "If that is the right address, set it as base URL.", 302, True)),
        ([head(307, extra=[("Location", "/again")])], (K.PROTOCOL, "The server redirects again and again (5 times).", "Check the base URL.", 307, True)),
    ],
)  # fmt: skip
def test_redirects_that_are_not_followed_say_what_to_do(script: Script, told: tuple[object, ...]) -> None:
    outcome = run(script)
    assert told_by(outcome) == told
    assert all(event.error is None or event.error.status == told[3] for event in outcome.done)


def test_a_redirect_that_is_followed_is_told_with_its_status() -> None:
    def script(request: Request, _: int) -> Script:
        if request.target != "/v2":
            return [head(307, extra=[("Location", "/v2")])]
        return [head(), GOOD]

    outcome = run(script)
    assert good(outcome)
    first = outcome.done[0].error
    assert first is not None
    assert (first.kind, first.status, first.hint) == (K.PROTOCOL, 307, "Set the new address as base URL.")
    assert first.message == f"The server redirects to http://127.0.0.1:{outcome.server.port}/v2."
    assert first.where.startswith("POST http://127.0.0.1:")
    assert outcome.done[0].retry_in == 0.0
    assert [event.exchange for event in outcome.sent] == [0, 1]


@pytest.mark.parametrize(
    ("received", "over", "message"),
    [
        (0, False, "No reply followed the head within 1.5 seconds."),
        (7, False, "Nothing more came after 7 bytes within 1.5 seconds."),
        (7, True, f"The reply was not complete within {ClientOptions().total:g} seconds."),
    ],
)
def test_what_was_waited_for_is_told(received: int, over: bool, message: str) -> None:
    client = HttpClient(Endpoint("t", "openai_chat", "http://h/v1"))
    attempt = ExchangeTry(0, "POST x", status=200, received=received)
    told = client._interrupted(TimeoutError(), attempt, 1.5, over=over)
    assert (told.kind, told.message, told.status) == (K.TIMEOUT, message, 200)
    broken = client._interrupted(OSError("reset"), attempt, 1.5, over=over)
    assert (broken.kind, broken.status, f"after {received} bytes" in broken.message) == (K.CUT_OFF, 200, True)


def test_what_cannot_be_signed_in_is_one_exchange_that_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    class Nobody:
        secrets = frozenset[str]()

        async def signed(self, request: object) -> object:
            raise SecretError("No credentials.", hint="Log in.")

    monkeypatch.setattr("workbench.providers.outgoing.sign_in_for", lambda *_: Nobody())
    outcome = run([head() + GOOD])
    assert told_by(outcome) == (K.AUTH, "No credentials.", "Log in.", None, True)
    assert len(outcome.sent) == len(outcome.done) == 1
    assert outcome.done[0].retry_in is None
    assert outcome.server.requests == []


def test_a_check_tells_whether_something_answered() -> None:
    async def main() -> list[tuple[bool, bool, bool]]:
        found = []
        for script in (answer(200, b'{"data": [{"id": "m"}]}'), answer(401, b"{}")):
            async with wire_server(script) as server, HttpClient(Endpoint("t", "openai_chat", server.url)) as client:
                check = await client.check()
                found.append((check.ok, check.reachable, check.took_us > 0))
        async with HttpClient(Endpoint("t", "openai_chat", "nowhere")) as client:
            refused = await client.check()
            assert refused.error is not None
            assert refused.error.kind is K.BAD_REQUEST
            found.append((refused.ok, refused.reachable, bool(refused.error.hint)))
        return found

    assert asyncio.run(main()) == [(True, True, True), (False, True, True), (False, False, True)]
