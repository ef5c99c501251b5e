"""Items of the Responses protocol: nothing is said twice or lost."""

from __future__ import annotations

from workbench.wires.kit.items import Item, call_of, texts_of, thoughts_of


def test_finished_items_add_missing_text() -> None:
    item = Item({"type": "message"})
    assert item.add(0, "Hel") == "Hel"
    assert item.complete(0, "Hello") == "lo"
    assert item.complete(0, "Hello") == ""
    assert item.complete(0, "Something else that is longer") == ""
    assert item.complete(1, "new") == "new"


def test_shells() -> None:
    assert call_of({"type": "function_call", "id": "fc", "call_id": "c", "name": "f", "arguments": {"a": 1}}) == (
        "c",
        "f",
        '{"a": 1}',
    )
    assert call_of({"type": "custom_tool_call", "id": "x", "input": "ls"}) == ("x", "", "ls")
    assert texts_of({"content": [{"text": "a"}, 5, {"type": "refusal", "refusal": "b"}]}) == [
        (0, "a", False),
        (1, "", False),
        (2, "b", True),
    ]
    assert thoughts_of({"summary": [], "content": [{"text": "x"}]}) == [("content", 0, "x")]
    assert thoughts_of({}) == []


def test_whose_shell_it_is() -> None:
    text = Item({"type": "message", "id": "a"})
    assert not text.is_other({"type": "message", "id": "b"})
    assert not text.is_other({})
    assert text.is_other({"type": "reasoning"})
    call = Item({"type": "function_call", "call_id": "a", "name": "f"})
    assert not call.is_other({"type": "function_call", "call_id": "b"})
    assert call.is_other({"type": "function_call", "call_id": "b"}, begins=True)
    assert not call.is_other({"type": "function_call"}, begins=True)
    call.closed = True
    assert call.is_other({"type": "function_call", "call_id": "b"})
