"""Wire text: nothing hidden, nothing secret."""

from __future__ import annotations

from workbench.core.exchange import WireRequest
from workbench.core.messages import Message, NativeCall
from workbench.ui.run.inspector.wire_text import body_text, endpoint_words, headers_text, messages_text, raw_text


def test_requests_in_words() -> None:
    request = WireRequest("POST", "http://127.0.0.1:9/v1/chat/completions?x=1")
    assert endpoint_words(request) == ("POST", "/v1/chat/completions?x=1", "127.0.0.1:9")


def test_bodies() -> None:
    assert body_text(b'{"a":"\xc3\xa9"}') == '{\n  "a": "é"\n}'
    assert body_text(b"no json \xff") == "no json \ufffd"
    assert body_text(b"[" * 100_000) == "[" * 100_000
    assert raw_text(b"data: 1\r\n\r\n\x00") == "data: 1␍\n␍\n\u2400"


def test_displayed_keys_are_masked() -> None:
    text = headers_text((("Authorization", "Bearer abc"), ("accept", "*/*")), 200, (("Set-Cookie", "id=abc"),))
    assert "abc" not in text
    assert "accept: */*" in text
    assert "response 200" in text


def test_conversations() -> None:
    call = NativeCall(0, "c1", "f", '{"a": 1}')
    text = messages_text([Message("assistant", "hm", (call,)), Message("tool", "42", tool_call_id="c1", name="f")])
    assert text == '── assistant ──\nhm\ncalls f {"a": 1}\n\n── tool f for c1 ──\n42'
