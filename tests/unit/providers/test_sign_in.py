"""Signing in at clouds with the vendors' own libraries, against servers of this machine."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.kit.client_run import Outcome, collect
from tests.kit.clouds import ENDS, Aws, Azure, Google, Libraries
from tests.kit.event_frames import converse, invoked
from tests.kit.wire_server import Request, answer, head, served, sse
from workbench.core.errors import MissingLibrary, SecretError, SettingsError
from workbench.core.exchange import Endpoint, WireRequest
from workbench.core.messages import ChatRequest, Message
from workbench.providers import sign_in
from workbench.providers.client import HttpClient
from workbench.providers.sign_in import SignIn, _first_line, _Token, _with, sign_in_for
from workbench.settings.presets import get_preset
from workbench.wires.kit.event_frames import MEDIA_TYPE

TOKEN = "ya29.a-token-of-this-test"
KEY_ID, SECRET, SESSION = "AKIAEXAMPLEEXAMPLE01", "secret-of-this-test/abc", "session-of-this-test-xyz"
CLAUDE = [
    {"type": "message_start", "message": {"id": "m", "type": "message", "role": "assistant", "model": "claude", "content": [], "usage": {"input_tokens": 1, "output_tokens": 1}}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hello"}},
    {"type": "content_block_stop", "index": 0},
    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2}},
    {"type": "message_stop"},
]  # fmt: skip
REPLIES = {
    "bedrock_converse": converse(
        ("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": "Hello"}}), ("messageStop", {"stopReason": "end_turn"})
    ),
    "anthropic_messages": b"".join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n".encode() for e in CLAUDE),
    "gemini_generate": sse('{"candidates":[{"content":{"role":"model","parts":[{"text":"Hello"}]},"finishReason":"STOP"}]}'),
    "openai_chat": sse('{"choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":"stop"}]}', "[DONE]"),
    "openai_responses": b'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","output_index":0,"delta":"Hello"}\n\n'
    b'event: response.completed\ndata: {"type":"response.completed","response":{"status":"completed","output":[]}}\n\n',
}  # fmt: skip


@pytest.fixture
def google(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A service account's file; its `token_uri` is filled in by `signed_reply`."""
    pem = rsa.generate_private_key(65537, 2048).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path = tmp_path / "account.json"
    path.write_text(json.dumps({"type": "service_account", "client_email": "a@p.iam.test", "private_key": pem.decode(), "project_id": "p"}))  # fmt: skip
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(path))
    return path


@pytest.fixture
def aws(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name, value in (("ACCESS_KEY_ID", KEY_ID), ("SECRET_ACCESS_KEY", SECRET), ("SESSION_TOKEN", SESSION)):
        monkeypatch.setenv(f"AWS_{name}", value)
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-west-1")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    monkeypatch.delenv("AWS_PROFILE", raising=False)


def signed_reply(preset_id: str, google: Path | None = None, path: str = "") -> tuple[list[Request], Outcome, str]:
    """Ask a preset's endpoint, moved to a server of this machine; return what was asked, what came, and all that is recorded."""
    config = get_preset(preset_id).provider()

    def script(request: Request, _: int) -> Sequence[Any]:
        if request.target == "/token":
            return answer(200, json.dumps({"access_token": TOKEN, "expires_in": 3600, "token_type": "Bearer"}).encode())
        if config.quirks.get("framed"):
            return [head(kind=MEDIA_TYPE) + invoked(*CLAUDE)]
        framed = config.wire == "bedrock_converse"
        return [head(kind=MEDIA_TYPE if framed else "text/event-stream") + REPLIES[config.wire]]

    async def main(base: str) -> Outcome:
        endpoint = Endpoint("p", config.wire, base, quirks=config.quirks)
        async with HttpClient(endpoint) as client:
            return Outcome(await collect(client, ChatRequest("claude-x", (Message("user", "hi"),))))

    with served(script) as server:
        root = server.url.removesuffix("/v1")
        if google:
            google.write_text(json.dumps(json.loads(google.read_text()) | {"token_uri": f"{root}/token"}))
        outcome = asyncio.run(main(root + path))
        return server.requests, outcome, repr(outcome.events)


@pytest.mark.parametrize(
    ("preset", "target"),
    [
        ("vertex", "/v1/projects/P/locations/L/models/claude-x:streamGenerateContent?alt=sse"),
        ("vertex_anthropic", "/v1/projects/P/locations/L/publishers/anthropic/models/claude-x:streamRawPredict"),
        ("vertex_openai", "/v1/projects/P/locations/L/chat/completions"),
    ],
)
def test_vertex_takes_a_token_of_the_service_account(google: Path, preset: str, target: str) -> None:
    (asked, sent), outcome, recorded = signed_reply(preset, google, "/v1/projects/P/locations/L")
    assert b"jwt-bearer" in asked.body
    assert (sent.target, sent.headers["authorization"]) == (target, f"Bearer {TOKEN}")
    assert outcome.reply.text == "Hello"
    assert TOKEN not in recorded
    if preset == "vertex_anthropic":
        body = json.loads(sent.body)
        assert (body["anthropic_version"], "model" in body) == ("vertex-2023-10-16", False)
        assert "anthropic-version" not in sent.headers


def test_token_is_fetched_once() -> None:
    count: list[int] = []

    def fetch() -> tuple[str, float]:
        count.append(1)
        return f"token-{len(count)}", time.time() + (3600 if len(count) == 1 else 10)

    async def main() -> list[str]:
        token = _Token(fetch)
        request = WireRequest("POST", "http://h", (("Authorization", "old"),))
        first = [dict((await token.signed(request)).headers)["authorization"] for _ in range(2)]
        token._until = time.time() + 60
        return [*first, dict((await token.signed(request)).headers)["authorization"]]

    assert asyncio.run(main()) == ["Bearer token-1", "Bearer token-1", "Bearer token-2"]


@pytest.mark.parametrize(
    ("preset", "service"),
    [
        ("bedrock", "bedrock"),
        ("bedrock_converse", "bedrock"),
        ("bedrock_responses", "bedrock-mantle"),
        ("bedrock_anthropic", "bedrock-mantle"),
        ("bedrock_invoke", "bedrock"),
    ],
)
@pytest.mark.usefixtures("aws")
def test_bedrock_requests_are_signed(preset: str, service: str) -> None:
    (sent,), outcome, recorded = signed_reply(preset)
    assert outcome.reply.text == "Hello"
    assert SECRET not in recorded
    assert SESSION not in recorded
    assert KEY_ID not in recorded
    told = sent.headers["authorization"]
    assert f"/eu-west-1/{service}/aws4_request" in told
    assert sent.headers["x-amz-security-token"] == SESSION
    names = told.partition("SignedHeaders=")[2].partition(",")[0].split(";")
    assert set(names) == {"content-type", "host", "x-amz-date", "x-amz-security-token"}
    headers = {name: sent.headers[name] for name in names if name != "host"}
    again = AWSRequest(sent.method, f"http://{sent.headers['host']}{sent.target}", headers=headers, data=sent.body)
    again.context["timestamp"] = sent.headers["x-amz-date"]
    signer = SigV4Auth(Credentials(KEY_ID, SECRET, SESSION), service, "eu-west-1")
    wanted = signer.signature(signer.string_to_sign(again, signer.canonical_request(again)), again)
    assert told.rpartition("Signature=")[2] == wanted


@pytest.mark.usefixtures("aws")
def test_region_is_that_of_the_address() -> None:
    base = "https://bedrock-runtime.us-gov-west-1.amazonaws.com/openai/v1"
    found = sign_in_for(Endpoint("p", "openai_chat", base), None)
    assert found is not None
    headers = dict(asyncio.run(found.signed(WireRequest("POST", f"{base}/chat/completions", (), b"{}"))).headers)
    assert "/us-gov-west-1/bedrock/" in headers["Authorization"]


def test_azure_takes_a_token_of_its_library(monkeypatch: pytest.MonkeyPatch) -> None:
    import azure.identity

    class Known:
        def __enter__(self) -> Known:
            return self

        def __exit__(self, *_: object) -> None:
            return None

        def get_token(self, scope: str) -> SimpleNamespace:
            assert scope == "https://cognitiveservices.azure.com/.default"
            return SimpleNamespace(token=TOKEN, expires_on=time.time() + 3600)

    monkeypatch.setattr(azure.identity, "DefaultAzureCredential", Known)
    (sent,), outcome, recorded = signed_reply("azure_entra", path="/openai/v1")
    assert (sent.target, sent.headers["authorization"]) == ("/openai/v1/chat/completions", f"Bearer {TOKEN}")
    assert (outcome.reply.text, TOKEN in recorded) == ("Hello", False)


def test_key_goes_before_a_sign_in() -> None:
    config = get_preset("bedrock").provider()
    endpoint = Endpoint("p", config.wire, "http://127.0.0.1:1", quirks=config.quirks)
    assert sign_in_for(endpoint, "a-key") is None
    assert sign_in_for(Endpoint("p", "openai_chat", "http://127.0.0.1:1"), None) is None
    with pytest.raises(SettingsError, match="no sign-in 'oracle'"):
        sign_in_for(Endpoint("p", "openai_chat", "http://h", quirks={"sign_in": "oracle"}), None)


@pytest.mark.parametrize(
    ("preset", "library", "extra"),
    [
        ("vertex", "google.auth", "vertex"),
        ("vertex", "google.auth.transport.requests", "vertex"),
        ("vertex", "google.auth.exceptions", "vertex"),
        ("bedrock", "botocore.auth", "bedrock"),
        ("bedrock", "botocore.awsrequest", "bedrock"),
        ("bedrock", "botocore.session", "bedrock"),
        ("azure_entra", "azure.identity", "azure"),
        ("azure_entra", "azure.core.exceptions", "azure"),
    ],
)
def test_missing_library_is_named(preset: str, library: str, extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    asked, outcome, _ = signed_reply(preset)
    error = outcome.done[-1].error
    assert asked == []
    assert error is not None
    assert (error.kind, f"[{extra}]" in error.hint) == ("auth", True)
    config = get_preset(preset).provider()
    found = sign_in_for(Endpoint("p", config.wire, "http://h", quirks=config.quirks), None)
    assert found is not None
    with pytest.raises(MissingLibrary):
        asyncio.run(found.signed(WireRequest("POST", "http://h")))


def test_libraries_do_not_write_beside_our_own_error() -> None:
    sign_in._library("azure.identity", "azure")
    handlers = logging.getLogger("azure").handlers
    assert any(isinstance(handler, logging.NullHandler) for handler in handlers)


def test_nobody_signed_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(tmp_path / "none.json"))
    asked, outcome, _ = signed_reply("vertex")
    error = outcome.done[-1].error
    assert asked == []
    assert error is not None
    assert (error.kind, "none.json" in error.message, "gcloud" in error.hint) == ("auth", True, True)
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    for name in ("AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE"):
        monkeypatch.setenv(name, str(tmp_path / "none"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    config = get_preset("bedrock").provider()
    found = sign_in_for(Endpoint("p", config.wire, "http://h", quirks=config.quirks), None)
    assert found is not None
    with pytest.raises(SecretError, match="No AWS credentials"):
        asyncio.run(found.signed(WireRequest("POST", "http://h")))


@pytest.mark.usefixtures("aws")
def test_an_address_without_a_region_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    found = sign_in_for(
        Endpoint("p", "bedrock_converse", "https://bedrock.example.org", quirks={"sign_in": "aws"}), None
    )
    assert found is not None
    with pytest.raises(SettingsError, match="names no AWS region") as caught:
        asyncio.run(found.signed(WireRequest("POST", "https://bedrock.example.org/m", (), b"{}")))
    assert "AWS_DEFAULT_REGION" in caught.value.hint


NOW = 1_790_000_000.0
BODY = WireRequest("POST", "https://h.example/m?x=1", (("Content-Type", "a/b"), ("X-Own", "1")), b"{}")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, as `sign_in` sees it."""
    now = [NOW]
    monkeypatch.setattr(sign_in, "time", SimpleNamespace(time=lambda: now[0]))
    return now


def of_kind(kind: str, base: str = "https://h.example", **quirks: object) -> SignIn:
    found = sign_in_for(Endpoint("p", "openai_chat", base, quirks={"sign_in": kind, **quirks}), None)
    assert found is not None
    return found


def signed(by: SignIn, request: WireRequest = BODY) -> WireRequest:
    return asyncio.run(by.signed(request))


@pytest.mark.parametrize(("left", "fetched"), [(3600.0, 1), (120.0, 1), (119.0, 2), (-5.0, 2)])
def test_a_token_is_renewed_two_minutes_before_its_end(clock: list[float], left: float, fetched: int) -> None:
    count: list[int] = []

    def fetch() -> tuple[str, float]:
        count.append(1)
        return f"t{len(count)}", NOW + 1_000

    async def main() -> tuple[str, str]:
        token = _Token(fetch)
        assert token.secrets == frozenset()
        await token.signed(BODY)
        assert token.secrets == {"t1"}
        clock[0] = NOW + 1_000 - left
        again = await token.signed(BODY)
        assert token.secrets == {f"t{fetched}"}
        return dict(again.headers)["authorization"], again.url

    assert asyncio.run(main()) == (f"Bearer t{fetched}", BODY.url)
    assert len(count) == fetched


def test_requests_at_the_same_time_fetch_one_token() -> None:
    count: list[int] = []

    def fetch() -> tuple[str, float]:
        count.append(1)
        return "t", time.time() + 3_600

    async def main() -> None:
        token = _Token(fetch)
        await asyncio.gather(*(token.signed(BODY) for _ in range(5)))

    asyncio.run(main())
    assert len(count) == 1


def test_headers_of_the_sign_in_take_the_place_of_those_with_the_same_name() -> None:
    before = (("Authorization", "old"), ("x-own", "1"), ("X-DATE", "then"))
    assert _with(before, {"authorization": "new", "X-Date": "now"}) == (
        ("x-own", "1"), ("authorization", "new"), ("X-Date", "now"),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("ends", "until"),
    [
        (datetime.fromtimestamp(NOW + 900, UTC), NOW + 900),
        (datetime.fromtimestamp(NOW + 900, UTC).replace(tzinfo=None), NOW + 1_800),
        (None, NOW + 1_800),
    ],
)
def test_a_token_of_google_ends_when_it_says(
    clock: list[float], monkeypatch: pytest.MonkeyPatch, ends: datetime | None, until: float
) -> None:
    google = Google(ends)
    libraries = google.libraries()
    monkeypatch.setattr(sign_in, "_library", libraries)
    by = of_kind("google")
    assert dict(signed(by).headers)["authorization"] == "Bearer g-token"
    assert getattr(by, "_until") == until  # noqa: B009
    assert google.seen == [["https://www.googleapis.com/auth/cloud-platform"], "a request"]
    assert {extra for _, extra in libraries.asked} == {"vertex"}


def test_google_says_why_it_lets_nobody_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sign_in, "_library", Google(None, "\n  Reauthentication is needed. \nmore").libraries())
    with pytest.raises(SecretError) as caught:
        signed(of_kind("google"))
    assert caught.value.message == "Google Cloud lets nobody in: Reauthentication is needed."
    assert caught.value.hint == "Run 'gcloud auth application-default login'."


def test_a_token_of_azure_ends_when_it_says(clock: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    azure = Azure()
    libraries = Libraries(azure_identity=azure, azure_core_exceptions=azure)
    monkeypatch.setattr(sign_in, "_library", libraries)
    by = of_kind("azure")
    assert dict(signed(by).headers)["authorization"] == "Bearer a-token"
    assert getattr(by, "_until") == ENDS  # noqa: B009
    assert azure.seen == ["https://cognitiveservices.azure.com/.default", "closed"]
    assert libraries.asked == [("azure.identity", "azure"), ("azure.core.exceptions", "azure")]


def test_azure_says_why_it_lets_nobody_in(monkeypatch: pytest.MonkeyPatch) -> None:
    azure = Azure("No credential was found.")
    monkeypatch.setattr(sign_in, "_library", Libraries(azure_identity=azure, azure_core_exceptions=azure))
    with pytest.raises(SecretError) as caught:
        signed(of_kind("azure"))
    assert (caught.value.message, caught.value.hint) == (
        "Azure lets nobody in: No credential was found.",
        "Run 'az login', or give a key.",
    )
    assert azure.seen[-1] == "closed"


def test_a_request_is_signed_whole_and_with_its_kind_of_content(monkeypatch: pytest.MonkeyPatch) -> None:
    aws = Aws()
    libraries = aws.libraries()
    monkeypatch.setattr(sign_in, "_library", libraries)
    by = of_kind("aws", "https://bedrock-runtime.eu-central-1.amazonaws.com", aws_service="mantle")
    assert by.secrets == frozenset()
    found = signed(by)
    assert found == WireRequest(
        "POST", BODY.url, (("X-Own", "1"), ("Content-Type", "a/b"), ("Authorization", "AWS4 signature")), b"{}"
    )
    assert aws.asked == [("POST", BODY.url, {"Content-Type": "a/b"}, b"{}")]
    assert aws.signed == [(aws.held, "mantle", "eu-central-1")]
    assert by.secrets == {"secret", "session", "AKIA"}
    signed(by)
    assert aws.sessions == 1, "credentials are looked for once, and asked for those of the moment"
    assert {extra for _, extra in libraries.asked} == {"bedrock"}


def test_credentials_without_a_session_hold_two_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sign_in, "_library", Aws(token=None).libraries())
    by = of_kind("aws", "https://bedrock.us-east-1.amazonaws.com")
    signed(by)
    assert by.secrets == {"secret", "AKIA"}


def test_without_credentials_of_aws_what_to_run_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sign_in, "_library", Aws(nobody=True).libraries())
    with pytest.raises(SecretError) as caught:
        signed(of_kind("aws"))
    assert (caught.value.message, caught.value.hint) == (
        "No AWS credentials were found.",
        "Run 'aws configure' or 'aws sso login', or give a key.",
    )


@pytest.mark.parametrize(
    ("host", "region"),
    [
        ("bedrock-runtime.us-gov-west-1.amazonaws.com", "us-gov-west-1"),
        ("eu-west-3.example.org", "eu-west-3"),
        ("bedrock.example.org", "set-up"),
        ("bedrock.eu-west.example.org", "set-up"),
        ("mine-eu-west-3.example.org", "set-up"),
        ("", "set-up"),
    ],
)
def test_a_region_of_the_address_goes_before_that_of_the_settings(
    monkeypatch: pytest.MonkeyPatch, host: str, region: str
) -> None:
    aws = Aws(region="set-up")
    monkeypatch.setattr(sign_in, "_library", aws.libraries())
    signed(of_kind("aws", f"https://{host}/v1"))
    assert aws.signed == [(aws.held, "bedrock", region)]


def test_without_any_region_what_to_set_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sign_in, "_library", Aws().libraries())
    with pytest.raises(SettingsError) as caught:
        signed(of_kind("aws"))
    assert (caught.value.message, caught.value.hint) == (
        "The address names no AWS region.",
        "Set AWS_DEFAULT_REGION.",
    )


def test_a_sign_in_that_nobody_knows_is_named_with_those_that_are() -> None:
    with pytest.raises(SettingsError) as caught:
        of_kind("oracle")
    assert (caught.value.message, caught.value.hint) == ("There is no sign-in 'oracle'.", "Known: google, aws, azure.")


def test_a_library_that_is_not_there_is_named_by_its_first_part() -> None:
    with pytest.raises(MissingLibrary) as caught:
        sign_in._library("no_such_library.of.ours", "vertex")
    assert caught.value.message == "Signing in needs the library 'no_such_library', which is not installed."
    assert "[vertex]" in caught.value.hint
    assert isinstance(caught.value.__cause__, ImportError)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("One line.", "One line"),
        ("\n \n  The second. \nThe third", "The second"),
        ("", "ValueError"),
        (" \n ", "ValueError"),
        ("x" * 301, "x" * 300),
    ],
)
def test_of_an_error_its_first_line_is_told(text: str, line: str) -> None:
    assert _first_line(ValueError(text)) == line
