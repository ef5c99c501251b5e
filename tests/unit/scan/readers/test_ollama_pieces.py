from __future__ import annotations

from workbench.scan.readers.ollama_pieces import OllamaPieces

CALL = "<tool_call>\n<function=search>\n<parameter=q>\nx\n</parameter>\n</function>\n</tool_call>"


def _fed(pieces: OllamaPieces, text: str) -> None:
    for at in range(0, len(text), 9):
        pieces.piece(text[at : at + 9])


def test_replies_end_where_a_request_ends() -> None:
    pieces = OllamaPieces()
    assert pieces.began() is None
    _fed(pieces, CALL)
    assert pieces.ended() == (CALL, 1)
    pieces.piece("Fine.")
    assert pieces.finish() == ("Fine.", 1)
    assert pieces.finish() is None


def test_without_ends_the_next_request_ends_a_reply() -> None:
    pieces = OllamaPieces()
    pieces.began()
    pieces.piece("One.")
    assert pieces.began() == ("One.", 1)
    pieces.piece("Two.")
    assert pieces.began() == ("Two.", 1)


def test_requests_that_waited_are_read_one_after_the_other() -> None:
    pieces = OllamaPieces()
    pieces.ended()
    pieces.began()
    pieces.began()
    _fed(pieces, CALL)
    first = pieces.ended()
    assert first is not None
    assert (first.text, first.at_once, first.mixed) == (CALL, 2, False)
    _fed(pieces, CALL)
    second = pieces.ended()
    assert second is not None
    assert (second.text, second.mixed) == (CALL, False)


def test_pieces_of_replies_at_the_same_time_are_said_to_be_mixed() -> None:
    pieces = OllamaPieces()
    pieces.ended()
    pieces.began()
    pieces.began()
    for at in range(0, len(CALL), 9):
        pieces.piece(CALL[at : at + 9])
        pieces.piece(CALL[at : at + 9])
    made = pieces.ended()
    assert made is not None
    assert made.mixed


def test_a_broken_call_alone_is_not_mixed() -> None:
    pieces = OllamaPieces()
    pieces.began()
    _fed(pieces, CALL[:50])
    made = pieces.ended()
    assert made is not None
    assert not made.mixed
