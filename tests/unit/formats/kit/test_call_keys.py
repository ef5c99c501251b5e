"""The keys of calls as JSON."""

from __future__ import annotations

import pytest

from workbench.formats.kit.call_keys import (
    ARGUMENT_KEYS,
    CALL_KEYS,
    LIST_KEYS,
    NAME_KEYS,
    holds_arguments,
    names_tool,
)


def test_no_key_has_two_meanings() -> None:
    keys = (*NAME_KEYS, *ARGUMENT_KEYS, *LIST_KEYS, *CALL_KEYS)
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize(
    "key", ["name", "next_tool_name", "command_name", "toolId", "function_to_call", "request", "call"]
)
def test_keys_of_a_name(key: str) -> None:
    assert names_tool(key)
    assert not holds_arguments(key)


@pytest.mark.parametrize("key", ["arguments", "tool_args", "next_tool_args", "action_variables", "toolInput"])
def test_keys_of_arguments(key: str) -> None:
    assert holds_arguments(key)
    assert not names_tool(key)


@pytest.mark.parametrize(
    "key", ["tools", "filename", "query", "call_id", "argument_list", "toolbox", "inputs_of_the_day"]
)
def test_other_keys(key: str) -> None:
    assert not names_tool(key)
    assert not holds_arguments(key)
