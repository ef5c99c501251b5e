"""Anthropic Messages: requests as they leave, streams and whole messages."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.kit.event_frames import invoked
from tests.kit.playbook import read
from workbench.core.errors import InvalidInput
from workbench.core.exchange import Endpoint, Usage
from workbench.core.messages import ChatRequest, Message, NativeCall, Reasoning, ToolChoice
from workbench.core.tools import ToolSpec
from workbench.settings.presets import get_preset
from workbench.wires import get_wire
from workbench.wires.kit.event_frames import MEDIA_TYPE

WIRE = "anthropic_messages"
TOOL = ToolSpec("f", "does f", {"properties": {"a": {"type": "string"}}})


def encode(
    *messages: Message, base: str = "http://h:1", quirks: dict[str, Any] | None = None, **more: Any
) -> dict[str, Any]:
    request = ChatRequest("claude", messages or (Message("user", "hi"),), **more)
    value = json.loads(get_wire(WIRE).encode(request, Endpoint("t", WIRE, base, quirks=quirks or {})).body)
    assert isinstance(value, dict)
    return value


def event(kind: str, **fields: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n".encode()


def block(index: int, shell: dict[str, Any], *deltas: dict[str, Any]) -> bytes:
    body = event("content_block_start", index=index, content_block=shell)
    for delta in deltas:
        body += event("content_block_delta", index=index, delta=delta)
    return body + event("content_block_stop", index=index)


def text(value: str) -> dict[str, Any]:
    return {"type": "text_delta", "text": value}


def piece(value: str) -> dict[str, Any]:
    return {"type": "input_json_delta", "partial_json": value}


START = event("message_start", message={"model": "claude-x", "content": [], "usage": {"input_tokens": 9, "cache_read_input_tokens": 4, "cache_creation_input_tokens": 2, "output_tokens": 1}})  # fmt: skip
USE = {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {}}


def end(reason: str = "end_turn", **usage: int) -> bytes:
    return event(
        "message_delta", delta={"stop_reason": reason, "stop_sequence": None}, usage={"output_tokens": 7, **usage}
    ) + event("message_stop")


# -- requests ------------------------------------------------------------------------------------------------------


def test_request_in_full() -> None:
    body = encode(
        Message("system", "be"), Message("system", "brief"), Message("user", "hi"), tools=(TOOL,), tool_choice="required", stop=("x", " \n"),
        max_tokens=5, temperature=0.5, top_p=0.9, seed=3, extra={"thinking": {"type": "enabled"}},
    )  # fmt: skip
    assert body == {
        "model": "claude", "max_tokens": 5, "system": "be\n\nbrief", "messages": [{"role": "user", "content": "hi"}],
        "tools": [{"name": "f", "description": "does f", "input_schema": {"type": "object", **TOOL.parameters}}], "tool_choice": {"type": "any"},
        "stop_sequences": ["x"], "temperature": 0.5, "top_p": 0.9, "stream": True, "thinking": {"type": "enabled"},
    }  # fmt: skip


def test_headers_and_address() -> None:
    wire = get_wire(WIRE)
    request = ChatRequest("c", (Message("user", "x"),))
    for base in ("http://h:1", "http://h:1/", "http://h:1/v1", "http://h:1/v1/messages"):
        assert wire.encode(request, Endpoint("t", WIRE, base)).url == "http://h:1/v1/messages"
    assert wire.encode(request, Endpoint("t", WIRE, "http://h/proxy")).url == "http://h/proxy/v1/messages"
    headers = dict(wire.encode(request, Endpoint("t", WIRE, "http://h"), "k").headers)
    assert (headers["x-api-key"], headers["anthropic-version"]) == ("k", "2023-06-01")
    headers = dict(
        wire.encode(request, Endpoint("t", WIRE, "http://h", quirks={"auth_header": "authorization"}), "k").headers
    )
    assert headers["authorization"] == "Bearer k"
    assert wire.models_request(Endpoint("t", WIRE, "http://h"), "k").url == "http://h/v1/models?limit=1000"


def test_a_cloud_with_the_model_in_its_path_has_no_list_of_models() -> None:
    for preset in ("bedrock_invoke", "vertex_anthropic"):
        found = get_preset(preset)
        endpoint = Endpoint("t", WIRE, found.base_url, quirks=found.quirks)
        with pytest.raises(InvalidInput, match="no list of models") as refused:
            get_wire(WIRE).models_request(endpoint, "k")
        assert "Type the model's name" in refused.value.hint


@pytest.mark.parametrize(
    ("choice", "parallel", "sent"),
    [
        ("auto", None, {"type": "auto"}), ("none", False, {"type": "none"}), ("required", None, {"type": "any"}),
        ({"type": "function", "function": {"name": "f"}}, None, {"type": "tool", "name": "f"}),
        (None, False, {"type": "auto", "disable_parallel_tool_use": True}), ("required", False, {"type": "any", "disable_parallel_tool_use": True}),
        (None, True, None), (None, None, None),
    ],
)  # fmt: skip
def test_choices(choice: ToolChoice, parallel: bool | None, sent: dict[str, Any] | None) -> None:
    assert encode(tools=(TOOL,), tool_choice=choice, parallel_tool_calls=parallel).get("tool_choice") == sent
    assert "tool_choice" not in encode(tool_choice=choice, parallel_tool_calls=parallel)


def test_thinking_goes_back_unchanged_while_the_turn_is_the_same() -> None:
    body = START + block(
        0,
        {"type": "thinking", "thinking": "", "signature": ""},
        {"type": "thinking_delta", "thinking": "hm"},
        {"type": "signature_delta", "signature": "sig"},
    )
    body += (
        block(1, {"type": "redacted_thinking", "data": "xx"})
        + block(2, {"type": "text", "text": ""}, text("ok"))
        + block(3, USE, piece('{"a": 1}'))
        + end("tool_use")
    )
    reply = read(WIRE, body)
    call = NativeCall(0, "toolu_1", "f", '{"a": 1}')
    turn = Message("assistant", "ok", (call,), extra=reply.notices["send_back"])
    blocks = [
        {"type": "thinking", "thinking": "hm", "signature": "sig"}, {"type": "redacted_thinking", "data": "xx"}, {"type": "text", "text": "ok"},
        {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {"a": 1}},
    ]  # fmt: skip
    assert encode(turn)["messages"][0]["content"] == blocks
    edited = Message("assistant", "changed", (call,), extra=reply.notices["send_back"])
    assert encode(edited)["messages"][0]["content"] == [*blocks[:2], {"type": "text", "text": "changed"}, blocks[3]]


# -- replies -------------------------------------------------------------------------------------------------------


def test_stream() -> None:
    body = START + event("ping") + block(0, {"type": "text", "text": ""}, text("Hel"), text("lo"))
    body += block(1, USE, piece(""), piece('{"ci'), piece('ty": "x"}   ')) + end("tool_use")
    reply = read(WIRE, body)
    assert (reply.text, reply.finish, reply.model, reply.faults) == ("Hello", "tool_use", "claude-x", [])
    assert reply.plain_calls == [("toolu_1", "f", '{"city": "x"}   ')]
    assert reply.usage == Usage(15, 7, 4)
    assert "send_back" not in reply.notices


def test_later_counts_override() -> None:
    body = START + block(0, {"type": "text", "text": "a"}) + end(input_tokens=20, cache_read_input_tokens=0)
    assert read(WIRE, body).usage == Usage(22, 7, 0)


def test_calls_without_fragments() -> None:
    assert read(WIRE, START + block(0, USE, piece("")) + end("tool_use")).plain_calls == [("toolu_1", "f", "")]
    assert read(WIRE, START + block(0, {**USE, "input": {"a": 1}}) + end("tool_use")).plain_calls == [
        ("toolu_1", "f", '{"a": 1}')
    ]


def test_call_whose_block_is_never_closed() -> None:
    body = START + event("content_block_start", index=0, content_block={**USE, "input": {"a": 1}}) + end("tool_use")
    assert read(WIRE, body).plain_calls == [("toolu_1", "f", '{"a": 1}')]


def test_unknown_block_is_told() -> None:
    reply = read(WIRE, START + block(0, {"type": "hologram", "x": 1}) + block(1, {"type": "text", "text": "a"}) + end())
    assert (reply.text, set(reply.notices)) == ("a", {"unknown_part", "send_back"})


def test_invoke_model_wraps_the_same_events() -> None:
    endpoint = Endpoint(
        "b",
        WIRE,
        "https://b",
        quirks={"framed": True, "version_in_body": "v", "model_path": ["/{model}/i", "/{model}/s"]},
    )
    sent = get_wire(WIRE).encode(ChatRequest("a.b-v1:0", (Message("user", "hi"),)), endpoint)
    assert (sent.url, dict(sent.headers)["accept"]) == ("https://b/a.b-v1%3A0/s", MEDIA_TYPE)
    assert set(json.loads(sent.body)) == {"anthropic_version", "max_tokens", "messages"}
    body = invoked(
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "a"}},
        {"type": "message_stop"},
    )
    assert read(WIRE, body, headers=(("content-type", MEDIA_TYPE),)).text == "a"


def test_interleaved_blocks() -> None:
    body = START
    for index in (0, 1):
        body += event("content_block_start", index=index, content_block={**USE, "id": f"t{index}"})
    for index in (1, 0):
        body += event("content_block_delta", index=index, delta=piece(json.dumps({"n": index})))
    reply = read(WIRE, body + end("tool_use"))
    assert reply.plain_calls == [("t0", "f", '{"n": 0}'), ("t1", "f", '{"n": 1}')]


def test_server_tools_are_no_calls_of_ours() -> None:
    body = START + block(0, {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}, piece('{"q":1}'))
    body += (
        block(1, {"type": "web_search_tool_result", "content": []})
        + block(2, {"type": "text", "text": ""}, text("a"))
        + end()
    )
    reply = read(WIRE, body)
    assert (reply.calls, reply.text) == ([], "a")
    assert reply.notices["send_back"][WIRE]["blocks"][0]["input"] == {"q": 1}


def test_whole_message() -> None:
    content = [
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "text", "text": "a"},
        {**USE, "input": {"x": [1]}},
    ]
    message = {
        "type": "message",
        "model": "m",
        "content": content,
        "stop_reason": "tool_use",
        "usage": {"input_tokens": 1, "output_tokens": 2},
    }
    for stream in (False, True):
        reply = read(WIRE, json.dumps(message).encode(), stream=stream)
        assert (reply.text, reply.reasoning, reply.finish, reply.usage) == ("a", "hm", "tool_use", Usage(1, 2))
        assert reply.plain_calls == [("toolu_1", "f", '{"x": [1]}')]
        assert reply.notices["send_back"][WIRE]["blocks"] == content
    refusal = {"type": "message", "content": [], "stop_reason": "refusal"}
    assert read(WIRE, json.dumps(refusal).encode(), stream=False).faults == []


def test_gaps_in_the_protocol() -> None:
    body = (
        START
        + event("content_block_delta", index=0, delta=text("a"))
        + event("content_block_delta", index=1, delta=piece("{}"))
        + end()
    )
    reply = read(WIRE, body)
    assert (reply.text, reply.plain_calls) == ("a", [("", "", "{}")])
    nameless = b"event: message_stop\ndata: {}\n\n"
    assert read(WIRE, START + block(0, {"type": "text", "text": "a"}) + nameless).faults == []


def test_errors_and_cuts() -> None:
    overloaded = event("error", error={"type": "overloaded_error", "message": "Overloaded"})
    reply = read(WIRE, START + block(0, {"type": "text", "text": ""}, text("a")) + overloaded)
    assert (reply.text, reply.fault_kinds, reply.faults[0].code) == ("a", ["server"], "overloaded_error")
    cut = read(WIRE, (START + block(0, USE, piece('{"a": ')))[:-20])
    assert (cut.fault_kinds, cut.plain_calls) == (["cut_off"], [("toolu_1", "f", '{"a": ')])
    assert "message_stop" in cut.faults[0].message
    assert read(WIRE, START + event("message_delta", delta={"stop_reason": "end_turn"})).fault_kinds == ["cut_off"]
    assert read(WIRE, b'{"hello": 1}', stream=False).fault_kinds == ["protocol"]
    assert read(WIRE, b'{"type":"error","error":{"type":"api_error","message":"x"}}', stream=False).fault_kinds == [
        "server"
    ]
    assert "unknown_event" in read(WIRE, START + event("novelty") + end()).notices


def test_message_start_with_blocks() -> None:
    """A turn that a server tool interrupted goes on with the calls in its first event."""
    result = {"type": "code_execution_tool_result", "tool_use_id": "srv_1", "content": {"stdout": "4"}}
    use = {"type": "tool_use", "id": "toolu_7", "name": "sum_up", "input": {"n": 4}}
    start = {"model": "claude-x", "content": [result, use], "stop_reason": "tool_use", "usage": {"input_tokens": 3}}
    reply = read(WIRE, event("message_start", message=start) + event("message_stop"))
    assert reply.plain_calls == [("toolu_7", "sum_up", '{"n": 4}')]
    assert (reply.finish, reply.faults) == ("tool_use", [])
    assert reply.notices["send_back"][WIRE]["blocks"] == [result, use]
    more = event("message_start", message=start) * 2 + block(0, {"type": "text", "text": ""}, text("ok")) + end()
    both = read(WIRE, more)
    assert (both.text, [call.id for call in both.calls]) == ("ok", ["toolu_7"])
    assert both.notices["send_back"][WIRE]["blocks"] == [result, use, {"type": "text", "text": "ok"}]


def test_anthropic_only_blocks_go_back() -> None:
    compaction = block(
        0,
        {"type": "compaction", "content": None},
        {"type": "compaction_delta", "content": "So far: ", "encrypted_content": "e1"},
        {"type": "compaction_delta", "content": "x."},
    )
    reply = read(WIRE, START + compaction + block(1, {"type": "text", "text": ""}, text("ok")) + end())
    blocks = [
        {"type": "compaction", "content": "So far: x.", "encrypted_content": "e1"},
        {"type": "text", "text": "ok"},
    ]
    assert reply.notices["send_back"][WIRE]["blocks"] == blocks
    by_code = {**USE, "caller": {"type": "code_execution_20250825", "tool_id": "srv_1"}}
    assert "send_back" in read(WIRE, START + block(0, by_code, piece("{}")) + end("tool_use")).notices
    direct = {**USE, "caller": {"type": "direct"}}
    assert "send_back" not in read(WIRE, START + block(0, direct, piece("{}")) + end("tool_use")).notices
    quoted = block(
        0,
        {"type": "text", "text": "", "citations": None},
        text("a"),
        {"type": "citations_delta", "citation": {"url": "u"}},
    )
    search = {"type": "server_tool_use", "id": "srv_2", "name": "web_search", "input": {}}
    reply = read(WIRE, START + quoted + block(1, search, piece('{"query": "q"}')) + end())
    assert reply.notices["send_back"][WIRE]["blocks"] == [
        {"type": "text", "text": "a", "citations": [{"url": "u"}]},
        {**search, "input": {"query": "q"}},
    ]
    assert reply.calls == []


def test_invalid_anthropic_ids_and_texts() -> None:
    """Kimi's ids have dots and colons; a text of blanks alone is refused."""
    foreign = "functions.roll:0"
    call = Message("assistant", " \n", (NativeCall(0, foreign, "roll", "{}"),))
    turn, results = encode(Message("user", "hi"), call, Message("tool", "6", tool_call_id=foreign))["messages"][1:]
    assert turn["content"] == [{"type": "tool_use", "id": "functions_x2E_roll_x3A_0", "name": "roll", "input": {}}]
    assert results["content"][0]["tool_use_id"] == "functions_x2E_roll_x3A_0"


def test_a_whole_message_as_an_event() -> None:
    body = event("message", role="assistant", content=[{"type": "text", "text": "a"}], stop_reason="end_turn", usage={})
    assert (read(WIRE, body).text, read(WIRE, body).finish) == ("a", "end_turn")


def test_content_that_is_a_string_is_text() -> None:
    message = {"type": "message", "role": "assistant", "content": "a", "stop_reason": "end_turn"}
    assert read(WIRE, json.dumps(message).encode(), stream=False).text == "a"


def test_a_stream_without_any_content_is_no_reply() -> None:
    (fault,) = read(WIRE, event("ping")).faults
    assert fault.message == "The reply is a stream but holds no 'content'."


def test_two_blocks_under_one_index_are_two() -> None:
    body = START + event("content_block_start", index=0, content_block={"type": "text", "text": ""})
    body += event("content_block_delta", index=0, delta=text("a")) + block(0, USE, piece("{}")) + end("tool_use")
    reply = read(WIRE, body)
    assert (reply.text, reply.plain_calls) == ("a", [("toolu_1", "f", "{}")])


def test_an_unknown_delta_is_told() -> None:
    odd = {"type": "odd_delta", "x": "a"}
    assert read(WIRE, START + block(0, {"type": "text", "text": ""}, odd) + end()).notices["unknown_part"] == odd


def test_a_choice_in_anthropics_own_shape_goes_as_it_is() -> None:
    choice = {"type": "any", "disable_parallel_tool_use": True}
    assert encode(tools=(TOOL,), tool_choice=choice)["tool_choice"] == choice


def test_the_list_of_models_is_read() -> None:
    listed = b'{"data": [{"type": "model", "id": "claude-x", "display_name": "X"}], "has_more": false}'
    assert [model.id for model in get_wire(WIRE).read_models(listed)] == ["claude-x"]


@pytest.mark.parametrize(
    ("fragments", "arguments"),
    [(["{}"], "{}"), (["{}", '{"a": 1}'], '{"a": 1}'), (["", '{"a"', ": 1}", '{"a": 1}'], '{"a": 1}')],
)
def test_input_that_begins_anew_is_said_once(fragments: list[str], arguments: str) -> None:
    body = START + block(0, USE, *map(piece, fragments)) + end("tool_use")
    assert read(WIRE, body).plain_calls == [("toolu_1", "f", arguments)]


@pytest.mark.parametrize(
    "kind", ["server_tool_use", "web_search_tool_result", "redacted_thinking", "compaction", "container_upload"]
)
def test_blocks_that_only_go_back_are_no_unknown_parts(kind: str) -> None:
    assert "unknown_part" not in read(WIRE, START + block(0, {"type": kind, "id": "a"}) + end()).notices


@pytest.mark.parametrize(
    ("setting", "by_budget", "by_effort"),
    [
        (Reasoning("low"), ({"type": "enabled", "budget_tokens": 2048}, 6144), "low"),
        (Reasoning("minimal"), ({"type": "enabled", "budget_tokens": 1024}, 5120), "low"),
        (Reasoning("high", show=True), ({"type": "enabled", "budget_tokens": 16384, "display": "summarized"}, 20480), "high"),
        (Reasoning("high", show=False), ({"type": "enabled", "budget_tokens": 16384, "display": "omitted"}, 20480), "high"),
        (Reasoning(show=False), (None, 4096), None),
    ],
)  # fmt: skip
def test_reasoning_is_a_budget_or_an_effort(
    setting: Reasoning, by_budget: tuple[dict[str, Any] | None, int], by_effort: str | None
) -> None:
    sent = encode(reasoning=setting)
    assert (sent.get("thinking"), sent["max_tokens"], sent.get("output_config")) == (*by_budget, None)
    sent = encode(reasoning=setting, quirks={"adaptive_thinking": True})
    shown = {} if setting.show is None else {"display": "summarized" if setting.show else "omitted"}
    assert (sent["thinking"], sent["max_tokens"]) == ({"type": "adaptive", **shown}, 4096)
    assert sent.get("output_config") == (by_effort and {"effort": by_effort})


@pytest.mark.parametrize("quirks", [{}, {"adaptive_thinking": True}])
def test_a_budget_that_is_given_goes_before_an_effort(quirks: dict[str, Any]) -> None:
    for given, budget in ((5000, 5000), (5, 1024)):
        sent = encode(reasoning=Reasoning(budget=given), quirks=quirks)
        assert (sent["thinking"], sent["max_tokens"]) == ({"type": "enabled", "budget_tokens": budget}, budget + 4096)
    sent = encode(reasoning=Reasoning(budget=5000), max_tokens=5001, quirks=quirks)
    assert (sent["thinking"]["budget_tokens"], sent["max_tokens"]) == (5000, 5001)
    assert encode(reasoning=Reasoning("none"), quirks=quirks)["thinking"] == {"type": "disabled"}
    assert "thinking" not in encode(quirks=quirks)


@pytest.mark.parametrize(
    ("setting", "more", "said"),
    [
        (Reasoning(show=True), {}, "shows thoughts only where it is told how much to think"),
        (Reasoning("low"), {"max_tokens": 2048}, "needs more than 2048 max_tokens, since thinking alone may take 2048"),
        (Reasoning("low"), {"temperature": 0.5}, "thinks with temperature 1 only"),
        (Reasoning("low"), {"tools": (TOOL,), "tool_choice": "required"}, "cannot think where a call of a tool is forced"),
    ],
)  # fmt: skip
def test_reasoning_that_the_api_would_refuse_is_refused(setting: Reasoning, more: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidInput) as failed:
        encode(reasoning=setting, **more)
    assert failed.value.message == f"The model 'claude' {said}."
    assert failed.value.hint == "Leave the setting for reasoning out, or change it."
