"""OpenAI Responses, server side."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.kit.serving import head, read, streamed, turn, whole
from workbench.core.errors import ErrorInfo, ErrorKind, InvalidInput
from workbench.core.exchange import (
    CallDelta,
    Delta,
    FaultDelta,
    FinishDelta,
    ReasoningDelta,
    TextDelta,
    Usage,
    UsageDelta,
)
from workbench.core.messages import NativeCall
from workbench.wires import get_server
from workbench.wires.kit.request_notes import ClientTool
from workbench.wires.kit.server import Refusal

WIRE = "openai_responses"
HEAD = head(WIRE)
DELTAS = turn(Usage(7, 3, 2, 1), empty="{}")
TOOL = {"type": "function", "name": "f", "parameters": {"type": "object", "properties": {}}, "strict": False}


def body(**fields: Any) -> bytes:
    return json.dumps({"model": "m", "input": "hi", **fields}).encode()


def events(deltas: list[Delta]) -> list[dict[str, Any]]:
    found = []
    for block in streamed(HEAD, deltas).decode().split("\n\n"):
        if block:
            name, value = block.split("\n")
            found.append(json.loads(value.removeprefix("data: ")))
            assert name == f"event: {found[-1]['type']}"
    return found


def test_a_request_in_full() -> None:
    request = read(WIRE,
        body(
            instructions="be brief", tools=[TOOL], tool_choice={"type": "function", "name": "f"}, max_output_tokens=5, temperature=0,
            top_p=1, stream=True, parallel_tool_calls=False, seed=3, simulate={"a": 1},
        )
    )  # fmt: skip
    assert [(message.role, message.text) for message in request.messages] == [("system", "be brief"), ("user", "hi")]
    assert (request.model, request.max_tokens, request.temperature, request.top_p) == ("m", 5, 0.0, 1.0)
    assert (request.stream, request.parallel_tool_calls, request.seed) == (True, False, 3)
    assert (request.tools[0].name, request.extra) == ("f", {"simulate": {"a": 1}})
    assert request.tool_choice == {"type": "function", "function": {"name": "f"}}
    assert read(WIRE, body(tool_choice="required")).tool_choice == "required"


def test_what_is_said_or_thought_behind_calls_is_another_turn() -> None:
    call = {"type": "function_call", "call_id": "a", "name": "f", "arguments": "{}"}
    said = {"type": "message", "role": "assistant", "content": "so"}
    thought = {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]}

    def turns(*items: dict[str, Any]) -> list[tuple[str, int, str]]:
        found = read(WIRE, body(input=list(items))).messages
        return [(message.text, len(message.tool_calls), message.reasoning) for message in found]

    assert turns(call, said) == [("", 1, ""), ("so", 0, "")]
    assert turns(call, thought, call) == [("", 1, ""), ("", 1, "hm")]
    assert turns(said, said) == [("so", 0, ""), ("so", 0, "")]
    assert turns(thought, said, call, call) == [("so", 2, "hm")]


def test_items_are_joined_to_turns() -> None:
    items = [
        {"role": "developer", "content": "be brief"},
        {"role": "user", "content": [{"type": "input_text", "text": "see"}, {"type": "input_image", "image_url": "data:x"}]},
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "ok"}]},
        {"type": "function_call", "call_id": "a", "name": "f", "arguments": '{"x":1}'},
        {"type": "custom_tool_call", "call_id": "b", "name": "sh", "input": "ls"},
        {"type": "function_call_output", "call_id": "a", "output": "1"},
        {"type": "custom_tool_call_output", "call_id": "b", "output": [{"type": "input_text", "text": "2"}]},
        {"type": "function_call", "call_id": "c", "name": "f", "arguments": ""},
        {"type": "reasoning", "content": [{"type": "reasoning_text", "text": "so"}]},
        {"type": "message", "role": "assistant", "content": "done"},
        {"type": "web_search_call", "id": "w"},
    ]  # fmt: skip
    turns = read(WIRE, body(input=items)).messages
    assert [turn.role for turn in turns] == ["system", "user", "assistant", "tool", "tool", "assistant", "assistant"]
    assert isinstance(turns[1].content, tuple)
    assert turns[1].content[1] == {"type": "image_url", "image_url": {"url": "data:x"}}
    assert (turns[2].text, turns[2].reasoning) == ("ok", "hm")
    assert turns[2].tool_calls == (NativeCall(0, "a", "f", '{"x":1}'), NativeCall(1, "b", "sh", "ls"))
    assert [(turn.tool_call_id, turn.text) for turn in turns[3:5]] == [("a", "1"), ("b", "2")]
    assert turns[5].tool_calls == (NativeCall(0, "c", "f", ""),)
    assert (turns[6].text, turns[6].reasoning) == ("done", "so")


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"{", "not valid JSON"),
        (b"[]", "not a JSON object"),
        (b"{}", "'model'"),
        (b'{"model": "m"}', "'input'"),
        (body(input=[{"content": "x"}]), "input[0].role"),
        (body(temperature="hot"), "temperature"),
        (body(tools=[{"type": "function"}]), "tools[0]"),
    ],
)
def test_bad_requests_name_the_fault(raw: bytes, words: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        read(WIRE, raw)
    assert words in str(refused.value)


def test_a_streamed_reply() -> None:
    found = events(DELTAS)
    assert [event["sequence_number"] for event in found] == list(range(len(found)))
    kinds = [event["type"].removeprefix("response.") for event in found]
    assert kinds[:2] == ["created", "in_progress"]
    assert kinds[-1] == "completed"
    assert kinds.count("output_item.added") == kinds.count("output_item.done") == 4
    assert "".join(event["delta"] for event in found if event["type"] == "response.output_text.delta") == "Let me see."
    last = found[-1]["response"]
    assert [item["type"] for item in last["output"]] == ["reasoning", "message", "function_call", "function_call"]
    assert {item["status"] for item in last["output"]} == {"completed"}
    assert last["output"][2]["arguments"] == '{"x": 1}'
    assert last["usage"]["total_tokens"] == 10
    assert (last["status"], found[0]["response"]["output"]) == ("completed", [])


def test_a_whole_reply() -> None:
    value = whole(HEAD, DELTAS)
    assert value["output"] == events(DELTAS)[-1]["response"]["output"]
    assert (value["object"], value["status"], value["id"]) == ("response", "completed", "resp_0a")


def test_cut_reply() -> None:
    last = events([TextDelta("a"), FinishDelta("length")])[-1]
    assert (last["type"], last["response"]["incomplete_details"]) == (
        "response.incomplete",
        {"reason": "max_output_tokens"},
    )


def test_errors() -> None:
    fault = FaultDelta(ErrorInfo(ErrorKind.SERVER, "boom"))
    *_, error, last = events([TextDelta("a"), fault])
    assert (error["type"], error["message"], error["code"]) == ("error", "boom", "server_error")
    assert (last["type"], last["response"]["error"]["message"]) == ("response.failed", "boom")
    assert whole(HEAD, [fault])["error"]["message"] == "boom"
    assert json.loads(get_server(WIRE).refuse(Refusal(400, "no", "c")))["error"]["code"] == "c"


def test_unknown_items_and_roles_are_noted() -> None:
    raw = {"model": "m", "input": [{"type": "odd"}, {"type": "message", "role": "critic", "content": "x"}]}
    served = get_server(WIRE).read(json.dumps(raw).encode(), "")
    assert [(one.role, one.content) for one in served.request.messages] == [("user", "x")]
    assert served.left_out == ("input[0]: an item of type 'odd'", "input[1].role: 'critic' is read as user")


@pytest.mark.parametrize(("output", "text"), [({"a": 1}, '{"a": 1}'), (5, "5"), (None, ""), (["a", {"type": "input_text", "text": "b"}], "ab")])  # fmt: skip
def test_a_result_that_is_no_text_is_its_json(output: Any, text: str) -> None:
    call = {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}
    items = [call, {"type": "function_call_output", "call_id": "c", "output": output}]
    assert read(WIRE, body(input=items)).messages[-1].text == text


def test_parts_that_cannot_go_on_are_named() -> None:
    parts = [
        {"type": "input_file", "file_id": "f"},
        {"type": "input_image", "file_id": "g"},
        {"type": "input_text", "text": "t"},
    ]
    served = get_server(WIRE).read(body(input=[{"role": "user", "content": parts}]))
    assert served.request.messages[0].content == "t"
    assert [note.partition(": ")[2] for note in served.left_out] == [
        "a part of type 'input_file'",
        "a part of type 'input_image'",
    ]


def test_a_response_is_under_way_until_it_is_over() -> None:
    states = [event["response"]["status"] for event in events(DELTAS) if "response" in event]
    assert states == ["in_progress", "in_progress", "completed"]


def test_a_response_that_failed_tells_no_counts() -> None:
    broken: list[Delta] = [TextDelta("a"), FaultDelta(ErrorInfo(ErrorKind.SERVER, "No."))]
    *_, last = events(broken)
    assert (last["response"]["status"], last["response"]["usage"]) == ("failed", None)


SHELL = {
    "id": "resp_0a", "object": "response", "created_at": 1, "model": "m", "parallel_tool_calls": True, "tool_choice": "auto",
    "tools": [], "metadata": {}, "status": "in_progress", "error": None, "incomplete_details": None, "output": [], "usage": None,
}  # fmt: skip
NO_COUNTS = {
    "input_tokens": 0, "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0}, "output_tokens": 0,
    "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 0,
}  # fmt: skip
BEGUN = [{"type": "response.created", "response": SHELL}, {"type": "response.in_progress", "response": SHELL}]


def added(item: dict[str, Any], index: int = 0) -> dict[str, Any]:
    return {"type": "response.output_item.added", "output_index": index, "item": {**item, "status": "in_progress"}}


def ended(item: dict[str, Any], index: int = 0) -> dict[str, Any]:
    return {"type": "response.output_item.done", "output_index": index, "item": {**item, "status": "completed"}}


def over(*items: dict[str, Any], **other: Any) -> dict[str, Any]:
    output = [{**item, "status": "completed"} for item in items]
    response = {**SHELL, "status": "completed", "output": output, "usage": NO_COUNTS, **other}
    return {"type": f"response.{response['status']}", "response": response}


def part(kind: str, item: str, **fields: Any) -> dict[str, Any]:
    return {"type": f"response.{kind}", "item_id": item, "output_index": 0, **fields}


TEXT = {"type": "output_text", "text": "ab", "annotations": []}
SAID = {"type": "message", "id": "msg_0", "role": "assistant", "content": [TEXT]}
HM = {"type": "summary_text", "text": "hm"}
THOUGHT = {"type": "reasoning", "id": "rs_0", "summary": [HM], "encrypted_content": "sealed"}
CALLED = {"type": "function_call", "id": "fc_0", "call_id": "c", "name": "f", "arguments": "{}"}


@pytest.mark.parametrize(
    ("deltas", "between"),
    [
        ([], [over()]),
        (
            [TextDelta("a"), TextDelta("b"), UsageDelta(Usage(5, 4, 3, 2))],
            [
                added({**SAID, "content": []}),
                part("content_part.added", "msg_0", content_index=0, part={**TEXT, "text": ""}),
                part("output_text.delta", "msg_0", content_index=0, delta="a", logprobs=[]),
                part("output_text.delta", "msg_0", content_index=0, delta="b", logprobs=[]),
                part("output_text.done", "msg_0", content_index=0, text="ab", logprobs=[]),
                part("content_part.done", "msg_0", content_index=0, part=TEXT),
                ended(SAID),
                over(SAID, usage={
                    "input_tokens": 5, "input_tokens_details": {"cached_tokens": 3, "cache_write_tokens": 0}, "output_tokens": 4,
                    "output_tokens_details": {"reasoning_tokens": 2}, "total_tokens": 9,
                }),
            ],
        ),
        (
            [ReasoningDelta("hm"), ReasoningDelta("", (0, 0), "sealed")],
            [
                added({"type": "reasoning", "id": "rs_0", "summary": []}),
                part("reasoning_summary_part.added", "rs_0", summary_index=0, part={**HM, "text": ""}),
                part("reasoning_summary_text.delta", "rs_0", summary_index=0, delta="hm"),
                part("reasoning_summary_text.done", "rs_0", summary_index=0, text="hm"),
                part("reasoning_summary_part.done", "rs_0", summary_index=0, part=HM),
                ended(THOUGHT),
                over(THOUGHT),
            ],
        ),
        (
            [CallDelta(0, "c", "f", ""), CallDelta(0, "", "", "{"), CallDelta(0, "", "", "}"), FinishDelta("tool_calls")],
            [
                added({**CALLED, "arguments": ""}),
                part("function_call_arguments.delta", "fc_0", delta="{"),
                part("function_call_arguments.delta", "fc_0", delta="}"),
                part("function_call_arguments.done", "fc_0", name="f", arguments="{}"),
                ended(CALLED),
                over(CALLED),
            ],
        ),
        ([FinishDelta("content_filter")], [over(status="incomplete", incomplete_details={"reason": "content_filter"})]),
        (
            [FaultDelta(ErrorInfo(ErrorKind.RATE_LIMIT, "slow", code="busy"))],
            [
                {"type": "error", "code": "busy", "message": "slow", "param": None},
                over(status="failed", usage=None, error={"code": "busy", "message": "slow"}),
            ],
        ),
    ],
)  # fmt: skip
def test_a_stream_event_by_event(deltas: list[Delta], between: list[dict[str, Any]]) -> None:
    wanted = [*BEGUN, *between]
    assert events(deltas) == [{**event, "sequence_number": number} for number, event in enumerate(wanted)]
    if not isinstance(deltas[:1], FaultDelta) and between[-1]["response"]["status"] != "failed":
        assert whole(HEAD, deltas) == between[-1]["response"]


def test_a_piece_of_an_earlier_call_goes_to_its_item() -> None:
    mixed: list[Delta] = [CallDelta(0, "a", "f", "{"), CallDelta(1, "b", "g", "{}"), CallDelta(0, "", "", "}")]
    *_, last = events(mixed)
    assert [(item["id"], item["call_id"], item["arguments"]) for item in last["response"]["output"]] == [
        ("fc_0", "a", "{}"), ("fc_1", "b", "{}"),
    ]  # fmt: skip
    late = [event for event in events(mixed) if event["type"] == "response.function_call_arguments.delta"][-1]
    assert (late["item_id"], late["output_index"], late["delta"]) == ("fc_0", 0, "}")


def test_behind_sealed_reasoning_another_item_begins() -> None:
    *_, last = events([ReasoningDelta("a", (0, 0), "s"), ReasoningDelta("b")])
    assert [(item["id"], item["summary"][0]["text"]) for item in last["response"]["output"]] == [
        ("rs_0", "a"),
        ("rs_1", "b"),
    ]


@pytest.mark.parametrize(
    ("why", "told"),
    [
        (Refusal(400, "no", "c", "p"), {"message": "no", "type": "invalid_request_error", "param": "p", "code": "c"}),
        (Refusal(401, "no"), {"message": "no", "type": "authentication_error", "param": None, "code": None}),
        (Refusal(403, "no"), {"message": "no", "type": "permission_error", "param": None, "code": None}),
        (Refusal(429, "no"), {"message": "no", "type": "rate_limit_error", "param": None, "code": None}),
        (Refusal(499, "no"), {"message": "no", "type": "invalid_request_error", "param": None, "code": None}),
        (Refusal(500, "no"), {"message": "no", "type": "server_error", "param": None, "code": None}),
    ],
)
def test_how_a_refusal_is_told(why: Refusal, told: dict[str, Any]) -> None:
    assert json.loads(get_server(WIRE).refuse(why)) == {"error": told}


def test_counted_tokens_and_whose_models() -> None:
    server = get_server(WIRE)
    assert json.loads(server.counted(7)) == {"object": "response.input_tokens", "input_tokens": 7}
    assert not server.lists("/v1/models", {})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"model": ""}, "Missing required parameter: 'model'."),
        ({"model": 5, "input": "x"}, "Missing required parameter: 'model'."),
        ({"model": "m", "input": ""}, "Missing required parameter: 'input'."),
        ({"model": "m", "input": {}}, "Missing required parameter: 'input'."),
        ({"model": "m", "input": {"role": "user"}}, "Missing required parameter: 'input'."),
        ({"model": "m", "input": [{"type": "message"}]}, "Missing required parameter: 'input[0].role'."),
    ],
)
def test_what_a_request_must_have(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        read(WIRE, json.dumps(given).encode())
    assert refused.value.message == message


def test_a_turn_of_plain_items_needs_nothing_of_its_own_wire() -> None:
    said = {"type": "message", "role": "assistant", "content": "a"}
    call = {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}
    thought = {"type": "reasoning", "summary": [{"text": "x"}, {"text": "y"}], "content": [{"text": "z"}]}
    (plain,) = read(WIRE, body(input=[said, call])).messages
    (kept,) = read(WIRE, body(input=[thought, said])).messages
    (spaced,) = read(WIRE, body(input=[{**call, "namespace": "n"}])).messages
    assert (plain.extra, plain.text, plain.reasoning) == ({}, "a", "")
    assert (kept.extra, kept.reasoning) == ({WIRE: {"items": [thought, said]}}, "xy")
    assert (spaced.extra, spaced.tool_calls[0].name) == ({WIRE: {"items": [{**call, "namespace": "n"}]}}, "n.f")


def test_pictures_in_either_spelling_are_parts() -> None:
    url = {"type": "image_url", "image_url": {"url": "data:x"}}
    for picture in ("data:x", {"url": "data:x"}):
        parts = ["see", {"type": "input_image", "image_url": picture}]
        (message,) = read(WIRE, body(input=[{"role": "user", "content": parts}])).messages
        assert message.content == ({"type": "text", "text": "see"}, url)


def test_a_free_text_call_is_told_as_its_text() -> None:
    at = head(WIRE, tools={"f": ClientTool("f", "custom")})
    blocks = streamed(at, [CallDelta(0, "c", "f", '{"inp'), CallDelta(0, "", "", 'ut": "ls"}')]).decode().split("\n\n")
    found = [json.loads(block.split("\n")[1].removeprefix("data: ")) for block in blocks if block]
    told = {event["type"]: event for event in found}
    assert told["response.custom_tool_call_input.delta"]["delta"] == "ls"
    assert told["response.custom_tool_call_input.done"]["input"] == "ls"
    assert told["response.output_item.done"]["item"]["input"] == "ls"
    assert told["response.completed"]["response"]["output"][-1]["input"] == "ls"
