from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.kit.scanning import LEAK, TOOL, document, found_in, judged, kind_of, read, written

ASKED = {
    "messages": [{"role": "user", "content": [{"text": "Weather in Rome?"}]}],
    "toolConfig": {"tools": [{"toolSpec": {"name": "get_weather", "inputSchema": {"json": {"type": "object"}}}}]},
}


def record(told: Any, asked: Any = None, operation: str = "Converse") -> dict[str, Any]:
    """A record as the log has it."""
    return {
        "schemaType": "ModelInvocationLog", "timestamp": "2026-11-20T10:00:00Z", "requestId": "r1", "operation": operation,
        "modelId": "arn:aws:bedrock:region::foundation-model/vendor.coder-v1:0",
        "input": {"inputBodyJson": asked or ASKED}, "output": {"outputBodyJson": told, "outputTokenCount": 9},
    }  # fmt: skip


def converse(*content: dict[str, Any]) -> dict[str, Any]:
    """A reply of Converse."""
    return {"output": {"message": {"role": "assistant", "content": [*content]}}, "stopReason": "end_turn", "usage": {}}


def test_replies_of_converse_are_read_with_what_was_offered(tmp_path: Path) -> None:
    use = {"toolUse": {"toolUseId": "t", "name": "get_wether", "input": {}}}
    path = written(tmp_path / "a.json", record(converse({"text": LEAK})), record(converse(use)))
    first, second = read(path)[0]
    assert (kind_of(path), first.place, first.model, first.server) == (
        "bedrock",
        "1 (r1)",
        "vendor.coder-v1:0",
        "Bedrock",
    )
    assert (first.context[0].text, first.output_tokens, second.calls[0].name) == ("Weather in Rome?", 9, "get_wether")
    assert found_in(path) == ["tool_markup_in_content", "invented_tool"]


def test_bodies_of_models_own_and_streams_are_read(tmp_path: Path) -> None:
    message = {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "content": [{"type": "text", "text": LEAK}],
        "stop_reason": "end_turn",
    }
    events = [
        {"type": "message_start", "message": {"id": "m", "role": "assistant", "content": []}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": LEAK}},
        {"type": "message_stop"},
    ]
    offered, asked = {"messages": [], "tools": [TOOL]}, {"prompt": "Weather?"}
    told = [
        message,
        events,
        {"generation": LEAK},
        {"results": [{"outputText": LEAK}]},
        [{"generation": LEAK[:9]}, {"generation": LEAK[9:]}],
    ]
    path = written(
        tmp_path / "a.json",
        *(
            record(one, asked if "generation" in str(one) or "results" in one else offered, "InvokeModel")
            for one in told
        ),
    )
    assert [reply.text for reply in read(path)[0]] == [LEAK] * 5
    assert found_in(path) == ["tool_markup_in_content"] * 5


def test_calls_before_are_known_by_the_request() -> None:
    use = {"toolUse": {"toolUseId": "t", "name": "get_weather", "input": {"city": "Rome"}}}
    asked = {**ASKED, "messages": [*ASKED["messages"], {"role": "assistant", "content": [{"text": "I look."}, use]}]}
    (reply,), _ = read(json.dumps(record(converse({"text": "Sunny."}), asked)))
    assert [(call.name, call.arguments) for call in reply.before] == [("get_weather", {"city": "Rome"})]


@pytest.mark.parametrize(
    ("output", "told"),
    [
        ({"outputBodyS3Path": "s3://bucket/data/r1_output.json.gz"}, "lies in s3://bucket/data/r1_output.json.gz"),
        ({}, "was not logged"),
        ({"outputBodyJson": {"odd": 1}}, "the reply of vendor.coder-v1:0 (odd)"),
        ({"outputBodyJson": [{"odd": 1}]}, "no object"),
    ],
)
def test_what_is_not_known_is_said(output: dict[str, Any], told: str) -> None:
    replies, (trouble,) = read(json.dumps({**record({}), "output": output}))
    assert replies == []
    assert trouble.message.startswith("Not known: ")
    assert told in trouble.message


def test_a_refused_request_says_its_code_and_a_broken_line_its_place(tmp_path: Path) -> None:
    refused = {**record({}), "output": {}, "errorCode": "ThrottlingException"}
    path = written(tmp_path / "a.json", record({"embedding": [1.0]}), refused, '{"modelId": ')
    replies, troubles = read(path)
    assert (len(replies), judged(replies)) == (1, [])
    assert [one.place for one in troubles] == ["2", "3"]
    assert "ThrottlingException" in troubles[0].message


def test_lists_and_exports_of_cloudwatch_are_the_same(tmp_path: Path) -> None:
    one = record(converse({"text": LEAK}))
    assert found_in(document(tmp_path / "list.json", [one, one])) == ["tool_markup_in_content"] * 2
    assert found_in(document(tmp_path / "one.json", one)) == ["tool_markup_in_content"]
    path = written(tmp_path / "watch.json", {"timestamp": 1, "message": json.dumps(one)})
    assert (kind_of(path), found_in(path)) == ("bedrock", ["tool_markup_in_content"])
