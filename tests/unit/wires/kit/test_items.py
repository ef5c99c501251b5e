"""Items of the Responses protocol: nothing is said twice or lost."""

from __future__ import annotations

import pytest

from workbench.wires.kit.items import Item, call_of, left_to_client, runs_there, texts_of, thoughts_of


def test_finished_items_add_missing_text() -> None:
    item = Item({"type": "message"})
    assert item.add(0, "Hel") == "Hel"
    assert item.complete(0, "Hello") == "lo"
    assert item.complete(0, "Hello") == ""
    assert item.complete(0, "Something else that is longer") == ""
    assert item.complete(1, "new") == "new"


def test_fragments_that_were_counted_as_parts_are_one_text() -> None:
    item = Item({"type": "message"})
    assert [item.add(part, text) for part, text in enumerate(("Hel", "lo", " you"))] == ["Hel", "lo", " you"]
    assert [item.complete(part, "Hello you!") for part in (3, 3, 0)] == ["!", "", ""]
    two = Item({"type": "message"})
    assert [two.add(0, "A"), two.add(1, "B"), two.complete(0, "A"), two.complete(1, "BC")] == ["A", "B", "", "C"]


def test_a_part_that_was_opened_without_a_word_is_no_beginning_of_another() -> None:
    item = Item({"type": "message"})
    assert [item.add(0, ""), item.complete(1, "new"), item.complete(0, "first")] == ["", "new", "first"]


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


def test_free_text_for_a_tool_that_the_client_did_not_give_runs_on_the_server() -> None:
    call = {"type": "custom_tool_call", "name": "x_keyword_search"}
    search, shell = {"type": "x_search"}, {"type": "custom", "name": "sh"}
    assert runs_there(call, [search])
    assert runs_there(call, [search, shell, {"type": "function", "name": "f"}])
    for tools in (
        [],
        [shell],
        [search, {"type": "custom", "name": "x_keyword_search"}],
        [search, {"type": "tool_search"}],
    ):
        assert not runs_there(call, tools)
    assert not runs_there(call, [search, {"type": "namespace", "name": "n", "tools": [{"name": "x_keyword_search"}]}])
    assert not runs_there({**call, "type": "function_call"}, [search])


def test_what_only_the_client_can_answer_is_left_to_it() -> None:
    shell = {"type": "shell_call", "call_id": "c", "action": {"commands": ["ls"]}}
    patch = {"type": "apply_patch_call", "call_id": "d"}
    approval = {"type": "mcp_approval_request", "id": "a", "name": "f"}
    assert left_to_client([shell, patch, approval]) == [shell, patch, approval]
    ran = {"type": "shell_call_output", "call_id": "c", "output": []}
    assert left_to_client([shell, ran, approval, {"type": "mcp_call", "id": "m", "approval_request_id": "a"}]) == []
    served = {"type": "web_search_call", "id": "w"}, {"type": "code_interpreter_call", "call_id": "e", "outputs": [1]}
    assert left_to_client([*served, {"type": "function_call", "call_id": "f"}, {"type": "message", "id": "m"}]) == []


@pytest.mark.parametrize(("first", "given"), [("lo", "Hello"), ("Hello", "Hello"), ("H", "H")])
def test_the_text_that_opened_a_part_is_said_once(first: str, given: str) -> None:
    item = Item({"type": "message"})
    item.opening[0] = "Hel"
    assert item.add(0, first) == given
    assert item.add(0, "!") == "!"
