"""Tools over protocols that have none."""

from __future__ import annotations

from workbench.cli.send_emulated import read_emulated, with_scaffold
from workbench.core.messages import ChatRequest, Message
from workbench.core.tools import ToolSpec

TOOLS = (ToolSpec("find_it", "finds it"),)


def test_tools_move_into_the_system_text() -> None:
    plain = ChatRequest("m", (Message("user", "hi"),), tools=TOOLS, tool_choice="auto")
    moved = with_scaffold("straico", plain)
    assert (moved.tools, moved.tool_choice, [m.role for m in moved.messages]) == ((), None, ["system", "user"])
    assert "find_it" in moved.messages[0].text
    told = with_scaffold(
        "straico", ChatRequest("m", (Message("system", "be brief"), Message("user", "hi")), tools=TOOLS)
    )
    assert told.messages[0].text.startswith("be brief\n\n")
    assert len(told.messages) == 2


def test_conversion_keeps_native_requests() -> None:
    native = ChatRequest("m", (Message("user", "hi"),), tools=TOOLS)
    assert with_scaffold("openai_chat", native) is native
    bare = ChatRequest("m", (Message("user", "hi"),))
    assert with_scaffold("straico", bare) is bare
    assert read_emulated("openai_chat", "{}", TOOLS, None) is None
    assert read_emulated("straico", "{}", (), None) is None


def test_calls_are_read_from_the_text() -> None:
    found = read_emulated("straico", '{"function_calls": [{"name": "find_it", "arguments": {}}]}', TOOLS, "stop")
    assert found is not None
    assert [call.name for call in found.calls] == ["find_it"]
