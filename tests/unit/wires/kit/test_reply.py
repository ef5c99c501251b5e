"""The frame of every decoder; most of it is tested through the wires."""

from __future__ import annotations

import gzip
from typing import Any

from tests.kit.playbook import read
from workbench.core.exchange import FaultDelta, TextDelta
from workbench.wires import get_wire
from workbench.wires.kit.reply import ReplyDecoder


class Echo(ReplyDecoder):
    """Says what it is told."""

    def on_event(self, name: str, value: dict[str, Any], at: tuple[int, int]) -> None:
        self.text(str(value.get("t", "")), at)
        self.reasoning(str(value.get("r", "")), at)
        if "a" in value:
            self.call(0, "", "", value["a"], at)
        self.finish(value.get("f"), at)

    def on_body(self, value: Any, at: tuple[int, int]) -> None:
        self.on_event("", value, at)


def decoder() -> Echo:
    return Echo(status=200, headers=(), stream=True)


def test_nothing_is_read_after_the_end_marker() -> None:
    one = decoder()
    assert not one.ended
    out = one.feed(b'data: {"t": "a", "f": "x"}\n\ndata: [DONE]\n\ndata: {"t": "b"}\n\n')
    assert one.ended
    assert [delta.text for delta in out if isinstance(delta, TextDelta)] == ["a"]
    assert one.close() == []


def test_a_body_that_is_no_stream_is_unread_from_its_first_byte_on() -> None:
    one = Echo(status=200, headers=(("content-type", "application/json"),), stream=False)
    one.feed(b'{"t": ')
    assert one.unread == 0


def test_a_cut_in_the_middle_of_an_event_is_told() -> None:
    (torn,) = read("openai_chat", b'data: {"choices":[{"index":0,"delta":{"content":"\xc3').faults
    assert torn.message.startswith("The reply ended in the middle of an event")
    (between,) = read("openai_chat", b'data: {"choices":[{"index":0,"delta":{"content":"x"}}]}\n\n').faults
    assert between.message.startswith("The reply ended before it was complete")


def test_packed_without_saying_so() -> None:
    (fault,) = read("openai_chat", gzip.compress(b"data: [DONE]\n\n")).faults
    assert (str(fault.kind), "gzip" in fault.message) == ("protocol", True)


def test_empty_stream_is_cut_off_and_an_empty_body_is_no_reply() -> None:
    (fault,) = read("openai_chat", b"").faults
    assert (str(fault.kind), fault.message) == ("cut_off", "The stream ended without a single event.")
    (fault,) = read("openai_chat", b"", stream=False).faults
    assert (str(fault.kind), fault.message) == ("protocol", "The reply is empty.")


def test_a_stream_of_nothing_but_its_end() -> None:
    (fault,) = read("openai_chat", b"data: [DONE]\n\n").faults
    assert "a stream but holds no 'choices'" in fault.message


def test_an_event_may_hold_a_list_of_values() -> None:
    out = decoder().feed(b'data: [{"t": "a"}, 7, {"t": "b", "f": "x"}]\n\n')
    assert [delta.text for delta in out if isinstance(delta, TextDelta)] == ["a", "b"]


def test_events_that_were_wrapped_twice_are_read() -> None:
    chunk = '{"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}]}'
    reply = read("openai_chat", f"data: data: {chunk}\n\ndata: data: [DONE]\n\n".encode())
    assert (reply.text, reply.finish, reply.faults) == ("a", "stop", [])
    assert read("openai_chat", b"data: " * 5000 + chunk.encode() + b"\n\n").text == "a"


def test_a_stream_that_breaks_off_is_told_at_its_end() -> None:
    body = b'data: {"choices": [{"delta": {"content": "a"}}]}\n\n'
    decoder = get_wire("openai_chat").decoder(status=200, headers=(), stream=True)
    *_, fault = [*decoder.feed(body), *decoder.close()]
    assert isinstance(fault, FaultDelta)
    assert fault.at == (len(body), len(body))
