"""The frame of every decoder; most of it is tested through the wires."""

from __future__ import annotations

import gzip
from typing import Any

import pytest

from tests.kit.event_frames import frame
from tests.kit.playbook import read
from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.exchange import Delta, FaultDelta, FinishDelta, NoticeDelta, TextDelta
from workbench.wires import get_wire
from workbench.wires.kit.error_answers import WEB_PAGE_HINT
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
        for item in value if isinstance(value, list) else [value]:
            self.on_event("", item, at)


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


def told(body: bytes, cut: int, *, status: int = 200, stream: bool = True, lines: bool = False) -> list[Delta]:
    """All that a decoder gives of a body that comes in pieces."""
    one = Echo(status=status, headers=(), stream=stream)
    one.lines = lines
    step = cut or max(1, len(body))
    return [delta for at in range(0, len(body), step) for delta in one.feed(body[at : at + step])] + one.close()


def fault(kind: ErrorKind, message: str, hint: str, at: tuple[int, int], status: int = 200) -> FaultDelta:
    return FaultDelta(ErrorInfo(kind, message, hint=hint, status=status), at)


def cut_off(at: int, how: str = "before it was complete", status: int = 200) -> FaultDelta:
    hint = "All that came is kept. Try again; a proxy or the server closed the connection early."
    return fault(ErrorKind.CUT_OFF, f"The reply ended {how}.", hint, (at, at), status)


def odd(said: str, end: int) -> NoticeDelta:
    return NoticeDelta("unknown_event", f"An event holds {said!r}.", (0, end))


BREAKS = "The bytes of the reply show where it breaks."
TORN = "in the middle of an event"


@pytest.mark.parametrize("cut", [0, 1, 7])
@pytest.mark.parametrize(
    ("body", "deltas"),
    [
        (b'data: {"t": "a"}\n\n', [TextDelta("a", (0, 16)), cut_off(18)]),
        (b'\r\n\r\ndata: {"t": "a", "f": "x"}\n\n', [TextDelta("a", (4, 30)), FinishDelta("x", (4, 30))]),
        (b'data: {"t": "a", "f": "x"}', [TextDelta("a", (0, 26)), FinishDelta("x", (0, 26))]),
        (b'data: {"t": "a", "f": "x"', [cut_off(25, TORN)]),
        (b'data: {"t": "a\xc3', [cut_off(15, TORN)]),
        (b'  {"t": "a"}', [TextDelta("a", (0, 12))]),
        (b": ping\n\n", [cut_off(8)]),
        (b"id: 7\n\n", [cut_off(7)]),
        (b"retry: 7\n\n", [cut_off(10)]),
        (b"data: 7\n\n", [odd("7", 7), cut_off(9)]),
        (b"data: [7]\n\n", [odd("[7]", 9), cut_off(11)]),
        (b"data: null\n\ndata: true\n\n", [odd("null", 10), cut_off(24)]),
        (b"data: " + b"x" * 99 + b"\n\n", [odd("x" * 60, 105), cut_off(107)]),
        (b"data: " + b"7" * 99 + b"\n\n", [odd("7" * 60, 105), cut_off(107)]),
        (b'data: {"t": }\n\n', [fault(ErrorKind.PROTOCOL, "An event of the stream is not valid JSON: '{\"t\": }'.", BREAKS, (0, 13))]),
        (b"data: [" + b"x" * 99 + b"\n\n", [fault(ErrorKind.PROTOCOL, f"An event of the stream is not valid JSON: {'[' + 'x' * 79!r}.", BREAKS, (0, 106))]),
        (b"event: error\ndata: too busy\n\n", [fault(ErrorKind.SERVER, "too busy", "The provider has a problem; try again later.", (0, 27))]),
        (b'data: {"t":\ndata: "b"}\n\n', [TextDelta("b", (0, 22)), cut_off(24)]),
        (b'data: {"t": "a"}\ndata: \ndata: {"t": "b"}\n\n', [TextDelta("a", (0, 40)), TextDelta("b", (0, 40)), cut_off(42)]),
        (b'data: data: {"t": "a"}\n\ndata:data:[DONE]\n\n', [TextDelta("a", (0, 22))]),
        (b"hello  there", [fault(ErrorKind.PROTOCOL, "The reply is neither JSON nor an event stream: 'hello there'.", WEB_PAGE_HINT, (0, 12))]),
        (b"y" * 500, [fault(ErrorKind.PROTOCOL, f"The reply is neither JSON nor an event stream: {'y' * 120!r}.", WEB_PAGE_HINT, (0, 500))]),
        (b"\x1f\x8bxx", [fault(ErrorKind.PROTOCOL, "The reply is packed with gzip, but its head does not say so.", "The bytes are kept as they came. A proxy may have dropped the header content-encoding.", (0, 4))]),
        (b"<html><title>Oops</title></html>", [fault(ErrorKind.PROTOCOL, "The server answered 200 OK with a web page titled 'Oops' instead of JSON.", WEB_PAGE_HINT, (0, 32))]),
        (b" \n", [fault(ErrorKind.CUT_OFF, "The stream ended without a single event.", "Try again; see the response headers.", (0, 0))]),
    ],
)  # fmt: skip
def test_what_a_stream_is_said_to_be_however_it_is_cut(body: bytes, deltas: list[Delta], cut: int) -> None:
    assert told(body, cut) == deltas


@pytest.mark.parametrize("cut", [0, 1])
@pytest.mark.parametrize(
    ("body", "deltas"),
    [
        (b'{"t": "a", "f": "x"}', [TextDelta("a", (0, 20)), FinishDelta("x", (0, 20))]),
        (b'\xef\xbb\xbf{"t": "a"}', [TextDelta("a", (0, 13))]),
        (b'{"t": "a"}\n{"t": "b", "f": "x"}', [TextDelta("a", (0, 31)), TextDelta("b", (0, 31)), FinishDelta("x", (0, 31))]),
        (b'{"t": ', [fault(ErrorKind.CUT_OFF, f"The reply ended {TORN}.", cut_off(0).error.hint, (0, 6))]),
        (b'[{"t": "a"}, {"t": "b", "f": "x"}, {"t"', [TextDelta("a", (0, 39)), TextDelta("b", (0, 39)), FinishDelta("x", (0, 39))]),
        (b'[{"t": "a"}, {"t"', [TextDelta("a", (0, 17)), FaultDelta(cut_off(0, TORN).error, (0, 17))]),
        (b'[{"t": }]', [fault(ErrorKind.PROTOCOL, "The reply is not valid JSON.", BREAKS, (0, 9))]),
        (b'{"t": } ', [fault(ErrorKind.PROTOCOL, "The reply is not valid JSON.", BREAKS, (0, 8))]),
        (b"", [fault(ErrorKind.PROTOCOL, "The reply is empty.", "Try again; see the response headers.", (0, 0))]),
        (b'data: {"t": "a", "f": "x"}\n\n', [TextDelta("a", (0, 26)), FinishDelta("x", (0, 26))]),
        (b"\xef\xbb\xbf <p>no</p>", [fault(ErrorKind.PROTOCOL, "The server answered 200 OK with a web page instead of JSON.", WEB_PAGE_HINT, (0, 13))]),
    ],
)  # fmt: skip
def test_what_a_body_that_is_no_stream_is_said_to_be(body: bytes, deltas: list[Delta], cut: int) -> None:
    assert told(body, cut, stream=False) == deltas


@pytest.mark.parametrize(
    ("body", "deltas"),
    [
        (b'{"t": "a"}\n{"t": "b", "f": "x"}\n', [TextDelta("a", (0, 10)), TextDelta("b", (11, 31)), FinishDelta("x", (11, 31))]),
        (b'{"t": "a"}\n{"t": "b", "f": "x"}', [TextDelta("a", (0, 10)), TextDelta("b", (11, 31)), FinishDelta("x", (11, 31))]),
        (b'{"t": "a"}\n{"t": "b"', [TextDelta("a", (0, 10)), cut_off(20, TORN)]),
        (b'{"t": "a"}\n', [TextDelta("a", (0, 10)), cut_off(11)]),
        (b'data: {"t": "b", "f": "x"}\n\n', [TextDelta("b", (0, 26)), FinishDelta("x", (0, 26))]),
    ],
)  # fmt: skip
def test_a_wire_of_lines_reads_lines_and_events(body: bytes, deltas: list[Delta]) -> None:
    for cut in (0, 1, 7):
        assert told(body, cut, lines=True) == deltas
    assert told(b'{"t": "a"}', 0, lines=True, stream=False) == [TextDelta("a", (0, 10))]


@pytest.mark.parametrize(
    ("body", "status", "kind", "message"),
    [
        (b"boom", 400, ErrorKind.BAD_REQUEST, "boom"),
        (b"", 500, ErrorKind.SERVER, "The server answered 500 Internal Server Error without a text."),
        (b'data: {"t": "a"}\n\n', 500, ErrorKind.SERVER, 'data: {"t": "a"}'),
        (b'{"error": {"message": "m"}}', 429, ErrorKind.RATE_LIMIT, "m"),
    ],
)
def test_an_error_status_is_an_error_whatever_the_body(body: bytes, status: int, kind: ErrorKind, message: str) -> None:
    (only,) = told(body, 1, status=status)
    assert isinstance(only, FaultDelta)
    assert (only.error.kind, only.error.message, only.error.status) == (kind, message, status)
    assert only.at == (0, len(body))


def test_how_far_a_reply_is_read_and_whether_it_is_complete() -> None:
    one = decoder()
    states = []
    for piece in (b"", b" ", b'\ndata: {"t"', b': "a"}\n\nda', b'ta: {"f": "x"}\n\n', b"data: [DONE]\n\n"):
        one.feed(piece)
        states.append((one.unread, one.complete, one.ended, one.streaming))
    assert states == [
        (None, False, False, False),
        (None, False, False, False),
        (2, False, False, True),
        (20, False, False, True),
        (38, True, False, True),
        (52, True, True, True),
    ]
    awaits = decoder()
    awaits.reason_ends = False
    awaits.feed(b'data: {"f": "x"}\n\n')
    assert (awaits.complete, awaits.close()) == (False, [cut_off(18)])


FRAMED = (("Content-Type", "application/vnd.amazon.eventstream"),)
FRAME = frame("t", {"t": "a"})


def test_frames_are_read_where_the_head_says_so() -> None:
    def framed(body: bytes, cut: int) -> list[Delta]:
        one = Echo(status=200, headers=FRAMED, stream=True)
        out = [delta for at in range(0, len(body), cut) for delta in one.feed(body[at : at + cut])]
        assert (one.streaming, one.unread) == (True, len(FRAME))
        return [*out, *one.close()]

    end = len(FRAME)
    first = TextDelta("a", (0, end))
    for cut in (1, 9999):
        assert framed(FRAME, cut) == [first, cut_off(end)]
        assert framed(FRAME + FRAME[:9], cut) == [first, cut_off(end + 9, TORN)]
        message = f"The stream is not in frames of its kind any more at byte {end}."
        broken = fault(ErrorKind.PROTOCOL, message, WEB_PAGE_HINT, (0, end + 16))
        assert framed(FRAME + b"x" * 16, cut) == [first, broken]
    whole = Echo(status=200, headers=FRAMED, stream=False)
    assert [type(delta) for delta in (*whole.feed(FRAME), *whole.close())] == [FaultDelta]


@pytest.mark.parametrize("status", [400, 500])
def test_frames_of_an_error_status_are_its_body(status: int) -> None:
    one = Echo(status=status, headers=FRAMED, stream=True)
    assert (one.feed(b'{"message": "no"}'), one.unread) == ([], 0)
    (told,) = one.close()
    assert isinstance(told, FaultDelta)
    assert told.error.message == "no"


def test_half_a_character_at_the_end_is_marked() -> None:
    assert told(b'data: {"t": "a\\ud83d", "f": "x"}\n\n', 0) == [
        TextDelta("a", (0, 32)),
        FinishDelta("x", (0, 32)),
        TextDelta("\ufffd"),
    ]


def test_how_far_lines_are_read() -> None:
    one = decoder()
    one.lines = True
    one.feed(b'{"t": "a"}\n{"t"')
    assert one.unread == 11
