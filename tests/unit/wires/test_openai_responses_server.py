"""OpenAI Responses, server side."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.kit.serving import head, read, streamed, turn, whole
from workbench.core.errors import ErrorInfo, ErrorKind, InvalidInput
from workbench.core.exchange import (
    Delta,
    FaultDelta,
    FinishDelta,
    TextDelta,
    Usage,
)
from workbench.core.messages import NativeCall
from workbench.wires import get_server
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
