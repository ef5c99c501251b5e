"""Any neutral conversation can be sent over any wire, and what arrives means the same."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.core.exchange import Endpoint
from workbench.core.messages import ChatRequest, Message, NativeCall
from workbench.core.tools import ToolSpec
from workbench.wires import get_server, get_wire, table, wire_ids
from workbench.wires.kit.content_parts import as_object

WIRES = [*wire_ids()]
QUICK = settings(max_examples=60)

TEXT = st.text(alphabet=st.characters(codec="utf-8"), max_size=8)
WORD = st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Z", "C"]), min_size=1, max_size=8)
NAMES = st.sampled_from(["f", "get_weather", "x9"])
OBJECTS = st.dictionaries(TEXT, st.integers() | TEXT | st.booleans(), max_size=2)
ANY_ARGUMENTS = OBJECTS.map(json.dumps) | st.sampled_from(["", "{", "[1]", "null", '"{}"'])
IDS = st.sampled_from(["", "call_a", "call_b", "AbC123xyZ"])


def calls(arguments: st.SearchStrategy[str], ids: st.SearchStrategy[str]) -> st.SearchStrategy[tuple[NativeCall, ...]]:
    one = st.builds(NativeCall, st.just(0), ids, NAMES, arguments)
    return st.lists(one, max_size=3).map(lambda found: tuple(call._replace(number=n) for n, call in enumerate(found)))


MESSAGES = st.one_of(
    st.builds(Message, st.just("system"), TEXT),
    st.builds(Message, st.just("user"), TEXT | st.none() | st.just(({"type": "text", "text": "a"}, {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}}))),
    st.builds(Message, st.just("assistant"), TEXT | st.none(), calls(ANY_ARGUMENTS, IDS), reasoning=TEXT, extra=st.just({"gemini_generate": {"parts": [{"text": "x"}]}}) | st.just({})),
    st.builds(Message, st.just("tool"), TEXT, tool_call_id=IDS, name=NAMES | st.just("")),
)  # fmt: skip
CHOICES = st.sampled_from([None, "auto", "none", "required", {"type": "function", "function": {"name": "f"}}])
REQUESTS = st.builds(
    ChatRequest, st.just("m"), st.lists(MESSAGES, max_size=6).map(tuple), tools=st.lists(NAMES.map(ToolSpec), unique_by=lambda t: t.name, max_size=2).map(tuple),
    tool_choice=CHOICES, stop=st.lists(TEXT, max_size=6).map(tuple), max_tokens=st.none() | st.integers(1, 9), temperature=st.none() | st.just(0.5),
    parallel_tool_calls=st.none() | st.booleans(), stream=st.booleans(),
)  # fmt: skip


@pytest.mark.parametrize("wire", WIRES)
@QUICK
@given(request=REQUESTS)
def test_everything_can_be_sent(wire: str, request: ChatRequest) -> None:
    sent = get_wire(wire).encode(request, Endpoint("t", wire, "http://127.0.0.1:1"), "k")
    body = json.loads(sent.body)
    assert isinstance(body, dict)
    assert any(value.endswith("k") for name, value in sent.headers if "key" in name or name == "authorization")
    assert get_wire(wire).encode(request, Endpoint("t", wire, "http://127.0.0.1:1"), "k") == sent


@QUICK
@given(request=REQUESTS)
def test_anthropic_turns_keep_its_rules(request: ChatRequest) -> None:
    sent = get_wire("anthropic_messages").encode(request, Endpoint("t", "anthropic_messages", "http://h"))
    for turn in json.loads(sent.body)["messages"]:
        kinds = [block["type"] for block in turn["content"]] if isinstance(turn["content"], list) else ["text"]
        results = [kind == "tool_result" for kind in kinds]
        assert results == sorted(results, reverse=True), "results stand before any text"
        assert turn["role"] == "user" or not any(results)


@st.composite
def conversations(draw: st.DrawFn) -> tuple[Message, ...]:
    """A proper conversation: every call has an id and is answered at once, in order."""
    out = [Message("system", draw(WORD)), Message("user", draw(WORD))]
    for turn in range(draw(st.integers(0, 3))):
        made = draw(calls(OBJECTS.map(lambda value: json.dumps(value, ensure_ascii=False)), st.just("")))
        made = tuple(call._replace(id=f"call_{turn}_{n}") for n, call in enumerate(made))
        out.append(Message("assistant", draw(WORD), made))
        out += [Message("tool", draw(WORD), tool_call_id=call.id) for call in made]
        if not made:
            out.append(Message("user", draw(WORD)))
    return tuple(out)


def meaning(messages: tuple[Message, ...]) -> list[Any]:
    """What a conversation says, apart from how its arguments, ids and results are spelled."""
    ids: dict[str, int] = {}
    return [
        (m.role, as_object(m.text) if m.role == "tool" else m.text, [(ids.setdefault(c.id, len(ids)), c.name, json.loads(c.arguments or "{}")) for c in m.tool_calls], ids.get(m.tool_call_id)) for m in messages
    ]  # fmt: skip


@QUICK
@given(messages=conversations())
def test_request_read_back_says_the_same(messages: tuple[Message, ...]) -> None:
    request = ChatRequest(
        "m", messages, tools=(ToolSpec("f"),), tool_choice="auto", stop=("x",), max_tokens=9, temperature=0.5
    )
    for wire in (row.id for row in table.WIRES if row.server and row.native):
        sent = get_wire(wire).encode(request, Endpoint("t", wire, "http://h"))
        got = get_server(wire).read(sent.body, sent.url.partition("?")[0]).request
        assert meaning(got.messages) == meaning(messages), wire
        stop = () if wire == "openai_responses" else ("x",)
        assert (got.model, got.stop, got.max_tokens, got.temperature) == ("m", stop, 9, 0.5)
        assert [(tool.name, tool.parameters) for tool in got.tools] == [("f", ToolSpec("f").parameters)]
        assert got.tool_choice == (None if wire == "ollama_chat" else "auto")
