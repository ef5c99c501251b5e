from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pyarrow

from tests.kit.scanning import LEAK, document, found_in, kind_of, read

TOOLS = [
    {
        "name": "get_weather",
        "description": "w",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    }
]


def call(name: str, arguments: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": "c1", "function": name, "arguments": arguments, "type": "function", **more}


def event(content: Any, *calls: dict[str, Any]) -> dict[str, Any]:
    message = {"role": "assistant", "content": content, "tool_calls": list(calls) or None}
    return {
        "event": "model", "model": "openai/gpt-x", "timestamp": "2026-11-20T10:00:00+00:00", "tools": TOOLS,
        "input": [{"role": "user", "content": "Weather?"}],
        "output": {"model": "gpt-x", "choices": [{"message": message, "stop_reason": "stop"}], "usage": {"output_tokens": 12}},
    }  # fmt: skip


def sample(*events: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": 1, "epoch": 1, "messages": [], "events": list(events), "attachments": {}, **more}


def log(*samples: dict[str, Any]) -> dict[str, Any]:
    return {
        "version": 2,
        "status": "success",
        "eval": {"task": "t", "run_id": "r", "model": "openai/gpt-x"},
        "samples": list(samples),
    }


def test_model_events_are_replies(tmp_path: Path) -> None:
    path = document(tmp_path / "a.json", log(sample(event("Hello.", call("get_weather", {"city": "Rome"})))))
    (reply,), troubles = read(path)
    assert (kind_of(path), troubles) == ("inspect", [])
    assert (reply.text, reply.model, reply.server, reply.output_tokens) == ("Hello.", "gpt-x", "openai", 12)
    assert (reply.context[0].text, reply.calls[0].arguments) == ("Weather?", {"city": "Rome"})


def test_faults_are_found(tmp_path: Path) -> None:
    bad = call("get_weather", {}, parse_error="Error parsing the arguments: line 1")
    path = document(
        tmp_path / "a.json", log(sample(event(LEAK), event("", bad), event("", call("toll_bell", {})), event("", call("get_weather", {"city": 5})))),
    )  # fmt: skip
    assert found_in(path) == ["tool_markup_in_content", "malformed_arguments", "invented_tool", "schema_violation"]


def test_long_texts_stand_among_the_attachments(tmp_path: Path) -> None:
    name = "0123456789abcdef0123456789abcdef"
    whole = sample(event(f"attachment://{name}"), attachments={name: f"I look.\n{LEAK}"})
    path = document(tmp_path / "a.json", log(whole))
    assert (read(path)[0][0].text, found_in(path)) == (f"I look.\n{LEAK}", ["tool_markup_in_content"])


def test_an_archive_has_a_file_for_each_sample(tmp_path: Path) -> None:
    path = tmp_path / "a.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps({"version": 2, "eval": {"task": "t"}}))
        archive.writestr("samples/1_epoch_1.json", json.dumps(sample(event("Hello."))))
        archive.writestr("samples/2_epoch_1.json", "{broken")
    replies, troubles = read(path)
    assert (kind_of(path), [one.text for one in replies], [one.place for one in troubles]) == (
        "inspect",
        ["Hello."],
        ["samples/2_epoch_1.json"],
    )


def test_samples_packed_with_zstandard(tmp_path: Path) -> None:
    path, plain = tmp_path / "a.eval", io.BytesIO()
    packed = pyarrow.compress(json.dumps(sample(event(LEAK))).encode(), "zstd", asbytes=True)
    with zipfile.ZipFile(plain, "w") as archive:
        archive.writestr("header.json", json.dumps({"version": 2, "eval": {"task": "t"}}))
        archive.writestr("samples/1_epoch_1.json", packed)
        archive.writestr("samples/2_epoch_1.json", b"no frame at all")
    data = bytearray(plain.getvalue())
    for sign, offset in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):  # this Python writes no method 93 itself
        at = data.find(sign, data.find(sign) + 1)
        while at >= 0:
            data[at + offset : at + offset + 2] = (93).to_bytes(2, "little")
            at = data.find(sign, at + 1)
    path.write_bytes(data)
    (reply,), (trouble,) = read(path)
    assert (reply.text, trouble.place) == (LEAK, "samples/2_epoch_1.json")


def test_a_log_without_events_has_its_messages(tmp_path: Path) -> None:
    messages = [{"role": "user", "content": "x"}, {"role": "assistant", "content": LEAK}]
    path = document(tmp_path / "a.json", log({"id": 1, "epoch": 1, "messages": messages, "output": {"model": "gpt-x"}}))
    assert (read(path)[0][0].model, found_in(path)) == ("gpt-x", ["tool_markup_in_content"])
