"""Parts of the chat shape that stand alone; replies are tested through their wires."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.kit.playbook import read
from workbench.core.exchange import Usage
from workbench.wires.kit.chat import chat_usage, read_model_list


def test_usage_of_all_dialects() -> None:
    assert chat_usage({"prompt_tokens": 1, "completion_tokens": 2, "prompt_cache_hit_tokens": 3}) == Usage(
        1, 2, 3, None
    )
    assert chat_usage({"prompt_tokens": "7", "completion_tokens": 2.0, "prompt_tokens_details": None}) == Usage(7, 2)
    assert chat_usage({"prompt_tokens": None, "completion_tokens": True}) == Usage()


def test_models_are_named_in_three_ways() -> None:
    listed = b'{"models": [{"id": "a"}, {"model": "b", "name": "x"}, {"name": "c"}, "d", {"size": 1}]}'
    assert [model.id for model in read_model_list(listed)] == ["a", "b", "c", "d"]


def test_media_beside_the_text_are_told() -> None:
    body = (
        b'data: {"choices":[{"index":0,"delta":{"content":"a","images":[{"type":"image_url"}]}}]}\n\ndata: [DONE]\n\n'
    )
    reply = read("openai_chat", body)
    assert (reply.text, set(reply.notices)) == ("a", {"unknown_part"})


@pytest.mark.parametrize(
    "part", [{"type": "thinking", "thinking": "hm"}, {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}]
)
def test_thoughts_among_the_parts_are_reasoning(part: dict[str, Any]) -> None:
    delta = {"content": [part, {"type": "text", "text": "a"}, {"type": "refusal", "refusal": "no"}, "b"]}
    body = b"data: " + json.dumps({"choices": [{"index": 0, "delta": delta}]}).encode() + b"\n\ndata: [DONE]\n\n"
    reply = read("openai_chat", body)
    assert (reply.reasoning, reply.text) == ("hm", "anob")
