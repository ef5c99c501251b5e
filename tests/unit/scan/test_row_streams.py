from __future__ import annotations

from pathlib import Path

from tests.kit.scanning import LEAK, found_in, read, written
from workbench.scan.row_streams import RowStreams, chunk_in


def _chunk(ident: str, text: str, finish: str | None = None) -> dict:
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": finish}
    return {"id": ident, "object": "chat.completion.chunk", "model": "coder-7b", "choices": [choice]}


def test_chunks_of_replies_at_the_same_time_are_put_together_by_id(tmp_path: Path) -> None:
    half = len(LEAK) // 2
    rows = [
        _chunk("a", LEAK[:half]),
        _chunk("b", "Fi"),
        _chunk("a", LEAK[half:]),
        _chunk("b", "ne.", "stop"),
        _chunk("a", "", "stop"),
    ]
    path = written(tmp_path / "a.jsonl", *rows)
    replies, troubles = read(path)
    assert sorted((one.line, one.text) for one in replies) == [(1, LEAK), (2, "Fine.")]
    assert (troubles, found_in(path)) == ([], ["tool_markup_in_content"])


def test_events_of_anthropic_and_responses_in_rows() -> None:
    start = {
        "type": "message_start",
        "message": {"id": "m", "role": "assistant", "model": "x", "content": [], "usage": {}},
    }
    begin = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
    piece = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hi."}}
    streams = RowStreams()
    assert [streams.take(row, "1") for row in (start, begin, piece)] == [[], [], []]
    done = streams.take({"type": "message_stop"}, "4")
    assert done is not None
    assert [one.text for one in done] == ["Hi."]
    assert (
        streams.take(
            {
                "type": "response.output_text.delta",
                "item_id": "i",
                "output_index": 0,
                "content_index": 0,
                "delta": "Yes.",
            },
            "5",
        )
        == []
    )
    assert [one.text for one in streams.finish()] == ["Yes."]


def test_a_chunk_may_stand_below_a_key() -> None:
    assert chunk_in({"at": 1, "chunk": _chunk("a", "x")}) == ("openai_chat", _chunk("a", "x"))


def test_other_rows_are_no_chunks() -> None:
    whole = {"object": "chat.completion", "choices": [{"message": {"content": "x"}}]}
    for row in (whole, {"type": "message"}, {"type": "response"}, {"text": "x"}, {"type": "message_start"}):
        assert chunk_in(row) is None
    assert RowStreams().take(whole, "1") is None


def test_of_too_many_at_once_the_oldest_is_told_as_it_is() -> None:
    streams = RowStreams()
    told = [one for number in range(257) for one in streams.take(_chunk(str(number), f"{number}."), "1") or ()]
    assert [one.text for one in told] == ["0."]
