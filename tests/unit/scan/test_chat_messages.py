from __future__ import annotations

from typing import Any

import pytest

from workbench.scan.chat_messages import (
    add_message,
    asked_of,
    call_of,
    messages_in,
    plain_message,
    replies_of,
    role_of,
    text_in,
)
from workbench.scan.reply import FoundReply, Refused


@pytest.mark.parametrize(
    ("message", "role"),
    [
        ({"role": "assistant"}, "assistant"),
        ({"lc": 1, "id": ["x", "AIMessage"], "kwargs": {"content": "x"}}, "assistant"),
        ({"type": "human", "data": {"content": "x"}}, "user"),
        ({"message": {"role": "model", "parts": []}}, "assistant"),
        ({"from": "gpt", "value": "x"}, "assistant"),
        ({"type": "tool", "content": "x"}, "tool"),
        ("text", ""),
    ],
)
def test_roles_by_all_their_names(message: Any, role: str) -> None:
    assert role_of(plain_message(message)) == role


@pytest.mark.parametrize(
    "value",
    [
        {"id": "c", "function": {"name": "f", "arguments": '{"a": 1}'}},
        {"id": "c", "name": "f", "args": {"a": 1}},
        {"id": "c", "function": "f", "arguments": {"a": 1}},
        {"type": "tool_use", "id": "c", "name": "f", "input": {"a": 1}},
        {"tool_call": {"id": "c", "function": {"name": "f", "arguments": '{"a": 1}'}}},
    ],
)
def test_calls_in_all_their_shapes(value: dict[str, Any]) -> None:
    call = call_of(value)
    assert call is not None
    assert (call.name, call.id, call.text) == ("f", "c", '{"a": 1}')


def test_what_is_no_call() -> None:
    assert [call_of(one) for one in ({"id": "c"}, "f", None)] == [None, None, None]


def test_parts_of_a_message() -> None:
    parts = [
        {"type": "text", "text": "Hi."},
        {"type": "thinking", "thinking": "Hm."},
        {"type": "image"},
        {"type": "tool_use", "id": "c", "name": "f", "input": {}},
    ]
    reply = add_message(FoundReply("1"), {"content": parts, "tool_calls": [{"id": "c", "name": "f", "args": {}}]})
    assert (reply.text, reply.reasoning, reply.hidden, len(reply.calls)) == ("Hi.", "Hm.", True, 1)


def test_calls_that_a_client_could_not_read() -> None:
    bad = add_message(
        FoundReply("1"),
        {"content": "", "invalid_tool_calls": [{"name": "f", "args": "{", "id": "c", "error": "no JSON"}]},
    )
    assert (bad.calls[0].refused, bad.calls[0].why) == (Refused.JSON, "no JSON")


def test_a_conversation_with_its_results() -> None:
    turns = [
        {"role": "user", "content": "Go."}, {"role": "assistant", "tool_calls": [{"id": "c", "name": "f", "args": {}}]},
        {"role": "tool", "tool_call_id": "c", "content": "ok", "error": {"type": "parsing", "message": "bad"}}, {"role": "assistant", "content": "Done."},
    ]  # fmt: skip
    first, second = replies_of(turns, FoundReply("x", model="m"))
    assert (first.calls[0].result, first.calls[0].refused, second.before, first.after[0].text) == (
        "ok",
        Refused.JSON,
        tuple(first.calls),
        "Done.",
    )
    assert ([first.place, second.model], second.context[0].text) == (["x, message 2", "m"], "Go.")


def test_inputs_in_all_their_shapes() -> None:
    turn = {"role": "user", "content": "Go."}
    assert [
        messages_in(one) for one in ([turn], [[turn]], {"messages": [turn]}, '[{"role": "user", "content": "Go."}]')
    ] == [[turn]] * 4
    assert messages_in("Go.") == [turn]
    assert (messages_in(None), messages_in({"x": 1})) == ([], [])
    context, before = asked_of([turn, {"role": "assistant", "tool_calls": [{"id": "c", "name": "f", "args": {}}]}])
    assert (context[0].text, [call.name for call in before]) == ("Go.", ["f"])


def test_text_in_contents() -> None:
    assert [text_in(one) for one in ("a", ["a", {"text": "b"}, {"content": "c"}, 5], {"text": "d"}, None)] == [
        "a",
        "abc",
        "d",
        "",
    ]
