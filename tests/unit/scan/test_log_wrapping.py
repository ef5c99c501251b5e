from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.kit.scanning import LEAK, kind_of, read, scanned
from workbench.scan.log_wrapping import line_field, log_blocks, log_head, name_before
from workbench.scan.opened import Opened

LINES = [
    "INFO 11-20 10:00:00 Engine 000: Running: 1 reqs",
    f"INFO 11-20 10:00:01 Generated response chatcmpl-1: output: {LEAK!r}, output_token_ids: None, finish_reason: stop",
    "[2026-11-20 10:00:02][ERROR][coder-7b] Failed to generate a tool call: Unexpected end.",
    "Model Output:",
    "<tool_call>",
    '{"name": "search", "arguments": {"q": "x"',
    "[2026-11-20 10:00:03][INFO] done",
]


@pytest.mark.parametrize(
    "wrapped",
    [
        lambda line: line,
        lambda line: f"vllm-1  | {line}",
        lambda line: f"[pod/vllm-0/main] {line}",
        lambda line: f"2026-11-20T10:00:00.123456789Z stderr F {line}",
        lambda line: f"Nov 20 10:00:00 host vllm[12]: {line}",
        lambda line: json.dumps({"log": line + "\n", "stream": "stderr", "time": "2026-11-20T10:00:00Z"}),
        lambda line: json.dumps({"MESSAGE": line, "__REALTIME_TIMESTAMP": "1795168800000000"}),
        lambda line: json.dumps({"line": line, "labels": {"app": "vllm"}}),
        lambda line: json.dumps({"@timestamp": "2026-11-20T10:00:00Z", "message": line}),
        lambda line: json.dumps({"textPayload": line, "insertId": "1"}),
    ],
)
def test_a_log_is_read_whatever_stands_around_its_lines(tmp_path: Path, wrapped) -> None:
    path = tmp_path / "a.log"
    path.write_text("".join(wrapped(line) + "\n" for line in LINES), encoding="utf-8")
    assert kind_of(path) == "log"
    replies, troubles = read(path)
    assert [(one.server, one.line) for one in replies] == [("vLLM", 2), ("LM Studio", 3)]
    assert (replies[0].text, troubles) == (LEAK, [])
    assert [one.kind for one in scanned(path).findings] == ["tool_markup_in_content", "tool_call_dropped"]
    assert b"".join(log_blocks(Opened(path))).decode() == "".join(line + "\n" for line in LINES)
    assert log_head(Opened(path)).startswith(b"INFO 11-20")


def test_other_json_lines_are_no_wrapped_log() -> None:
    for row in (
        {"message": "Output: x", "target": "text_generation_router::server"},
        {"log": {"entries": []}},
        {"line": 3},
        [1],
    ):
        assert line_field(Opened(json.dumps(row))) == ""


def test_lines_of_a_table_are_no_names() -> None:
    assert name_before(Opened("a | b\nno bar here\nc | d\n")) is None
