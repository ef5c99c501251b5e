"""Python calls and function elements between the markers of tags that expect JSON."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.whole_reading import Drawn, drawn
from workbench.core.tools import tools_from_json
from workbench.formats import get_format

TOOLS = tools_from_json([{"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "integer"}}}}])


@pytest.mark.parametrize(
    ("form", "text", "repairs"),
    [
        ("qwen_xml", "<tool_call>\nf(a=1)\n</tool_call>", ("wrong_family",)),
        ("qwen_xml", "<tool_call>[f(a=1)]</tool_call>", ("wrong_family",)),
        ("qwen_xml", "<tool_call>f(a=1)", ("wrong_family", "missing_close_tag")),
        ("nemotron_toolcall", "<TOOLCALL>[f(a=1)]</TOOLCALL>", ("wrong_family",)),
        ("nemotron_toolcall", "<TOOLCALL>```python\nf(a=1)\n```</TOOLCALL>", ("wrong_family", "fenced")),
        (
            "nemotron_toolcall",
            '<TOOLCALL><function name="f"><param name="a" type="integer">1</param></function></TOOLCALL>',
            ("wrong_family",),
        ),
        ("granite", "<|tool_call|>[f(a=1)]", ("wrong_family",)),
    ],
)
@pytest.mark.parametrize("tools", [None, TOOLS])
def test_the_body_of_another_family(form: str, text: str, repairs: tuple[str, ...], tools: Any) -> None:
    result = get_format(form).parse(text, tools)
    assert [(call.name, call.arguments, call.repairs) for call in result.calls] == [("f", {"a": 1}, repairs)]
    assert result.text == ""
    assert (result.calls[0].span.start, result.calls[0].span.end) == (0, len(text))


@pytest.mark.parametrize("text", ["<toolcall>[g(a=1)]</toolcall>", "<toolcall>f(a=1)</toolcall>"])
def test_near_misses_need_declared_names(text: str) -> None:
    found = get_format("qwen_xml").parse(text, TOOLS).calls
    assert [call.name for call in found] == (["f"] if "f(" in text else [])
    assert get_format("qwen_xml").parse(text, None).calls == ()


def test_words_between_the_markers_are_no_call() -> None:
    assert get_format("qwen_xml").parse("<tool_call>some words</tool_call>", None).calls == ()


@pytest.mark.parametrize(
    ("form", "declared", "whole"),
    [
        ("nemotron_toolcall", False, Drawn('⟨<TOOLCALL><function name="f"><param name="a" type="integer">⟩', [], ["reported unread_call : A call begins here and cannot be read."], '<TOOLCALL><function name="f"><param name="a" type="integer">')),
    ],
)  # fmt: skip
def test_a_cut_call_of_another_form(form: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, declared=declared) == whole
