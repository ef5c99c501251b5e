from __future__ import annotations

import json

from tests.kit.scanning import LEAK, chat_reply, chat_request, judged, logged
from workbench.scan.readers.log_records import read_record
from workbench.scan.readers.log_state import LogState
from workbench.scan.reply import Channel


def test_lm_studio() -> None:
    text = (
        "2026-08-28 01:22:58 [ERROR]\n [openai_gpt-oss-20b] Failed to generate a tool call (this tool call will be omitted):  Failed to parse"
        ' tool call: Unexpected end of content. \nModel Output:  <|start|>assistant<|channel|>commentary to=functions.f<|message|>{"a":'
    )  # fmt: skip
    lost = logged(text)
    assert (lost.model, lost.channel, lost.text[:9]) == ("openai_gpt-oss-20b", Channel.LOST, "<|start|>")
    state = LogState("x.log")
    assert (
        read_record(
            f"[DEBUG] Received request: POST to /v1/chat/completions with body {json.dumps(chat_request(), indent=1)}",
            state,
        )
        == []
    )
    said = logged(f"[INFO] Generated prediction:  {json.dumps(chat_reply(LEAK), indent=1)}", state)
    assert [one.kind for one in judged([said])] == ["tool_markup_in_content"]
    assert [tool.name for tool in said.tools or ()] == ["get_weather"]


def test_packets_of_lm_studio_are_one_reply() -> None:
    state = LogState("x.log")
    read_record(f"Received request: POST to /v1/chat/completions with body {json.dumps(chat_request())}", state)
    for ident, text in (("a", LEAK[:9]), ("b", "Fine."), ("a", LEAK[9:])):
        choice = {"index": 0, "delta": {"content": text}, "finish_reason": None}
        packet = {"id": ident, "object": "chat.completion.chunk", "model": "coder-7b", "choices": [choice]}
        assert read_record(f"[INFO][coder-7b] Generated packet: {json.dumps(packet, indent=2)}", state) == []
    made = read_record("[INFO][LM STUDIO SERVER] Finished streaming response", state)
    assert sorted((one.text, one.server, one.model) for one in made) == [
        (LEAK, "LM Studio", "coder-7b"), ("Fine.", "LM Studio", "coder-7b"),
    ]  # fmt: skip
    assert [[tool.name for tool in one.tools or ()] for one in made] == [["get_weather"]] * 2
