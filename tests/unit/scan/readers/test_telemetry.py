from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.kit.scanning import LEAK, TOOL, document, found_in, kind_of, read, written
from workbench.scan.readers.telemetry import attributes_of


def span(events: list[Any] | None = None, **attributes: Any) -> dict[str, Any]:
    pairs = [
        {"key": key, "value": {"intValue": str(value)} if isinstance(value, int) else {"stringValue": value}}
        for key, value in attributes.items()
    ]
    return {"spanId": "ab12", "startTimeUnixNano": "1795168800000000000", "attributes": pairs, "events": events or []}


def spans(*made: dict[str, Any]) -> dict[str, Any]:
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {}, "spans": list(made)}]}]}


def conventions(text: str, **more: Any) -> dict[str, Any]:
    output = [{"role": "assistant", "parts": [{"type": "text", "content": text}], "finish_reason": "stop"}]
    asked = [{"role": "user", "parts": [{"type": "text", "content": "Weather?"}]}]
    return span(**{
        "gen_ai.request.model": "coder-7b", "server.address": "gpu1", "gen_ai.usage.output_tokens": 7,
        "gen_ai.output.messages": json.dumps(output), "gen_ai.input.messages": json.dumps(asked),
        "gen_ai.tool.definitions": json.dumps([TOOL]), **more,
    })  # fmt: skip


def test_spans_of_the_conventions(tmp_path: Path) -> None:
    path = document(tmp_path / "spans.json", spans(span(**{"http.method": "POST"}), conventions("Hello.")))
    (reply,), troubles = read(path)
    assert (kind_of(path), troubles) == ("otel", [])
    assert (reply.text, reply.model, reply.server, reply.output_tokens) == ("Hello.", "coder-7b", "gpu1", 7)
    assert (reply.finish, reply.context[0].text, reply.at_us) == ("stop", "Weather?", 1_795_168_800_000_000)
    assert [tool.name for tool in reply.tools or ()] == ["get_weather"]


def test_one_document_a_line(tmp_path: Path) -> None:
    path = written(tmp_path / "spans.jsonl", spans(conventions(LEAK)), "{broken", spans(conventions("Fine.")))
    replies, troubles = read(path)
    assert ([one.text for one in replies], [one.place for one in troubles]) == ([LEAK, "Fine."], ["line 2"])


CALLS = [{"type": "tool_call", "id": "c", "name": "toll_bell", "arguments": {}}]
OPENLLMETRY = {
    "gen_ai.completion.0.role": "assistant", "gen_ai.completion.0.tool_calls.0.name": "toll_bell",
    "gen_ai.completion.0.tool_calls.0.arguments": "{}", "llm.request.functions.0.name": "get_weather",
}  # fmt: skip
OPENINFERENCE = {
    "llm.model_name": "coder-7b", "llm.output_messages.0.message.role": "assistant",
    "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "toll_bell",
    "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": "{}",
    "llm.tools.0.tool.json_schema": json.dumps(TOOL),
}  # fmt: skip


@pytest.mark.parametrize(
    "made",
    [
        conventions("", **{"gen_ai.output.messages": json.dumps([{"role": "assistant", "parts": CALLS}])}),
        span(**OPENLLMETRY),
        span(**OPENINFERENCE),
    ],
    ids=["conventions", "OpenLLMetry", "OpenInference"],
)
def test_calls_however_they_are_written(tmp_path: Path, made: dict[str, Any]) -> None:
    assert found_in(document(tmp_path / "spans.json", spans(made))) == ["invented_tool"]


def test_choices_as_events(tmp_path: Path) -> None:
    message = {"key": "message", "value": {"stringValue": json.dumps({"role": "assistant", "content": LEAK})}}
    made = span(
        [{"name": "gen_ai.choice", "attributes": [message]}],
        **{"gen_ai.request.model": "m", "gen_ai.tool.definitions": json.dumps([TOOL])},
    )
    assert found_in(document(tmp_path / "spans.json", spans(made))) == ["tool_markup_in_content"]


def test_the_console_exporters_spans_have_plain_attributes(tmp_path: Path) -> None:
    plain = {
        "name": "chat",
        "context": {"span_id": "0x1"},
        "start_time": "2026-11-20T10:00:00Z",
        "attributes": {"gen_ai.completion.0.content": LEAK, "gen_ai.completion.0.role": "assistant"},
    }
    path = document(tmp_path / "spans.json", [plain])
    assert (kind_of(path), found_in(path)) == ("otel", ["tool_markup_in_content"])


def test_lists_and_maps_among_the_attributes() -> None:
    inner = {"kvlistValue": {"values": [{"key": "a", "value": {"arrayValue": {"values": [{"intValue": "1"}]}}}]}}
    assert attributes_of([{"key": "x", "value": inner}]) == {"x": {"a": [1]}}


def test_spans_of_the_console_exporter_stand_one_behind_the_other(tmp_path: Path) -> None:
    def printed(text: str) -> str:
        output = json.dumps([{"role": "assistant", "parts": [{"type": "text", "content": text}]}])
        attributes = {"gen_ai.request.model": "m", "gen_ai.output.messages": output}
        return json.dumps({"name": "chat m", "context": {"span_id": "0xab"}, "attributes": attributes}, indent=4) + "\n"

    path = tmp_path / "spans.json"
    path.write_text(printed(LEAK) + '{\n    "broken": \n}\n' + printed("Fine."), encoding="utf-8")
    replies, troubles = read(path)
    assert (kind_of(path), [one.text for one in replies], [one.place for one in troubles]) == (
        "otel", [LEAK, "Fine."], ["span 2"],
    )  # fmt: skip


def test_a_list_of_documents_and_spans_without_ids(tmp_path: Path) -> None:
    path = document(tmp_path / "spans.json", [spans(conventions(LEAK)), spans(conventions("Fine."))])
    assert [one.text for one in read(path)[0]] == [LEAK, "Fine."]
    bare = {
        "name": "chat",
        "attributes": {
            "llm.output_messages.0.message.role": "assistant",
            "llm.output_messages.0.message.content": LEAK,
        },
    }
    path = written(tmp_path / "bare.jsonl", bare, bare)
    assert (kind_of(path), len(found_in(path))) == ("otel", 2)


def test_spans_of_the_ai_sdk_are_read_once(tmp_path: Path) -> None:
    said = {"ai.model.id": "coder-7b", "ai.response.text": LEAK, "ai.response.finishReason": "stop"}
    inner = {**span(**said), "name": "ai.streamText.doStream"}
    calls = [{"toolCallId": "c", "toolName": "get_weather", "input": '{"city": "Rome"}'}]
    called = {
        **span(**{"ai.response.toolCalls": json.dumps(calls), "ai.model.id": "m"}),
        "name": "ai.generateText.doGenerate",
    }
    called["attributes"].append(
        {"key": "ai.prompt.tools", "value": {"arrayValue": {"values": [{"stringValue": json.dumps(TOOL)}]}}}
    )
    path = document(tmp_path / "spans.json", spans({**span(**said), "name": "ai.streamText"}, inner, called))
    first, second = read(path)[0]
    assert (first.text, first.model, first.finish, found_in(path)) == (
        LEAK,
        "coder-7b",
        "stop",
        ["tool_markup_in_content"],
    )
    assert [(call.name, call.arguments) for call in second.calls] == [("get_weather", '{"city": "Rome"}')]
    assert [tool.name for tool in second.tools or ()] == ["get_weather"]


def test_spans_on_a_console_stand_between_what_the_program_prints(tmp_path: Path) -> None:
    attributes = {
        "gen_ai.request.model": "coder-7b",
        "gen_ai.completion.0.role": "assistant",
        "gen_ai.completion.0.content": LEAK,
    }
    span = {"name": "chat", "context": {"trace_id": "0x1", "span_id": "0x2"}, "attributes": attributes, "events": []}
    path = tmp_path / "console.txt"
    path.write_text(f"INFO: starting\n{json.dumps(span, indent=4)}\nan answer\n{json.dumps(span, indent=4)}\nbye\n")
    replies, troubles = read(path)
    assert (kind_of(path), len(replies), troubles, found_in(path)) == ("otel", 2, [], ["tool_markup_in_content"] * 2)


def test_log_records_that_name_their_event_in_an_attribute(tmp_path: Path) -> None:
    message = {
        "key": "message",
        "value": {"kvlistValue": {"values": [{"key": "content", "value": {"stringValue": LEAK}}]}},
    }
    record = {"body": {"kvlistValue": {"values": [message]}},
              "attributes": [{"key": "event.name", "value": {"stringValue": "gen_ai.choice"}}]}  # fmt: skip
    path = document(tmp_path / "a.json", {"resourceLogs": [{"scopeLogs": [{"logRecords": [record]}]}]})
    assert (kind_of(path), [reply.text for reply in read(path)[0]]) == ("otel", [LEAK])


def test_spans_as_jaeger_exports_them(tmp_path: Path) -> None:
    plain = attributes_of(conventions(LEAK)["attributes"])
    tags = [{"key": key, "type": "string", "value": value} for key, value in plain.items()]
    choice = {
        "fields": [{"key": "event", "value": "gen_ai.choice"}, {"key": "message", "value": '{"content": "Fine."}'}]
    }
    asked = {"key": "gen_ai.request.model", "value": "m"}
    path = document(tmp_path / "a.json", {"data": [{"traceID": "t", "processes": {}, "spans": [
        {"traceID": "t", "spanID": "s1", "operationName": "chat", "startTime": 1_795_168_800_000_000, "tags": tags, "logs": []},
        {"traceID": "t", "spanID": "s2", "operationName": "chat", "tags": [asked], "logs": [{"timestamp": 1, **choice}]},
    ]}]})  # fmt: skip
    replies, troubles = read(path)
    assert (kind_of(path), troubles) == ("otel", [])
    assert [(reply.place, reply.text, reply.model) for reply in replies] == [
        ("span s1", LEAK, "coder-7b"), ("span s2", "Fine.", "m"),
    ]  # fmt: skip
    assert replies[0].at_us == 1_795_168_800_000_000
