"""The frame of every decoder; most of it is tested through the wires."""

from __future__ import annotations

from typing import Any

from workbench.core.exchange import TextDelta
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
