"""Frames of AWS's event stream: read whole, in pieces, and as AWS's own library reads them."""

from __future__ import annotations

import json
import struct
import zlib
from typing import Any

import pytest
from botocore.eventstream import EventStreamBuffer

from tests.kit.event_frames import frame
from workbench.wires.kit.event_frames import LONGEST, FrameDecoder, is_framed

BODY = frame("messageStart", {"role": "assistant"}) + frame(
    "contentBlockDelta", {"delta": {"text": "Grüße"}, "p": "ab"}
)


def read(body: bytes, cut: int) -> list[tuple[str, str, tuple[int, int]]]:
    decoder = FrameDecoder()
    return [tuple(one) for at in range(0, len(body), cut) for one in decoder.feed(body[at : at + cut])]  # type: ignore[misc]


@pytest.mark.parametrize("cut", [1, 3, 7, 4096])
def test_events_are_those_of_the_vendors_library(cut: int) -> None:
    theirs = EventStreamBuffer()
    theirs.add_data(BODY)
    wanted = [(one.headers[":event-type"], json.loads(one.payload)) for one in theirs]
    found = read(BODY, cut)
    assert [(name, json.loads(data)) for name, data, _ in found] == wanted
    assert b"".join(BODY[at[0] : at[1]] for _, _, at in found) == BODY


def test_headers_of_every_kind_are_passed() -> None:
    told = b"".join(
        struct.pack(">B", 1) + b"h" + bytes([kind]) + bytes(size)
        for kind, size in ((0, 0), (1, 0), (2, 1), (3, 2), (4, 4), (5, 8), (8, 8), (9, 16))
    )
    told += struct.pack(">B", 1) + b"b" + struct.pack(">BH", 6, 3) + b"xyz"
    told += struct.pack(">B", 11) + b":event-type" + struct.pack(">BH", 7, 2) + b"hi"
    prelude = struct.pack(">II", 16 + len(told) + 2, len(told))
    body = prelude + struct.pack(">I", zlib.crc32(prelude)) + told + b"{}"
    body += struct.pack(">I", zlib.crc32(body))
    assert read(body, 100) == [("hi", "{}", (0, len(body)))]


def test_what_is_no_frame_ends_the_reading() -> None:
    for wrong in (
        b"<html>no frames here</html>",
        struct.pack(">III", LONGEST + 1, 0, 0),
        BODY[:4] + b"\xff" + BODY[5:],
    ):
        decoder = FrameDecoder()
        assert decoder.feed(wrong) == []
        assert decoder.broken
        assert decoder.feed(BODY) == []


def test_damaged_payload_is_not_read() -> None:
    first = frame("messageStart", {"role": "assistant"})
    damaged = frame("contentBlockDelta", {"delta": {"text": "sunny"}}).replace(b"sunny", b"funny")
    decoder = FrameDecoder()
    assert [one.event for one in decoder.feed(first + damaged + first)] == ["messageStart"]
    assert decoder.broken


def test_masked_frame_is_still_read() -> None:
    body = frame("contentBlockDelta", {"delta": {"text": "secret-key"}}).replace(b"secret-key", b"**********")
    assert [json.loads(data) for _, data, _ in read(body, 7)] == [{"delta": {"text": "**********"}}]


@pytest.mark.parametrize(
    ("payload", "told"),
    [({"message": "too many"}, "too many"), ("not JSON of theirs", '"not JSON of theirs"'), ({}, "{}")],
)
def test_an_exception_tells_its_message_or_all_that_it_holds(payload: Any, told: str) -> None:
    ((name, data, _),) = read(frame("throttlingException", payload, exception=True), 9)
    assert (name, json.loads(data)) == ("error", {"error": {"type": "throttlingException", "message": told}})


@pytest.mark.parametrize("value", [{"bytes": "e30="}, {"bytes": "no base64"}, {"other": 1}])
def test_chunks_of_invoke_model_are_unwrapped(value: dict[str, Any]) -> None:
    ((_, data, _),) = read(frame("chunk", value), 9)
    assert json.loads(data) == ({} if value == {"bytes": "e30="} else value)


def test_frames_are_recognised_by_the_media_type() -> None:
    assert is_framed((("Content-Type", "application/vnd.amazon.eventstream"),))
    assert not is_framed((("content-type", "text/event-stream"),))


def test_a_frame_may_be_just_as_long_as_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    one = frame("a", {"x": 1})
    for limit, broken in ((len(one), False), (len(one) - 1, True)):
        monkeypatch.setattr("workbench.wires.kit.event_frames.LONGEST", limit)
        decoder = FrameDecoder()
        assert [bool(decoder.feed(one)), decoder.broken] == [not broken, broken]


def test_a_frame_without_a_payload_or_a_head_is_one() -> None:
    decoder = FrameDecoder()
    prelude = struct.pack(">II", 16, 0)
    body = prelude + struct.pack(">I", zlib.crc32(prelude))
    (found,) = decoder.feed(body + struct.pack(">I", zlib.crc32(body)))
    assert (found.event, found.data, found.at, decoder.broken) == ("", "", (0, 16), False)


def test_an_exception_is_told_in_the_words_that_there_are() -> None:
    for value, message in (({"message": "Slow down."}, "Slow down."), ({"other": 1}, '{"other": 1}'), ("odd", '"odd"')):
        (found,) = FrameDecoder().feed(frame("throttling", value, exception=True))
        assert found.event == "error"
        assert json.loads(found.data) == {"error": {"type": "throttling", "message": message}}


def test_an_error_without_a_payload_is_told_by_its_headers() -> None:
    told = {":message-type": "error", ":error-code": "Throttled", ":error-message": "Slow down."}
    head = b"".join(
        struct.pack(">B", len(name)) + name.encode() + struct.pack(">BH", 7, len(text)) + text.encode()
        for name, text in told.items()
    )
    prelude = struct.pack(">II", 16 + len(head), len(head))
    body = prelude + struct.pack(">I", zlib.crc32(prelude)) + head
    (found,) = FrameDecoder().feed(body + struct.pack(">I", zlib.crc32(body)))
    assert (found.event, json.loads(found.data)) == ("error", {"error": {"type": "Throttled", "message": "Slow down."}})
