from __future__ import annotations

import gzip
import json
import re
import zlib

import pyarrow
import pytest

from tests.kit.scanning import chat_events, chat_reply, chat_request
from workbench.core.errors import InvalidInput
from workbench.scan.exchanges import as_bytes, pair_in, pair_reply, server_of, streams_in, unpacked


def test_the_server_of_an_address_is_told_without_passwords() -> None:
    assert server_of("https://user:pw@gpu1:8000/v1") == "gpu1:8000"
    assert server_of("nonsense") == ""
    assert server_of("http://[broken") == ""


def test_bodies_without_their_packing() -> None:
    assert unpacked(gzip.compress(b"x")) == b"x"
    body = '{"content": "Größe, 天気"}'.encode()
    packed = {"deflate": zlib.compress(body), "br": arrow(body, "brotli"), "zstd": arrow(body, "zstd")}
    for coding, data in packed.items():
        assert unpacked(data, (("content-encoding", coding),)) == body
        assert unpacked(body, (("content-encoding", coding),)) == body  # the recorder unpacked it
    assert unpacked(zlib.compress(body)[2:-4], (("content-encoding", "deflate"),)) == body
    assert unpacked(packed["zstd"]) == body  # it begins so
    assert unpacked(b"\xff\xfe") == b"\xff\xfe"


@pytest.mark.parametrize(
    ("data", "coding", "words"),
    [
        (b"\x1f\x8bnonsense", "", "(gzip)"),
        (b"\xff\xfe\x00", "br", "(br)"),
        (b"\xff\xfe\x00", "compress", "not known: compress"),
    ],
)
def test_what_cannot_be_unpacked_is_said(data: bytes, coding: str, words: str) -> None:
    with pytest.raises(InvalidInput, match=re.escape(words)):
        unpacked(data, (("content-encoding", coding),))


def test_bodies_in_any_form() -> None:
    assert (as_bytes(gzip.compress(b"x")), as_bytes(b"\x1f\x8bnonsense")) == (b"x", b"\x1f\x8bnonsense")
    assert as_bytes({"body": {"a": 1}}) == b'{"a":1}'
    assert (as_bytes("ü"), as_bytes(None)) == ("ü".encode(), b"")


def arrow(data: bytes, codec: str) -> bytes:
    found: bytes = pyarrow.compress(data, codec=codec, asbytes=True)
    return found


def test_streams_one_behind_the_other_and_one_that_is_cut() -> None:
    dump = chat_events("One.") + "noise\n\n" + chat_events("Two.") + chat_events("Three.")[:200]
    found = list(streams_in(dump.encode()))
    assert [(one.text[:2], one.place) for one in found] == [("On", "stream 1"), ("Tw", "stream 2"), ("Th", "stream 3")]


def test_pairs_of_request_and_reply() -> None:
    value = {
        "url": "http://gpu1/v1/chat/completions",
        "request_body": json.dumps(chat_request()),
        "response_body": json.dumps(chat_reply("Hi.")),
    }
    found = pair_in(value)
    assert found is not None
    reply = pair_reply(*found, "1")
    assert reply is not None
    assert (reply.text, reply.server, [tool.name for tool in reply.tools or ()]) == ("Hi.", "gpu1", ["get_weather"])
    assert pair_in({"a": 1}) is None
