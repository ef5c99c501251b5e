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


def test_content_in_parts_is_given_as_it_is() -> None:
    parts = ({"type": "text", "text": "a"}, {"type": "image_url", "image_url": "http://x"})
    assert parts_of(Message("user", parts)) == list(parts)


def test_calls_are_the_same_under_names_that_were_changed_for_the_wire() -> None:
    turn = Message("assistant", "", (NativeCall(0, "c1", "files_x2E_read", "{}"), NativeCall(1, "", "f", "{}")))
    assert same_calls(turn, [("c1", "files_x2E_read"), ("", "f")])
    assert same_calls(Message("assistant", "", (NativeCall(0, "c1", "files.read", "{}"),)), [("c1", "files_x2E_read")])
    assert same_calls(Message("assistant", "", (NativeCall(0, "c1", "f", "{}"),)), [("", "f")])
    for calls in ([], [("c1", "f")], [("c2", "files_x2E_read"), ("", "f")], [("c1", "files_x2E_read"), ("", "g")]):
        assert not same_calls(turn, calls)
