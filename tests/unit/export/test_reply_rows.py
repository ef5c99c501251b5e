from __future__ import annotations

from tests.kit.exports import CALL, ROME, SLOPPY, exported, weather_case
from tests.kit.fakes import REFUSED, Reply
from workbench.export.reply_rows import reply_rows


def test_each_complete_reply_of_the_executor_is_a_row() -> None:
    first, second = reply_rows(exported(Reply(list(SLOPPY)), Reply("Sunny.")))
    assert first.raw == SLOPPY == "".join(first.pieces)
    assert len(first.pieces) == len(SLOPPY)
    assert first.calls == ({"name": "get_weather", "arguments": {"city": "Rome"}},)
    assert first.outcomes == ("recovered",)
    assert (second.calls, second.text) == ((), "Sunny.")
    assert [tool["function"]["name"] for tool in first.tools] == ["get_weather", "read_file"]


def test_failed_replies_are_not_exported() -> None:
    assert list(reply_rows(exported(Reply("half", error=REFUSED)))) == []


def test_exported_pieces_are_of_the_last_try() -> None:
    (first, _) = reply_rows(exported(Reply("half", error=REFUSED, retry_in=0.0), Reply(CALL), Reply("ok")))
    assert first.pieces == (CALL,)


def test_row_says_what_stands_behind_its_calls() -> None:
    row = next(iter(reply_rows(exported(Reply(CALL), Reply(CALL), Reply("?"), case=weather_case(), format_id="react"))))
    assert (row.calls, row.read, row.confirmed) == ((ROME,), (), True)
    assert row.to_json()["basis"] == "the case 'weather' expects it; qwen_xml reads it in this text"
