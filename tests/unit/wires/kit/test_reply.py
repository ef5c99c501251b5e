"""The frame of every decoder; most of it is tested through the wires."""

from __future__ import annotations

from typing import Any

from workbench.core.exchange import CallDelta, NoticeDelta, ReasoningDelta, TextDelta
from workbench.wires.kit.reply import SEND_BACK, ReplyDecoder


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


def test_leftover_halves_come_at_the_end() -> None:
    one = decoder()
    out = one.feed(b'data: {"t": "a\\ud83d", "r": "b\\ud83d", "a": "c\\ud83d", "f": "x"}\n\n')
    assert [type(delta).__name__ for delta in out] == ["TextDelta", "ReasoningDelta", "CallDelta", "FinishDelta"]
    assert one.close() == [TextDelta("\ufffd"), ReasoningDelta("\ufffd"), CallDelta(0, "", "", "\ufffd")]


def test_notices_come_once_and_send_back_always() -> None:
    one = decoder()
    one.notice("odd", "m", (0, 0))
    one.notice("odd", "m", (0, 0))
    one.send_back("w", {"a": 1}, (0, 0))
    assert [(d.code, d.data) for d in one.feed(b"") if isinstance(d, NoticeDelta)] == [
        ("odd", None),
        (SEND_BACK, {"w": {"a": 1}}),
    ]


def test_nothing_is_read_after_the_end_marker() -> None:
    one = decoder()
    assert not one.ended
    out = one.feed(b'data: {"t": "a", "f": "x"}\n\ndata: [DONE]\n\ndata: {"t": "b"}\n\n')
    assert one.ended
    assert [delta.text for delta in out if isinstance(delta, TextDelta)] == ["a"]
    assert one.close() == []
