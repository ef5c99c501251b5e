from __future__ import annotations

import gzip
import json

from tests.kit.scanning import chat_events, chat_reply, chat_request
from workbench.scan.exchanges import as_bytes, pair_in, pair_reply, server_of, streams_in, unpacked


def test_the_server_of_an_address_is_told_without_passwords() -> None:
    assert server_of("https://user:pw@gpu1:8000/v1") == "gpu1:8000"
    assert server_of("nonsense") == ""
    assert server_of("http://[broken") == ""


def test_bodies_without_their_packing() -> None:
    assert unpacked(gzip.compress(b"x")) == b"x"
    assert unpacked(b"\x1f\x8bnonsense") == b"\x1f\x8bnonsense"
    assert as_bytes({"body": {"a": 1}}) == b'{"a":1}'
    assert (as_bytes("ü"), as_bytes(None)) == ("ü".encode(), b"")


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
