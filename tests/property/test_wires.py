"""For every wire: no bytes raise, and no cutting changes what they say."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.playbook import decode, fold
from workbench.wires import get_wire, wire_ids

WIRES = [*wire_ids()]
QUICK = settings(max_examples=60)

_KEYS = st.sampled_from(
    "id object model choices index delta message content role tool_calls function name arguments type text thinking usage"
    " finish_reason error code status prompt_tokens reasoning reasoning_content refusal output item output_index call_id summary"
    " response content_block partial_json stop_reason candidates parts functionCall args finishReason done done_reason delta input"
    " data completions completion success stop tokens_predicted details metadata x_groq timings".split()
)
_WORDS = st.sampled_from(
    "text thinking tool_use function_call message error stop response.completed response.output_item.added content_block_start"
    " content_block_delta message_start message_delta message_stop input_json_delta text_delta STOP \ud83d \ude00 ü {} 0".split()
) | st.text(max_size=8)
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 700) | st.floats() | _WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=5),
    max_leaves=25,
)
_LINES = st.one_of(
    _VALUES.map(lambda value: b"data: " + json.dumps(value).encode() + b"\n\n"),
    _VALUES.map(lambda value: json.dumps(value).encode() + b"\n"),
    st.sampled_from([b"data: [DONE]\n\n", b"event: error\n", b": x\r\n\r\n", b"data:\r", b"\n", b"<html>", b"data: {\"a\n", b"\xff\xfe", b"[", b"{"]),
    st.binary(max_size=20),
)  # fmt: skip
_BODIES = st.lists(_LINES, max_size=8).map(b"".join)


@pytest.mark.parametrize("wire", WIRES)
@QUICK
@given(body=_BODIES, stream=st.booleans(), status=st.sampled_from([200, 200, 400, 503]), data=st.data())
def test_any_bytes_in_any_cutting(wire: str, body: bytes, stream: bool, status: int, data: st.DataObject) -> None:
    whole = decode(wire, body, stream=stream, status=status)
    cuts = data.draw(st.lists(st.integers(0, len(body)), min_size=1, max_size=6))
    assert decode(wire, body, cuts=cuts, stream=stream, status=status) == whole
    assert decode(wire, body, cut=1, stream=stream, status=status) == whole
    reply = fold(whole)
    json.dumps(reply.text + reply.reasoning, ensure_ascii=False).encode()
    if status >= 400:
        assert reply.faults
    for call in reply.calls:
        (call.id + call.name + call.arguments).encode()


@pytest.mark.parametrize("wire", WIRES)
@QUICK
@given(body=st.binary(max_size=300), stream=st.booleans())
def test_noise(wire: str, body: bytes, stream: bool) -> None:
    assert decode(wire, body, stream=stream) == decode(wire, body, cut=3, stream=stream)


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize(
    "body", [b"[" * 200_000, b'{"choices":' * 50_000, b"data: " + b"[" * 100_000 + b"\n\n", b'{"a":"' + b"\\" * 100_001]
)
def test_deep_and_long(wire: str, body: bytes) -> None:
    assert fold(decode(wire, body)).faults
    assert fold(decode(wire, body, stream=False)).faults


@pytest.mark.parametrize("wire", WIRES)
@QUICK
@given(body=st.binary(max_size=200) | _VALUES.map(lambda value: json.dumps(value).encode()))
def test_model_lists(wire: str, body: bytes) -> None:
    found = get_wire(wire).read_models(body)
    assert all(model.id for model in found)
