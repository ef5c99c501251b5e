from __future__ import annotations

from workbench.core.messages import ChatRequest, Message, NativeCall
from workbench.core.tools import ToolSpec
from workbench.simulate.rendered_prompt import rendered
from workbench.wires.completion_server import read_prompt

TOOLS = (ToolSpec("search", "Finds.", {"type": "object", "properties": {"q": {"type": "string"}}}),)
TALK = (
    Message("system", "Be brief."),
    Message("user", "Find x."),
    Message("assistant", "I look.", tool_calls=(NativeCall(0, "c1", "search", '{"q": "x"}'),)),
    Message("tool", '{"success": true, "result": "here", "error": null}', tool_call_id="c1", name="search"),
)


def test_a_conversation_is_rendered_with_its_tools_calls_and_results() -> None:
    prompt = rendered(ChatRequest("m", TALK, tools=TOOLS))
    turns = read_prompt(prompt)
    assert [turn.role for turn in turns] == ["system", "user", "assistant", "user"]
    assert turns[0].text.startswith("Be brief.")
    assert "search" in turns[0].text
    assert '<tool_call>\n{"name": "search"' in turns[2].text
    assert "<tool_response>" in turns[3].text
    assert '\\"success' not in turns[3].text
    assert prompt.endswith("<|im_start|>assistant\n")


def test_without_tools_nothing_is_taught() -> None:
    assert rendered(ChatRequest("m", (Message("user", "Hi."),))).startswith("<|im_start|>user\nHi.<|im_end|>")
    assert "search" not in rendered(ChatRequest("m", (Message("user", "Hi."),), tools=TOOLS, tool_choice="none"))


def test_results_of_any_kind_are_taken() -> None:
    lost = Message("tool", "plain", tool_call_id="gone", name="search")
    assert "plain" in rendered(ChatRequest("m", (*TALK[:2], lost), tools=TOOLS))
