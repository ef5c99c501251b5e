"""Turns as input items of the Responses protocol."""

from __future__ import annotations

from typing import Any

from workbench.core.messages import Message, NativeCall
from workbench.wires.kit.turn_items import WIRE, instructions_and_items

IMAGE: dict[str, Any] = {"type": "image_url", "image_url": "data:image/png;base64,AA=="}
THOUGHT: dict[str, Any] = {"type": "reasoning", "id": "rs", "summary": [], "encrypted_content": "x"}
CALL: dict[str, Any] = {"type": "function_call", "id": "fc", "call_id": "c1", "name": "f", "arguments": "{}"}
CUSTOM: dict[str, Any] = {"type": "custom_tool_call", "id": "ctc", "call_id": "c9", "name": "sh", "input": "ls"}
SAID: dict[str, Any] = {
    "type": "message",
    "role": "assistant",
    "content": [{"type": "output_text", "text": "ok"}],
    "phase": "commentary",
}


def items(*messages: Message) -> list[dict[str, Any]]:
    return instructions_and_items(messages)[1]


def turn(text: str, *calls: NativeCall, recorded: list[dict[str, Any]] | None = None) -> Message:
    return Message("assistant", text, calls, extra={WIRE: {"items": recorded}} if recorded else {})


def call(arguments: str = "{}", name: str = "f", id_: str = "c1") -> NativeCall:
    return NativeCall(0, id_, name, arguments)


def test_leading_system_text_is_the_instructions_and_later_stays() -> None:
    said, sent = instructions_and_items(
        [
            Message("system", "a"),
            Message("system", ""),
            Message("system", "b"),
            Message("user", "hi"),
            Message("system", "c"),
        ]
    )
    assert said == "a\n\nb"
    assert [(item["role"], item["content"]) for item in sent] == [("user", "hi"), ("system", "c")]
    assert instructions_and_items([Message("system", "alone")]) == ("alone", [])


def test_turns_without_a_record() -> None:
    picture = ({"type": "text", "text": "see"}, IMAGE, {"type": "image_url", "image_url": {"url": "https://x/y.png"}})
    made = call("", "get.time")
    assert items(Message("user", picture), turn("ok", made), Message("tool", "1", tool_call_id="c1")) == [
        {"type": "message", "role": "user", "content": [
            {"type": "input_text", "text": "see"}, {"type": "input_image", "image_url": IMAGE["image_url"]},
            {"type": "input_image", "image_url": "https://x/y.png"},
        ]},
        {"type": "message", "role": "assistant", "content": "ok"},
        {"type": "function_call", "call_id": "c1", "name": "get_x2E_time", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c1", "output": "1"},
    ]  # fmt: skip


def test_a_result_may_hold_pictures_and_that_of_free_text_has_a_kind_of_its_own() -> None:
    shown = Message("tool", (IMAGE,), tool_call_id="c9")
    first = turn("", call("ls", "sh", "c9"), recorded=[CUSTOM])
    output = [{"type": "input_image", "image_url": IMAGE["image_url"]}]
    assert items(first, shown) == [CUSTOM, {"type": "custom_tool_call_output", "call_id": "c9", "output": output}]


def test_recorded_items_go_back_in_order_while_the_turn_says_the_same() -> None:
    recorded = [THOUGHT, SAID, CALL]
    assert items(turn("ok", call(), recorded=recorded)) == recorded
    assert items(turn("", recorded=[THOUGHT])) == [THOUGHT]


def test_a_turn_that_says_something_else_is_written_anew() -> None:
    recorded = [THOUGHT, SAID, CALL]
    changed = {"type": "message", "role": "assistant", "content": "changed"}
    assert items(turn("changed", call(), recorded=recorded)) == [changed, CALL]
    other = items(turn("ok", call(name="g"), recorded=recorded))
    assert other == [THOUGHT, SAID, {"type": "function_call", "call_id": "c1", "name": "g", "arguments": "{}"}]
    assert items(turn("", call(), recorded=[CALL, THOUGHT])) == [CALL]  # a thought that nothing follows


def test_a_recorded_call_has_the_arguments_of_the_turn() -> None:
    assert items(turn("", call('{"a": 1}'), recorded=[THOUGHT, CALL])) == [THOUGHT, {**CALL, "arguments": '{"a": 1}'}]
    assert items(turn("", call("pwd", "sh", "c9"), recorded=[CUSTOM])) == [CUSTOM]  # free text is no arguments


def test_calls_that_came_without_ids_are_found_by_their_order() -> None:
    nameless = [{"type": "function_call", "name": name, "arguments": "{}"} for name in "fg"]
    made = (call(), NativeCall(1, "c2", "g", "{}"))
    assert items(turn("", *made, recorded=nameless)) == nameless
