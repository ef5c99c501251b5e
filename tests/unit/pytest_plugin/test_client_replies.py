from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anthropic.types
import ollama
import openai.types.chat
import openai.types.responses
import pytest
from google.genai import types as google

from tests.kit.plugins import kitty_folder
from workbench.core.errors import InvalidInput
from workbench.core.tools import ToolSpec
from workbench.formats.plugins import Plugins, install
from workbench.pytest_plugin.client_replies import read_reply, specs_of

ROME = (("get_weather", {"city": "Rome"}),)
TEXT = json.dumps({"city": "Rome"})
CALL = {"id": "c1", "type": "function", "function": {"name": "get_weather", "arguments": TEXT}}
MESSAGE = {"role": "assistant", "content": "Let me look.", "tool_calls": [CALL]}
CHAT = {
    "id": "x", "object": "chat.completion", "created": 1, "model": "m",
    "choices": [{"index": 0, "finish_reason": "tool_calls", "message": MESSAGE}],
}  # fmt: skip
CLAUDE = {
    "id": "x", "type": "message", "role": "assistant", "model": "m", "stop_reason": "tool_use", "stop_sequence": None,
    "usage": {"input_tokens": 1, "output_tokens": 1},
    "content": [
        {"type": "thinking", "thinking": "hm", "signature": "s"}, {"type": "text", "text": "Let me look."},
        {"type": "tool_use", "id": "t", "name": "get_weather", "input": {"city": "Rome"}},
    ],
}  # fmt: skip
RESPONSES = {
    "output": [
        {"type": "reasoning", "id": "r", "summary": []},
        {"type": "message", "content": [{"type": "output_text", "text": "Let me look."}]},
        {"type": "function_call", "call_id": "c", "name": "get_weather", "arguments": TEXT},
    ]
}
GEMINI = {"candidates": [{"content": {"parts": [
    {"text": "hm", "thought": True}, {"text": "Let me look."}, {"functionCall": {"name": "get_weather", "args": {"city": "Rome"}}},
]}}]}  # fmt: skip
OLLAMA = {"message": {"role": "assistant", "content": "Let me look.", "tool_calls": [
    {"function": {"name": "get_weather", "arguments": {"city": "Rome"}}}]}}  # fmt: skip


@pytest.mark.parametrize(
    "reply",
    [
        CHAT, MESSAGE, openai.types.chat.ChatCompletion.model_validate(CHAT), CLAUDE,
        anthropic.types.Message.model_validate(CLAUDE), RESPONSES, GEMINI,
        google.GenerateContentResponse.model_validate(GEMINI), OLLAMA, ollama.ChatResponse.model_validate(OLLAMA),
    ],
    ids=lambda value: type(value).__module__.split(".")[0],
)  # fmt: skip
def test_every_vendors_reply_is_read(reply: Any) -> None:
    assert read_reply(reply) == (ROME, "Let me look.", ())


@pytest.mark.parametrize(
    "reply",
    [[CALL], [{"name": "get_weather", "arguments": {"city": "Rome"}}], CALL, [openai.types.chat.ChatCompletionMessageToolCall.model_validate(CALL)]],
    ids=["calls", "plain", "one", "sdk"],
)  # fmt: skip
def test_calls_alone_are_read(reply: Any) -> None:
    assert read_reply(reply).calls == ROME


def test_text_is_read_as_a_format_or_as_the_best_one() -> None:
    raw = 'Hm. <tool_call>{"name": "get_weather", "arguments": {"city": "Rome"}}</tool_call>'
    assert read_reply(raw).calls == read_reply(raw, "qwen_xml").calls == ROME
    assert read_reply(raw, "react").calls == ()
    assert read_reply({"role": "assistant", "content": raw}, "qwen_xml").calls == ROME
    assert read_reply("Just words.") == ((), "Just words.", ())
    assert read_reply("<tool_call>{broken</tool_call>", "qwen_xml").lost


@pytest.mark.parametrize(
    "reply",
    [
        5,
        None,
        {"error": "x"},
        [{"function": {"name": "f", "arguments": "{"}}],
        [{"function": {"name": "f", "arguments": "[" * 100_000}}],
    ],
)
def test_what_is_no_reply_is_told(reply: Any) -> None:
    with pytest.raises(InvalidInput):
        read_reply(reply)


def test_tools_are_read_in_any_shape() -> None:
    assert specs_of(()) == ()
    assert specs_of([{"name": "f"}]) == (ToolSpec("f"),)


@pytest.fixture
def own_formats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A data folder with a format of the user's own; afterwards there is none again."""
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path))
    yield kitty_folder(tmp_path / "plugins")
    install(Plugins((), ()))


def test_formats_of_the_users_own_are_read(own_formats: Path) -> None:
    text = 'Purr. <kitty>{"name": "now", "arguments": {"zone": "UTC"}}</kitty>'
    for name in ("kitty", ""):
        found = read_reply(text, name)
        assert (found.calls, found.text) == ((("now", {"zone": "UTC"}),), "Purr.")


def test_a_broken_format_of_the_users_own_is_a_warning(own_formats: Path) -> None:
    (own_formats / "broken.py").write_text("1 / 0", encoding="utf-8")
    with pytest.warns(UserWarning, match=r"broken\.py"):
        assert read_reply("<kitty>", "kitty").calls == ()
