"""Bedrock Converse: requests that AWS's own types take, streams in frames and whole replies."""

from __future__ import annotations

import base64
import json
from typing import Any

import botocore.session
import pytest
from botocore.eventstream import EventStreamBuffer
from botocore.parsers import RestJSONParser
from botocore.validate import ParamValidator

from tests.kit.event_frames import converse, frame
from tests.kit.playbook import Reply, decode, read
from workbench.core.errors import ErrorKind, InvalidInput
from workbench.core.exchange import Endpoint, ReasoningDelta, Usage
from workbench.core.messages import ChatRequest, Message, NativeCall, Reasoning, ToolChoice
from workbench.core.tools import ToolSpec
from workbench.wires import get_wire

WIRE = "bedrock_converse"
BASE = "https://bedrock-runtime.eu-west-1.amazonaws.com"
CLAUDE = "eu.anthropic.claude-sonnet-4-5-20250929-v1:0"
TOOL = ToolSpec("f", "does f", {"type": "object", "properties": {"a": {"type": "string"}}})
FRAMED = (("content-type", "application/vnd.amazon.eventstream"),)
MODEL = botocore.session.Session().get_service_model("bedrock-runtime")
SIGNED = {"reasoningContent": {"reasoningText": {"text": "hm", "signature": "sig=="}}}


def encode(
    *messages: Message, model: str = CLAUDE, quirks: dict[str, Any] | None = None, **more: Any
) -> dict[str, Any]:
    """The body of a request that AWS's own types take."""
    request = ChatRequest(model, messages or (Message("user", "hi"),), **more)
    sent = get_wire(WIRE).encode(request, Endpoint("t", WIRE, BASE, quirks=quirks or {}), "key")
    body: dict[str, Any] = json.loads(sent.body)
    shape = MODEL.operation_model("Converse").input_shape
    report = ParamValidator().validate({"modelId": model, **_with_bytes(body)}, shape)
    assert not report.has_errors(), report.generate_report()
    return body


def _with_bytes(value: Any) -> Any:
    """Bytes stand as base64 in JSON; the vendor's types want them as they are."""
    if isinstance(value, dict):
        return {
            key: base64.b64decode(one) if key in ("bytes", "redactedContent") else _with_bytes(one)
            for key, one in value.items()
        }
    return [_with_bytes(one) for one in value] if isinstance(value, list) else value


def stream(*events: tuple[str, dict[str, Any]]) -> Reply:
    return read(WIRE, converse(*events), headers=FRAMED)


def delta(index: int, **said: Any) -> tuple[str, dict[str, Any]]:
    return "contentBlockDelta", {"contentBlockIndex": index, "delta": said, "p": "abcd"}


END = ("messageStop", {"stopReason": "tool_use"})
COUNTS = ("metadata", {"usage": {"inputTokens": 9, "outputTokens": 7, "totalTokens": 20, "cacheReadInputTokens": 4}, "metrics": {"latencyMs": 5}})  # fmt: skip
STORY = (
    ("messageStart", {"role": "assistant"}),
    delta(0, reasoningContent={"text": "h"}), delta(0, reasoningContent={"text": "m"}),
    delta(0, reasoningContent={"signature": "sig=="}), ("contentBlockStop", {"contentBlockIndex": 0}),
    delta(1, text="Let me "), delta(1, text="look."), ("contentBlockStop", {"contentBlockIndex": 1}),
    ("contentBlockStart", {"contentBlockIndex": 2, "start": {"toolUse": {"toolUseId": "tooluse_1", "name": "f"}}}),
    delta(2, toolUse={"input": '{"a": '}), delta(2, toolUse={"input": '"b"}'}), ("contentBlockStop", {"contentBlockIndex": 2}),
    END, COUNTS,
)  # fmt: skip


# -- requests ------------------------------------------------------------------------------------------------------


def test_request_in_full() -> None:
    body = encode(
        Message("system", "be brief"), Message("user", "hi"), tools=(TOOL,), tool_choice="required", stop=("x", " "),
        max_tokens=5, temperature=0.5, top_p=0.9, extra={"requestMetadata": {"a": "b"}},
    )  # fmt: skip
    assert body == {
        "messages": [{"role": "user", "content": [{"text": "hi"}]}], "system": [{"text": "be brief"}],
        "inferenceConfig": {"maxTokens": 5, "temperature": 0.5, "topP": 0.9, "stopSequences": ["x"]},
        "toolConfig": {
            "tools": [{"toolSpec": {"name": "f", "inputSchema": {"json": TOOL.parameters}, "description": "does f"}}],
            "toolChoice": {"any": {}},
        },
        "requestMetadata": {"a": "b"},
    }  # fmt: skip


@pytest.mark.parametrize(("streamed", "path"), [(True, "converse-stream"), (False, "converse")])
def test_address_and_headers(streamed: bool, path: str) -> None:
    request = ChatRequest(CLAUDE, (Message("user", "x"),), stream=streamed)
    sent = get_wire(WIRE).encode(request, Endpoint("t", WIRE, BASE), "k")
    assert sent.url == f"{BASE}/model/eu.anthropic.claude-sonnet-4-5-20250929-v1%3A0/{path}"
    headers = dict(sent.headers)
    assert headers["authorization"] == "Bearer k"
    assert headers["accept"] == (FRAMED[0][1] if streamed else "application/json")


def test_turns_alternate_and_results_come_first() -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:image/jpg;base64,QUJD"}}
    calls = (NativeCall(0, "a.1", "f", '{"a": 1}'), NativeCall(1, "", "g", ""))
    body = encode(
        Message("user", "one"), Message("user", "two"), Message("assistant", "", calls), Message("user", "and?"),
        Message("tool", "no", tool_call_id="a.1", failed=True), Message("tool", (picture,), tool_call_id="call_2_1"),
        tools=(TOOL,),
    )  # fmt: skip
    assert [turn["role"] for turn in body["messages"]] == ["user", "assistant", "user"]
    assert body["messages"][0]["content"] == [{"text": "one"}, {"text": "two"}]
    first, second = (block["toolUse"] for block in body["messages"][1]["content"])
    assert (first["input"], second["input"]) == ({"a": 1}, {})
    results = [block.get("toolResult") for block in body["messages"][2]["content"]]
    assert [one and one["toolUseId"] for one in results] == [first["toolUseId"], second["toolUseId"], None]
    assert (results[0]["status"], "status" in results[1]) == ("error", False)
    assert results[1]["content"] == [{"image": {"format": "jpeg", "source": {"bytes": "QUJD"}}}]


@pytest.mark.parametrize(
    ("choice", "sent"),
    [("auto", {"auto": {}}), ({"type": "function", "function": {"name": "f"}}, {"tool": {"name": "f"}}), (None, None)],
)
def test_choices(choice: ToolChoice, sent: dict[str, Any] | None) -> None:
    assert encode(tools=(TOOL,), tool_choice=choice)["toolConfig"].get("toolChoice") == sent


def test_no_call_at_all_is_said_by_leaving_the_tools_out_or_refused() -> None:
    assert "toolConfig" not in encode(tools=(TOOL,), tool_choice="none")
    asked = Message("assistant", "", (NativeCall(0, "a", "f", "{}"),))
    with pytest.raises(InvalidInput, match="call no tool"):
        encode(Message("user", "x"), asked, Message("tool", "y", tool_call_id="a"), tools=(TOOL,), tool_choice="none")


def test_a_tools_mark_for_the_cache_becomes_a_cache_point() -> None:
    marked = ToolSpec("f", extra={"cache_control": {"type": "ephemeral"}, "strict": True})
    first, second = encode(tools=(marked,))["toolConfig"]["tools"]
    assert (first["toolSpec"]["strict"], second) == (True, {"cachePoint": {"type": "default"}})


@pytest.mark.parametrize(
    ("model", "setting", "fields"),
    [
        (CLAUDE, Reasoning("low"), {"thinking": {"type": "enabled", "budget_tokens": 2048}}),
        (CLAUDE, Reasoning("none"), {"thinking": {"type": "disabled"}}),
        ("anthropic.claude-opus-4-6-v1", Reasoning("high"), {"thinking": {"type": "adaptive"}, "output_config": {"effort": "high"}}),
        ("openai.gpt-oss-120b-1:0", Reasoning("high"), {"reasoning_effort": "high"}),
        ("us.amazon.nova-2-lite-v1:0", Reasoning("low"), {"reasoningConfig": {"type": "enabled", "maxReasoningEffort": "low"}}),
    ],
)  # fmt: skip
def test_reasoning_in_the_models_own_field(model: str, setting: Reasoning, fields: dict[str, Any]) -> None:
    body = encode(model=model, reasoning=setting)
    assert body["additionalModelRequestFields"] == fields
    if "budget_tokens" in fields.get("thinking", {}):
        assert body["inferenceConfig"]["maxTokens"] > fields["thinking"]["budget_tokens"]


@pytest.mark.parametrize(
    ("model", "setting", "limit"),
    [
        ("meta.llama3-1-70b-instruct-v1:0", Reasoning("low"), None),
        (CLAUDE, Reasoning("low", show=True), None),
        (CLAUDE, Reasoning("low"), 2000),
        ("anthropic.claude-3-5-sonnet-20241022-v2:0", Reasoning("low"), None),
    ],
)
def test_reasoning_that_cannot_be_had_is_refused(model: str, setting: Reasoning, limit: int | None) -> None:
    with pytest.raises(InvalidInput, match=r"reasoning|thinking|thoughts"):
        encode(model=model, reasoning=setting, max_tokens=limit)


def test_pictures_by_address_are_refused() -> None:
    picture = {"type": "image_url", "image_url": {"url": "https://h/x.png"}}
    with pytest.raises(InvalidInput, match="as bytes"):
        encode(Message("user", (picture,)))


# -- replies -------------------------------------------------------------------------------------------------------


def test_a_stream_is_what_the_vendors_library_reads() -> None:
    theirs = EventStreamBuffer()
    theirs.add_data(converse(*STORY))
    shape = MODEL.operation_model("ConverseStream").output_shape.members["stream"]
    parser = RestJSONParser()._event_stream_parser  # as its client reads a stream
    events = [parser.parse(event.to_response_dict(), shape) for event in theirs]
    said = "".join(one["contentBlockDelta"]["delta"].get("text", "") for one in events if "contentBlockDelta" in one)
    reply = stream(*STORY)
    assert (reply.text, reply.reasoning, reply.plain_calls) == (said, "hm", [("tooluse_1", "f", '{"a": "b"}')])
    assert (said, reply.finish, reply.usage, reply.faults) == ("Let me look.", "tool_use", Usage(13, 7, 4), [])


def test_signed_reasoning_goes_back_as_it_came() -> None:
    sent_back = stream(*STORY).notices["send_back"]
    call = NativeCall(0, "tooluse_1", "f", '{"a": "b"}')
    turn = Message("assistant", "Let me look.", (call,), extra=sent_back)
    body = encode(Message("user", "x"), turn, Message("tool", "y", tool_call_id="tooluse_1"), tools=(TOOL,))
    use = {"toolUse": {"toolUseId": "tooluse_1", "name": "f", "input": {"a": "b"}}}
    assert body["messages"][1]["content"] == [SIGNED, {"text": "Let me look."}, use]
    changed = encode(Message("user", "x"), Message("assistant", "Else.", extra=sent_back), Message("user", "z"))
    assert changed["messages"][1]["content"] == [SIGNED, {"text": "Else."}]


def test_the_signature_of_thoughts_is_told_as_it_comes() -> None:
    """A client of another protocol gets it with the thoughts, not only with the turn."""
    whole = {"output": {"message": {"role": "assistant", "content": [SIGNED]}}, "stopReason": "end_turn", "usage": {}}
    for deltas in (
        decode(WIRE, converse(*STORY), headers=FRAMED),
        decode(WIRE, json.dumps(whole).encode(), stream=False),
    ):
        seals = [one.seal for one in deltas if isinstance(one, ReasoningDelta) and one.seal]
        assert seals == ["sig=="]


def test_a_whole_reply() -> None:
    content = [
        SIGNED,
        {"text": "Let me look."},
        {"toolUse": {"toolUseId": "tooluse_1", "name": "f", "input": {"a": "b"}}},
    ]
    whole = {"output": {"message": {"role": "assistant", "content": content}}, "stopReason": "tool_use", "usage": COUNTS[1]["usage"], "metrics": {"latencyMs": 1}}  # fmt: skip
    reply = read(WIRE, json.dumps(whole).encode(), stream=False)
    streamed = stream(*STORY)
    assert (reply.text, reply.reasoning, reply.plain_calls) == (streamed.text, streamed.reasoning, streamed.plain_calls)
    assert (reply.finish, reply.usage, reply.notices) == (streamed.finish, streamed.usage, streamed.notices)


def test_hidden_reasoning_is_kept() -> None:
    content = [{"reasoningContent": {"redactedContent": "QUJD"}}, {"text": "a"}]
    reply = read(
        WIRE, json.dumps({"output": {"message": {"content": content}}, "stopReason": "end_turn"}).encode(), stream=False
    )
    assert reply.notices["send_back"] == {WIRE: {"content": content}}


def _started(index: int, **shell: Any) -> tuple[str, dict[str, Any]]:
    return "contentBlockStart", {"contentBlockIndex": index, "start": shell}


CITATION = {"title": "Tides", "location": {"documentPage": {"documentIndex": 0, "start": 1, "end": 2}}}
RUN = {"toolUseId": "tooluse_0", "name": "nova_code_interpreter", "type": "server_tool_use"}
RAN = {"toolUseId": "tooluse_0", "status": "success", "type": "nova_code_interpreter_result"}
SERVED = (
    _started(0, toolUse=RUN), delta(0, toolUse={"input": '{"snippet": "6 * 7"}'}),
    _started(1, toolResult=RAN), delta(1, toolResult=[{"json": {"stdOut": "42"}}]),
    delta(2, citation=CITATION), delta(2, text="It is 42."),
    _started(3, toolUse={"toolUseId": "tooluse_1", "name": "f", "type": "tool_use"}), delta(3, toolUse={"input": '{"a": "b"}'}),
    END, COUNTS,
)  # fmt: skip
SERVED_WHOLE = [
    {"toolUse": {**RUN, "input": {"snippet": "6 * 7"}}},
    {"toolResult": {**RAN, "content": [{"json": {"stdOut": "42"}}]}},
    {"citationsContent": {"content": [{"text": "It is 42."}], "citations": [CITATION]}},
    {"toolUse": {"toolUseId": "tooluse_1", "name": "f", "input": {"a": "b"}}},
]


def test_tools_of_the_server_and_citations_are_no_calls_and_lose_no_text() -> None:
    body = {"output": {"message": {"content": SERVED_WHOLE}}, "stopReason": "tool_use", "usage": COUNTS[1]["usage"]}
    for reply in (stream(*SERVED), read(WIRE, json.dumps(body).encode(), stream=False)):
        assert (reply.text, reply.plain_calls) == ("It is 42.", [("tooluse_1", "f", '{"a": "b"}')])
        assert reply.notices == {"send_back": {WIRE: {"content": SERVED_WHOLE}}}


def test_what_the_server_ran_goes_back_with_its_turn() -> None:
    call = NativeCall(0, "tooluse_1", "f", '{"a": "c"}')
    turn = Message("assistant", "It is 42.", (call,), extra={WIRE: {"content": SERVED_WHOLE}})
    body = encode(Message("user", "x"), turn, Message("tool", "y", tool_call_id="tooluse_1"), tools=(TOOL,))
    use = {"toolUse": {"toolUseId": "tooluse_1", "name": "f", "input": {"a": "c"}}}
    assert body["messages"][1]["content"] == [*SERVED_WHOLE[:3], use]


def test_a_call_that_its_provider_could_not_read_is_the_models_failure() -> None:
    reply = stream(delta(0, text="a"), ("messageStop", {"stopReason": "malformed_tool_use"}), COUNTS)
    assert (reply.text, reply.finish, reply.fault_kinds) == ("a", "malformed_tool_use", ["model_output"])


def test_exceptions_and_cut_streams() -> None:
    early = converse(*STORY[:7])
    assert read(WIRE, early, headers=FRAMED).fault_kinds == ["cut_off"]
    assert read(WIRE, early[:-3], headers=FRAMED).fault_kinds == ["cut_off"]
    slow = early + frame("throttlingException", {"message": "Too many requests."}, exception=True)
    assert read(WIRE, slow, headers=FRAMED).fault_kinds == ["rate_limit"]
    assert read(WIRE, early + b"x" * 20, headers=FRAMED).fault_kinds == ["protocol"]
    assert read(WIRE, b"", headers=FRAMED).fault_kinds == ["cut_off"]
    refused = read(WIRE, b'{"message": "Input is too long for requested model."}', status=400)
    assert refused.fault_kinds == ["context_length"]
    assert read(WIRE, b'{"Output": {"__type": "com.amazon.coral.service#UnknownOperationException"}}', stream=False).fault_kinds == ["protocol"]  # fmt: skip


def test_models_are_listed_by_the_other_host() -> None:
    wire = get_wire(WIRE)
    asked = wire.models_request(Endpoint("t", WIRE, BASE), "k")
    assert (asked.method, asked.url) == ("GET", "https://bedrock.eu-west-1.amazonaws.com/foundation-models")
    (found,) = wire.read_models(
        b'{"modelSummaries": [{"modelId": "amazon.nova-lite-v1:0", "providerName": "Amazon"}, {}]}'
    )
    assert (found.id, found.owner) == ("amazon.nova-lite-v1:0", "Amazon")


def test_input_that_is_an_object_is_read() -> None:
    use = {"toolUse": {"toolUseId": "t", "name": "f"}}
    reply = stream(
        ("contentBlockStart", {"contentBlockIndex": 0, "start": use}),
        ("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"toolUse": {"input": {"a": 1}}}}),
        ("messageStop", {"stopReason": "tool_use"}),
    )
    assert reply.plain_calls == [("t", "f", '{"a": 1}')]


@pytest.mark.parametrize(
    ("status", "kind"), [(403, ErrorKind.AUTH), (429, ErrorKind.RATE_LIMIT), (500, ErrorKind.SERVER)]
)
def test_a_refusal_is_judged_by_its_status(status: int, kind: ErrorKind) -> None:
    reply = read(WIRE, b'{"message": "No."}', status=status, stream=False)
    assert [(fault.kind, fault.status) for fault in reply.faults] == [(kind, status)]


@pytest.mark.parametrize(
    ("setting", "limit", "said"),
    [
        (Reasoning("low"), 100, "needs more than 2048 max_tokens, since thinking alone may take 2048"),
        (Reasoning(budget=5000), 5000, "needs more than 5000 max_tokens, since thinking alone may take 5000"),
    ],
)
def test_a_limit_that_leaves_no_room_behind_the_thoughts_is_named(setting: Reasoning, limit: int, said: str) -> None:
    with pytest.raises(InvalidInput) as failed:
        encode(model=CLAUDE, reasoning=setting, max_tokens=limit)
    assert said in failed.value.message
    assert encode(model=CLAUDE, reasoning=setting, max_tokens=6000)["inferenceConfig"] == {"maxTokens": 6000}


def test_a_block_that_is_not_known_is_told_and_goes_back() -> None:
    reply = stream(("messageStart", {"role": "assistant"}), delta(0, video={"uri": "s3://x"}), END)
    block = {"video": {"uri": "s3://x"}}
    assert reply.notices == {"unknown_event": None, "send_back": {WIRE: {"content": [block]}}}


def test_all_citations_of_a_block_go_back() -> None:
    second = {**CITATION, "title": "Moon"}
    reply = stream(delta(0, citation=CITATION), delta(0, text="It is 42."), delta(0, citation=second), END, COUNTS)
    kept = {"citationsContent": {"content": [{"text": "It is 42."}], "citations": [CITATION, second]}}
    assert reply.notices == {"send_back": {WIRE: {"content": [kept]}}}
