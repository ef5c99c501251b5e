from __future__ import annotations

import pytest

from tests.kit.simulated import TOOLS
from workbench.core.protocols import Format
from workbench.formats import list_formats
from workbench.simulate.find_format import format_asked_for, text_formats


@pytest.mark.parametrize("fmt", text_formats(), ids=lambda fmt: fmt.id)
@pytest.mark.parametrize("choice", [None, "required"])
def test_a_formats_own_prompt_is_recognised(fmt: Format, choice: str | None) -> None:
    prompt = fmt.prompt(TOOLS, choice)
    assert format_asked_for(f"You are careful.\n\n{prompt}\n\nBe brief.", TOOLS) == fmt.id


@pytest.mark.parametrize("fmt", text_formats(), ids=lambda fmt: fmt.id)
def test_it_is_recognised_with_other_tools_too(fmt: Format) -> None:
    assert format_asked_for(fmt.prompt(TOOLS), TOOLS[:1]) == fmt.id


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Call tools with <tool_call>{...}</tool_call> tags.", "qwen_xml"),
        ("Answer:\nAction: the tool\nAction Input: its input", "react"),
        ('Reply with { "tool": "<name>", "arguments": { ... } }.', "json_scaffold"),
        ("Be nice.", ""),
        ("", ""),
    ],
)
def test_foreign_prompts_are_recognised_by_their_marks(text: str, wanted: str) -> None:
    assert format_asked_for(text, TOOLS) == wanted


def test_native_formats_are_left_out() -> None:
    assert {fmt.id for fmt in text_formats()} == {fmt.id for fmt in list_formats() if not fmt.native}
