"""An object under a key that no format has is never lost without a word."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.parser_contract import TOOLS
from tests.kit.whole_reading import Drawn, drawn
from workbench.formats.kit.odd_key import OddKey, odd_key
from workbench.formats.kit.toolset import Tool

WEATHER = Tool(TOOLS["get_weather"])


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ({"foo": {"city": "Rome"}}, OddKey("foo", ("args_key", "wrapper_arg"))),
        ({"foo": '{"city": "Rome"}'}, OddKey("foo", ("args_key", "wrapper_arg"))),
        ({"Arguments": {"city": "Rome"}}, OddKey("Arguments", ("args_key",))),
        ({"argments": {}}, OddKey("argments", ("args_key",))),
        ({"arguemnts": {}}, OddKey("arguemnts", ("args_key",))),
        ({"parameterss ": {"town": "Rome"}}, OddKey("parameterss ", ("args_key",))),
        ({"foo": {"town": "Rome"}}, OddKey(None)),
        ({"foo": {"days": 3}}, OddKey(None)),
        ({"result": {"city": "Rome"}}, OddKey(None)),
        ({"foo": {"city": "Rome"}, "bar": {"city": "Oslo"}}, OddKey(None)),
        ({"type": {"city": "Rome"}, "foo": {}, "note": "so"}, None),
    ],
)
def test_keys(value: dict[str, Any], found: OddKey | None) -> None:
    assert odd_key({"name": "get_weather", **value}, WEATHER) == found


def test_without_tools_a_misspelled_key_alone_counts() -> None:
    assert odd_key({"name": "f", "Arguments": {"a": 1}}, None) == OddKey("Arguments", ("args_key",))
    assert odd_key({"name": "f", "foo": {"a": 1}}, None) == OddKey(None)


def test_a_shape_that_may_be_none_of_a_call_needs_a_misspelled_key() -> None:
    assert odd_key({"name": "get_weather", "foo": {"city": "Rome"}}, WEATHER, sure=False) == OddKey(None)
    assert odd_key({"name": "get_weather", "argument": {"city": "Rome"}}, WEATHER, sure=False) == OddKey(
        "argument", ("args_key",)
    )


@pytest.mark.parametrize(
    ("form", "declared", "whole"),
    [
        ("command_r", True, Drawn('⟦Action:\n{"tool_name": "‹now›", "with": «{"zone": ""}»}⟧', [("now", {"zone": ""}, "args_key wrapper_arg")])),
        ("json_scaffold", True, Drawn('```json⟦{"tool": "‹now›«»", "argumentsarguments": {}}⟧```', [("now", {}, "fenced")])),
        ("inkling", False, Drawn('⟨<|message_model|>look_up<|content_invoke_tool_json|>{"name": "look_up", "rgs": {"word": "x = 1\\n</function_call>\\ny = 2", "note": "z"}}<|end_message|>⟩', [], ["reported args_not_object look_up: No key beside 'look_up' is one for arguments."])),
    ],
)  # fmt: skip
def test_keys_of_arguments_in_odd_spellings(form: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, declared=declared) == whole


@pytest.mark.parametrize(
    ("key", "near"),
    [
        ("Arguments", True), ("argumnets", True), ("argument", True), ("argumentss", True), ("argumenst", True), ("agruments", True), ("arg_uments", True),
        ("argments", True), ("argmets", False), ("argumentsss", False), ("xarguments", True), ("parametes", True), ("parmetes", False), ("arg", False),
        ("kwarg", True), ("kwars", True), ("foo", False),
    ],
)  # fmt: skip
def test_a_key_with_one_character_off_is_misspelled(key: str, near: bool) -> None:
    found = odd_key({"name": "get_weather", key: {"town": "Rome"}}, WEATHER, sure=False)
    assert found == (OddKey(key, ("args_key",)) if near else OddKey(None))
