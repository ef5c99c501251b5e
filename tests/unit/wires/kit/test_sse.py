"""Server-sent events, cut in any way."""

from __future__ import annotations

import pytest

from workbench.wires.kit.sse import SseDecoder, SseEvent


def events(body: bytes, cut: int) -> list[SseEvent]:
    decoder = SseDecoder()
    out = []
    for i in range(0, len(body), cut):
        out += decoder.feed(body[i : i + cut])
    return out + decoder.finish()


def read(body: bytes) -> list[tuple[str, str]]:
    whole = events(body, len(body) or 1)
    for cut in (1, 2, 3, 7):
        assert events(body, cut) == whole, cut
    for event in whole:
        assert body[event.at[0] : event.at[1]].strip(b"\r\n") == body[event.at[0] : event.at[1]]
    return [(event.event, event.data) for event in whole]


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
def test_all_line_ends(end: bytes) -> None:
    body = b": hi\nevent: a\ndata: 1\ndata: 2\n\nid: 7\nretry: 3\ndata:3\n\ndata:  4\n\n".replace(b"\n", end)
    assert read(body) == [("a", "1\n2"), ("", "3"), ("", " 4")]


def test_last_event_without_its_empty_line() -> None:
    assert read(b"data: a\n\ndata: b") == [("", "a"), ("", "b")]
    assert read(b"data: a\n\ndata: b\n") == [("", "a"), ("", "b")]


def test_nothing_without_data() -> None:
    assert read(b"event: ping\n\n:\n\ndata\n\ndata:\n\n\n\n") == []


def test_name_does_not_outlive_its_event() -> None:
    assert read(b"event: x\n\ndata: 1\n\n") == [("", "1")]


def test_byte_order_mark_and_characters_cut_in_pieces() -> None:
    assert read("\ufeffdata: ü€😀\u2028\u0085x\n\n".encode()) == [("", "ü€😀\u2028\u0085x")]


def test_a_byte_order_mark_counts_at_the_beginning_of_the_body_alone() -> None:
    assert read("data: a\n\n\ufeffdata: b\n\n".encode()) == [("", "a")]


def test_broken_utf8_is_replaced() -> None:
    assert read(b"data: a\xffb\xc3\n\n") == [("", "a\ufffdb\ufffd")]


def test_error_field_and_bare_json() -> None:
    assert read(b'error: {"a":1}\n\n{"b":2}\n\n') == [("error", '{"a":1}'), ("", '{"b":2}')]


def test_size_counts_every_byte() -> None:
    decoder = SseDecoder()
    for piece in (b"data: 1\r", b"\n\r", b"\n: x"):
        decoder.feed(piece)
    decoder.finish()
    assert decoder.size == 14


def test_one_huge_line_in_tiny_pieces() -> None:
    decoder = SseDecoder()
    for _ in range(200_000):
        assert decoder.feed(b"x" * 10) == []
    assert decoder.feed(b"\n") == []


def test_unread_offset_of_an_unfinished_event() -> None:
    decoder = SseDecoder()
    for piece, unread in ((b"data: a\n", 0), (b"\n", 9), (b"data: b", 9), (b"\ndata: c\n", 9), (b"\n: note\n", 33)):
        decoder.feed(piece)
        assert decoder.unread == unread, piece


@pytest.mark.parametrize("cut", [1, 2, 3, 100])
def test_a_carriage_return_at_the_end_of_a_piece_may_go_on(cut: int) -> None:
    body = b"data: a\r\n\r\ndata: b\r\rdata: c\n\n"
    assert [(event.data, event.at) for event in events(body, cut)] == [("a", (0, 7)), ("b", (11, 18)), ("c", (20, 27))]


def test_an_empty_piece_after_a_carriage_return_changes_nothing() -> None:
    decoder = SseDecoder()
    out = [*decoder.feed(b"data: a\r"), *decoder.feed(b""), *decoder.feed(b"\n\r\n"), *decoder.finish()]
    assert [(event.data, event.at) for event in out] == [("a", (0, 7))]
    assert decoder.size == 11


def test_an_event_ends_with_its_last_line() -> None:
    body = b"event: x\ndata: a\n: a comment\ndata: b\nodd\n\ndata: c\n\n"
    found = events(body, len(body))
    assert [(event.event, event.data) for event in found] == [("x", "a\nb"), ("", "c")]
    assert body[found[0].at[0] : found[0].at[1]].startswith(b"event: x")
    assert found[1].at == (body.index(b"data: c"), body.index(b"data: c") + 7)


def test_an_event_begins_and_ends_with_whatever_field_it_has() -> None:
    (event,) = events(b"id: 7\ndata: a\nretry: 3\n\n", 99)
    assert event == SseEvent("", "a", (0, 22))
