from __future__ import annotations

import json

import pytest

from workbench.core.exchange import FinishDelta, TextDelta
from workbench.core.messages import ChatRequest, Message
from workbench.simulate.dialects import (
    ANTHROPIC_MESSAGES,
    DIALECTS,
    GEMINI_GENERATE,
    OLLAMA_CHAT,
    OPENAI_CHAT,
    OPENAI_RESPONSES,
    RAW_COMPLETION,
    TEXT_COMPLETION,
    Dialect,
    Refusal,
    ReplyInfo,
    dialect_of,
)

INFO = ReplyInfo(ChatRequest("m", (Message("user", "hi"),)), "0a", 1)


@pytest.mark.parametrize(
    ("path", "dialect"),
    [
        ("/v1/chat/completions", OPENAI_CHAT),
        ("/chat/completions", OPENAI_CHAT),
        ("/v1/messages", ANTHROPIC_MESSAGES),
        ("/completion", RAW_COMPLETION),
        ("/v1/completions", TEXT_COMPLETION),
        ("/v1beta/models/m:generateContent", GEMINI_GENERATE),
        ("/v1beta/models/m:streamGenerateContent", GEMINI_GENERATE),
        ("/api/chat", OLLAMA_CHAT),
        ("/v1/responses", OPENAI_RESPONSES),
        ("/v1/embeddings", None),
    ],
)
def test_the_path_decides(path: str, dialect: Dialect | None) -> None:
    assert dialect_of(path) is dialect


@pytest.mark.parametrize(
    "dialect", DIALECTS, ids=["chat", "messages", "completion", "text", "gemini", "ollama", "responses"]
)
def test_whole_and_streamed_replies_say_the_same(dialect: Dialect) -> None:
    deltas = [TextDelta("Hel"), TextDelta("lo"), FinishDelta("stop")]
    assert b"Hello" in dialect.whole(INFO, deltas)
    stream = dialect.stream(INFO)
    data = stream.start() + b"".join(stream.feed(delta) for delta in deltas) + stream.finish()
    assert b'"Hel"' in data
    assert b'"lo"' in data


def test_refusals_are_written_in_each_protocols_way() -> None:
    why = Refusal(429, "slow down", "rate_limit_exceeded")
    assert json.loads(OPENAI_CHAT.refuse(why))["error"]["code"] == "rate_limit_exceeded"
    assert json.loads(OPENAI_CHAT.refuse(Refusal(500, "oh")))["error"]["type"] == "server_error"
    assert json.loads(ANTHROPIC_MESSAGES.refuse(why))["error"] == {"type": "rate_limit_error", "message": "slow down"}
    assert json.loads(RAW_COMPLETION.refuse(why))["error"]["code"] == 429
    assert json.loads(GEMINI_GENERATE.refuse(why))["error"]["status"] == "RESOURCE_EXHAUSTED"
    assert json.loads(OPENAI_RESPONSES.refuse(why))["error"]["code"] == "rate_limit_exceeded"
    assert json.loads(OLLAMA_CHAT.refuse(why)) == {"error": "slow down"}
