from __future__ import annotations

from tests.kit.fakes import REFUSED, Reply
from tests.unit.export.test_pytest_folder import CALL, SLOPPY, events
from workbench.export.replies import reply_rows


def test_each_complete_reply_of_the_executor_is_a_row() -> None:
    first, second = reply_rows(events(Reply(list(SLOPPY)), Reply("Sunny.")))
    assert first.raw == SLOPPY == "".join(first.pieces)
    assert len(first.pieces) == len(SLOPPY)
    assert first.calls == ({"name": "get_weather", "arguments": {"city": "Rome"}},)
    assert first.outcomes == ("recovered",)
    assert (second.calls, second.text) == ((), "Sunny.")
    assert [tool["function"]["name"] for tool in first.tools] == ["get_weather", "read_file"]


def test_failed_replies_are_not_exported() -> None:
    assert list(reply_rows(events(Reply("half", error=REFUSED)))) == []
    assert list(reply_rows([])) == []


def test_exported_pieces_are_of_the_last_try() -> None:
    (first, _) = reply_rows(events(Reply("half", error=REFUSED, retry_in=0.0), Reply(CALL), Reply("ok")))
    assert first.pieces == (CALL,)
