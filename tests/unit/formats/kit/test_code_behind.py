"""Code behind a call's object fills its empty argument, and is never lost without a word."""

from __future__ import annotations

import pytest

from workbench.core.tools import ToolSpec
from workbench.formats import get_format

TOOLS = (ToolSpec("run", "", {"type": "object", "properties": {"code": {"type": "string"}}, "required": ["code"]}),)
OPEN = '<tool_call>\n{"name": "run", "arguments": {"code": ""}}\n<code>\n'


@pytest.mark.parametrize("name", ["qwen_xml", "granite"])
def test_code_behind_the_object_is_the_argument(name: str) -> None:
    raw = f"{OPEN}a = '</code>'\n</code>\n</tool_call>"
    (call,) = get_format(name).parse(raw, TOOLS).calls
    assert (call.arguments, call.repairs) == ({"code": "a = '</code>'"}, ("text_as_argument",))
    assert call.span[:2] == (0, len(raw))


@pytest.mark.parametrize("name", ["qwen_xml", "granite"])
def test_code_without_an_end_is_told(name: str) -> None:
    found = get_format(name).parse(f"{OPEN}print(1", TOOLS)
    assert [problem.code for problem in found.problems] == ["truncated"]
    assert not found.calls


def test_an_empty_argument_alone_stays() -> None:
    (call,) = (
        get_format("qwen_xml").parse('<tool_call>{"name": "run", "arguments": {"code": ""}}</tool_call>', TOOLS).calls
    )
    assert (call.arguments, call.repairs) == ({"code": ""}, ())
