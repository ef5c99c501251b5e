"""Calls between tokens: what may be lost of them."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import TOOLS
from workbench.formats import get_format

SPECS = tuple(TOOLS.values())


@pytest.mark.parametrize(
    ("raw", "repairs"),
    [
        ("<|tool_call:begin|>1<|tool_call:name|>now<|tool_call:args|>{}<|tool_call:end|>", ()),
        ("<|tool_call:begin|><|tool_call:name|>now{}<|tool_call:end|>", ("missing_open_tag",)),
        ("<|tool_call:begin|><|tool_call:name|>now<|tool_call:end|>", ("missing_close_tag",)),
        ("<|tool_call:name|>now<|tool_call:args|>{}", ("missing_open_tag", "missing_close_tag")),
    ],
)
def test_tokens_may_be_lost(raw: str, repairs: tuple[str, ...]) -> None:
    (call,) = get_format("solar_open").parse(raw, SPECS).calls
    assert (call.name, call.arguments, call.repairs) == ("now", {}, repairs)


def test_an_id_between_the_tokens_is_the_calls_own() -> None:
    raw = "<|tool_call:begin|>{}<|tool_call:name|>now<|tool_call:args|>{{}}<|tool_call:end|>"
    calls = get_format("solar_open").parse(raw.format("a1b2-c3") + raw.format(""), SPECS).calls
    assert calls[0].id == "a1b2-c3"
    assert calls[1].id not in ("", "a1b2-c3")


def test_words_between_tokens_are_no_call() -> None:
    found = get_format("solar_open").parse("<|tool_call:begin|>Hello you<|tool_call:end|>", SPECS)
    assert found.calls == ()
    assert found.problems
