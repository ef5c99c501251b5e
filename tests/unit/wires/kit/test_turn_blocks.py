"""Turns as messages of content blocks."""

from __future__ import annotations

from typing import Any

from workbench.core.messages import Message, NativeCall
from workbench.wires.kit.turn_blocks import WIRE, block_messages, system_and_turns

IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
THOUGHT = {"type": "thinking", "thinking": "hm", "signature": "sig"}
TEXT = {"type": "text", "text": "ok"}
USE = {"type": "tool_use", "id": "a", "name": "f", "input": {"x": 1}}
CALL = NativeCall(0, "a", "f", '{"x": 1}')


def turn(text: str, *calls: NativeCall, recorded: list[dict[str, Any]] | None = None) -> Message:
    return Message("assistant", text, calls, extra={WIRE: {"blocks": recorded}} if recorded else {})


def blocks(message: Message) -> Any:
    (sent,) = block_messages([message])
    return sent["content"]


def test_system_text_is_taken_out_of_the_turns() -> None:
    messages = [Message("system", "a"), Message("user", "hi"), Message("system", "b"), Message("user", "and?")]
    assert system_and_turns(messages, late=False) == ("a\n\nb", [messages[1], messages[3]])
    assert system_and_turns(messages, late=True) == ("a", messages[1:])
    assert system_and_turns(messages[:1], late=False) == ("a", [])


def test_one_system_message_keeps_its_blocks() -> None:
    own = [{"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}]
    message = Message("system", "a", extra={WIRE: {"blocks": own}})
    assert system_and_turns([message], late=False) == (own, [])
    assert system_and_turns([message, Message("system", "b")], late=False)[0] == "a\n\nb"


def test_results_stand_in_one_message_before_any_text() -> None:
    calls = (CALL, NativeCall(1, "b", "g", ""))
    sent = block_messages([
        Message("user", "go"), turn("ok", *calls), Message("tool", "1", tool_call_id="a"), Message("user", "and?"),
        Message("tool", "2", tool_call_id="b", failed=True), turn(""), Message("user", "next"),
    ])  # fmt: skip
    assert sent == [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": [TEXT, USE, {"type": "tool_use", "id": "b", "name": "g", "input": {}}]},
        {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "a", "content": "1"},
            {"type": "tool_result", "tool_use_id": "b", "content": "2", "is_error": True},
            {"type": "text", "text": "and?"}, {"type": "text", "text": "next"},
        ]},
    ]  # fmt: skip


def test_a_turn_behind_results_is_a_turn_of_its_own() -> None:
    sent = block_messages([turn("ok", CALL), Message("tool", "1", tool_call_id="a"), turn("so it is")])
    assert [(message["role"], message["content"]) for message in sent[1:]] == [
        ("user", [{"type": "tool_result", "tool_use_id": "a", "content": "1"}]),
        ("assistant", "so it is"),
    ]


def test_messages_of_a_user_stay_apart_where_no_result_is_among_them() -> None:
    assert [sent["content"] for sent in block_messages([Message("user", "a"), Message("user", "b")])] == ["a", "b"]


def test_pictures() -> None:
    parts = ({"type": "text", "text": "see"}, IMAGE, {"type": "image_url", "image_url": {"url": "https://x/y.png"}})
    inline = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AA=="}}
    assert blocks(Message("user", parts)) == [
        {"type": "text", "text": "see"}, inline, {"type": "image", "source": {"type": "url", "url": "https://x/y.png"}},
    ]  # fmt: skip
    assert blocks(Message("tool", (IMAGE,), tool_call_id="a"))[0]["content"] == [inline]


def test_a_recorded_result_goes_back_as_it_came() -> None:
    kept = [{"type": "tool_result", "tool_use_id": "a", "content": [{"type": "search_result"}]}]
    assert blocks(Message("tool", "x", tool_call_id="a", extra={WIRE: {"blocks": kept}})) == kept
    assert blocks(Message("tool", "x", tool_call_id="b", extra={WIRE: {"blocks": kept}}))[0]["content"] == "x"


def test_recorded_blocks_go_back_while_the_turn_says_the_same() -> None:
    recorded = [THOUGHT, TEXT, USE]
    assert blocks(turn("ok", CALL, recorded=recorded)) == recorded
    lines = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    assert blocks(turn("a\nb", recorded=lines)) == blocks(turn("ab", recorded=lines)) == lines
    mended = NativeCall(0, "a", "f", '{"x": 2}')
    assert blocks(turn("ok", mended, recorded=recorded)) == [THOUGHT, TEXT, {**USE, "input": {"x": 2}}]


def test_of_a_turn_that_says_something_else_only_thoughts_go_back() -> None:
    redacted = {"type": "redacted_thinking", "data": "xx"}
    search = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}
    sent = blocks(turn("changed", CALL, recorded=[THOUGHT, redacted, search, TEXT, USE]))
    assert sent == [THOUGHT, redacted, {"type": "text", "text": "changed"}, USE]


def test_blank_text_is_left_out() -> None:
    assert blocks(turn(" \n", CALL)) == [USE]


def test_only_blocks_of_text_say_what_a_turn_says() -> None:
    odd = {"type": "odd", "text": "of another kind"}
    assert blocks(turn("ok", recorded=[odd, TEXT])) == [odd, TEXT]
    assert blocks(turn("of another kindok", recorded=[odd, TEXT])) == "of another kindok"
    assert blocks(turn("ok\nok", recorded=[TEXT, TEXT])) == [TEXT, TEXT]
