"""Items of the Responses protocol: nothing is said twice or lost."""

from __future__ import annotations

from typing import Any

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


CALL = {"type": "function_call", "id": "i", "call_id": "c", "name": "f", "arguments": "{}"}


@pytest.mark.parametrize(
    ("shell", "kind", "calls"),
    [(CALL, "function_call", True), ({"type": "custom_tool_call"}, "custom_tool_call", True), ({"type": "message"}, "message", False), ({}, "", False), ({"type": 5}, "", False)],
)  # fmt: skip
def test_which_items_are_calls_of_the_clients_tools(shell: dict[str, Any], kind: str, calls: bool) -> None:
    assert (Item(shell).kind, Item(shell).calls, Item(shell, hosted=True).calls) == (kind, calls, False)


def test_an_item_begins_with_nothing_given_out() -> None:
    item = Item(CALL)
    begun = (item.number, item.name, item.said, item.ended, item.opening, item.spread, item.voice)
    assert begun == (-1, False, {}, set(), {}, "", "")
    assert (item.reasoning, item.sealed, item.closed, item.hosted) == (False, False, False, False)


@pytest.mark.parametrize(
    ("own", "other", "closed", "begins", "is_other"),
    [
        (CALL, CALL, True, True, False),
        (CALL, {**CALL, "arguments": '{"x": 1}'}, True, False, True),
        (CALL, {**CALL, "arguments": '{"x": 1}'}, False, True, False),
        (CALL, {**CALL, "call_id": "d"}, False, True, True),
        (CALL, {**CALL, "call_id": "d"}, False, False, False),
        (CALL, {"type": "function_call", "id": "j"}, False, True, True),
        (CALL, {"type": "function_call", "id": "i"}, False, True, False),
        ({"type": "function_call", "call_id": "c"}, {"type": "function_call", "id": "j"}, False, True, False),
        (CALL, {"type": "custom_tool_call", "call_id": "c"}, False, False, True),
        ({"type": "message", "id": "a"}, {"type": "message", "id": "b"}, True, True, False),
        ({"type": "message"}, {"type": "reasoning"}, False, False, True),
        ({"type": "message"}, {"id": "b"}, True, True, False),
    ],
)
def test_a_shell_of_another_item_is_told_by_kind_id_and_content(
    own: dict[str, Any], other: dict[str, Any], closed: bool, begins: bool, is_other: bool
) -> None:
    item = Item(own)
    item.closed = closed
    assert item.is_other(other, begins=begins) is is_other


def test_a_hosted_call_is_no_other_whatever_its_id() -> None:
    item = Item(CALL, hosted=True)
    item.closed = True
    assert not item.is_other({**CALL, "call_id": "d"}, begins=True)


def test_an_item_is_named_by_either_of_its_ids() -> None:
    assert [Item(CALL).is_named(one) for one in ("i", "c", "f", "")] == [True, True, False, False]


@pytest.mark.parametrize(
    ("shell", "event", "known"),
    [
        ({"type": "t"}, {"item_id": "i", "call_id": "c", "name": "f", "x": 1}, {"type": "t", "id": "i", "call_id": "c", "name": "f"}),
        ({"id": "a", "name": "g"}, {"item_id": "i", "call_id": "c", "name": "f"}, {"id": "a", "name": "g", "call_id": "c"}),
        ({"type": "t"}, {"item_id": "", "call_id": 5, "id": "i"}, {"type": "t"}),
    ],
)  # fmt: skip
def test_an_event_tells_what_the_shell_does_not(
    shell: dict[str, Any], event: dict[str, Any], known: dict[str, Any]
) -> None:
    item = Item(dict(shell))
    item.name_by(event)
    assert item.shell == known


@pytest.mark.parametrize(
    ("fragments", "finished", "new"),
    [
        ([(0, "Hel"), (0, "lo")], [(0, "Hello")], [""]),
        ([(0, "Hel")], [(0, "Hello"), (0, "Hello!")], ["lo", "!"]),
        ([(0, "Hello")], [(0, "Hel")], [""]),
        ([(0, "Hello")], [(0, "Other and longer")], [""]),
        ([(0, "Hel")], [(5, "Hello"), (5, "other")], ["lo", "other"]),
        ([(0, "Hel")], [(5, "Other"), (0, "Hello")], ["Other", "lo"]),
        ([(0, "A"), (1, "B")], [(1, "B"), (0, "A!")], ["", "!"]),
        ([(0, "A"), (1, "B")], [(2, "ABC"), (0, "ABCD"), (1, "ABCDE")], ["C", "D", "E"]),
        ([(0, "A"), (1, "B"), (2, "C")], [(0, "A"), (1, "BC")], ["", ""]),
        ([], [(0, "new"), (1, "")], ["new", ""]),
    ],
)
def test_finished_texts_add_what_no_fragment_said(
    fragments: list[tuple[int, str]], finished: list[tuple[int, str]], new: list[str]
) -> None:
    item = Item({"type": "message"})
    for part, text in fragments:
        assert item.add(part, text) == text
    assert [item.complete(part, text) for part, text in finished] == new


def test_an_opening_text_of_one_part_is_not_said_by_another() -> None:
    item = Item({"type": "message"})
    item.opening[1] = "Hel"
    assert [item.add(0, "x"), item.add(1, "lo"), item.add(1, "!")] == ["x", "Hello", "!"]


def test_an_item_that_said_the_beginning_of_texts_is_finished_by_them() -> None:
    item = Item({"type": "message"})
    assert not item.says(["Hello"])
    item.add(0, "Hel")
    item.add(1, "lo")
    assert [item.says(texts) for texts in (["Hello"], ["Hello", " you"], ["Hel"], ["x", "Hello"], [])] == [
        True, True, False, False, False,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("shell", "found"),
    [
        (CALL, ("c", "f", "{}")),
        ({"type": "function_call", "id": "i"}, ("i", "", "")),
        ({"type": "other", "arguments": {"x": 1}}, ("", "", '{"x": 1}')),
        ({"type": "custom_tool_call", "input": "ls", "arguments": "no"}, ("", "", "ls")),
    ],
)
def test_a_call_is_read_from_its_item(shell: dict[str, Any], found: tuple[str, str, str]) -> None:
    assert call_of(shell) == found


def test_texts_of_a_message_that_is_one_string() -> None:
    assert texts_of({"content": "Hi"}) == [(0, "Hi", False)]
    assert texts_of({}) == []


def test_a_summary_comes_before_raw_reasoning() -> None:
    raw = {"content": [{"text": "raw"}]}
    assert thoughts_of({"summary": [{"text": "a"}, {"text": ""}], **raw}) == [("summary", 0, "a"), ("summary", 1, "")]
    assert thoughts_of({"summary": [{"text": ""}], **raw}) == [("content", 0, "raw")]


def test_tools_of_the_client_alone_leave_every_call_to_it() -> None:
    call = {"type": "custom_tool_call", "name": "x"}
    every = [{"type": kind} for kind in ("function", "custom", "namespace")]
    assert not runs_there(call, [*every, {}])
    assert runs_there(call, [*every, {}, {"type": "web_search"}])
