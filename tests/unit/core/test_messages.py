from __future__ import annotations

import pytest

from workbench.core.errors import InvalidInput
from workbench.core.messages import Reasoning, chosen_tool, message_from_openai, reasoning_from_words, request_from_json
from workbench.core.tools import tool_from_json, tools_from_json

CALL = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}


@pytest.mark.parametrize(
    "value",
    [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        {"role": "tool", "content": "42", "tool_call_id": "c1"},
        {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:x"}}]},
    ],
)
def test_openai_messages_survive_both_ways(value: dict) -> None:
    assert message_from_openai(value).to_openai() == value


@pytest.mark.parametrize(
    "value", ["x", {"content": "x"}, {"role": "user", "content": 5}, {"role": "assistant", "tool_calls": [{}]}]
)
def test_wrong_messages_are_named(value: object) -> None:
    with pytest.raises(InvalidInput, match="message"):
        message_from_openai(value)


def test_a_request_needs_model_and_messages() -> None:
    request = request_from_json({"model": "m", "messages": [{"role": "user", "content": "x"}], "stop": "END"})
    assert request.stop == ("END",)
    good = {"model": "m", "messages": [{"role": "user", "content": "x"}]}
    odd = [good | change for change in ({"stop": 5}, {"temperature": "hot"}, {"max_tokens": 1.5}, {"seed": [1]})]
    for broken in ({}, {"model": "m"}, {"model": "m", "messages": []}, [], *odd):
        with pytest.raises(InvalidInput):
            request_from_json(broken)


def test_tools_are_read_in_three_shapes() -> None:
    schema = {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}
    shapes = [
        {"type": "function", "function": {"name": "f", "description": "d", "parameters": schema}},
        {"type": "function", "name": "f", "description": "d", "parameters": schema},
        {"name": "f", "description": "d", "input_schema": schema},
    ]
    assert len({repr(tool_from_json(shape)) for shape in shapes}) == 1
    assert tool_from_json(shapes[0]).to_openai() == shapes[0]
    with pytest.raises(InvalidInput, match=r"tools\[1\] repeats"):
        tools_from_json([shapes[0], shapes[1]])


@pytest.mark.parametrize(
    ("amount", "thoughts", "wanted"),
    [
        ("", "", None),
        ("high", "", Reasoning("high")),
        (" 2048 ", "", Reasoning(budget=2048)),
        ("0", "", Reasoning(budget=0)),
        ("", "show", Reasoning(show=True)),
        ("low", "hide", Reasoning("low", show=False)),
    ],
)
def test_reasoning_is_read_as_people_type_it(amount: str, thoughts: str, wanted: Reasoning | None) -> None:
    assert reasoning_from_words(amount, thoughts) == wanted


@pytest.mark.parametrize(
    ("amount", "thoughts"), [("much", ""), ("-5", ""), ("9" * 5000, ""), ("1.5", ""), ("low", "yes")]
)
def test_unreadable_reasoning_is_refused(amount: str, thoughts: str) -> None:
    with pytest.raises(InvalidInput):
        reasoning_from_words(amount, thoughts)


def test_a_forced_tool_is_found() -> None:
    assert chosen_tool({"type": "function", "function": {"name": "f"}}) == "f"
    assert chosen_tool("auto") is None
