"""What several wires do to conversations."""

from __future__ import annotations

from workbench.core.messages import Message, NativeCall
from workbench.wires.kit.content_parts import as_object, image_of, parts_of, same_calls, system_text


def test_system_text() -> None:
    assert (
        system_text((Message("system", "a"), Message("user", "x"), Message("system", ""), Message("system", "b")))
        == "a\n\nb"
    )


def test_parts() -> None:
    assert parts_of(Message("user", "a")) == [{"type": "text", "text": "a"}]
    assert parts_of(Message("user", "")) == parts_of(Message("user", None)) == []


def test_images() -> None:
    assert image_of({"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}}) == ("image/png", "AA", "")
    assert image_of({"type": "image_url", "image_url": "http://x"}) == ("", "", "http://x")
    assert image_of({"type": "image_url"}) is image_of({"type": "text", "text": "x"}) is None


def test_results_as_objects() -> None:
    assert [as_object(text) for text in ('{"a":1}', "[1]", "plain", "", "null")] == [
        {"a": 1}, {"result": [1]}, {"result": "plain"}, {"result": ""}, {"result": None},
    ]  # fmt: skip


def test_same_calls() -> None:
    turn = Message("assistant", "", (NativeCall(0, "a", "f", ""), NativeCall(1, "made", "g", "")))
    assert same_calls(turn, [("a", "f"), ("", "g")])
    assert not same_calls(turn, [("a", "f")])
    assert not same_calls(turn, [("b", "f"), ("", "g")])
    assert not same_calls(turn, [("a", "f"), ("", "h")])
