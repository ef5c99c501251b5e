"""OpenAI Responses: items in, items out, however servers send them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.kit.playbook import decode, read
from workbench.core.exchange import CallDelta, Endpoint, Usage
from workbench.core.messages import ChatRequest, Message, NativeCall
from workbench.core.tools import ToolSpec
from workbench.wires import get_wire

WIRE = "openai_responses"
TOOL = ToolSpec("f", "does f", {"type": "object", "properties": {}})


def encode(
    *messages: Message, base: str = "http://h/v1", model: str = "m", quirks: dict[str, Any] | None = None, **more: Any
) -> dict[str, Any]:
    request = ChatRequest(model, messages or (Message("user", "hi"),), **more)
    value = json.loads(get_wire(WIRE).encode(request, Endpoint("t", WIRE, base, quirks=quirks or {})).body)
    assert isinstance(value, dict)
    return value


def event(kind: str, **fields: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n".encode()


def added(index: int, **item: Any) -> bytes:
    return event("response.output_item.added", output_index=index, item=item)


def done(index: int, **item: Any) -> bytes:
    return event("response.output_item.done", output_index=index, item=item)


def delta(kind: str, index: int, value: str, **more: Any) -> bytes:
    return event(f"response.{kind}.delta", output_index=index, delta=value, **more)


def end(state: str = "completed", **more: Any) -> bytes:
    usage = {
        "input_tokens": 5,
        "output_tokens": 6,
        "input_tokens_details": {"cached_tokens": 2},
        "output_tokens_details": {"reasoning_tokens": 3},
    }
    return event(f"response.{state}", response={"status": state, "model": "mm", "usage": usage, **more})


CREATED = event("response.created", response={"model": "mm", "status": "in_progress", "output": []})
CALL = {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "f"}
MESSAGE = {"type": "message", "id": "msg_1", "role": "assistant"}


def said(text: str) -> dict[str, Any]:
    return {**MESSAGE, "content": [{"type": "output_text", "text": text}]}


def test_request_in_full() -> None:
    named = {"type": "function", "function": {"name": "f"}}
    body = encode(
        Message("system", "be brief"), Message("user", "hi"), tools=(TOOL,), tool_choice=named, parallel_tool_calls=True, max_tokens=9, temperature=0.5,
        stop=("x",), seed=4, extra={"reasoning": {"effort": "low"}},
    )  # fmt: skip
    assert body == {
        "model": "m", "instructions": "be brief", "input": [{"type": "message", "role": "user", "content": "hi"}],
        "tools": [{"type": "function", "name": "f", "description": "does f", "parameters": TOOL.parameters, "strict": False}],
        "tool_choice": {"type": "function", "name": "f"}, "parallel_tool_calls": True, "max_output_tokens": 9, "temperature": 0.5, "stream": True,
        "reasoning": {"effort": "low"},
    }  # fmt: skip


def test_at_openai_nothing_is_stored() -> None:
    body = encode(base="https://api.openai.com/v1", model="gpt-5", temperature=0.5)
    assert (body["store"], body["include"], "temperature" in body) == (False, ["reasoning.encrypted_content"], False)
    assert "include" not in encode(base="https://api.openai.com/v1", model="gpt-4o")
    assert "store" not in encode()
    stored = encode(base="https://api.openai.com/v1", model="gpt-5", quirks={"store": True})
    assert (stored["store"], "include" in stored) == (True, False)


def test_reasoning_items_go_back_with_their_followers() -> None:
    thought = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "xx"}
    call = {**CALL, "arguments": "{}"}
    reply = read(
        WIRE,
        CREATED
        + added(0, **thought)
        + done(0, **thought)
        + added(1, **CALL, arguments="")
        + done(1, **call)
        + end(output=[thought, call]),
    )
    turn = Message("assistant", "", (NativeCall(0, "call_1", "f", "{}"),), extra=reply.notices["send_back"])
    assert encode(turn)["input"] == [thought, call]
    other = Message("assistant", "", (NativeCall(0, "call_1", "g", "{}"),), extra=reply.notices["send_back"])
    assert [item["type"] for item in encode(other)["input"]] == ["function_call"]


def test_stream() -> None:
    body = CREATED + added(0, type="reasoning", summary=[])
    body += delta("reasoning_summary_text", 0, "hm", summary_index=0) + delta(
        "reasoning_summary_text", 0, "so", summary_index=1
    )
    body += (
        added(1, **MESSAGE, content=[])
        + delta("output_text", 1, "Hel", content_index=0)
        + delta("output_text", 1, "lo", content_index=0)
    )
    body += event("response.output_text.done", output_index=1, content_index=0, text="Hello") + done(1, **said("Hello"))
    body += (
        added(2, **CALL, arguments="")
        + delta("function_call_arguments", 2, '{"a"')
        + delta("function_call_arguments", 2, ":1}")
    )
    body += event("response.function_call_arguments.done", output_index=2, arguments='{"a":1}') + done(
        2, **CALL, arguments='{"a":1}'
    )
    body += end(
        output=[{"type": "reasoning", "summary": [{"text": "hm"}]}, said("Hello"), {**CALL, "arguments": '{"a":1}'}]
    )
    reply = read(WIRE, body)
    assert (reply.reasoning, reply.text, reply.finish, reply.model) == ("hm\n\nso", "Hello", "completed", "mm")
    assert reply.plain_calls == [("call_1", "f", '{"a":1}')]
    assert (reply.usage, reply.faults) == (Usage(5, 6, 2, 3), [])


def test_servers_with_fewer_events() -> None:
    only_done = (
        CREATED
        + added(0, **CALL)
        + event("response.function_call_arguments.done", output_index=0, arguments="{}")
        + end(output=[])
    )
    assert read(WIRE, only_done).plain_calls == [("call_1", "f", "{}")]
    only_item = CREATED + done(0, **CALL, arguments="{}") + done(1, **said("x")) + end(output=[])
    assert (read(WIRE, only_item).plain_calls, read(WIRE, only_item).text) == ([("call_1", "f", "{}")], "x")
    only_end = end(
        output=[
            {"type": "reasoning", "summary": [], "content": [{"text": "hm"}]},
            said("x"),
            {**CALL, "arguments": "{}"},
        ]
    )
    reply = read(WIRE, only_end)
    assert (reply.plain_calls, reply.text, reply.reasoning) == ([("call_1", "f", "{}")], "x", "hm")
    no_index = (
        event("response.output_item.added", item=CALL)
        + event("response.function_call_arguments.delta", delta="{}")
        + end(output=[{**CALL, "arguments": "{}"}])
    )
    assert read(WIRE, no_index).plain_calls == [("call_1", "f", "{}")]


def test_a_call_that_only_its_announcement_holds_is_given_out_at_the_end() -> None:
    body = added(0, type="function_call", call_id="c1", name="f", arguments='{"a":1}') + end()
    assert [(call.name, call.arguments) for call in read(WIRE, body).calls] == [("f", '{"a":1}')]


def test_changing_ids_and_indexes() -> None:
    body = CREATED + added(3, **{**CALL, "id": "fc_a"}) + delta("function_call_arguments", 3, "{}", item_id="fc_b")
    body += done(3, **{**CALL, "id": "fc_c"}, arguments="{}") + end(output=[{**CALL, "id": "fc_d", "arguments": "{}"}])
    assert read(WIRE, body).plain_calls == [("call_1", "f", "{}")]
    body = CREATED + added(7, **MESSAGE) + delta("output_text", 7, "x") + end(output=[{**said("x"), "id": "msg_other"}])
    assert read(WIRE, body).text == "x"


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("item done under another index", added(0, **MESSAGE) + delta("output_text", 0, "Hi") + done(1, **said("Hi"))),
        ("item done without an index", added(0, **MESSAGE) + delta("output_text", 0, "Hi") + event("response.output_item.done", item=said("Hi"))),
        ("nothing but fragments before", delta("output_text", 0, "H") + delta("output_text", 0, "i") + done(1, **{**said("Hi"), "id": "other"})),
        ("text done under another index", delta("output_text", 0, "Hi") + event("response.output_text.done", output_index=1, content_index=0, text="Hi")),
        ("part done under another index", delta("output_text", 0, "Hi", content_index=0) + event("response.output_text.done", output_index=0, content_index=1, text="Hi")),
        ("longer when finished", delta("output_text", 0, "H") + done(4, **said("Hi"))),
    ],
)  # fmt: skip
def test_text_under_two_indexes_is_said_once(name: str, body: bytes) -> None:
    assert read(WIRE, CREATED + body + end(output=[said("Hi")])).text == "Hi", name
    assert read(WIRE, CREATED + body + end(output=[])).text == "Hi", name


def test_same_text_in_two_messages_is_said_twice() -> None:
    body = delta("output_text", 0, "Hi") + done(0, **said("Hi")) + delta("output_text", 1, "Hi")
    body += done(1, **{**said("Hi"), "id": "msg_2"}) + end(output=[])
    assert read(WIRE, CREATED + body).text == "HiHi"


@pytest.mark.parametrize("state", ["queued", "in_progress"])
def test_receipt_is_an_error_of_its_own(state: str) -> None:
    body = json.dumps({"object": "response", "status": state, "model": "m", "output": [], "error": None}).encode()
    (fault,) = read(WIRE, body, stream=False).faults
    assert (fault.kind, fault.code) == ("protocol", f"response_{state}")


def test_two_calls_and_custom_ones() -> None:
    body = CREATED + added(0, **CALL) + added(1, type="custom_tool_call", call_id="c2", name="sh")
    body += delta("custom_tool_call_input", 1, "ls") + delta("function_call_arguments", 0, "{}")
    body += done(1, type="custom_tool_call", call_id="c2", name="sh", input="ls -l") + end(output=[])
    assert read(WIRE, body).plain_calls == [("call_1", "f", "{}"), ("c2", "sh", "ls -l")]


def test_a_tool_of_the_server_in_the_shape_of_the_clients_is_no_call() -> None:
    tools = [{"type": "x_search"}, {"type": "function", "name": "f"}]
    search = {"type": "custom_tool_call", "id": "ctc", "call_id": "c0", "name": "x_keyword_search"}
    body = event("response.created", response={"status": "in_progress", "output": [], "tools": tools})
    body += added(0, **search, input="") + delta("custom_tool_call_input", 0, '{"q"', item_id="ctc")
    body += done(0, **search, input='{"q": 1}') + added(1, **CALL) + delta("function_call_arguments", 1, "{}")
    output = [{**search, "input": '{"q": 1}'}, {**CALL, "arguments": "{}"}]
    whole = {"status": "completed", "output": output, "tools": tools}
    for reply in (
        read(WIRE, body + end(output=output, tools=tools)),
        read(WIRE, json.dumps(whole).encode(), stream=False),
    ):
        assert reply.plain_calls == [("call_1", "f", "{}")]
        assert set(reply.notices) == {"send_back"}


def test_what_is_asked_of_the_client_besides_calls_is_told() -> None:
    shell = {"type": "local_shell_call", "id": "lsh", "call_id": "c1", "action": {"type": "exec", "command": ["ls"]}}
    reply = read(WIRE, CREATED + added(0, **shell) + done(0, **shell) + end(output=[shell]))
    assert (reply.calls, reply.notices["unknown_part"]) == ([], shell)
    ran = {"type": "local_shell_call_output", "call_id": "c1", "output": "a.txt"}
    assert (
        "unknown_part" not in read(WIRE, CREATED + done(0, **shell) + done(1, **ran) + end(output=[shell, ran])).notices
    )


def test_raw_reasoning_is_not_added_to_its_summary() -> None:
    body = CREATED + delta("reasoning_text", 0, "raw") + delta("reasoning_summary_text", 0, "short") + end(output=[])
    assert read(WIRE, body).reasoning == "raw"


def test_refusal() -> None:
    reply = read(WIRE, CREATED + added(0, **MESSAGE) + delta("refusal", 0, "No.") + end())
    assert (reply.text, "refusal" in reply.notices) == ("No.", True)
    whole = read(
        WIRE,
        json.dumps(
            {"output": [{**MESSAGE, "content": [{"type": "refusal", "refusal": "No."}]}], "status": "completed"}
        ).encode(),
        stream=False,
    )
    assert (whole.text, "refusal" in whole.notices) == ("No.", True)


def test_ends() -> None:
    cut = read(WIRE, CREATED + added(0, **MESSAGE) + delta("output_text", 0, "x"))
    assert (cut.text, cut.fault_kinds) == ("x", ["cut_off"])
    short = read(WIRE, CREATED + end("incomplete", incomplete_details={"reason": "max_output_tokens"}))
    assert (short.finish, short.faults) == ("max_output_tokens", [])
    failed = event("error", code="server_error", message="boom") + end(
        "failed", error={"code": "server_error", "message": "boom"}
    )
    assert (read(WIRE, CREATED + failed).fault_kinds, read(WIRE, CREATED + failed).finish) == (["server"], "failed")
    assert read(WIRE, CREATED + end("failed")).fault_kinds == ["server"]
    nested = event("error", error={"code": "rate_limit_exceeded", "message": "slow"})
    assert read(WIRE, CREATED + nested).fault_kinds == ["rate_limit"]
    assert read(WIRE, CREATED + end() + b"data: [DONE]\n\n").faults == []


def test_whole_response() -> None:
    response = {
        "object": "response",
        "model": "m",
        "status": "completed",
        "output": [said("x")],
        "usage": {"input_tokens": 1, "output_tokens": 2},
        "error": None,
    }
    for stream in (False, True):
        reply = read(WIRE, json.dumps(response).encode(), stream=stream)
        assert (reply.text, reply.usage, reply.finish, reply.faults) == ("x", Usage(1, 2), "completed", [])
    assert read(WIRE, b'{"choices": []}', stream=False).fault_kinds == ["protocol"]
    assert read(
        WIRE, b'{"status": "failed", "error": {"code": "server_error", "message": "x"}}', stream=False
    ).fault_kinds == ["server"]


def test_responses_only_items_go_back() -> None:
    custom = {"type": "custom_tool_call", "id": "ctc", "call_id": "c9", "name": "sh", "input": "ls"}
    reply = read(WIRE, CREATED + done(0, **custom) + end(output=[custom]))
    turn = Message("assistant", "", (NativeCall(0, "c9", "sh", "ls"),), extra=reply.notices["send_back"])
    sent = encode(turn, Message("tool", "a.txt", tool_call_id="c9"))["input"]
    assert sent == [custom, {"type": "custom_tool_call_output", "call_id": "c9", "output": "a.txt"}]
    phase = {**said("Wait."), "phase": "commentary"}
    assert read(WIRE, CREATED + done(0, **phase) + end(output=[phase])).notices["send_back"][WIRE]["items"] == [phase]
    by_program = {**CALL, "arguments": "{}", "caller": {"type": "program", "caller_id": "p"}}
    program = {"type": "program", "call_id": "p", "code": "await f()"}
    reply = read(WIRE, CREATED + done(0, **program) + done(1, **by_program) + end(output=[program, by_program]))
    assert reply.plain_calls == [("call_1", "f", "{}")]
    assert reply.notices["send_back"][WIRE]["items"] == [program, by_program]
    assert "send_back" not in read(WIRE, CREATED + done(0, **said("x")) + end(output=[said("x")])).notices


def test_older_names_of_reasoning() -> None:
    body = CREATED + delta("reasoning", 0, "raw ") + delta("reasoning", 0, "one") + end(output=[])
    assert read(WIRE, body).reasoning == "raw one"
    assert read(WIRE, CREATED + delta("reasoning_summary", 0, "short") + end(output=[])).reasoning == "short"


def test_long_ids_are_shortened() -> None:
    long = "call_" + "0123456789abcdef" * 5
    call, result = encode(
        Message("assistant", "", (NativeCall(0, long, "f", "{}"),)), Message("tool", "ok", tool_call_id=long)
    )["input"]
    assert call["call_id"] == result["call_id"]
    assert len(call["call_id"]) == 64


def test_the_name_of_a_call_is_told_once() -> None:
    call = {"type": "function_call", "id": "i", "call_id": "c", "name": "f", "arguments": "{}"}
    begun = added(0, **{**call, "arguments": ""}) + event(
        "response.function_call_arguments.delta", output_index=0, delta="{"
    )
    deltas = decode(WIRE, begun + done(0, **call) + event("response.completed", response={"status": "completed"}))
    assert [(one.name, one.arguments) for one in deltas if isinstance(one, CallDelta)] == [
        ("f", ""),
        ("", "{"),
        ("", "}"),
    ]


@pytest.mark.parametrize(
    ("part", "text"), [({"type": "output_text", "text": "a"}, "a"), ({"type": "refusal", "refusal": "no"}, "no")]
)
def test_a_part_that_is_told_at_its_end_alone(part: dict[str, Any], text: str) -> None:
    ended = event("response.content_part.done", output_index=0, content_index=0, part=part)
    reply = read(WIRE, CREATED + added(0, **MESSAGE, content=[]) + ended + end())
    assert (reply.text, "refusal" in reply.notices) == (text, part["type"] == "refusal")


def test_the_input_of_a_custom_call_that_is_told_at_its_end_alone() -> None:
    shell = {"type": "custom_tool_call", "id": "i", "call_id": "c", "name": "f", "input": ""}
    ended = event("response.custom_tool_call_input.done", output_index=0, input="go")
    assert read(WIRE, CREATED + added(0, **shell) + ended + end()).plain_calls == [("c", "f", "go")]


def test_reasoning_that_is_told_again_at_its_end_is_said_once() -> None:
    item = {"type": "reasoning", "id": "r", "summary": []}
    body = CREATED + added(0, **item) + delta("reasoning_text", 0, "hm", content_index=0)
    body += event("response.reasoning_text.done", output_index=0, content_index=0, text="hm")
    body += done(0, **item, content=[{"type": "reasoning_text", "text": "hm"}])
    assert read(WIRE, body + end()).reasoning == "hm"


def test_a_whole_response_as_an_event() -> None:
    whole = {"object": "response", "status": "completed", "output": [said("a")]}
    assert read(WIRE, f"data: {json.dumps(whole)}\n\n".encode()).text == "a"


def test_unknown_events_are_told_but_for_those_of_responses() -> None:
    assert "unknown_event" in read(WIRE, CREATED + event("something.else") + end()).notices
    assert "unknown_event" not in read(WIRE, CREATED + event("response.something") + end()).notices


def test_a_stream_without_any_item_is_no_reply() -> None:
    (fault,) = read(WIRE, event("response.something")).faults
    assert fault.message == "The reply is a stream but holds no 'output'."


def test_items_under_one_index_are_told_apart_by_their_ids() -> None:
    body = CREATED + added(0, **MESSAGE, content=[]) + delta("output_text", 0, "a", item_id="msg_1")
    body += added(0, **CALL, arguments="") + delta("function_call_arguments", 0, "{}", item_id="fc_1")
    reply = read(WIRE, body + delta("output_text", 0, "b", item_id="msg_1") + end())
    assert (reply.text, reply.plain_calls) == ("ab", [("call_1", "f", "{}")])


def test_a_call_whose_name_comes_at_its_end() -> None:
    shell = {"type": "function_call", "id": "fc_1", "call_id": "call_1"}
    for arguments in ("{}", ""):
        body = CREATED + added(0, **shell, arguments="") + done(0, **CALL, arguments=arguments) + end()
        assert read(WIRE, body).plain_calls == [("call_1", "f", arguments)]


def test_the_list_of_models_is_read() -> None:
    assert [model.id for model in get_wire(WIRE).read_models(b'{"data": [{"id": "gpt-x"}]}')] == ["gpt-x"]


def arguments_delta(text: str, **more: Any) -> bytes:
    return event("response.function_call_arguments.delta", delta=text, **more)


def test_fragments_that_name_the_call_alone() -> None:
    body = CREATED
    for number in "ab":
        shell = {"type": "function_call", "call_id": number, "name": f"f_{number}", "arguments": ""}
        body += event("response.output_item.added", item=shell)
    for number, text in (("a", '{"n"'), ("b", "{}"), ("a", ": 1}")):
        body += arguments_delta(text, call_id=number)
    assert read(WIRE, body + end()).plain_calls == [("a", "f_a", '{"n": 1}'), ("b", "f_b", "{}")]


def test_fragments_before_the_item_is_announced() -> None:
    body = CREATED + arguments_delta('{"a"', output_index=0, item_id="fc_1") + added(0, **CALL, arguments="")
    body += arguments_delta(":1}", output_index=0, item_id="fc_1") + done(0, **CALL, arguments='{"a":1}')
    assert read(WIRE, body + end()).plain_calls == [("call_1", "f", '{"a":1}')]


def test_a_call_that_its_last_fragment_event_alone_names() -> None:
    told = {"output_index": 0, "item_id": "fc_1", "call_id": "call_1", "name": "f", "arguments": "{}"}
    body = CREATED + event("response.function_call_arguments.done", **told) + end()
    assert read(WIRE, body).plain_calls == [("call_1", "f", "{}")]


@pytest.mark.parametrize(("words", "text"), [("lo", "Hello"), ("Hello", "Hello")])
def test_text_with_which_a_part_is_opened(words: str, text: str) -> None:
    part = {"type": "output_text", "text": "Hel"}
    body = CREATED + added(0, **MESSAGE, content=[])
    body += event("response.content_part.added", output_index=0, content_index=0, part=part)
    reply = read(WIRE, body + delta("output_text", 0, words, content_index=0) + done(0, **said(text)) + end())
    assert reply.text == text


@pytest.mark.parametrize("part", ["reasoning_text", "reasoning_summary_text"])
def test_reasoning_that_is_told_at_its_end_alone(part: str) -> None:
    body = CREATED
    for index, words in enumerate(("hm", "so")):
        places = {"content_index": index, "summary_index": index}
        body += event(f"response.{part}.done", output_index=0, item_id="r", text=words, **places)
    assert read(WIRE, body + end()).reasoning == "hm\n\nso"


def test_the_state_in_the_response_counts_more_than_the_events_name() -> None:
    cut = {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}, "output": [said("a")]}
    reply = read(WIRE, CREATED + event("response.completed", response=cut))
    assert (reply.text, reply.finish) == ("a", "max_output_tokens")


def test_counts_under_the_names_of_the_other_protocol() -> None:
    counts = {"prompt_tokens": 5, "completion_tokens": 6}
    assert read(WIRE, CREATED + done(0, **said("a")) + end(usage=counts)).usage == Usage(5, 6)
