"""Which characters are secret."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from urllib.parse import quote

import pytest

from tests.kit.engine_run import CALL, QWEN, events_of
from tests.kit.fakes import FakeClient, Reply, plan
from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.events import ChunkReceived, ExchangeStarted, RunEvent, RunStarted
from workbench.core.masking import Secrets
from workbench.core.messages import Message

KEY = 'sk-1"ü/+ x234567890'


def test_masks_have_the_same_length() -> None:
    secrets = Secrets(["sk-abcdef"])
    assert secrets.mask_text("a sk-abcdef b") == "a ********* b"
    assert secrets.mask_bytes(b"a sk-abcdef b") == b"a ********* b"
    clean = b"nothing here"
    assert secrets.mask_bytes(clean) is clean


@pytest.mark.parametrize(
    "spelling",
    [KEY, json.dumps(KEY)[1:-1], json.dumps(KEY, ensure_ascii=False)[1:-1], json.dumps(json.dumps(KEY))[2:-2], quote(KEY), quote(KEY, safe="")],
)  # fmt: skip
def test_spellings(spelling: str) -> None:
    assert set(Secrets([KEY]).mask_text(f"<{spelling}>")) - set('<>\\"') == {"*"}


@pytest.mark.parametrize("before", ["", "u", "us", "user:"])
@pytest.mark.parametrize("after", ["", "!", "!!"])
def test_base64_at_any_alignment(before: str, after: str) -> None:
    code = base64.b64encode((before + "sk-0123456789abcdef" + after).encode()).decode()
    assert "*" * 20 in Secrets(["sk-0123456789abcdef"]).mask_text(f"Basic {code}")


def test_short_and_public_values_are_words() -> None:
    secrets = Secrets(["", "abc", "ollama", "EMPTY", "lm-studio", "  "])
    assert not secrets
    assert secrets.mask_text("abc ollama EMPTY") == "abc ollama EMPTY"
    assert secrets.scan("abc") == secrets.scan_bytes(b"abc") == ([], 0)
    assert secrets.mask_headers((("Authorization", "Bearer abc"),)) == (("Authorization", "Bearer ***"),)


def test_headers() -> None:
    shown = Secrets(["sk-abcdef"]).mask_headers(
        (
            ("authorization", "Bearer x y"),
            ("X-Api-Key", "k1"),
            ("Set-Cookie", "a=b; Path=/"),
            ("x-ratelimit-remaining-tokens", "12"),
            ("anthropic-ratelimit-tokens-reset", "2026"),
            ("x-echo", "got sk-abcdef"),
            ("content-type", "text/plain"),
        )
    )
    assert dict(shown) == {
        "authorization": "Bearer ***",
        "X-Api-Key": "**",
        "Set-Cookie": "***********",
        "x-ratelimit-remaining-tokens": "12",
        "anthropic-ratelimit-tokens-reset": "2026",
        "x-echo": "got *********",
        "content-type": "text/plain",
    }


def test_addresses() -> None:
    secrets = Secrets(["sk-abcdef"])
    assert (
        secrets.mask_url("https://me:pw@h:1/v1?key=AIza&alt=sse&api_key=b")
        == "https://*****@h:1/v1?key=****&alt=sse&api_key=*"
    )
    assert secrets.mask_url("http://h/sk-abcdef/x") == "http://h/*********/x"
    assert secrets.mask_url("http://[bad sk-abcdef") == "http://[bad *********"


def test_tails_may_begin_a_secret() -> None:
    secrets = Secrets(["sk-sk-abc"])
    assert [secrets.scan(text)[1] for text in ("x", "s", "xsk-", "sk-sk", "sk-sk-sk-", "sk-sk-abc", "")] == [
        0,
        1,
        3,
        5,
        6,
        0,
        0,
    ]
    assert secrets.scan_bytes(b"..sk-s") == ([], 4)


def test_values_and_errors() -> None:
    secrets = Secrets(["sk-abcdef"])
    assert secrets.mask_value({"sk-abcdef": ["sk-abcdef", 1, None]}) == {"*********": ["*********", 1, None]}
    error = secrets.mask_error(ErrorInfo(ErrorKind.AUTH, "bad sk-abcdef", "GET sk-abcdef", code="sk-abcdef"))
    assert "sk-" not in repr(error)
    deep: list[object] = []
    for _ in range(50_000):
        deep = [deep]
    assert secrets.mask_value(deep) is None


def run_events() -> list[RunEvent]:
    typed = plan(FakeClient([Reply(CALL), Reply("Sunny.")]), QWEN, messages=[Message("user", "My key is sk-abcdef.")])
    return events_of(replace(typed, title="about sk-abcdef"))


def test_key_in_typed_text_becomes_stars_of_its_length() -> None:
    events = run_events()
    masked = [Secrets(["sk-abcdef"]).mask_event(event) for event in events]
    told = [event for event in masked if not isinstance(event, ChunkReceived | ExchangeStarted)]  # bytes: the client's
    assert "sk-abcdef" in repr(events)
    assert "sk-abcdef" not in repr(told)
    started = masked[0]
    assert isinstance(started, RunStarted)
    assert len(started.title) == len("about sk-abcdef")
    assert [type(event) for event in masked] == [type(event) for event in events]


def test_events_without_a_key_are_the_same_objects() -> None:
    events = run_events()
    assert all(Secrets(["sk-other"]).mask_event(event) is event for event in events)
    assert all(Secrets().mask_event(event) is event for event in events)


def test_cookie_values_are_masked_whole() -> None:
    shown = Secrets().mask_headers((("Cookie", "hunter two"), ("Authorization", "Basic two words")))
    assert [value for _, value in shown] == ["*" * 10, "Basic *********"]
